# SPDX-License-Identifier: GPL-3.0-or-later
"""The planted models must reach a GPU: the real program imports each of them here, on the CPU.

    test_planted.py APERTUNE"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import acceptance  # noqa: E402

APERTUNE = sys.argv.pop()


class PlantedTest(unittest.TestCase):
    def test_every_planted_model_is_imported_and_measured_without_a_gpu(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, XDG_DATA_HOME=folder, APERTUNE_TEST_BRIEF="1")
            for cause, function, _ in acceptance.CAUSES:
                with self.subTest(cause):
                    command = [APERTUNE, "tune", f"python:{HERE / 'planted.py'}:{function}", "--devices", "cpu", "--levels",
                               "O0", "--precisions", "fp32", "--batches", "4", "--search", "grid", "--measuring-budget", "2s",
                               "--json"]
                    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
                    self.assertEqual(run.returncode, 4, run.stderr)  # only the model as loaded is measured
                    self.assertEqual([t["state"] for t in json.loads(run.stdout)["trials"]], ["ok"], run.stdout)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""`apertune gpu-check` where there is no GPU.

    test_verb.py APERTUNE"""

import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

APERTUNE = sys.argv.pop()


class VerbTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, *options):
        return subprocess.run([APERTUNE, "gpu-check", "--out", str(self.folder), *options], capture_output=True, text=True,
                              env=dict(os.environ, CUDA_VISIBLE_DEVICES=""), timeout=600)

    def test_without_a_gpu_it_says_so_and_leaves_an_archive(self):
        done = self.check("--quick", "--stages", "sweep")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        archives = list(self.folder.glob("apertune-gpu-*.tar.gz"))
        self.assertEqual(len(archives), 1)
        with tarfile.open(archives[0]) as packed:
            name = next(n for n in packed.getnames() if n.endswith("/results.json"))
            checks = json.load(packed.extractfile(name))["checks"]
        self.assertEqual({c["stage"] for c in checks}, {"devices"}, "no GPU, no further stage")
        self.assertFalse(next(c for c in checks if c["check"] == "a GPU is seen")["passed"])

    def test_a_stage_that_does_not_exist_is_named_with_those_that_do(self):
        done = self.check("--stages", "sweeps")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no stage 'sweeps'; the stages are sweep, memory", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()

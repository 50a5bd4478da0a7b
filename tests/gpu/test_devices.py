# SPDX-License-Identifier: GPL-3.0-or-later
"""Output of `apertune device list` for a GPU whose driver refuses, with LibTorch's own CUDA and CUPTI. The driver is a
stand-in that lies in a folder of LD_LIBRARY_PATH and nowhere else, as on many clusters.

    test_devices.py APERTUNE FOLDER"""

import json
import os
import subprocess
import sys
import unittest

FOLDER = sys.argv.pop()
APERTUNE = sys.argv.pop()


class DevicesTest(unittest.TestCase):
    def devices(self, **driver):
        environment = dict(os.environ, LD_LIBRARY_PATH=FOLDER, **driver)
        run = subprocess.run([APERTUNE, "device", "list", "--json"], env=environment, capture_output=True, text=True, timeout=600)
        self.assertEqual(run.returncode, 0, run.stderr)
        document = json.loads(run.stdout)
        self.captures = {capture["name"]: capture for capture in document["captures"]}
        self.libtorch = next(b for b in document["backends"] if b["name"] == "libtorch")
        self.assertEqual([d["id"] for d in document["devices"]], ["cpu", "cuda:0"])
        self.assertNotIn("no NVIDIA driver", run.stdout)

    def assert_refused(self, *words):
        for name in ("GPU timing", "kernel trace", "hardware counters"):
            self.assertFalse(self.captures[name]["available"], name)
            for word in words:
                self.assertIn(word, self.captures[name]["reason"], name)
            self.assertTrue(self.captures[name]["remedy"], name)
        self.assertTrue(self.captures["GPU telemetry"]["available"])

    def test_a_driver_that_is_too_old_is_named_with_what_it_runs_and_what_is_needed(self):
        self.devices(STANDIN_DRIVER="570.86.15", STANDIN_CUDA="12080")
        self.assert_refused("570.86.15", "CUDA 12.8", "13.0 (driver 580)")
        note = " ".join(self.libtorch["notes"])
        self.assertIn("insufficient", note)
        self.assertIn("the driver runs CUDA 12.8, this build needs CUDA 13.0", note)

    def test_a_driver_that_does_not_start_is_quoted(self):
        self.devices(STANDIN_CUINIT="802")
        self.assert_refused("system not yet initialized")
        self.assertIn("system not yet initialized", " ".join(self.libtorch["notes"]))


if __name__ == "__main__":
    unittest.main()

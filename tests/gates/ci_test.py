#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that .ci/run ends with the first stage that fails, and lists the gates for which its hour left no time. A
program that records its target replaces `make`.

    ci_test.py
"""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALWAYS = ["commits", "test", "gpu-bundle", "headless", "gpu-standin"]
GATES = ["tidy-changed", "alone", "asan", "tsan", "fuzz"]
MAKE = """#!/bin/sh
echo "$1" >> targets
[ "$1" = "$FAILS" ] && exit 2
[ "$1" = "$HANGS" ] && exec sleep 60
exit 0
"""


class ContinuousIntegration(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in (".ci", "bin"):
            (self.root / name).mkdir()
        (self.root / "bin/make").write_text(MAKE)
        (self.root / "bin/make").chmod(0o755)

    def ci(self, hour=3600, fails="", hangs=""):
        """(finished process, the targets that were made)"""
        text = (ROOT / ".ci/run").read_text()
        for name, value in (("hour", hour), ("least", 1)):
            before = next(line for line in text.splitlines() if line.startswith(f"{name}="))
            text = text.replace(before, f"{name}={value}")
        (self.root / ".ci/run").write_text(text)
        run = subprocess.run(["bash", self.root / ".ci/run"], capture_output=True, text=True, check=False,
                             env={**os.environ, "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}", "FAILS": fails,
                                  "HANGS": hangs})
        targets = self.root / "targets"
        made = targets.read_text().split()
        targets.unlink()
        return run, made

    def test_all_stages_run(self):
        run, made = self.ci()
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(made, ALWAYS + GATES)
        self.assertEqual(run.stdout.splitlines()[-1], "Every gate passed.")

    def test_a_stage_that_fails_is_the_last_one(self):
        for number, target in enumerate(ALWAYS + GATES):
            with self.subTest(target):
                run, made = self.ci(fails=target)
                self.assertEqual(run.returncode, 2)
                self.assertEqual(made, (ALWAYS + GATES)[:number + 1])

    def test_gates_without_time_are_named_and_fail_nothing(self):
        run, made = self.ci(hour=3, hangs="alone")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(made, ALWAYS + ["tidy-changed", "alone"])
        self.assertEqual(run.stdout.splitlines()[-1],
                         "UNFINISHED: what ran passed. Not finished within the hour: alone asan tsan fuzz.")


if __name__ == "__main__":
    unittest.main()

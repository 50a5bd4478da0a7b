#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the small scripts behind `make run` and `make bench` against stand-in programs."""
import pathlib
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "resources" / "setup"


class Scripts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.sandbox = pathlib.Path(self.folder.name)
        self.program("prefix/bin/apertune", '''
            case "$1 $2" in
              "model show") [[ -e $SANDBOX/imported ]] ;;
              "model import") touch "$SANDBOX/imported" ;;
              tune*) exit "${FAKE_TUNE_STATUS:-0}" ;;
              "show best") exit "${FAKE_BEST_STATUS:-0}" ;;
              "show --json") echo "${FAKE_DOCUMENT:-}" ;;
              show*) echo "the table" ;;
            esac''')
        self.program("prefix/bin/apertune-gui", '''
            echo "platform=${QT_QPA_PLATFORM:-}" >>"$SANDBOX/calls"
            [[ -n ${QT_QPA_PLATFORM:-} ]] || exit "${FAKE_GUI_STATUS:-0}"''')

    def program(self, path, body):
        path = self.sandbox / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/bash\necho "${{0##*/}} $*" >>"$SANDBOX/calls"\n{body}\n')
        path.chmod(0o755)

    def run_script(self, name, *arguments, **extra):
        (self.sandbox / "calls").write_text("")
        env = {"PATH": "/usr/bin:/bin", "HOME": str(self.sandbox / "home"), "SANDBOX": str(self.sandbox), **extra}
        run = subprocess.run([SCRIPTS / name, *arguments], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        self.output = run.stdout + run.stderr
        self.calls = (self.sandbox / "calls").read_text().splitlines()
        return run.returncode

    def first_run(self, **extra):
        return self.run_script("first-run", str(self.sandbox / "prefix"), str(self.sandbox / "out"), **extra)

    def test_the_first_run_without_display_prints_the_table_and_says_where_report_and_picture_are(self):
        self.assertEqual(self.first_run(), 0, self.output)
        store = str(self.sandbox / "home/.local/share/apertune/default.apertune")
        self.assertEqual([call.split(" --")[0] for call in self.calls],
                         ["apertune model show resnet50", "apertune model import torchvision:resnet50", "apertune tune resnet50",
                          "apertune show last", "apertune report last", "apertune-gui", "platform=offscreen"])
        self.assertIn("--budget 2m", self.calls[2])
        self.assertTrue(all(store in call for call in self.calls[:-1]), self.calls)
        for word in ("the table", f"{self.sandbox}/out/report.html", f"{self.sandbox}/out/window.png", store):
            self.assertIn(word, self.output)

    def test_the_first_run_with_a_display_opens_the_window_after_the_report(self):
        for display in ("DISPLAY", "WAYLAND_DISPLAY"):
            self.assertEqual(self.first_run(**{display: ":0"}), 0, self.output)
            self.assertEqual([call.split(" --")[0] for call in self.calls[-6:]],
                             ["apertune show last", "apertune report last", "apertune-gui", "platform=offscreen",
                              "apertune-gui", "platform="])
            self.assertNotIn("--screenshot", self.calls[-2])
            self.assertIn("the table", self.output)

    def test_a_display_that_cannot_be_used_does_not_fail_the_first_run(self):
        self.assertEqual(self.first_run(DISPLAY=":9", FAKE_GUI_STATUS="2"), 0, self.output)
        self.assertIn("could not be opened", self.output)
        self.assertIn("out/report.html", self.output)

    def test_a_model_that_is_there_is_not_imported_again(self):
        (self.sandbox / "imported").touch()
        self.assertEqual(self.first_run(APERTUNE_BUDGET="30s"), 0, self.output)
        self.assertFalse(any("import" in call for call in self.calls))
        self.assertTrue(any("--budget 30s" in call for call in self.calls))

    def test_a_sweep_that_measured_nothing_ends_the_first_run_with_its_exit_code(self):
        for status in ({"FAKE_TUNE_STATUS": "4", "FAKE_BEST_STATUS": "2"}, {"FAKE_TUNE_STATUS": "2"}):
            self.assertEqual(self.first_run(**status), int(status["FAKE_TUNE_STATUS"]), self.output)
            self.assertFalse(any(call.startswith(("apertune show last", "apertune report", "apertune-gui")) for call in self.calls))

    def test_a_sweep_that_found_nothing_better_than_the_model_as_loaded_still_shows_its_result(self):
        self.assertEqual(self.first_run(FAKE_TUNE_STATUS="4"), 0, self.output)
        self.assertIn("the table", self.output)

    def test_a_sweep_that_confirmed_nothing_shows_its_shortlist(self):
        status = {"FAKE_TUNE_STATUS": "4", "FAKE_BEST_STATUS": "2", "FAKE_DOCUMENT": '{"shortlist": {"candidates": []}}'}
        self.assertEqual(self.first_run(**status), 0, self.output)
        self.assertIn("the table", self.output)

    def test_bench_runs_every_benchmark_and_hands_on_options(self):
        self.program("build/bench/bench_a", ":")
        self.program("build/bench/bench_b", ":")
        self.assertEqual(self.run_script("bench", str(self.sandbox / "build"), "--quick"), 0, self.output)
        self.assertEqual(self.calls, ["bench_a --quick", "bench_b --quick"])
        self.assertEqual(self.run_script("bench", str(self.sandbox / "build"), "--filter", "b"), 0, self.output)
        self.assertEqual(self.calls, ["bench_b "])

    def test_bench_fails_when_a_benchmark_fails_or_none_is_there(self):
        self.assertEqual(self.run_script("bench", str(self.sandbox)), 2)
        self.program("build/bench/bench_a", "exit 3")
        self.assertEqual(self.run_script("bench", str(self.sandbox / "build")), 3)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the module makes of the program's documents, with the sample workspace."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
from unittest import mock

import apertune
from apertune.program import environment
from apertune.studies import arguments_of
from support import AtHome


class Documents(AtHome):
    def setUp(self):
        super().setUp()
        apertune.run("workspace", "sample", self.store)
        self.study = apertune.open_study(store=self.store)

    def test_a_study_has_its_trials_and_its_recommendation(self):
        document = self.study.document
        self.assertEqual(len(self.study.trials), len(document["trials"]))
        best = self.study.best
        self.assertEqual(best.id, document["recommended"]["trial"])
        self.assertEqual(self.study.verdict, document["recommended"]["speedup"]["verdict"])
        self.assertLess(self.study.speedup.lo, self.study.speedup.value)
        self.assertLess(self.study.speedup.value, self.study.speedup.hi)
        self.assertLessEqual(best.latency.lo, best.latency.value)
        self.assertGreater(best.memory_bytes, 0)
        self.assertIn(best.name, repr(self.study))

    def test_rows_are_flat_and_empty_where_nothing_was_measured(self):
        rows = {row["trial"]: row for row in self.study.rows()}
        best = self.study.best
        self.assertEqual(rows[best.id]["latency_ms"], best.latency.value)
        self.assertEqual(rows[best.id]["backend"], best.config["backend"])
        pruned = next(trial for trial in self.study.trials if trial.state == "pruned")
        self.assertIsNone(rows[pruned.id]["latency_ms"])
        self.assertEqual(rows[pruned.id]["reason"], pruned.reason)

    def test_the_table_of_a_notebook_escapes_what_it_shows(self):
        self.study.model = "<script>alert(1)</script>"
        table = self.study._repr_html_()
        self.assertNotIn("<script>", table)
        self.assertIn("&lt;script&gt;", table)
        self.assertIn("✔ " + self.study.best.id, table)
        self.assertEqual(len(re.findall("<tr>", table)), 14, "the head, 12 trials, and how many more there are")

    def test_a_study_without_a_recommendation_says_why(self):
        document = dict(self.study.document, recommended=None,
                        shortlist={"candidates": [{"trial": "t1"}, {"trial": "t4"}], "note": "No recommendation: why."})
        study = apertune.Study(document)
        self.assertIsNone(study.best)
        self.assertIsNone(study.speedup)
        self.assertEqual([trial.id for trial in study.shortlist], ["t1", "t4"])
        self.assertIn("No recommendation: why.", repr(study))

    def test_a_name_has_its_threads_where_they_differ_from_those_of_most(self):
        document = json.loads(json.dumps(self.study.document))
        usual = self.study.trial("t4")
        next(trial for trial in document["trials"] if trial["id"] == "t4")["config"]["threads"] = 1
        self.assertEqual(apertune.Study(document).trial("t4").name, usual.name + " th1")
        self.assertNotIn("th", usual.name.replace("libtorch", ""))

    def test_two_trials_are_compared(self):
        against = self.study.trial(self.study.document["recommended"]["speedup"]["against"])
        (pair,) = apertune.compare(against, self.study.best)["cells"]
        self.assertEqual(pair["verdict"], "faster")
        self.assertAlmostEqual(pair["ratio"]["value"], self.study.speedup.value)
        with self.assertRaises(ValueError):
            apertune.compare(against, apertune.Trial(self.study.best.document, self.home / "other.apertune"))

    def test_a_report_is_written(self):
        self.study.report(self.home / "report.html")
        self.assertIn("</html>", (self.home / "report.html").read_text())

    def test_the_programs_own_sentences_are_raised(self):
        with self.assertRaisesRegex(apertune.ApertuneError, "^There is no study .s99.\\.\n"):
            apertune.open_study("s99", self.store)
        with self.assertRaisesRegex(apertune.ApertuneError, "budgett"):
            apertune.tune("squeezenet1_1", store=self.store, budgett="1s")
        with mock.patch.dict(os.environ, APERTUNE_TREE=str(self.home)):
            with self.assertRaisesRegex(apertune.ApertuneError, "APERTUNE_TREE"):
                apertune.open_study(store=self.store)


class Options(unittest.TestCase):
    def test_keyword_arguments_become_options(self):
        self.assertEqual(
            arguments_of({"budget": "1m", "batches": [1, 4], "max_latency": "20ms", "spread": True, "emulated": False, "gate": None,
                          "switch": {"channels_last": [True, False], "freeze": "on"}, "calibration": pathlib.Path("images")}),
            ["--budget", "1m", "--batches", "1,4", "--max-latency", "20ms", "--spread", "--switch", "channels_last=on,off",
             "--switch", "freeze=on", "--calibration", "images"])

    def test_engines_are_those_of_this_interpreter_unless_the_user_names_others(self):
        import torch

        own = ("APERTUNE_TORCH", "APERTUNE_PYTHON", "APERTUNE_ENGINES")
        with mock.patch.dict(os.environ):
            for name in own:
                os.environ.pop(name, None)
            self.assertEqual(environment()["APERTUNE_PYTHON"], sys.executable)
            self.assertEqual(environment()["APERTUNE_TORCH"], os.path.dirname(torch.__file__))
            os.environ["APERTUNE_TORCH"] = "/other/torch"
            os.environ["APERTUNE_ENGINES"] = "/other/engines"
            self.assertEqual(environment()["APERTUNE_TORCH"], "/other/torch")
            self.assertNotIn("APERTUNE_PYTHON", environment(), "that is for the program to find beside this torch")
            self.assertEqual(environment()["APERTUNE_ENGINES"], "/other/engines")

    def test_the_command_is_the_program(self):
        said = subprocess.run([sys.executable, "-c", "from apertune.program import main; main()", "--version"],
                              capture_output=True, text=True, check=True)
        self.assertRegex(said.stdout, r"^apertune \d")


if __name__ == "__main__":
    unittest.main()

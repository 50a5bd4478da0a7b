#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that commits.py fails where it should, in repositories of its own."""
import contextlib
import io
import subprocess
import tempfile
import unittest

import commits

GOOD = "fix(store): a study survives a full disk\n\nThe write failed after the row was there.\n\nTest: ctest -R core_store\n"


class CommitTexts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.git("init", "-q")
        self.commit("a first commit with a subject that is far longer than any log of commits would ever show")
        self.since = self.git("rev-parse", "HEAD").strip()

    def git(self, *words):
        names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        return subprocess.run(["git", "-C", self.root, *names, *words], capture_output=True, text=True, check=True).stdout

    def commit(self, text):
        self.git("commit", "-q", "--allow-empty", "-m", text)

    def check(self, since=None):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = commits.main(self.root, since or self.since)
        return status, printed.getvalue()

    def test_good_commits_pass_and_older_ones_are_not_looked_at(self):
        self.commit(GOOD)
        self.assertEqual(self.check()[0], 0)

    def test_a_long_subject_fails(self):
        self.commit(GOOD.replace("full disk", "full disk and also a very long sentence"))
        status, text = self.check()
        self.assertEqual(status, 1)
        self.assertIn("has a subject of", text)

    def test_a_missing_body_fails(self):
        self.commit("fix: something\n\nTest: ctest")
        self.assertIn("has no body", self.check()[1])

    def test_a_missing_test_line_fails(self):
        self.commit("fix: something\n\nBecause it was wrong.")
        status, text = self.check()
        self.assertEqual(status, 1)
        self.assertIn("Test:", text)

    def test_a_history_without_the_first_commit_is_skipped(self):
        self.assertEqual(self.check("0" * 40)[0], commits.SKIPPED)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Helpers of the exporter's tests: running a command in this process or as a child, and reading what it said."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
EXPORTER = os.path.join(HERE, "..", "..", "resources", "exporter")
sys.path.insert(0, EXPORTER)

from apertune_exporter.common import protocol  # noqa: E402
from apertune_exporter.cli import main  # noqa: E402


class Recorder(protocol.Channel):
    def __init__(self):
        super().__init__(None)
        self.records = []

    def _send(self, record):
        self.records.append(json.loads(json.dumps(record)))

    def text(self, text):
        self.records.append({"t": "text", "text": text})


def run(*arguments):
    """(exit status, last record) of a command run in this process."""
    channel = Recorder()
    status = main([str(a) for a in arguments], channel)
    return status, channel.records[-1]


def child_arguments(*arguments):
    return [sys.executable, "-m", "apertune_exporter", *[str(a) for a in arguments]]


def child_environment(**more):
    return {**os.environ, "PYTHONPATH": EXPORTER, **more}


def run_child(*arguments, **environment):
    return subprocess.run(
        child_arguments(*arguments), env=child_environment(**environment), capture_output=True, text=True, timeout=300
    )


def source(name):
    return f"python:{os.path.join(HERE, 'models.py')}:{name}"


class Case(unittest.TestCase):
    """A test with a folder of its own that must hold nothing half-written at the end."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="apertune-exporter-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def tearDown(self):
        partials = [entry for entry in os.listdir(self.folder) if ".partial-" in entry]
        self.assertEqual(partials, [])

    def path(self, name):
        return os.path.join(self.folder, name)

    def export(self, what, *options, out="model"):
        """The manifest of a successful export."""
        status, last = run("export", what, "--out", self.path(out), *options)
        self.assertEqual((status, last["t"]), (0, "done"), last)
        with open(os.path.join(self.path(out), "manifest.json"), encoding="utf-8") as stream:
            return json.load(stream)

    def assert_refused(self, code, *arguments, contains=(), status=2):
        """The command fails with `code`, one sentence and a hint."""
        got, last = run(*arguments)
        self.assertEqual((got, last["t"], last.get("code")), (status, "error", code), last)
        self.assertTrue(last["message"] and last["hint"])
        self.assertNotIn("\n", last["message"] + last["hint"])
        for part in [contains] if isinstance(contains, str) else contains:
            self.assertIn(part, last["message"] + " " + last["hint"])
        return last

    def assert_import_refused(self, code, what, *options, contains=()):
        last = self.assert_refused(code, "export", what, "--out", self.path("refused"), *options, contains=contains)
        self.assertFalse(os.path.exists(self.path("refused")))
        return last

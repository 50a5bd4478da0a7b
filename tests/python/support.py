# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder that stands for the user's home while a test runs."""

import os
import pathlib
import tempfile
import unittest
from unittest import mock


class AtHome(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        places = {name: str(self.home / name.lower()) for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
        patch = mock.patch.dict(os.environ, places)
        patch.start()
        self.addCleanup(patch.stop)
        self.store = self.home / "runs.apertune"

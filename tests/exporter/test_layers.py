# SPDX-License-Identifier: GPL-3.0-or-later
"""The sub-packages of the exporter: which of them may import which."""

import ast
import os
import unittest

from support import EXPORTER

PACKAGE = os.path.join(EXPORTER, "apertune_exporter")
# From the bottom up: a sub-package imports only from those that its line names, and from the package's own constants.
ALLOWED = {
    "nets": set(),
    "common": set(),
    "tensors": {"common"},
    "sources": {"common", "tensors", "nets"},
    "artifact": {"common", "tensors", "sources"},
    "quantize": {"common", "tensors", "artifact"},
    "convert": {"common", "tensors", "artifact", "quantize"},
    "compile": {"common", "tensors", "sources", "artifact", "quantize"},
    "evaluate": {"common", "tensors", "artifact", "quantize"},
}


def imported_by(path, folder):
    """The sub-packages that a file imports from, its own left out."""
    with open(path, encoding="utf-8") as stream:
        tree = ast.parse(stream.read(), path)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 2:
            for name in [node.module] if node.module else [alias.name for alias in node.names]:
                first = name.partition(".")[0]
                if os.path.isdir(os.path.join(PACKAGE, first)) and first != folder:
                    yield first


class Layers(unittest.TestCase):
    def test_every_sub_package_is_listed(self):
        folders = {entry for entry in os.listdir(PACKAGE) if os.path.exists(os.path.join(PACKAGE, entry, "__init__.py"))}
        self.assertEqual(folders, set(ALLOWED))

    def test_no_import_goes_upward(self):
        for folder, allowed in ALLOWED.items():
            for entry in sorted(os.listdir(os.path.join(PACKAGE, folder))):
                if entry.endswith(".py"):
                    found = set(imported_by(os.path.join(PACKAGE, folder, entry), folder))
                    self.assertEqual(found - allowed, set(), f"{folder}/{entry}")

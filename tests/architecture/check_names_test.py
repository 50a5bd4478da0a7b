#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that check_names.py can fail: it names what the tree does not have, and nothing that it has."""
import contextlib
import io
import pathlib
import sys
import tempfile

import check_names

FILES = {
    "CONTRIBUTING.md": "Its `SheetLine` is `nowhere`; set `FactGroup::latency`, not `FactGroup::gone`, as `describe()`\n"
                       "and `removed(x)` do in `core/metrics/metrics.cpp` and `metrics/sheet.h`. Copy `core/NAME.h`, not\n"
                       "`kHues`, and write `UpperCamel`. `apertune show best` and `build/Release` are no names.\n",
    "core/metrics/metrics.cpp": "// SheetLine was here\nenum class FactGroup { latency };\nconst int kHues = describe();\n",
    "tests/architecture/check_names_test.py": "SheetLine",
}

with tempfile.TemporaryDirectory() as tree:
    for name, text in FILES.items():
        path = pathlib.Path(tree, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    printed = io.StringIO()
    sys.argv[1:] = [tree]
    with contextlib.redirect_stdout(printed):
        status = check_names.main()
    print(printed.getvalue(), end="")
    assert status == 1
    assert printed.getvalue().splitlines() == [
        "CONTRIBUTING.md:1: nothing in the tree is named SheetLine",
        "CONTRIBUTING.md:1: nothing in the tree is named gone",
        "CONTRIBUTING.md:2: nothing in the tree is named removed",
        "CONTRIBUTING.md:2: there is no file metrics/sheet.h",
    ]

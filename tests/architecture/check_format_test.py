#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that check_format.py can fail: it names the one of two files that is not formatted.

    check_format_test.py CLANG_FORMAT
"""
import contextlib
import io
import os
import sys
import tempfile

import check_format

with tempfile.TemporaryDirectory() as tree:
    os.mkdir(os.path.join(tree, "core"))
    for name, text in (("right.h", "int answer();\n"), ("wrong.cpp", "int  answer( );\n")):
        with open(os.path.join(tree, "core", name), "w", encoding="utf-8") as file:
            file.write(text)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = check_format.main(tree, sys.argv[1])
    print(printed.getvalue(), end="")
    if status == check_format.SKIPPED:
        sys.exit(status)
    assert status == 1, status
    assert "wrong.cpp is not formatted" in printed.getvalue()
    assert "right.h" not in printed.getvalue()

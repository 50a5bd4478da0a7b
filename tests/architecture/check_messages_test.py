#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that check_messages.py can fail: it names each text that an installed program must not print, and no other."""
import contextlib
import io
import os
import tempfile

import check_messages

FILES = {
    "Makefile": ".PHONY: setup build gpu-bundle\n",
    "core/hint.cpp": 'const char* a = "Install it with: make setup, or else.";\nconst char* b = "Make setups easy.";\n',
    "core/right.h": '// Built by make setup.\n#include "tests/core/x.h"\nconst char* a = "Name it in APERTUNE_TORCH.";\n',
    "app/path.cpp": 'const char* a = "See resources/setup/engines.txt.";\n',
    "plugins/x/CMakeLists.txt": '# make build\napertune_describe_engine(x REMEDY "Name its folder, and run: make build")\n',
    "resources/exporter/cli.py": '"""Run by make build."""\nhint = f"Run `make gpu-bundle`."\n',
    "tests/skip.cpp": 'const char* a = "make setup";\n',
}
WRONG = ("core/hint.cpp:1", "app/path.cpp:1", "plugins/x/CMakeLists.txt:2", "resources/exporter/cli.py:2")

with tempfile.TemporaryDirectory() as tree:
    for name, text in FILES.items():
        os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
        with open(os.path.join(tree, name), "w", encoding="utf-8") as file:
            file.write(text)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = check_messages.main(tree)
    print(printed.getvalue(), end="")
    assert status == 1, status
    named = [line.split(" tells ")[0] for line in printed.getvalue().splitlines()[:-1]]
    assert sorted(named) == sorted(WRONG), named

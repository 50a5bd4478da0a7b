#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails when a text that a program may print names a target of the Makefile or a file of the source tree: whoever
installed Apertune has neither.

    check_messages.py TREE
"""
import ast
import os
import re
import sys

# What is installed; tests and the set-up speak to those who have the sources.
FOLDERS = ("app", "core", "plugins", "profilers", "widgets", "resources/exporter")
CPP_TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# Texts of CMake that become part of a program: apertune_describe_engine().
CMAKE_TEXT = re.compile(r'(?:REMEDY|NOT_BUILT|set\(not_built)\s+"([^"]*)"')


def targets(tree):
    with open(os.path.join(tree, "Makefile"), encoding="utf-8") as file:
        phony = re.search(r"^\.PHONY:(.*)$", file.read(), re.MULTILINE)
    return phony.group(1).split() if phony else []


def texts(path):
    """(line, text) of every text in a file."""
    with open(path, encoding="utf-8") as file:
        content = file.read()
    if path.endswith(".py"):
        tree = ast.parse(content)
        prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
                yield node.lineno, node.value
        return
    if path.endswith("CMakeLists.txt"):
        for found in CMAKE_TEXT.finditer(content):
            yield content.count("\n", 0, found.start()) + 1, found.group(1)
        return
    for number, line in enumerate(content.splitlines(), 1):
        code = line.strip()
        if code.startswith(("//", "#", "/*", "*")):  # comments, includes
            continue
        for found in CPP_TEXT.finditer(line):
            yield number, found.group(1)


def sources(tree):
    for folder in FOLDERS:
        for path, _, files in os.walk(os.path.join(tree, folder)):
            for name in sorted(files):
                if name.endswith((".h", ".cpp", ".py", ".in", ".json")) or name == "CMakeLists.txt":
                    yield os.path.join(path, name)


def main(tree):
    target = re.compile(r"\bmake (%s)\b" % "|".join(map(re.escape, targets(tree))))
    folder = re.compile(r"\b(resources/(setup|exporter|cmake)|tests/\w+|build/(release|headless|dev))\b")
    wrong = 0
    for path in sources(tree):
        for line, text in texts(path):
            found = target.search(text) or folder.search(text)
            if found:
                wrong += 1
                print(f"{os.path.relpath(path, tree)}:{line} tells the user of \"{found.group(0)}\", which only the source tree has.")
    print(f"{wrong} texts name what is not installed.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

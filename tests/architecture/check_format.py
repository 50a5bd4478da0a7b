#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails when a C++ file of the tree is not as clang-format writes it, and names the files.

    check_format.py TREE CLANG_FORMAT

The layout that clang-format writes differs between its major versions. The tree follows the version
of Debian 12; with another one the check is skipped (exit code 77).
"""
import os
import re
import subprocess
import sys

VERSION = 14
FOLDERS = ("app", "core", "plugins", "profilers", "resources", "tests", "widgets")
SKIPPED = 77


def sources(tree):
    for folder in FOLDERS:
        for path, _, files in os.walk(os.path.join(tree, folder)):
            yield from (os.path.join(path, name) for name in files if name.endswith((".h", ".cpp")))


def unformatted(clang_format, files):
    """The files of `files` that clang-format would change."""
    command = [clang_format, "--dry-run", *files]
    report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return sorted(set(re.findall(r"^(.+?):\d+:\d+: ", report, re.MULTILINE)))


def main(tree, clang_format):
    version = subprocess.run([clang_format, "--version"], capture_output=True, text=True, check=True).stdout
    major = re.search(r"version (\d+)", version)
    if not major or int(major.group(1)) != VERSION:
        print(f"skipped: the tree follows clang-format {VERSION}, this is {version.strip()}")
        return SKIPPED
    files = sorted(sources(tree))
    if not files:
        print(f"There are no C++ files below {tree}.")
        return 1
    wrong = unformatted(clang_format, files)
    for file in wrong:
        print(f"{os.path.relpath(file, tree)} is not formatted. Run `make format`.")
    print(f"{len(files) - len(wrong)} of {len(files)} files are formatted.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

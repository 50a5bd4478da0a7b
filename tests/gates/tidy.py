#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs clang-tidy with the checks of .clang-tidy, each of which is an error.

    tidy.py ROOT BUILD [--since COMMIT] [--all] [--tidy PROGRAM] [--jobs N] [--minutes N]

Looks at the sources that differ from COMMIT, and at those of changed headers' names; BUILD holds compile_commands.json.
COMMIT is by default that of changes.base_commit(). Files that include LibTorch are left out. Exit status 1 when there is
a finding. A source that passed is known the next time; --minutes limits the time (see units.py).
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

import changes
import units


def sources(root, build, since):
    """The sources to look at; all of them when `since` is None."""
    known = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(root) and not path.is_relative_to(build) and "torch/include" not in entry["command"]:
            known[str(path.relative_to(root))] = entry["command"]
    if since is None:
        return known
    names = {name[:-2] + ".cpp" if name.endswith(".h") else name for name in changes.changed(root, since)}
    return {name: known[name] for name in sorted(names) if name in known}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--since")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--tidy", default="clang-tidy-14")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float)
    options = parser.parse_args()
    root, build, began = options.root.resolve(), options.build.resolve(), time.monotonic()
    since = None if options.all else options.since or changes.base_commit(root, "tidy")
    if since == "":
        print("skipped: there is no commit to compare with.")
        return 0
    includes = changes.Includes(root)
    todo = [units.Unit(name, [options.tidy, "--quiet", "-p", str(build), str(root / name)],
                       reads=[".clang-tidy", *includes.closure(name)], flags=compile)
            for name, compile in sources(root, build, since).items()]
    version = subprocess.run([options.tidy, "--version"], capture_output=True, text=True, check=True).stdout
    result = units.run(todo, root, "tidy", version, options.jobs, root, options.minutes)
    for _, text in result.failures:
        print(text)
    if not result.failures and not options.since:
        changes.remember_tested(root, "tidy")
    print(result.text(len(todo), began))
    return 1 if result.failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles each C++ file by itself, its syntax only, with clang: every source in the build tree's compile_commands.json,
and every header that is not the first that a source of its name includes. The locks' annotations are checked with it.

    alone.py ROOT BUILD [--jobs N] [--minutes N] [--all-headers]

Prints the compiler's messages for each file that fails; exit status 1 when one does. --minutes limits the time for files
that neither changed nor include a changed one (see units.py).
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import time

import changes
import units

FIRST_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)


def first_include(path):
    found = FIRST_INCLUDE.search(path.read_text(encoding="utf-8"))
    return found.group(2) if found and found.group(1) == '"' else None


def syntax_command(words):
    """The compiler's words for looking at the syntax alone, the name of the source last."""
    kept, skip = [], False
    for word in words[:-1]:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT", "-MQ"):
            skip = True
        elif word not in ("-c", "-MD", "-MMD", "-g", "-O2", "-O1", "-O0"):
            kept.append(word)
    return kept + ["-fsyntax-only", "-MMD", "-MF", "{deps}"]


def units_of(root, build, all_headers):
    root = root.resolve()
    commands = json.loads((build / "compile_commands.json").read_text())
    found, proven, by_folder = [], set(), {}
    for entry in commands:
        source = pathlib.Path(entry["file"])
        if not source.is_relative_to(root) or source.is_relative_to(build.resolve()) or source.suffix == ".c":
            continue
        name = str(source.relative_to(root))
        words = [word for word in shlex.split(entry["command"]) if not word.endswith("ccache")]
        command = syntax_command(words)
        by_folder.setdefault(str(source.parent), command)
        own = first_include(source)
        if own:
            proven.add(own)
        found.append(units.Unit(name, command + [str(source)]))
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "*.h"], capture_output=True, text=True, check=True)
    for name in listed.stdout.split():
        path = root / name
        if (name in proven and not all_headers) or not path.exists():
            continue
        folder = path.parent
        while str(folder) not in by_folder and folder != root:
            folder = folder.parent
        command = by_folder.get(str(folder))
        if command is None:
            continue
        found.append(units.Unit(name, command + ["-Wno-pragma-once-outside-header", "-x", "c++", str(path)]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--all-headers", action="store_true", help="also headers that a source includes first")
    parser.add_argument("--only", default="", help="only files whose name matches this expression")
    options = parser.parse_args()
    began = time.monotonic()
    todo = [u for u in units_of(options.root, options.build, options.all_headers) if re.search(options.only, u.name)]
    if not todo:
        print("There is nothing to compile.", file=sys.stderr)
        return 2
    version = subprocess.run([todo[0].command[0], "--version"], capture_output=True, text=True, check=True).stdout
    result = units.run(todo, options.root, "alone", version, options.jobs, options.build, options.minutes)
    for name, text in result.failures:
        print(f"---- {name}\n{text}")
    if not result.failures and not options.only:
        changes.remember_tested(options.root, "alone")
    print(result.text(len(todo), began))
    return 1 if result.failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs clang-tidy with the checks of .clang-tidy, each of which is an error.

    tidy.py ROOT BUILD [--since COMMIT] [--all] [--tidy PROGRAM] [--jobs N]

Looks at the sources that differ from COMMIT, and at those of changed headers' names; BUILD holds compile_commands.json.
COMMIT is by default the merge base with origin/main, or the commit before the last one where both are the same. Files
that include LibTorch are left out. Exit status 1 when there is a finding.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time


def git(root, *words):
    run = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    return run.stdout.strip() if run.returncode == 0 else ""


def first_commit(root):
    head = git(root, "rev-parse", "HEAD")
    base = git(root, "merge-base", "HEAD", "origin/main")
    return base if base and base != head else git(root, "rev-parse", "HEAD~1")


def sources(root, build, since):
    """The sources to look at; all of them when `since` is None."""
    known = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(root) and not path.is_relative_to(build) and "torch/include" not in entry["command"]:
            known[str(path.relative_to(root))] = path
    if since is None:
        return sorted(known.values())
    changed = git(root, "diff", "--name-only", "--diff-filter=d", since).splitlines()
    changed += git(root, "ls-files", "--others", "--exclude-standard").splitlines()
    names = {name[:-2] + ".cpp" if name.endswith(".h") else name for name in changed}
    return [known[name] for name in sorted(names) if name in known]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--since")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--tidy", default="clang-tidy-14")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    root, build, began = options.root.resolve(), options.build.resolve(), time.monotonic()
    since = None if options.all else options.since or first_commit(root)
    if since == "":
        print("skipped: there is no earlier commit to compare with.")
        return 0
    todo = sources(root, build, since)

    def look(path):
        command = [options.tidy, "--quiet", "-p", str(build), str(path)]
        run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        return None if run.returncode == 0 else run.stdout + run.stderr

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        findings = [text for text in pool.map(look, todo) if text]
    print("\n".join(findings), end="")
    print(f"{len(todo)} files, {len(findings)} with findings; {time.monotonic() - began:.0f} s")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())

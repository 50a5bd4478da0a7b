#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the texts of commits since the one where the rule began: a subject of at most 60 characters, a body, and in it
a line "Test: ...".

    commits.py ROOT [SINCE]     prints one line a violation; exit status 1 when there is any, 77 without the history

A shallow clone, an archive and a history that was written anew do not hold the first commit: then nothing is checked.
"""
import subprocess
import sys

SINCE = "340b0cdc3b41"  # the rule holds for what came after it
LONGEST_SUBJECT = 60
SKIPPED = 77


def git(root, *words):
    return subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=False)


def problems(text):
    """Returns the violations in the text of one commit."""
    subject, _, body = text.strip("\n").partition("\n")
    if len(subject) > LONGEST_SUBJECT:
        yield f"has a subject of {len(subject)} characters; at most {LONGEST_SUBJECT} fit a log"
    lines = [line for line in body.splitlines() if line.strip()]
    if not [line for line in lines if not line.startswith("Test:")]:
        yield "has no body: say what changes and why"
    if not any(line.startswith("Test:") and line[5:].strip() for line in lines):
        yield 'has no line "Test: ..." that says what was run'


def main(root, since=SINCE):
    if git(root, "merge-base", "--is-ancestor", since, "HEAD").returncode != 0:
        print(f"skipped: the history of this tree does not reach back to {since}.")
        return SKIPPED
    commits = git(root, "rev-list", "--no-merges", f"{since}..HEAD").stdout.split()
    wrong = 0
    for commit in commits:
        text = git(root, "log", "-1", "--format=%B", commit).stdout
        for problem in problems(text):
            print(f"{commit[:9]} {text.splitlines()[0][:50]!r} {problem}.")
            wrong += 1
    print(f"{len(commits)} commits since {since}, {wrong} violations.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

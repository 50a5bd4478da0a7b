# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the files that changed since the last tested state, and the files that a file includes."""
import pathlib
import re
import subprocess

HOURS = 4  # commits that are submitted together are rarely older
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def git(root, *words):
    run = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    return run.stdout.strip() if run.returncode == 0 else ""


def base_commit(root):
    """Returns the commit to compare with: the merge base with origin/main. In a clone, where that is HEAD itself, the newest
    commit that is HOURS older than HEAD, or else the first one. Empty where there is no commit."""
    head = git(root, "rev-parse", "HEAD")
    base = git(root, "merge-base", "HEAD", "origin/main")
    if base and base != head:
        return base
    written = git(root, "log", "-1", "--format=%ct", "HEAD")
    if not written:
        return ""
    older = git(root, "rev-list", "-1", f"--before={int(written) - 3600 * HOURS}", "HEAD")
    return older or git(root, "rev-list", "--max-parents=0", "HEAD").splitlines()[-1]


def changed(root, since):
    """The names of files that differ from the commit `since`, with files that git does not know yet."""
    return set(git(root, "diff", "--name-only", "--diff-filter=d", since).splitlines()
               + git(root, "ls-files", "--others", "--exclude-standard").splitlines())


class Includes:
    """The project files that a file includes, directly or through others."""

    def __init__(self, root):
        self._root = pathlib.Path(root)
        self._direct = {}

    def _of(self, name):
        if name not in self._direct:
            try:
                text = (self._root / name).read_text(encoding="utf-8", errors="replace")
            except OSError:
                text = ""
            beside = pathlib.PurePath(name).parent
            places = [(place, str(beside / place)) for place in INCLUDE.findall(text)]
            self._direct[name] = [found for pair in places for found in pair if (self._root / found).is_file()]
        return self._direct[name]

    def closure(self, name):
        """The file itself and all that it includes, sorted."""
        found, todo = {name}, [name]
        while todo:
            for other in self._of(todo.pop()):
                if other not in found:
                    found.add(other)
                    todo.append(other)
        return sorted(found)

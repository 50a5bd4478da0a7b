# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the files that changed since the last tested state, and the files that a file includes."""
import os
import pathlib
import re
import subprocess

HOURS = 4  # commits that are submitted together are rarely older
REMEMBERED = 50  # tested commits of each gate; several clones share the cache
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def git(root, *words):
    run = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    return run.stdout.strip() if run.returncode == 0 else ""


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(base) / "apertune" / "gates"


def tested_commits(gate):
    """The commits whose changes the gate has found without a fault, the newest first."""
    try:
        return (cache_folder() / f"tested-{gate}").read_text(encoding="utf-8").split()
    except OSError:
        return []


def remember_tested(root, gate):
    """Remembers HEAD as tested by a gate, unless the files differ from it."""
    head = git(root, "rev-parse", "HEAD")
    if head and not changed(root, head):
        known = [head, *(commit for commit in tested_commits(gate) if commit != head)][:REMEMBERED]
        cache_folder().mkdir(parents=True, exist_ok=True)
        part = cache_folder() / f"tested-{gate}.{os.getpid()}.part"
        part.write_text("\n".join(known) + "\n", encoding="utf-8")
        part.rename(cache_folder() / f"tested-{gate}")


def base_commit(root, gate):
    """Returns the commit to compare with: the merge base with origin/main. In a clone, where that is HEAD itself, the newest
    commit of its history that the gate has tested; where it has tested none, the newest that is HOURS older than HEAD, or
    else the first one. Empty where there is no commit."""
    head = git(root, "rev-parse", "HEAD")
    base = git(root, "merge-base", "HEAD", "origin/main")
    if base and base != head:
        return base
    tested = set(tested_commits(gate))
    if found := next((commit for commit in git(root, "rev-list", "HEAD").split() if commit in tested), "") if tested else "":
        return found
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

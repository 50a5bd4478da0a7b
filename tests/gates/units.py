# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program over the C++ files of the tree, side by side, and remembers which of them passed.

A file that passed is remembered under the hash of its command, of the tool's version and of all project files that it
includes, in ${XDG_CACHE_HOME:-~/.cache}/apertune/gates. So a second run looks only at what changed, in every clone.

A run may have a time limit. Files that differ from the last tested state, and those that include such a file, are all looked
at; of the others, as many as the limit leaves time for. The next run goes on with the rest.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import changes


def system_state():
    """Names the installed packages: the headers of the system are among what a file is compiled from."""
    try:
        return hashlib.sha256(pathlib.Path("/var/lib/dpkg/status").read_bytes()).hexdigest()
    except OSError:
        return ""


class Hashes:
    """SHA-256 of files relative to a root, each read once."""

    def __init__(self, root):
        self._root = root
        self._known = {}

    def of(self, name):
        if name not in self._known:
            try:
                self._known[name] = hashlib.sha256((self._root / name).read_bytes()).hexdigest()
            except OSError:
                self._known[name] = None
        return self._known[name]


class Unit:
    """One run of a tool over the file `name`. `reads` are the project files that decide its result; without them, the
    command writes their names to the path that stands for {deps}. `flags` decide the result, too, though the command
    does not have them."""

    def __init__(self, name, command, reads=None, flags=""):
        self.name = name
        self.command = command
        self.reads = reads
        self.flags = flags


class Result:
    """`failures`: (name, text) of each file that failed. `known`: number of files that had passed before. `left`: number
    of files that the time limit left out."""

    def __init__(self, failures, known, left):
        self.failures = failures
        self.known = known
        self.left = left

    def text(self, total, began):
        """One line on all `total` files, and another one when the run left some of them out."""
        line = (f"{total - self.left} files, {len(self.failures)} with findings; {self.known} were known; "
                f"{time.monotonic() - began:.0f} s")
        return line + (f"\nUNFINISHED: {self.left} of {total} files were left for the next run." if self.left else "")


def by_urgency(root, units, gate):
    """(units of files that differ from the last tested state, then of those that include such a file; the others)"""
    base = changes.base_commit(root, gate)
    new = changes.changed(root, base) if base else set()
    stems = {name.rsplit(".", 1)[0] for name in new}
    includes = changes.Includes(root)
    changed = [unit for unit in units if unit.name.rsplit(".", 1)[0] in stems]
    others = [unit for unit in units if unit.name.rsplit(".", 1)[0] not in stems]
    users = [unit for unit in others if not new.isdisjoint(includes.closure(unit.name))]
    return changed + users, [unit for unit in others if unit not in users]


def dependencies(text, root):
    """The project's files of a make rule, relative to the root. Text with paths of other places keeps only ours."""
    words = text.replace("\\\n", " ").split(":", 1)[-1].split()
    names = set()
    for word in words:
        path = pathlib.Path(os.path.normpath(os.path.join(root, word)))
        if path.is_relative_to(root):
            names.add(str(path.relative_to(root)))
    return sorted(names)


def run(units, root, gate, tool, jobs=None, cwd=None, minutes=None):
    """Runs all units, or with `minutes` those that by_urgency() puts first and as many others as fit into that time.
    `gate` is whose tested commits by_urgency() compares with, `tool` names tool and version. Returns a Result."""
    root = pathlib.Path(root).resolve()
    cache = changes.cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    hashes = Hashes(root)
    state = system_state()
    end = None if minutes is None else time.monotonic() + 60 * minutes

    def entry_of(unit):
        text = json.dumps([tool, state, unit.name, unit.command, unit.flags]).replace(str(root), "{root}")
        return cache / (hashlib.sha256(text.encode()).hexdigest()[:40] + ".json")

    def passed_before(unit):
        try:
            known = json.loads(entry_of(unit).read_text())
        except (OSError, ValueError):
            return False
        return all(hashes.of(name) == digest for name, digest in known.items())

    def check(unit):
        with tempfile.NamedTemporaryFile(suffix=".d") as deps:
            command = [deps.name if word == "{deps}" else word for word in unit.command]
            done = subprocess.run(command, cwd=cwd or root, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                return unit.name, (done.stdout + done.stderr).strip()
            names = unit.reads or dependencies(pathlib.Path(deps.name).read_text(), root)
        part = entry_of(unit).with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps({name: hashes.of(name) for name in names}))
        part.rename(entry_of(unit))
        return None

    todo = [unit for unit in units if not passed_before(unit)]
    urgent, rest = (todo, []) if end is None else by_urgency(root, todo, gate)
    failures, left = [], []

    def check_in_time(unit):
        if time.monotonic() < end:
            return check(unit)
        left.append(unit)
        return None

    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        work = [pool.submit(check, unit) for unit in urgent] + [pool.submit(check_in_time, unit) for unit in rest]
        for done, future in enumerate(work, 1):
            if failure := future.result():
                failures.append(failure)
            if sys.stderr.isatty():
                print(f"\r{done} of {len(work)}", end="" if done < len(work) else "\n", file=sys.stderr, flush=True)
    return Result(failures, len(units) - len(todo), len(left))

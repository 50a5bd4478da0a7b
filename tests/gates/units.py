# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program over the C++ files of the tree, side by side, and remembers which of them passed.

A file that passed is remembered under the hash of its command, of the tool's version and of all project files that it
includes, in ${XDG_CACHE_HOME:-~/.cache}/apertune/gates. So a second run looks only at what changed, in every clone.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(base) / "apertune" / "gates"


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
    """One run of a tool: `command` writes the file names that it read to the path that stands for {deps}."""

    def __init__(self, name, command):
        self.name = name
        self.command = command


def dependencies(text, root):
    """The project's files of a make rule, relative to the root. Text with paths of other places keeps only ours."""
    words = text.replace("\\\n", " ").split(":", 1)[-1].split()
    names = set()
    for word in words:
        path = pathlib.Path(os.path.normpath(os.path.join(root, word)))
        if path.is_relative_to(root):
            names.add(str(path.relative_to(root)))
    return sorted(names)


def run(units, root, tool, jobs=None, cwd=None):
    """Runs all units. Returns (failures as (name, text), number that was known to pass). `tool` names tool and version."""
    root = pathlib.Path(root).resolve()
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    hashes = Hashes(root)
    state = system_state()

    def entry_of(unit):
        text = json.dumps([tool, state, unit.name, unit.command]).replace(str(root), "{root}")
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
            names = dependencies(pathlib.Path(deps.name).read_text(), root)
        part = entry_of(unit).with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps({name: hashes.of(name) for name in names}))
        part.rename(entry_of(unit))
        return None

    todo = [unit for unit in units if not passed_before(unit)]
    failures = []
    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        for done, failure in enumerate(pool.map(check, todo), 1):
            if failure:
                failures.append(failure)
            if sys.stderr.isatty():
                print(f"\r{done} of {len(todo)}", end="" if done < len(todo) else "\n", file=sys.stderr, flush=True)
    return failures, len(units) - len(todo)

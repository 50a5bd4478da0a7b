# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the program `apertune` with the engines of this Python environment."""

import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading

_BAD_INPUT = 2
_INTERRUPTED = 130
# Packages of engines that Apertune loads from a site-packages folder. torch has a variable of its own.
_ENGINES = ("openvino", "onnxruntime", "onnx")


class ApertuneError(Exception):
    """A failure of Apertune: what happened, and what to do."""


def tree():
    """The folder that holds bin/apertune and what belongs to it. APERTUNE_TREE names another one, such as a build."""
    return pathlib.Path(os.environ.get("APERTUNE_TREE") or pathlib.Path(__file__).parent / "tree")


def _folder_of(package):
    """The folder of an installed package, which is not imported; None without it."""
    spec = importlib.util.find_spec(package)
    places = spec and spec.submodule_search_locations
    return pathlib.Path(next(iter(places))) if places else None


def environment():
    """The environment of the program: it uses this interpreter and its packages unless the user names others."""
    variables = dict(os.environ)
    # An interpreter and its torch belong together, so either one that the user names leaves both to the program.
    if not (variables.get("APERTUNE_TORCH") or variables.get("APERTUNE_PYTHON")):
        variables["APERTUNE_PYTHON"] = sys.executable
        if torch := _folder_of("torch"):
            variables["APERTUNE_TORCH"] = str(torch)
    if not variables.get("APERTUNE_ENGINES"):
        folders = [str(folder.parent) for folder in map(_folder_of, _ENGINES) if folder]
        variables["APERTUNE_ENGINES"] = ":".join(dict.fromkeys(folders))
    return variables


def _command(arguments):
    program = tree() / "bin" / "apertune"
    if not program.exists():
        raise ApertuneError(
            f"There is no program {program}. Install this package as a wheel, or name the folder of a build in APERTUNE_TREE."
        )
    return [str(program), *arguments]


def run(*arguments, observer=None):
    """Run `apertune ARGUMENTS --json` and return its document as a dict; None where it prints none.

    `observer(line)` gets each line of progress. Raises ApertuneError with the program's own sentences when it refuses its
    input. An interrupt reaches the program first, which keeps what it has measured; then KeyboardInterrupt is raised.
    """
    child = subprocess.Popen(
        _command([*map(str, arguments), "--json"]),
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # An interrupt of the terminal would reach the program twice otherwise.
        start_new_session=True,
    )
    said = []

    def read():
        for line in child.stderr:
            said.append(line.decode(errors="replace").rstrip())
            if observer:
                observer(said[-1])

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        out = child.stdout.read()
        status = child.wait()
    except KeyboardInterrupt:
        child.send_signal(signal.SIGINT)
        child.stdout.read()
        child.wait()
        reader.join()
        raise
    reader.join()
    if status == _INTERRUPTED:
        raise KeyboardInterrupt
    if status == _BAD_INPUT or status < 0 or (status != 0 and not out):
        raise ApertuneError(_sentences(said) or f"The program ended with status {status}.")
    return json.loads(out) if out else None


def _sentences(lines):
    """The program's last message, which begins with its name."""
    begins = [i for i, line in enumerate(lines) if line.startswith("apertune: ")]
    if not begins:
        return "\n".join(lines[-3:])
    return "\n".join([lines[begins[-1]].removeprefix("apertune: "), *(line.strip() for line in lines[begins[-1] + 1 :])])


def main():
    """The command `apertune` of this environment."""
    try:
        command = _command(sys.argv[1:])
    except ApertuneError as failure:
        sys.exit(f"apertune: {failure}")
    os.execve(command[0], command, environment())

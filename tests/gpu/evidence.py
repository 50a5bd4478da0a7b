# SPDX-License-Identifier: GPL-3.0-or-later
"""One file with everything that a run on a foreign machine left: the verdicts, a log of every command, and whatever the
commands wrote. It is written whatever happens, because nobody can repeat the run without that machine."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import platform
import shlex
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time


@dataclasses.dataclass
class Done:
    """Result of a command. `exit_code` is None when it could not be started or was stopped after its time."""

    exit_code: int | None
    stdout: str
    problem: str = ""


class Evidence:
    """`folder` holds what is being gathered, `file` is where write() packs it. The folder is removed by close()."""

    def __init__(self, out: pathlib.Path):
        self.started = time.strftime("%Y-%m-%d-%H%M%S")
        self.name = f"apertune-gpu-{platform.node() or 'unknown'}-{self.started}"
        self.file = out.resolve() / f"{self.name}.tar.gz"
        out.mkdir(parents=True, exist_ok=True)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="apertune-gpu-"))
        (self.folder / "logs").mkdir()
        self.results: list[dict] = []
        self.facts: dict = {}
        self._commands = 0

    def record(self, stage: str, check: str, passed: bool, evidence: str) -> None:
        print(f"{'ok  ' if passed else 'FAIL'} {stage}: {check}: {evidence}", flush=True)
        self.results.append({"stage": stage, "check": check, "passed": passed, "evidence": evidence})

    def run(self, name: str, command: list[str], environment: dict | None = None, timeout: float = 60) -> Done:
        """Runs a command and keeps its command line, exit code, duration, stdout and stderr, also when it does not end:
        after `timeout` seconds, or when this program is interrupted, the command is stopped."""
        self._commands += 1
        base = self.folder / "logs" / f"{self._commands:03d}-{name}"
        begun = time.monotonic()
        done = Done(None, "", "it was interrupted")
        print("+", shlex.join(command), flush=True)
        with open(f"{base}.stdout", "wb") as out, open(f"{base}.stderr", "wb") as err:
            try:
                child = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
                try:
                    done = Done(child.wait(timeout), "")
                except subprocess.TimeoutExpired:
                    done.problem = f"it did not end within {timeout:.0f} s"
                finally:
                    _stop(child)
            except OSError as failure:
                done.problem = f"it could not be started: {failure}"
            finally:
                text = {"command": command, "exit_code": done.exit_code, "problem": done.problem,
                        "seconds": round(time.monotonic() - begun, 3)}
                pathlib.Path(f"{base}.json").write_text(json.dumps(text, indent=2) + "\n")
        done.stdout = pathlib.Path(f"{base}.stdout").read_text(errors="replace")
        if done.exit_code:
            done.problem = f"exit code {done.exit_code}{_last_words(pathlib.Path(f'{base}.stderr'))}"
        return done

    def copy(self, file: str) -> None:
        """Keeps a file of the system; one that is not there or may not be read is left out."""
        target = self.folder / "system" / file.strip("/").replace("/", "-")
        target.parent.mkdir(exist_ok=True)
        try:
            target.write_bytes(pathlib.Path(file).read_bytes())
        except OSError:
            pass

    def write(self, leave_out: tuple[str, ...] = ()) -> pathlib.Path:
        """Packs the folder, but for the paths in `leave_out`, into `file`."""
        document = {"date": self.started, **self.facts, "checks": self.results}
        (self.folder / "results.json").write_text(json.dumps(document, indent=2) + "\n")
        unwanted = {f"{self.name}/{path}" for path in leave_out}
        # Under its final name only when it is whole.
        partial = self.file.with_suffix(".part")
        with tarfile.open(partial, "w:gz") as packed:
            packed.add(self.folder, arcname=self.name, filter=lambda entry: None if entry.name in unwanted else entry)
        os.replace(partial, self.file)
        return self.file

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _stop(child: subprocess.Popen) -> None:
    """Ends a command that still runs: first as ^C would, so that it can put its files in order."""
    for word in (signal.SIGINT, signal.SIGKILL):
        if child.poll() is not None:
            return
        child.send_signal(word)
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:
            pass


def _last_words(stderr: pathlib.Path) -> str:
    lines = [line for line in stderr.read_text(errors="replace").splitlines() if line.strip()]
    return f": {lines[-1].strip()[:300]}" if lines else ""

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends SIGKILL and SIGSEGV to the workers of real engines while they measure, under `apertune tune` as people run it.

  kill_engines.py BUILD [--kills 30] [--model torchvision:squeezenet1_1] [--backends libtorch,openvino,onnxruntime]
                  [--batches 1,2,4] [--seed 1] [--store FILE]

Whether a trial is being measured is read from the progress line of `tune`, which gets a terminal for that; the signal
follows at a random instant of the measurement. Sweeps are begun until there were so many kills. After each: it has
ended by itself with exit code 0; the kills cost no more attempts than they are, all of trials that were measured; a
trial failed only where its second attempt was killed, too, and is told in one sentence with the signal; no worker is
left; the workspace is whole. Prints a line of counts for each sweep. Exit code 0 when all of it holds.
"""

import argparse
import collections
import fcntl
import json
import os
import pty
import random
import re
import select
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import time

OK, FAILED, PRUNED = 3, 4, 5  # values of model::TrialState
LINE = re.compile(r"\[ *(\d+)/\d+\] (\S+ .*?)  (compile|load|warm-up|measure|quality)\b")
MEASURED = 0.4  # s: a trial is measured for half a second at least


def workers_of(pid):
    """Processor time in ticks of each worker that the process started."""
    found = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as stream:
                name, rest = stream.read().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        fields = rest.split()
        if int(fields[1]) == pid and fields[0] != "Z" and name.startswith("apertune-worke"):
            found[int(entry)] = int(fields[11]) + int(fields[12])
    return found


def terminal():
    """A terminal wide enough that no line of it is cut."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 400, 0, 0))
    return ours, theirs


class Sweep:
    """One run of `tune`, and what was done to it."""

    def __init__(self, command, chance, most):
        self.signals = []
        self.text = ""
        self._random, self._most = chance, most
        ours, theirs = terminal()
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, stdin=subprocess.DEVNULL)
        os.close(theirs)
        self._follow(ours)
        os.close(ours)
        self.code = self.process.wait()

    def _follow(self, terminal_fd):
        measuring, due = None, None
        while True:
            wait = 0.05 if due is None else max(0, min(0.05, due - time.monotonic()))
            if select.select([terminal_fd], [], [], wait)[0]:
                try:
                    data = os.read(terminal_fd, 65536)
                except OSError:  # the other end is closed
                    return
                if not data:
                    return
                self.text += data.decode("utf-8", "replace")
                lines = LINE.findall(self.text[-4000:])
                now = lines[-1] if lines else None
                if now != measuring:
                    due = None
                    if now and now[2] == "measure" and len(self.signals) < self._most and self._random.random() < 0.6:
                        due = time.monotonic() + self._random.uniform(0.02, MEASURED)
                measuring = now
            if due is not None and time.monotonic() >= due:
                due = None
                self._kill()

    def _kill(self):
        """The worker that computes: a sentinel's stays open beside it and waits."""
        before = workers_of(self.process.pid)
        time.sleep(0.03)
        spent = {pid: ticks - before[pid] for pid, ticks in workers_of(self.process.pid).items() if pid in before}
        if not spent or max(spent.values()) == 0:
            return
        number = self._random.choice([signal.SIGKILL, signal.SIGSEGV])
        os.kill(max(spent, key=spent.get), number)
        self.signals.append(number)


def trials_of(store):
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as db:
        return db.execute(
            "SELECT id, config, state, attempt, reason_kind, reason_text FROM trial"
            " WHERE study_id = (SELECT max(id) FROM study) ORDER BY id"
        ).fetchall()


def problems_of(sweep, trials, apertune, store):
    """An expectation that does not hold."""
    if sweep.code not in (0, 4):  # 4: nothing measured is better than the model as loaded
        yield f"tune ended with {sweep.code}:\n{sweep.text[-3000:]}"
    attempts = 0
    for number, _, state, attempt, kind, text in trials:
        lost = attempt + (state == FAILED)
        attempts += lost
        if state not in (OK, FAILED, PRUNED):
            yield f"t{number} is open"
        elif state == FAILED and (kind != "crash" or lost != 2 or not re.fullmatch(r"The worker .*SIG(KILL|SEGV)\b.*\.", text)):
            yield f"t{number} failed with {kind} after {lost} attempts: {text}"
    if attempts > len(sweep.signals):
        yield f"{len(sweep.signals)} kills cost {attempts} attempts"
    if left := [*workers_of(1), *workers_of(sweep.process.pid)]:
        yield f"workers are left: {left}"
    whole = subprocess.run([apertune, "workspace", "repair", "--store", store, "--json"], capture_output=True, text=True, check=False)
    if whole.returncode != 0 or not json.loads(whole.stdout)["whole"]:
        yield f"the workspace is damaged: {whole.stdout}{whole.stderr}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--model", default="torchvision:squeezenet1_1")
    parser.add_argument("--backends", default="libtorch,openvino,onnxruntime")
    parser.add_argument("--batches", default="1,2,4")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store")
    options = parser.parse_args()
    apertune = os.path.join(options.build, "bin", "apertune")
    chance = random.Random(options.seed)
    total = collections.Counter()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="apertune-kill-") as folder:
        store = options.store or os.path.join(folder, "kill.apertune")
        while total["kills"] < options.kills:
            command = [apertune, "tune", options.model, "--backends", options.backends, "--batches", options.batches,
                       "--levels", "O0,O1,O2", "--precisions", "fp32", "--devices", "cpu", "--search", "grid",
                       "--budget", "0", "--target", "10%", "--store", store]
            sweep = Sweep(command, chance, options.kills - total["kills"])
            trials = trials_of(store) if os.path.exists(store) else []
            states = collections.Counter(state for _, _, state, *_ in trials)
            told = collections.Counter(json.loads(config)["backend"] for _, config, state, *_ in trials if state == FAILED)
            hit = collections.Counter(
                json.loads(config)["backend"] for _, config, state, attempt, *_ in trials
                for _ in range(attempt + (state == FAILED))
            )
            kinds = collections.Counter(signal.Signals(number).name for number in sweep.signals)
            print(
                f"{len(sweep.signals)} kills ({', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items())) or 'none'}; "
                f"{', '.join(f'{engine} {n}' for engine, n in sorted(hit.items())) or 'no engine'}), {len(trials)} trials: "
                f"{states[OK]} ok, {states[FAILED]} failed ({', '.join(f'{e} {n}' for e, n in sorted(told.items())) or 'none'}), "
                f"{states[PRUNED]} left out",
                flush=True,
            )
            for problem in problems_of(sweep, trials, apertune, store):
                failures += 1
                print(f"  {problem}", flush=True)
            for _, _, state, _, _, text in trials:
                if state == FAILED:
                    total[text] += 1
            total["kills"] += len(sweep.signals)
            total["trials"] += len(trials)
            if not sweep.signals or failures > 3:
                print("  no worker could be killed" if not sweep.signals else "  too much is wrong")
                return 1
    print(f"{total.pop('kills')} kills in {total.pop('trials')} trials; failed:")
    for text, count in sorted(total.items()):
        print(f"  {count} × {text}")
    print("all of it holds" if failures == 0 else f"{failures} problems")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

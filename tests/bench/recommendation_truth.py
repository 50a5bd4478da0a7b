#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tunes models beside planted load, then measures in turns whether the recommendation was true.

    recommendation_truth.py BUILD MODEL... [--neighbours 2] [--budget 30s] [--rounds 9]

For each model:
 1. `apertune tune` runs while NEIGHBOURS processes compute in bursts of random length.
 2. The neighbours end. The recommended configuration, the baseline and the other confirmed configurations are exported
    as Python programs, which do not depend on Apertune.
 3. Those programs run in turns, one process each, ROUNDS times. The truth is the median over the rounds of the ratio
    baseline / configuration, with its order-statistics interval.

Prints one row a model and one JSON document (--out). Exit code 1 when a firm verdict ("faster", "slower") has the wrong
sign, which means that the interval of the truth lies wholly on the other side of 1. No wall-clock time is asserted.
"""
import argparse
import json
import math
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

BURST = """
import random, sys, time
dice = random.Random(int(sys.argv[1]))
while True:
    end = time.monotonic() + dice.uniform(1, 6)
    while time.monotonic() < end:
        sum(i * i for i in range(10000))
    time.sleep(dice.uniform(0.2, 4))
"""


def interval_of_median(values):
    """The order-statistics interval of the median with at least 95 % coverage, else the range of the values."""
    ordered, n = sorted(values), len(values)
    for k in range(n // 2, 0, -1):
        outside = 2 * sum(math.comb(n, i) for i in range(k)) / 2**n
        if outside <= 0.05:
            return ordered[k - 1], ordered[n - k]
    return ordered[0], ordered[-1]


class Neighbours:
    """Processes that compute in bursts while the block of the with statement runs."""

    def __init__(self, count, seed):
        self.count, self.seed, self.running = count, seed, []

    def __enter__(self):
        for number in range(self.count):
            self.running.append(subprocess.Popen([sys.executable, "-c", BURST, str(self.seed + number)]))
        return self

    def __exit__(self, *_):
        for process in self.running:
            process.kill()
            process.wait()


def latency_of(program, python, seconds):
    """The median latency of a pass in milliseconds, as the exported program prints it."""
    done = subprocess.run([python, program / "run.py", "--seconds", str(seconds)], capture_output=True, text=True)
    found = re.search(r"^latency\s+(\S+) ms", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not found:
        raise RuntimeError(f"{program.name} does not run: {done.stderr.strip()[-300:]}")
    return float(found.group(1))


class Truth:
    """One model: what was recommended beside the neighbours, and what is measured in turns without them."""

    def __init__(self, options, model, folder):
        self.options, self.model, self.folder = options, model, folder
        self.store = folder / "truth.apertune"
        self.apertune = pathlib.Path(options.build).resolve() / "bin" / "apertune"

    def call(self, *arguments):
        return subprocess.run([self.apertune, *arguments, "--store", self.store], capture_output=True, text=True)

    def tune(self):
        imported = self.call("model", "import", self.model)
        if imported.returncode != 0:
            raise RuntimeError(f"{self.model} cannot be imported: {imported.stderr.strip()[-300:]}")
        began = time.monotonic()
        with Neighbours(self.options.neighbours, self.options.seed):
            tuned = self.call("tune", self.model, "--budget", self.options.budget, "--json", *self.options.tune)
        print(tuned.stderr, file=sys.stderr)
        if not tuned.stdout:
            raise RuntimeError(f"tune says nothing (exit code {tuned.returncode}): {tuned.stderr.strip()[-300:]}")
        self.study = json.loads(tuned.stdout)
        self.status, self.wall = tuned.returncode, time.monotonic() - began

    def export(self, trial):
        out = self.folder / trial["id"]
        exported = self.call("export", trial["id"], "--target", "python", "--out", out)
        if exported.returncode != 0:
            raise RuntimeError(f"{trial['id']} cannot be exported: {exported.stderr.strip()[-300:]}")
        return out

    def measure(self):
        """The speed-up of each candidate over the baseline per sample: {trial id: (median, lo, hi)}."""
        trials = {trial["id"]: trial for trial in self.study["trials"]}
        recommended = self.study["recommended"]
        chosen = recommended["trial"] if recommended else None
        self.baseline = self.baseline_id(recommended, trials)
        wanted = {self.baseline, chosen} - {None}
        wanted |= {i for i, trial in trials.items() if trial["state"] == "ok" and "confirmed" in trial["flags"]}
        programs = {trial: self.export(trials[trial]) for trial in sorted(wanted)}
        rounds = []
        for number in range(self.options.rounds):
            order = list(programs)
            random.Random(number).shuffle(order)
            rounds.append({t: latency_of(programs[t], self.python(trials[t]), self.options.seconds) for t in order})
        self.times = {t: statistics.median(turn[t] for turn in rounds) for t in programs}
        per_sample = {t: trials[t]["config"]["batch"] for t in programs}
        ratios = {}
        for trial in programs:
            each = [
                (turn[self.baseline] / per_sample[self.baseline]) / (turn[trial] / per_sample[trial]) for turn in rounds
            ]
            ratios[trial] = (statistics.median(each), *interval_of_median(each))
        return chosen, ratios

    def baseline_id(self, recommended, trials):
        if recommended and recommended["speedup"] and recommended["speedup"].get("against"):
            return recommended["speedup"]["against"]
        for name, trial in trials.items():
            if trial["state"] == "ok" and (trial["config"]["level"], trial["config"]["precision"]) == ("O0", "fp32"):
                return name
        raise RuntimeError("no baseline was measured")

    def python(self, trial):
        kind = "env" if trial["config"]["backend"] == "libtorch" else "engines"
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
        return cache / "apertune" / kind / "current" / "bin" / "python3"

    def row(self):
        self.tune()
        chosen, ratios = self.measure()
        speedup = (self.study["recommended"] or {}).get("speedup") or {}
        verdict = speedup.get("verdict")
        best = max(ratios, key=lambda trial: ratios[trial][0])
        truth = ratios.get(chosen) if chosen else None
        wrong = bool(truth) and (
            (verdict == "faster" and truth[2] < 1) or (verdict == "slower" and truth[1] > 1)
        )
        return {
            "model": self.model,
            "exit_code": self.status,
            "wall_s": self.wall,
            "recommended": chosen,
            "claimed": {key: speedup.get(key) for key in ("value", "lo", "hi")},
            "verdict": verdict,
            "truth": truth,
            "interval_holds_truth": truth is not None
            and speedup.get("lo") is not None
            and speedup["lo"] <= truth[2]
            and truth[1] <= speedup["hi"],
            "wrong_sign": wrong,
            "best_confirmed": best,
            "best_truth": ratios[best],
            "all": ratios,
            "latency_ms": self.times,
        }


def number(value):
    return "-" if value is None else f"{value:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="build folder with bin/apertune")
    parser.add_argument("models", nargs="+", help="models as `apertune tune` takes them")
    parser.add_argument("--neighbours", type=int, default=2, help="busy processes beside tune (default: 2)")
    parser.add_argument("--budget", default="30s", help="measuring budget of tune (default: 30s)")
    parser.add_argument("--rounds", type=int, default=9, help="turns of each exported program (default: 9)")
    parser.add_argument("--seconds", type=float, default=1, help="measuring time of a turn (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="of the lengths of the bursts (default: 1)")
    parser.add_argument("--tune", action="append", default=[], help="one more argument of `apertune tune`; repeatable")
    parser.add_argument("--out", help="file for the JSON document")
    options = parser.parse_args()
    rows = []
    for model in options.models:
        with tempfile.TemporaryDirectory() as folder:
            try:
                row = Truth(options, model, pathlib.Path(folder)).row()
            except RuntimeError as failure:
                row = {"model": model, "failure": str(failure)}
        rows.append(row)
        if options.out:
            pathlib.Path(options.out).write_text(json.dumps({"rows": rows}, indent=1), encoding="utf-8")
        if "failure" in row:
            print(f"{model}: {row['failure']}", flush=True)
            continue
        claimed, truth = row["claimed"], row["truth"] or (None, None, None)
        print(
            f"{model}: told {number(claimed['value'])} [{number(claimed['lo'])}, {number(claimed['hi'])}] "
            f"{row['verdict']}; true {number(truth[0])} [{number(truth[1])}, {number(truth[2])}]; best confirmed "
            f"{number(row['best_truth'][0])}; exit code {row['exit_code']}, {row['wall_s']:.0f} s"
            + ("; WRONG SIGN" if row["wrong_sign"] else ""),
            flush=True,
        )
    measured = [row for row in rows if "failure" not in row]
    wrong = sum(row["wrong_sign"] for row in measured)
    print(f"{len(measured)} of {len(rows)} models measured, {wrong} firm verdicts with the wrong sign")
    return 0 if len(measured) == len(rows) and wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks recommendations against the truth: on a quiet machine and beside planted load.

    recommendation_truth.py measure BUILD FILE [MODEL...] [--draw N --seed S] [--loads quiet,one,two,bursts]
    recommendation_truth.py summary FILE

measure, for each model:
 1. Truth, once a model, on the machine as it is: `apertune tune --search grid --budget 0` measures every configuration
    with a thread on each core, on half of the cores, and on one, as the default search tries them.
    Each is exported as a Python program, which does not depend on Apertune, and these programs run in turns, one process
    each. A program that is surely too slow leaves after a few turns. The truth of a configuration is the median over the
    turns of the ratio baseline / configuration, with its order-statistics interval.
 2. For each load, `apertune tune` with its default search and --budget. Loads: `quiet`; `one` and `two` processes that
    compute all the time; `bursts`, two processes that compute for 1 to 6 s and pause for up to 4 s.
Each truth and each tune is appended to FILE as one line of JSON, so that the number of runs grows over days; a truth that
FILE has for this machine and commit is not measured again.

--draw takes N models of timm's list by the seed S, beside those that are named.

summary prints, for quiet runs and for runs under load: how often the recommended configuration is within 5 % of the best,
how often the stated interval holds the truth, how many verdicts have the wrong sign, how many ratios are above 3 times the
truth, and the wall time over the budget. Shares have Wilson's 95 % intervals. Nothing is asserted on wall-clock time.
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

STEADY = "while True: sum(i * i for i in range(10000))"
BURSTS = """
import random, sys, time
dice = random.Random(int(sys.argv[1]))
while True:
    end = time.monotonic() + dice.uniform(1, 6)
    while time.monotonic() < end:
        sum(i * i for i in range(10000))
    time.sleep(dice.uniform(0.2, 4))
"""
LOADS = {"quiet": (STEADY, 0), "one": (STEADY, 1), "two": (STEADY, 2), "bursts": (BURSTS, 2)}
FIRST_TURNS = 3  # turns of every program
NEAR = 1.3  # programs up to so many times slower than the best take all turns


def interval_of_median(values):
    """The order-statistics interval of the median with at least 95 % coverage, else the range of the values."""
    ordered, n = sorted(values), len(values)
    for k in range(n // 2, 0, -1):
        outside = 2 * sum(math.comb(n, i) for i in range(k)) / 2**n
        if outside <= 0.05:
            return ordered[k - 1], ordered[n - k]
    return ordered[0], ordered[-1]


def wilson(hits, n):
    """Wilson's 95 % interval of a share (Wilson 1927)."""
    if n == 0:
        return 0.0, 1.0
    z = 1.959964
    share = hits / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return middle - half, middle + half


class CompetingPrograms:
    """Processes that compute while the block of the with statement runs."""

    def __init__(self, load, seed):
        self.program, self.count = LOADS[load]
        self.seed, self.running = seed, []

    def __enter__(self):
        for number in range(self.count):
            self.running.append(subprocess.Popen([sys.executable, "-c", self.program, str(self.seed + number)]))
        return self

    def __exit__(self, *_):
        for process in self.running:
            process.kill()
            process.wait()


def identity(trial):
    """Names the configuration of a trial, whichever study it is of."""
    return json.dumps([trial["device"], trial["config"]], sort_keys=True)


def is_baseline(trial, threads):
    config = trial["config"]
    return (config["level"], config["precision"], config["backend"], config["threads"]) == ("O0", "fp32", "libtorch", threads)


def cores_of(apertune):
    """The cores of the processor, on which Apertune puts a thread each by default."""
    listed = subprocess.run([apertune, "device", "list", "--json"], capture_output=True, text=True, check=True)
    return next(device["cores"] for device in json.loads(listed.stdout)["devices"] if device["id"] == "cpu")


def thread_counts(cores):
    return sorted({1, max(1, cores // 2), cores})


def cache_folder():
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "apertune"


def python_of(trial):
    kind = "env" if trial["config"]["backend"] == "libtorch" else "engines"
    return cache_folder() / kind / "current" / "bin" / "python3"


def time_a_sample(program, trial, seconds):
    """The median time of a sample in milliseconds, as the exported program prints it."""
    done = subprocess.run([python_of(trial), program / "run.py", "--seconds", str(seconds)], capture_output=True, text=True)
    found = re.search(r"^latency\s+(\S+) ms", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not found:
        raise RuntimeError(f"{trial['id']} does not run: {done.stderr.strip()[-300:]}")
    return float(found.group(1)) / trial["config"]["batch"]


class Model:
    def __init__(self, options, name, folder):
        self.options, self.name, self.folder = options, name, folder
        self.store = folder / "truth.apertune"
        self.apertune = pathlib.Path(options.build).resolve() / "bin" / "apertune"
        self.cores = cores_of(self.apertune)

    def call(self, *arguments):
        return subprocess.run([self.apertune, *arguments, "--store", self.store], capture_output=True, text=True)

    def import_it(self):
        imported = self.call("model", "import", self.name, *(["--trust"] if self.options.trust else []))
        if imported.returncode != 0:
            raise RuntimeError(f"cannot be imported: {imported.stderr.strip()[-300:]}")

    def tune(self, *arguments):
        """(study document, exit code, wall time in s)"""
        began = time.monotonic()
        tuned = self.call("tune", self.name, "--json", "--batches", self.options.batches, *arguments, *self.options.tune)
        if not tuned.stdout:
            raise RuntimeError(f"tune prints nothing (exit code {tuned.returncode}): {tuned.stderr.strip()[-300:]}")
        return json.loads(tuned.stdout), tuned.returncode, time.monotonic() - began

    def truth(self):
        """{configuration: (median ratio baseline / configuration, lo, hi)} and what could not be measured."""
        threads = ",".join(str(count) for count in thread_counts(self.cores))
        # Only the programs are needed, and what a trial measured decides nothing here, so it may be as coarse as it likes.
        study, _, _ = self.tune("--search", "grid", "--budget", "0", "--threads", threads, "--target", "50%")
        trials = {t["id"]: t for t in study["trials"] if t["state"] == "ok"}
        programs, left_out = {}, {}
        for name, trial in trials.items():
            out = self.folder / name
            # Without its check: that refuses a program which is slower than its trial was, and a busy minute of the
            # trial would decide what the truth may hold.
            exported = self.call("export", name, "--target", "python", "--out", out, "--no-check")
            try:
                if exported.returncode != 0:
                    raise RuntimeError(exported.stderr.strip()[-300:])
                time_a_sample(out, trial, self.options.seconds)
                programs[name] = out
            except RuntimeError as error:
                left_out[identity(trial)] = str(error)
        baseline = next((name for name in programs if is_baseline(trials[name], self.cores)), None)
        if baseline is None:
            raise RuntimeError(f"no baseline can be exported: {left_out}")
        turns = {name: [] for name in programs}
        for number in range(self.options.turns):
            order = list(programs)
            random.Random(number).shuffle(order)
            for name in order:
                turns[name].append(time_a_sample(programs[name], trials[name], self.options.seconds))
            if number + 1 == FIRST_TURNS:
                best = min(statistics.median(times) for times in turns.values())
                programs = {name: program for name, program in programs.items()
                            if name == baseline or statistics.median(turns[name]) <= NEAR * best}
        found = {}
        for name, times in turns.items():
            each = [other / own for other, own in zip(turns[baseline], times)]
            found[identity(trials[name])] = (statistics.median(each), *interval_of_median(each))
        return found, left_out

    def run(self, load, truth):
        """One tune under a load, compared with the truth."""
        with CompetingPrograms(load, self.options.seed):
            study, status, wall = self.tune("--budget", self.options.budget)
        recommended = study["recommended"]
        trials = {trial["id"]: trial for trial in study["trials"]}
        best = max(ratio[0] for ratio in truth.values())
        row = {"load": load, "exit_code": status, "wall_s": wall, "budget": self.options.budget,
               "measured": sum(trial["state"] == "ok" for trial in study["trials"]), "best_truth": best}
        if not recommended:
            return row
        trial = trials[recommended["trial"]]
        speedup = recommended["speedup"] or {}
        true = truth.get(identity(trial))
        against = trials.get(speedup.get("against"))
        row.update({"recommended": json.loads(identity(trial)), "confirmed": recommended["confirmed"],
                    "claimed": {key: speedup.get(key) for key in ("value", "lo", "hi")},
                    "verdict": speedup.get("verdict"), "truth": true,
                    "comparable": bool(against) and is_baseline(against, self.cores)})
        return row


def append(path, row):
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def rows_of(path):
    if not pathlib.Path(path).exists():
        return []
    return [json.loads(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines() if line]


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return f"{os.cpu_count()} × {line.split(':', 1)[1].strip()}"
    return f"{os.cpu_count()} processors"


def drawn(options):
    if not options.draw:
        return []
    names = subprocess.run([cache_folder() / "env" / "current" / "bin" / "python3", "-c",
                            "import timm; print('\\n'.join(timm.list_models()))"],
                           capture_output=True, text=True, check=True).stdout.split()
    return ["timm:" + name for name in random.Random(options.seed).sample(names, options.draw)]


def measure(options):
    commit = subprocess.run(["git", "-C", pathlib.Path(__file__).parent, "rev-parse", "--short", "HEAD"],
                            capture_output=True, text=True).stdout.strip()
    cores = cores_of(pathlib.Path(options.build).resolve() / "bin" / "apertune")
    failures = 0
    for name in options.models + drawn(options):
        about = {"model": name, "commit": commit, "processor": processor(), "batches": options.batches, "threads": thread_counts(cores),
                 "utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        known = [row["truths"] for row in rows_of(options.file) if "truths" in row and
                 all(row.get(key) == about[key] for key in ("model", "processor", "batches", "threads"))]
        with tempfile.TemporaryDirectory() as folder:
            model = Model(options, name, pathlib.Path(folder))
            try:
                model.import_it()
                if known:
                    truth = known[-1]
                else:
                    truth, left_out = model.truth()
                    append(options.file, {**about, "truths": truth, "left_out": left_out})
                for load in options.loads.split(","):
                    row = model.run(load, truth)
                    append(options.file, {**about, **row})
                    print(f"{name} {load}: {sentence(row)}", flush=True)
            except RuntimeError as failure:
                failures += 1
                append(options.file, {**about, "failure": str(failure)})
                print(f"{name}: {failure}", flush=True)
    return 1 if failures else 0


def number(value):
    return "-" if value is None else f"{value:.3g}"


def sentence(row):
    if "recommended" not in row:
        return f"no recommendation; {row['measured']} measured; {row['wall_s']:.0f} s"
    claimed, truth = row["claimed"], row["truth"] or (None, None, None)
    return (f"told {number(claimed['value'])} [{number(claimed['lo'])}, {number(claimed['hi'])}] {row['verdict']}; "
            f"true {number(truth[0])} [{number(truth[1])}, {number(truth[2])}]; best {number(row['best_truth'])}; "
            f"{row['measured']} measured; {row['wall_s']:.0f} s")


def share(hits, of):
    lo, hi = wilson(len(hits), len(of))
    return f"{len(hits)} of {len(of)} [{100 * lo:.0f} %, {100 * hi:.0f} %]"


def seconds_of(text):
    return float(text[:-1]) * {"s": 1, "m": 60}[text[-1]]


def summary(options):
    rows = [row for row in rows_of(options.file) if "load" in row]
    wrong_at_all = False
    for title, part in (("quiet", [r for r in rows if r["load"] == "quiet"]),
                        ("under load", [r for r in rows if r["load"] != "quiet"])):
        with_truth = [r for r in part if r.get("truth")]
        stated = [r for r in with_truth if r["comparable"] and r["claimed"]["lo"] is not None]
        near = [r for r in part if r.get("truth") and r["truth"][0] >= 0.95 * r["best_truth"]]
        # The truth has an interval, too: the two have to overlap.
        holds = [r for r in stated if r["claimed"]["lo"] <= r["truth"][2] and r["truth"][1] <= r["claimed"]["hi"]]
        wrong = [r for r in stated if (r["verdict"] == "faster" and r["truth"][2] < 1) or
                 (r["verdict"] == "slower" and r["truth"][1] > 1)]
        absurd = [r for r in stated if r["claimed"]["value"] > 3 * r["truth"][2]]
        walls = sorted(r["wall_s"] / seconds_of(r["budget"]) for r in part)
        wrong_at_all = wrong_at_all or bool(wrong)
        print(f"{title}: {len(part)} runs of {len({r['model'] for r in part})} models\n"
              f"  recommended is within 5 % of the best: {share(near, part)}\n"
              f"  stated interval holds the truth:       {share(holds, stated)}\n"
              f"  verdicts with the wrong sign:          {share(wrong, stated)}\n"
              f"  ratios above 3 times the truth:        {share(absurd, stated)}\n"
              f"  no recommendation:                     {share([r for r in part if 'recommended' not in r], part)}")
        if walls:
            print(f"  wall over budget: median {statistics.median(walls):.2f}, worst {walls[-1]:.2f}; at most 1.15 in "
                  f"{share([w for w in walls if w <= 1.15], walls)}")
    return 1 if wrong_at_all else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("measure")
    one.add_argument("build", help="build folder with bin/apertune")
    one.add_argument("file", help="results, one JSON document a line; new ones are appended")
    one.add_argument("models", nargs="*", help="models as `apertune tune` takes them")
    one.add_argument("--draw", type=int, default=0, help="number of models to draw from timm's list")
    one.add_argument("--seed", type=int, default=1, help="of the draw and of the bursts (default: 1)")
    one.add_argument("--loads", default=",".join(LOADS), help="loads to tune under (default: all)")
    one.add_argument("--budget", default="30s", help="budget of tune (default: 30s)")
    one.add_argument("--batches", default="1", help="batches of tune (default: 1)")
    one.add_argument("--turns", type=int, default=7, help="turns of each exported program (default: 7)")
    one.add_argument("--seconds", type=float, default=0.5, help="measuring time of a turn (default: 0.5)")
    one.add_argument("--trust", action="store_true", help="trust model files that can run code")
    one.add_argument("--tune", action="append", default=[], help="one more argument of `apertune tune`; repeatable")
    one.set_defaults(run=measure)
    two = commands.add_parser("summary")
    two.add_argument("file")
    two.set_defaults(run=summary)
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())

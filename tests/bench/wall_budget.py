#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the time that a tune takes with its budget, and tells what it saw of each engine.

    wall_budget.py measure BUILD FILE MODEL... [--budgets 15s,30s,1m] [--loads quiet,one,two,bursts]
    wall_budget.py summary FILE

measure runs `apertune tune MODEL --budget B` for each model, load and budget: cold, with a cache of conversions and
compilations that is new, then warm, with what the cold run left there. The model is imported before. Each run is appended
to FILE as one line of JSON.

summary prints for each load, budget and state of the cache: the wall time over the budget (median, largest, how many runs
took at most 1.15 times the budget, with Wilson's 95 % interval), how many of the engines that the study planned were
measured, and how many runs recommended a trial. Nothing is asserted on wall-clock time.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from recommendation_truth import LOADS, CompetingPrograms, cache_folder, seconds_of, wilson

WITHIN = 1.15


def run_once(program, model, budget, load, cache, workspace):
    environment = dict(os.environ, XDG_CACHE_HOME=str(cache))
    with CompetingPrograms(load, 1):
        begin = time.monotonic()
        done = subprocess.run([program, "tune", model, "--budget", budget, "--store", workspace, "--json"],
                              capture_output=True, text=True, env=environment)
        wall = time.monotonic() - begin
    if not done.stdout.strip():
        raise RuntimeError(f"{model} {budget}: {done.stderr.strip()[-300:]}")
    study = json.loads(done.stdout)
    # An engine that cannot run here at all is none that the study could have seen.
    planned = {t["config"]["backend"] for t in study["trials"] if "impossible" not in (t.get("reason") or "")}
    seen = {t["config"]["backend"] for t in study["trials"] if t["state"] == "ok"}
    return {"wall": wall, "planned": sorted(planned), "seen": sorted(seen),
            "measured": sum(t["state"] == "ok" for t in study["trials"]), "recommended": bool(study.get("recommended"))}


def new_cache(folder):
    """A cache without conversions: what the set-up installed is linked, and the rest is new."""
    cache = folder / "cache"
    (cache / "apertune").mkdir(parents=True)
    for installed in ("env", "engines"):
        if (cache_folder() / installed).exists():
            (cache / "apertune" / installed).symlink_to(cache_folder() / installed)
    return cache


def measure(options):
    program = pathlib.Path(options.build) / "bin" / "apertune"
    for name in options.models:
        with tempfile.TemporaryDirectory(prefix="apertune-budget-") as temporary:
            folder = pathlib.Path(temporary)
            workspace = folder / "w.apertune"
            subprocess.run([program, "model", "import", name, "--store", workspace], check=True, capture_output=True)
            for load in options.loads.split(","):
                for budget in options.budgets.split(","):
                    with tempfile.TemporaryDirectory(prefix="apertune-cache-") as place:
                        cache = new_cache(pathlib.Path(place))
                        for state in ("cold", "warm"):
                            row = run_once(program, name, budget, load, cache, workspace)
                            row.update(model=name, load=load, budget=seconds_of(budget), cache=state)
                            with open(options.file, "a", encoding="utf-8") as out:
                                out.write(json.dumps(row) + "\n")
                            print(f"{name} {load} {budget} {state}: {row['wall']:.1f} s, "
                                  f"{len(row['seen'])} of {len(row['planned'])} engines, {row['measured']} measured",
                                  flush=True)


def summary(options):
    rows = [json.loads(line) for line in open(options.file, encoding="utf-8")]
    print(f"{'load':8} {'budget':>7} {'cache':6} {'runs':>4} {'median':>7} {'largest':>8}  within {WITHIN:g}         "
          f"{'engines':>9} {'recommended':>12}")
    for load, budget, state in sorted({(r["load"], r["budget"], r["cache"]) for r in rows}):
        some = [r for r in rows if (r["load"], r["budget"], r["cache"]) == (load, budget, state)]
        ratios = [r["wall"] / r["budget"] for r in some]
        within = sum(ratio <= WITHIN for ratio in ratios)
        low, high = wilson(within, len(some))
        engines = f"{sum(len(r['seen']) for r in some)}/{sum(len(r['planned']) for r in some)}"
        recommended = f"{sum(r['recommended'] for r in some)}/{len(some)}"
        print(f"{load:8} {budget:5g} s {state:6} {len(some):4} {statistics.median(ratios):7.2f} {max(ratios):8.2f}  "
              f"{within}/{len(some)} ({low:.2f} to {high:.2f}) {engines:>9} {recommended:>12}")


def main():
    parser = argparse.ArgumentParser(prog="wall_budget.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    measuring = verbs.add_parser("measure")
    measuring.add_argument("build")
    measuring.add_argument("file")
    measuring.add_argument("models", nargs="+")
    measuring.add_argument("--budgets", default="15s,30s,1m,2m")
    measuring.add_argument("--loads", default="quiet", help=f"some of {', '.join(LOADS)}")
    summing = verbs.add_parser("summary")
    summing.add_argument("file")
    options = parser.parse_args()
    return measure(options) if options.verb == "measure" else summary(options)


if __name__ == "__main__":
    sys.exit(main())

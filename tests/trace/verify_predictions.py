#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks predicted gains against real verifications, on models of torchvision and on the machine as it is.

    verify_predictions.py measure BUILD FILE [MODEL...] [--levels O0,O1] [--batch 1] [--busy N] [--budget 15s]
    verify_predictions.py summary FILE

measure, for each model: `apertune tune` measures one trial of each level, `apertune trace record` records each trial, and
`apertune trace verify --all` tries every finding that Apertune can change by itself. Each verification is appended to FILE
as one line of JSON, so that their number grows over days. --busy starts so many processes that compute all the time
before a trace is verified (not while it is recorded).

summary prints, for each load: how many verifications reached a statement, how often the measured saving lies inside the
predicted range, how often its interval meets the range, and what the others were. Shares have Wilson's 95 % intervals.
Nothing is asserted on wall-clock time.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

MODELS = ["resnet18", "mobilenet_v3_small", "squeezenet1_1", "shufflenet_v2_x1_0", "efficientnet_b0", "vit_b_16",
          "swin_t", "convnext_tiny", "densenet121", "regnet_y_400mf", "googlenet", "mnasnet1_0"]
STEADY = "while True: sum(i * i for i in range(10000))"


def wilson(hits, n, z=1.959964):
    """Wilson's interval of a share."""
    if n == 0:
        return 0.0, 1.0
    p, d = hits / n, 1 + z * z / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, (middle - half) / d), min(1.0, (middle + half) / d)


class Apertune:
    def __init__(self, build, store):
        self.program, self.store = pathlib.Path(build) / "bin" / "apertune", store

    def run(self, *words):
        """Runs a command; returns its document, or None with the error on stderr."""
        done = subprocess.run([self.program, *words, "--store", self.store, "--json", "--quiet"], capture_output=True, text=True)
        try:
            return json.loads(done.stdout)
        except ValueError:
            print("apertune", *words, "ended with", done.returncode, done.stderr.strip()[-300:], file=sys.stderr)
            return None


def trials_of(apertune, model, options):
    document = apertune.run("tune", f"torchvision:{model}", "--levels", options.levels, "--precisions", "fp32", "--batches",
                            str(options.batch), "--search", "grid", "--measuring-budget", "15s")
    return [t["id"] for t in (document or {}).get("trials", []) if t.get("state") == "ok"]


def measure(options):
    models = options.models or MODELS
    with tempfile.TemporaryDirectory() as folder, open(options.file, "a") as out:
        apertune = Apertune(options.build, pathlib.Path(folder) / "w.apertune")
        for model in models:
            for trial in trials_of(apertune, model, options):
                recorded = apertune.run("trace", "record", str(trial), "--iterations", "20")
                if not recorded:
                    continue
                busy = [subprocess.Popen([sys.executable, "-c", STEADY]) for _ in range(options.busy)]
                verified = apertune.run("trace", "verify", "last", "--all", "--budget", options.budget)
                for process in busy:
                    process.kill()
                    process.wait()
                for proof in (verified or {}).get("proofs", []):
                    line = {"model": model, "trial": trial, "batch": options.batch, "busy": options.busy, **proof}
                    out.write(json.dumps(line) + "\n")
                    out.flush()
                    saved = proof["saved"]
                    print(f"{model:20} {trial!s:5} {proof['rule']:26} {proof['proof']:12} predicted "
                          f"{proof['predicted']['lo']:.3f} to {proof['predicted']['hi']:.3f}, saved " +
                          (f"{saved['value']:.3f} [{saved['lo']:.3f}, {saved['hi']:.3f}]" if saved else "not measured"),
                          flush=True)
    return 0


def share(hits, n):
    lo, hi = wilson(hits, n)
    return f"{hits} of {n}" + (f" ({hits / n:.1%}, {lo:.1%} to {hi:.1%})" if n else "")


def summary(options):
    with open(options.file) as lines:
        proofs = [json.loads(line) for line in lines]
    for busy in sorted({p["busy"] for p in proofs}):
        of = [p for p in proofs if p["busy"] == busy]
        told = [p for p in of if p["saved"] and p["saved"]["confidence"] > 0 and p["proof"] in ("proved", "refuted", "cannot tell")]
        inside = [p for p in told if p["predicted"]["lo"] <= p["saved"]["value"] <= p["predicted"]["hi"]]
        meet = [p for p in told if p["saved"]["lo"] <= p["predicted"]["hi"] and p["predicted"]["lo"] <= p["saved"]["hi"]]
        print(f"beside {busy} busy processes: {len(of)} verifications, {len(told)} with an interval")
        print("  outcomes:", dict(collections.Counter(p["proof"] for p in of)))
        print("  saving inside the predicted range:", share(len(inside), len(told)))
        print("  its interval meets the range:", share(len(meet), len(told)))
        for rule in sorted({p["rule"] for p in told}):
            print(f"    {rule:26}", share(sum(p["rule"] == rule for p in meet), sum(p["rule"] == rule for p in told)))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    run = verbs.add_parser("measure")
    run.add_argument("build")
    run.add_argument("file", type=os.path.abspath)
    run.add_argument("models", nargs="*")
    run.add_argument("--levels", default="O0,O1")
    run.add_argument("--batch", type=int, default=1)
    run.add_argument("--busy", type=int, default=0)
    run.add_argument("--budget", default="15s")
    run.set_defaults(do=measure)
    show = verbs.add_parser("summary")
    show.add_argument("file", type=os.path.abspath)
    show.set_defaults(do=summary)
    options = parser.parse_args()
    return options.do(options)


if __name__ == "__main__":
    sys.exit(main())

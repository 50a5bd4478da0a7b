#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the predictions of `apertune trace whatif` against the real change, on this machine's processor.

    whatif_truth.py prepare BUILD FOLDER [CASE...]   imports each model of whatif_models.py as it is and changed (slow)
    whatif_truth.py measure BUILD FOLDER FILE [CASE...] [--rounds 40]
    whatif_truth.py settings BUILD FOLDER FILE [MODEL...]
    whatif_truth.py summary BUILD FOLDER FILE

measure, for each case: `apertune tune` measures the unchanged model at O0, `apertune trace record` records it. Then the
Python of the set-up loads both models as TorchScript and runs them in turns; the share that the change saves is 1 − the
median of the ratios of neighbouring passes, with the 95 % interval of that median from order statistics. settings measures
changes that Apertune makes itself (threads and switches: `apertune trace whatif --verify`). Each result is appended to FILE
as one line of JSON. Run both on a quiet machine.

summary predicts each case with `apertune trace whatif` from its trace, so it can be repeated without measuring. It prints
each case, the median error as a share of the measured effect, and how often the predicted band meets the measured interval. Nothing is asserted on wall-clock time.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

LEAST = 4  # seconds that two models take turns
HERE = pathlib.Path(__file__).resolve().parent
SETTINGS = {"resnet18": ["threads=1", "switch:freeze=on"], "mobilenet_v3_small": ["switch:freeze=on", "switch:onednn_graph=on"],
            "vgg11": ["threads=1", "switch:keep_memory=on", "switch:onednn_graph=on"],
            "convnext_tiny": ["threads=1", "switch:channels_last=on", "switch:keep_memory=on"],
            "densenet121": ["threads=1", "switch:freeze=on"]}


def python_of_setup():
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "apertune/env/current/bin/python"


class Apertune:
    def __init__(self, build, folder):
        self.program = pathlib.Path(build).resolve() / "bin" / "apertune"
        self.store = pathlib.Path(folder).resolve() / "whatif.apertune"

    def run(self, *words):
        """Runs a command; returns its document, or None with the error on stderr."""
        done = subprocess.run([self.program, *words, "--store", self.store, "--json", "--quiet"], capture_output=True, text=True)
        try:
            return json.loads(done.stdout)
        except ValueError:
            print("apertune", *words, "ended with", done.returncode, done.stderr.strip()[-400:], file=sys.stderr)
            return None


def cases_of(options):
    listed = subprocess.run([python_of_setup(), "-c", f"import sys, json; sys.path.insert(0, {str(HERE)!r}); import whatif_models; "
                             "print(json.dumps({n: [c[0], c[3]] for n, c in whatif_models.CASES.items()}))"],
                            capture_output=True, text=True, check=True)
    every = json.loads(listed.stdout)
    return {name: every[name] for name in options.cases or every}


def short(name, changed):
    return "".join(c if c.isalnum() else "_" for c in name) + ("_changed" if changed else "")


def import_model(apertune, folder, label, name, changed):
    source = pathlib.Path(folder).resolve() / f"{label}.py"
    source.write_text(f"import sys\nsys.path.insert(0, {str(HERE)!r})\nimport whatif_models\n\n\n"
                      f"def make():\n    return whatif_models.case({name!r}, {changed})\n")
    return apertune.run("model", "import", f"python:{source}:make", "--name", label) is not None


def prepare(options):
    pathlib.Path(options.folder).mkdir(parents=True, exist_ok=True)
    apertune = Apertune(options.build, options.folder)
    known = {m["name"] for m in (apertune.run("model", "list") or {}).get("models", [])}
    for name, (base, _) in cases_of(options).items():
        for label, changed in ((base, False), (short(name, True), True)):
            if label not in known and import_model(apertune, options.folder, label, name, changed):
                known.add(label)
                print("imported", label, flush=True)
    return 0


def trace_of(apertune, base):
    """Measures and records the unchanged model; returns its trace and its threads."""
    tuned = apertune.run("tune", base, "--backends", "libtorch", "--levels", "O0", "--precisions", "fp32", "--batches", "1",
                         "--search", "grid", "--measuring-budget", "2s")
    trial = next((t for t in (tuned or {}).get("trials", []) if t["state"] == "ok"), None)
    recorded = trial and apertune.run("trace", "record", str(trial["id"]), "--iterations", "30")
    return recorded["trace"] if recorded else None


def turns(options):
    """Runs two TorchScript models in turns; prints the times of neighbouring passes in ms."""
    import torch
    torch.set_num_threads(options.threads)
    models = [torch.jit.load(path).eval() for path in options.models]
    inputs = [torch.randn(1, 3, side, side) for side in options.sides]
    times = []
    with torch.inference_mode(), torch.jit.optimized_execution(False):
        begin, i = time.perf_counter(), 0
        while i < options.rounds + 5 or time.perf_counter() - begin < LEAST:
            i += 1
            pair = [0.0, 0.0]
            for side in (0, 1) if i % 2 else (1, 0):
                begun = time.perf_counter()
                models[side](inputs[side])
                pair[side] = (time.perf_counter() - begun) * 1e3
            if i > 5:
                times.append(pair)
    print(json.dumps(times))
    return 0


def median_interval(values):
    """The median with its distribution-free 95 % interval."""
    ordered, n = sorted(values), len(values)
    low = max(0, math.floor((n - 1.96 * math.sqrt(n)) / 2))
    return statistics.median(ordered), ordered[low], ordered[n - 1 - low]


def really_saved(apertune, base, changed, sides, options):
    files = []
    for label in (base, changed):
        shown = apertune.run("model", "show", label)
        files.append(str(pathlib.Path(shown["artifact"]) / "model.ts.pt"))
    words = [python_of_setup(), __file__, "turns", *files, "--sides", *map(str, sides), "--threads", str(os.cpu_count()),
             "--rounds", str(options.rounds)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr[-400:], file=sys.stderr)
        return None
    pairs = json.loads(done.stdout)
    ratio, lo, hi = median_interval([b / a for a, b in pairs])
    return {"value": 1 - ratio, "lo": 1 - hi, "hi": 1 - lo, "ms": statistics.median(a for a, _ in pairs)}


def keep(options, line):
    with open(options.file, "a") as out:
        out.write(json.dumps(line) + "\n")
    print(line["case"], line["saved"], flush=True)


def settings(options):
    apertune = Apertune(options.build, options.folder)
    for base, changes in SETTINGS.items():
        if options.cases and base not in options.cases:
            continue
        trace = trace_of(apertune, base)
        for change in changes if trace else []:
            document = apertune.run("trace", "whatif", trace, change, "--verify", "--budget", "6s")
            if document and document.get("proofs"):
                proof = document["proofs"][0]
                keep(options, {"case": f"{base} {change}", "predicted": document["together"]["saved"],
                               "saved": proof["saved"], "outcome": proof["proof"]})
    return 0


def measure(options):
    apertune = Apertune(options.build, options.folder)
    traces = {}
    for name, (base, _) in cases_of(options).items():
        if base not in traces:
            traces[base] = trace_of(apertune, base)
        side = 160 if name.endswith("of 160") else 224
        saved = really_saved(apertune, base, short(name, True), (224, side), options) if traces[base] else None
        if saved:
            keep(options, {"case": name, "trace": traces[base], "saved": saved})
    return 0


def predictions(options, results):
    """Adds the prediction of each case."""
    apertune = Apertune(options.build, options.folder)
    options.cases = []
    cases = cases_of(options)
    for result in results:
        if "predicted" not in result:
            document = apertune.run("trace", "whatif", result["trace"], *cases[result["case"]][1])
            result["predicted"] = document["together"]["saved"] if document else None
    return [r for r in results if r["predicted"] and r["saved"]]


def summary(options):
    with open(options.file) as lines:
        results = [json.loads(line) for line in lines]
    told = predictions(options, results)
    errors = []
    for r in told:
        p, s = r["predicted"], r["saved"]
        error = abs(p["value"] - s["value"]) / abs(s["value"]) if s["value"] else math.inf
        errors.append(error)
        print(f"{r['case']:52} predicted {p['value']:7.1%}  measured {s['value']:7.1%} [{s['lo']:.1%}, {s['hi']:.1%}]  "
              f"error {error:.0%} of the effect")
    if errors:
        meet = sum(r["saved"]["lo"] <= r["predicted"]["hi"] and r["predicted"]["lo"] <= r["saved"]["hi"] for r in told)
        print(f"{len(told)} changes: median error {statistics.median(errors):.1%} of the effect, largest {max(errors):.0%}; "
              f"{meet} of {len(told)} bands meet the measured interval")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    make = verbs.add_parser("prepare")
    make.set_defaults(do=prepare)
    run = verbs.add_parser("measure")
    run.add_argument("--rounds", type=int, default=40)
    run.set_defaults(do=measure)
    own = verbs.add_parser("settings")
    own.set_defaults(do=settings)
    show = verbs.add_parser("summary")
    show.set_defaults(do=summary)
    for verb in (make, run, own, show):
        verb.add_argument("build")
        verb.add_argument("folder")
    for verb in (run, own, show):
        verb.add_argument("file", type=os.path.abspath)
    for verb in (make, run, own):
        verb.add_argument("cases", nargs="*")
    pair = verbs.add_parser("turns")
    pair.add_argument("models", nargs=2)
    pair.add_argument("--sides", nargs=2, type=int)
    pair.add_argument("--threads", type=int)
    pair.add_argument("--rounds", type=int)
    pair.set_defaults(do=turns)
    options = parser.parse_args()
    return options.do(options)


if __name__ == "__main__":
    sys.exit(main())

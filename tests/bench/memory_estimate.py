#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks estimates of memory against measured peaks.

    memory_estimate.py measure BUILD FOLDER [MODEL...] [--engines libtorch,openvino]
    memory_estimate.py summary BUILD FOLDER

measure, for each model and engine, at level O2 in fp32 on the CPU:
 1. `apertune model memory --probe 1,8` in the workspace FOLDER/probes.apertune: the two probes.
 2. `apertune model memory --probe 2,4,16` in the workspace FOLDER/truth.apertune, whose peaks no estimate sees.
What FOLDER has already is not measured again.

summary asks `apertune model memory` with the probes' workspace for batches 2, 4 and 16, compares the estimates with the
peaks of the other workspace, and prints each comparison, the median and the largest error, and how many peaks lie in the
stated range. It does the same with a workspace in which nothing of the model was measured. Nothing is asserted: how
a process's peak differs from run to run depends on the machine.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

MODELS = ["torchvision:resnet18", "torchvision:mobilenet_v2", "torchvision:efficientnet_b0", "torchvision:resnet50",
          "torchvision:squeezenet1_1", "torchvision:shufflenet_v2_x1_0", "torchvision:regnet_y_400mf",
          "torchvision:densenet121", "torchvision:mobilenet_v3_large", "torchvision:googlenet",
          "torchvision:mnasnet1_0", "torchvision:vit_b_16"]
PROBES = [1, 8]
TRUTH = [2, 4, 16]


def apertune(build, *arguments):
    done = subprocess.run([str(pathlib.Path(build) / "bin" / "apertune"), *arguments, "--json"],
                          capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout else {"error": done.stderr}


def name_of(source):
    return source.split(":", 1)[-1]


def measured(build, workspace):
    """Peaks of a workspace in bytes, by model, engine and batch."""
    peaks = {}
    for study in apertune(build, "study", "list", "--store", str(workspace)).get("studies", []):
        trials = apertune(build, "trial", "list", study["id"], "--store", str(workspace))
        for trial in trials.get("trials", []):
            if trial["state"] == "ok" and trial["memory_bytes"]["process_peak"]:
                config = trial["config"]
                key = study["model"], config["backend"], config["batch"]
                peaks[key] = max(peaks.get(key, 0), trial["memory_bytes"]["process_peak"])
    return peaks


def measure(options):
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    for workspace, batches in ((folder / "probes.apertune", PROBES), (folder / "truth.apertune", TRUTH)):
        known = measured(options.build, workspace) if workspace.exists() else {}
        for source in options.models or MODELS:
            for engine in options.engines.split(","):
                if all((name_of(source), engine, batch) in known for batch in batches):
                    continue
                apertune(options.build, "model", "memory", source, "--store", str(workspace), "--backends", engine,
                         "--devices", "cpu", "--precisions", "fp32", "--probe", ",".join(map(str, batches)), "--quiet")
                print(f"{workspace.stem}: {source} with {engine}", flush=True)


def compare(build, workspace, truth):
    """Relative errors of the estimates of a workspace, and how many peaks lie in their ranges."""
    errors, inside = [], 0
    for model, engine in sorted({key[:2] for key in truth}):
        batches = sorted(key[2] for key in truth if key[:2] == (model, engine))
        answer = apertune(build, "model", "memory", model, "--store", str(workspace), "--backends", engine,
                          "--devices", "cpu", "--precisions", "fp32", "--batches", ",".join(map(str, batches)))
        for estimate in answer.get("estimates", []):
            for at in estimate["batches"]:
                peak = truth[model, engine, at["batch"]]
                error = at["total_bytes"] / peak - 1
                errors.append(abs(error))
                inside += at["low_bytes"] <= peak <= at["high_bytes"]
                print(f"{model:20} {engine:12} batch {at['batch']:3}  estimated {at['total_bytes'] / 2**20:7.0f} MiB  "
                      f"measured {peak / 2**20:7.0f} MiB  {100 * error:+6.1f} %  by {estimate['basis']}")
    if errors:
        print(f"{len(errors)} comparisons: median error {100 * statistics.median(errors):.1f} %, largest "
              f"{100 * max(errors):.1f} %; {inside} of {len(errors)} peaks lie in the stated range\n")


def summary(options):
    folder = pathlib.Path(options.folder)
    truth = {key: peak for key, peak in measured(options.build, folder / "truth.apertune").items() if key[2] in TRUTH}
    print("After two probes")
    compare(options.build, folder / "probes.apertune", truth)
    print("Before any measurement")
    fresh = folder / "fresh.apertune"
    for source in {key[0] for key in truth}:
        apertune(options.build, "model", "import", "torchvision:" + source if ":" not in source else source,
                 "--store", str(fresh))
    compare(options.build, fresh, truth)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    for name, step in (("measure", measure), ("summary", summary)):
        sub = steps.add_parser(name)
        sub.set_defaults(step=step)
        sub.add_argument("build", help="build folder with bin/apertune")
        sub.add_argument("folder", help="folder of the workspaces")
        if name == "measure":
            sub.add_argument("models", nargs="*", help="sources (default: twelve of torchvision)")
            sub.add_argument("--engines", default="libtorch,openvino")
    options = parser.parse_args()
    options.step(options)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the largest batch that `--batches auto` finds against the peaks of its neighbours.

    batch_edge.py BUILD FOLDER [CASE...]        a case is SOURCE=ENGINE=SIZE

For each case:
 1. `apertune tune SOURCE --batches auto --memory-share 100% --max-memory SIZE` in a workspace of its own. The edge is the
    largest batch whose measured peak is within SIZE.
 2. The edge E and the batch E + 1 are measured again in another workspace, each in a fresh process. The edge is exact
    when E is within SIZE and E + 1 is not.

Prints each case with the batches that were tried, and how many edges are exact.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

CASES = ["torchvision:resnet18=openvino=250MiB", "torchvision:mobilenet_v2=openvino=250MiB",
         "torchvision:densenet121=openvino=300MiB", "torchvision:resnet50=libtorch=800MiB",
         "torchvision:efficientnet_b0=libtorch=700MiB"]
UNITS = {"MiB": 1 << 20, "GiB": 1 << 30}


def trials(build, workspace, *arguments):
    """Runs a sweep and returns the trials of the workspace."""
    program = str(pathlib.Path(build) / "bin" / "apertune")
    subprocess.run([program, "tune", *arguments, "--devices", "cpu", "--levels", "O2", "--precisions", "fp32",
                    "--search", "grid", "--target", "quick", "--budget", "0", "--quiet", "--store", str(workspace)],
                   capture_output=True)
    listed = subprocess.run([program, "trial", "list", "last", "--store", str(workspace), "--json"],
                            capture_output=True, text=True)
    return json.loads(listed.stdout)["trials"] if listed.stdout else []


def peaks(listed):
    return {trial["config"]["batch"]: trial["memory_bytes"]["process_peak"] for trial in listed
            if trial["state"] == "ok"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="build folder with bin/apertune")
    parser.add_argument("folder", help="folder of the workspaces")
    parser.add_argument("cases", nargs="*", default=CASES, help="SOURCE=ENGINE=SIZE (default: five of torchvision)")
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    exact = 0
    for number, case in enumerate(options.cases):
        source, engine, size = case.split("=")
        amount, unit = re.fullmatch(r"(\d+)(\w+)", size).groups()
        limit = int(amount) * UNITS[unit]
        found = peaks(trials(options.build, folder / f"edge{number}.apertune", source, "--backends", engine,
                             "--batches", "auto", "--memory-share", "100%", "--max-memory", size))
        edge = max((batch for batch, peak in found.items() if peak <= limit), default=0)
        again = peaks(trials(options.build, folder / f"check{number}.apertune", source, "--backends", engine,
                             "--batches", f"{max(edge, 1)},{edge + 1}"))
        holds = again.get(edge, 0) <= limit < again.get(edge + 1, 0)
        exact += holds
        shown = ", ".join(f"{batch}: {peak / 2**20:.0f}" for batch, peak in sorted(again.items()))
        print(f"{source} with {engine} within {size}: edge {edge}, {'exact' if holds else 'not exact'}; tried "
              f"{sorted(found)}; measured again (MiB): {shown}", flush=True)
    print(f"{exact} of {len(options.cases)} edges are exact")


if __name__ == "__main__":
    sys.exit(main())

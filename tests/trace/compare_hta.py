#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares Apertune's reading of Kineto traces with HolisticTraceAnalysis's (PyPI: HolisticTraceAnalysis).

    compare_hta.py --apertune build/release/bin/apertune FILE…

Run it with a Python that has HolisticTraceAnalysis; it is no dependency of the project. For each file: kernel time by
name, busy and idle share of the device, copy and fill time by direction with bytes, once of the imported events
(`trace-export`), once as the analyses tell them (`trace-report`). Exit code 1 when any figure differs by more than
--tolerance (0.1 %).

What is made equal first, because the two mean different things by default:
  * HTA leaves out the last profiler step unless told otherwise; it is told.
  * HTA rounds to whole microseconds unless told otherwise; it is told.
  * HTA counts waits of a stream (cuda_sync) as busy; the share is compared without them, by its own function.
  * HTA takes device work only when it finds the call that launched it in the file; what it leaves out because of that
    is left out here too, and its share is printed.
"""
import argparse
import csv
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from collections import defaultdict

os.environ["HTA_DISABLE_NS_ROUNDING"] = "1"
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
csv.field_size_limit(sys.maxsize)

WORK = {"kernel", "copy", "fill"}
# HTA computes with microseconds as floating-point numbers, in which the last nanosecond of a share is lost.
LAST_NANOSECOND = 2
CATEGORIES = {"kernel": "kernel", "Kernel": "kernel", "gpu_memcpy": "copy", "Memcpy": "copy", "gpu_memset": "fill", "Memset": "fill"}


def busy_span(intervals):
    """The union of intervals and the span from the first start to the last end."""
    busy, reached = 0, None
    for start, end in sorted(intervals):
        if reached is None or start > reached:
            busy += end - start
            reached = end
        elif end > reached:
            busy += end - reached
            reached = end
    first = min((s for s, _ in intervals), default=0)
    return busy, (reached or 0) - first


def figures(rows):
    """rows: (kind, name, start ns, end ns, bytes)"""
    result = defaultdict(float)
    intervals = []
    for kind, name, start, end, size in rows:
        intervals.append((start, end))
        result[f"{kind} time: {name}"] += end - start
        result[f"{kind} count: {name}"] += 1
        if kind != "kernel":
            result[f"{kind} bytes: {name}"] += size
    busy, span = busy_span(intervals)
    if span:
        result["busy share"] = busy / span
        result["idle share"] = 1 - busy / span
    return result


def apertune_rows(program, file):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "trace.csv")
        subprocess.run([program, "trace", "export", file, "--out", out, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        with open(out, newline="") as text:
            for row in csv.DictReader(text):
                if row["kind"] in WORK:
                    start = int(row["start_ns"])
                    yield (int(row["correlation"]), row["kind"], row["name"].strip(), start,
                           start + int(row["duration_ns"]), int(row["value"]))


def hta_rows(file):
    from hta.analyzers.breakdown_analysis import BreakdownAnalysis
    from hta.trace_analysis import TraceAnalysis

    with open(os.devnull, "w") as nothing:
        stdout, sys.stdout = sys.stdout, nothing
        try:
            analysis = TraceAnalysis(trace_files={0: file}, include_last_profiler_step=True)
        finally:
            sys.stdout = stdout
    frame = analysis.t.get_trace(0)
    symbols = analysis.t.symbol_table.get_sym_table()
    device = frame[frame["stream"].ne(-1)].copy()
    kinds = [CATEGORIES.get(symbols[c]) for c in device["cat"]]
    device = device[[k is not None for k in kinds]]
    rows = []
    for entry in device.to_dict("records"):
        start = round(entry["ts"] * 1000)
        size = entry.get("bytes", 0)
        rows.append((int(entry["correlation"]), CATEGORIES[symbols[entry["cat"]]], symbols[entry["name"]].strip(), start,
                     start + round(entry["dur"] * 1000), max(0, int(size)) if size == size else 0))
    shares = {}
    if len(device):
        idle, span = BreakdownAnalysis._get_idle_time_for_kernels(device.copy())
        shares = {"busy share": 1 - idle / span, "idle share": idle / span}
    return rows, shares


def reported(program, file):
    """The same figures as `trace-report` prints them, for the busiest device."""
    told = subprocess.run([program, "trace", "report", file, "--json", "--rows", "1000000"], check=True, capture_output=True)
    report = json.loads(told.stdout)
    result = defaultdict(float)
    for kernel in report["kernels"]:
        result[f"kernel time: {kernel['name'].strip()}"] += kernel["total_ms"] * 1e6
        result[f"kernel count: {kernel['name'].strip()}"] += kernel["count"]
    for copy in report["transfers"]["copies"]:
        result["copies: count"] += copy["count"]
        result["copies: bytes"] += copy["bytes"] or 0
        result["copies: time"] += copy["time_ms"] * 1e6
    if report["idle"]:
        result["busy share"] = max(device["recording"]["busy_share"] for device in report["idle"])
        result["idle share"] = 1 - result["busy share"]
    return result


def compare_report(program, file, theirs, span, tolerance):
    ours = reported(program, file)
    expected = {k: v for k, v in theirs.items() if k.startswith("kernel ") or k.endswith(" share")}
    for figure in ("count", "bytes", "time"):
        total = sum(v for k, v in theirs.items() if k.startswith(f"copy {figure}"))
        if total:
            expected[f"copies: {figure}"] = total
    worst, where = 0.0, "-"
    for key, value in expected.items():
        difference = abs(ours.get(key, 0) - value) / max(abs(value), 1e-12)
        if key.endswith(" share") and abs(ours.get(key, 0) - value) * span < LAST_NANOSECOND:
            difference = 0
        if difference > worst:
            worst, where = difference, key
        if difference > tolerance:
            print(f"  DIFFERS {difference:.3%}  trace-report, {key[:100]}: {ours.get(key, 0):.9g}, HTA {value:.9g}")
    print(f"  trace-report: {len(expected)} figures, largest difference {worst:.6%} ({where[:60]})")
    return worst <= tolerance


def compare(program, file, tolerance):
    ours = list(apertune_rows(program, file))
    theirs, shares = hta_rows(file)
    known = defaultdict(int)
    for row in theirs:
        known[row[0], row[1], row[2]] += 1
    both = []
    for row in ours:
        if known[row[:3]] > 0:
            known[row[:3]] -= 1
            both.append(row)
    left_out = sum(e - s for _, _, _, s, e, _ in ours) - sum(e - s for _, _, _, s, e, _ in both)
    total = sum(e - s for _, _, _, s, e, _ in ours)
    a = figures(r[1:] for r in both)
    b = figures(r[1:] for r in theirs)
    b.update(shares)
    if not any(row[5] for row in theirs):
        # ROCm: the sizes stand only in the calls, which HTA does not read.
        a = {k: v for k, v in a.items() if " bytes: " not in k}
        b = {k: v for k, v in b.items() if " bytes: " not in k}
    span = max((row[4] for row in both), default=0) - min((row[3] for row in both), default=0)
    worst, where = 0.0, "-"
    for key in sorted(set(a) | set(b)):
        x, y = a.get(key, 0), b.get(key, 0)
        difference = abs(x - y) / max(abs(y), 1e-12) if x != y else 0
        if key.endswith(" share") and abs(x - y) * span < LAST_NANOSECOND:
            difference = 0
        if difference > worst:
            worst, where = difference, key
        if difference > tolerance:
            print(f"  DIFFERS {difference:.3%}  {key[:100]}: apertune {x:.9g}, HTA {y:.9g}")
    kernels = sum(1 for k in a if k.startswith("kernel time"))
    print(f"{os.path.basename(file)}: {len(both)} of {len(ours)} pieces of device work, {kernels} kernel names, "
          f"{len(set(a) | set(b))} figures; largest difference {worst:.6%} ({where[:60]})")
    if "busy share" in a:
        print(f"  busy {a['busy share']:.6%} (HTA {b['busy share']:.6%}), idle {a['idle share']:.6%} "
              f"(HTA {b['idle share']:.6%})")
        copies = {k: sum(v for n, v in f.items() if n.startswith(f"copy {k}")) for f in (a,) for k in ("time", "bytes", "count")}
        others = {k: sum(v for n, v in f.items() if n.startswith(f"copy {k}")) for f in (b,) for k in ("time", "bytes", "count")}
        print(f"  copies {copies['count']:.0f}, {copies['time'] / 1e6:.6f} ms, {copies['bytes']:.0f} B "
              f"(HTA {others['count']:.0f}, {others['time'] / 1e6:.6f} ms, {others['bytes']:.0f} B)")
    if left_out:
        print(f"  HTA leaves out {left_out / total:.3%} of the device time: it finds no call that launched it")
        print("  trace-report is not compared: it holds that work too")
        return worst <= tolerance
    return compare_report(program, file, b, span, tolerance) and worst <= tolerance


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--apertune", default="apertune")
    parser.add_argument("--tolerance", type=float, default=0.001)
    options = parser.parse_args()
    results = [compare(options.apertune, file, options.tolerance) for file in options.files]
    print("all equal" if all(results) else "differences", f"within {options.tolerance:.1%}")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

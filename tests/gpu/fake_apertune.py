#!/usr/bin/env -S python3 -ISB
# SPDX-License-Identifier: GPL-3.0-or-later
"""An apertune whose GPU is flawless: it prints the documents that every check of tests/gpu accepts. FAKE_FAULT names one
command and how it fails: "VERB WORD HOW", where VERB is "tune" or "trace-report" and WORD occurs among the arguments. HOW is nothing (no output), dies,
missing (a member of the document) or hangs."""
import json
import os
import signal
import sys
import time

RULES = ("tiny-kernels", "pageable-copies", "waits-in-iteration")
OOM = "oom: Memory ran out: CUDA out of memory. Tried to allocate 90.00 GiB."


def option(name, default=""):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def trial(level, precision, batch):
    largest = 10_000
    median = 1.0 if level == "O3" else 5.0
    return {
        "id": f"t-{option('tune', 'x').rpartition(':')[2]}-{level}-{precision}-{batch}",
        "state": "ok" if batch < largest else "failed", "reason": None if batch < largest else OOM,
        "config": {"level": level, "precision": precision, "batch": batch, "switches": {"cuda_graph": level == "O3"}},
        "latency_ms": {"median": median, "lo": median * 0.99, "hi": median * 1.01},
        "device_ms": {"median": median * 0.9},
        "memory_bytes": {"allocator_peak": 100, "device_peak": 300 if precision == "fp8" else 500},
        "quality": {"max_abs": 1e-2 if precision == "tf32" else 1e-5, "cosine": 0.999},
        "conditions": {"gpu": {"clock_high_mhz": 1980, "power_cap_w": 700.0, "energy_j": median * 0.3}},
        "applied": [
            {"switch": "tf32", "state": "on" if precision == "tf32" else "off", "evidence": ""},
            {"switch": "cuda_graph", "state": "on" if level == "O3" else "off", "evidence": ""},
            {"switch": "precision", "state": "on", "evidence": "50 of 161 constants are float8_e4m3fn"},
        ],
    }


def tune():
    trials = []
    for level in option("--levels").split(","):
        for precision in option("--precisions").split(","):
            for batch in map(int, option("--batches").split(",")):
                made = trial(level, precision, batch)
                if trials and trials[-1]["state"] != "ok":
                    made.update(state="pruned", reason="batch_edge: A smaller one ran out of memory already.")
                trials.append(made)
    return {"trials": trials}


def recorded(name):
    return {"name": name, "trace": "r1", "kinds": [{"kind": "kernel", "events": 9}, {"kind": "counter", "events": 9}],
            "losses": [], "cost": {"ratio": {"median": 1.02}}}


def query():
    if "without_operator" in sys.argv[3]:
        row = {"kernels": 9, "without_operator": 0, "without_call": 0, "of_graphs": 9}
    else:
        row = {"label": "SM active", "unit": "1e-3 %", "least": 0, "most": 88_000}
    return {"columns": list(row), "rows": [list(row.values())]}


def devices():
    captures = ("GPU timing", "kernel trace", "hardware counters", "GPU telemetry")
    return {
        "devices": [{"kind": "gpu", "vendor": "nvidia", "id": "cuda:0", "name": "NVIDIA H200", "memory_bytes": 150_754_820_096,
                     "max_clock_mhz": 1980}],
        "backends": [{"name": "libtorch", "devices": ["cuda:0"], "reason": None, "notes": []}],
        "captures": [{"name": name, "available": True, "reason": None} for name in captures],
    }


def document(verb):
    if verb == "device-list":
        return devices()
    if verb == "tune":
        return tune()
    if verb == "trace-record":
        return {**recorded("trace"), "metrics": [recorded("samples"), recorded("kernels")]}
    if verb == "trace-report":
        return {"findings": [{"rule": rule, "title": "found"} for rule in RULES]}
    return query()


def main():
    print("progress on stderr", file=sys.stderr)
    verb = sys.argv[1] if sys.argv[1] == "tune" else "-".join(sys.argv[1:3])
    printed = document(verb)
    wanted, word, how = (os.environ.get("FAKE_FAULT") or "none none none").split()
    if verb == wanted and any(word in argument for argument in sys.argv):
        if how == "nothing":
            return 3
        if how == "dies":
            print("the last words", file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGSEGV)
        if how == "hangs":
            print("{", flush=True)
            time.sleep(600)
        printed.pop(next(iter(printed)))
    print(json.dumps(printed))
    return 0


sys.exit(main())

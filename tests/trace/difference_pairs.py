#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that differences of traces close, and that planted changes stand in their rows.

    difference_pairs.py cpu BUILD FOLDER [--model torchvision:resnet18] [--iterations 20] [--before COMMAND]
    difference_pairs.py gpu BUILD RECORDINGS
    difference_pairs.py planted BUILD RECORDINGS [--only TEXT]

cpu measures one trial for each side of six pairs (another engine, precision, batch, fused against not, threads, an added
copy), records each trial and compares the traces. FOLDER holds the workspace and the models; what is there is used
again. --before is put before each command that measures or records, for example a program that stops others.
gpu compares three pairs of recordings of other programs. planted changes real recordings in known ways (a slower kernel,
an added copy, a removed kernel, another kernel for an operator, a pause of the host), times them again with the model
of plant_causes.py and looks for the row of each change.

For each pair it prints the difference and, as shares of it: the rest that no row has (rounding), the residual (rows
without a recorded cause) and, for traces of Apertune, what recording adds to the difference of the same runs without
recording. Exits with 1 when rest and residual together exceed 5 % (2 % for two CPU traces of one engine), or when a
planted change has no row of its kind with its amount (within a tenth, or the interval of the row). Nothing is asserted
on wall-clock time. Standard library only.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import plant_causes  # noqa: E402

MODELS = '''
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, copies):
        super().__init__()
        self.copies = copies
        self.first = nn.Conv2d(3, 32, 3, padding=1)
        self.blocks = nn.ModuleList(nn.Conv2d(32, 32, 3, padding=1) for _ in range(4))

    def forward(self, x):
        x = torch.relu(self.first(x))
        for block in self.blocks:
            if self.copies:
                x = x.clone().clone()
            x = torch.relu(block(x))
        return x


def plain():
    return Net(False).eval(), torch.zeros(1, 3, 160, 160)


def copied():
    return Net(True).eval(), torch.zeros(1, 3, 160, 160)
'''


class Apertune:
    def __init__(self, build, store, before=""):
        self.program, self.store, self.before = pathlib.Path(build) / "bin" / "apertune", store, shlex.split(before)

    def run(self, *words, measures=False):
        """Runs a command; returns its document, or None with the error on stderr."""
        command = (self.before if measures else []) + [str(self.program), *words, "--store", str(self.store), "--json",
                                                       "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True)
        try:
            return json.loads(done.stdout)
        except ValueError:
            print("apertune", *words, "ended with", done.returncode, done.stderr.strip()[-400:], file=sys.stderr)
            return None


def shares(document):
    change = abs(document["change_ms"]["value"]) or 1e-12
    without = document["without_recording"]
    return {"rest": abs(document["rest_ms"]) / change, "residual": abs(document["residual_ms"]) / change,
            "recording": abs(without["recording_ms"]["value"]) / change if without else None}


def report(name, document, limit):
    found = shares(document)
    recording = "" if found["recording"] is None else f", recording {found['recording']:.1%}"
    change = document["change_ms"]
    ends = "" if change["lo"] is None else f" [{change['lo']:+.3f}, {change['hi']:+.3f}]"
    good = found["rest"] + found["residual"] <= limit
    print(f"{'ok  ' if good else 'MISS'} {name:34} {change['value']:+10.3f}{ends} ms: rest {found['rest']:.2%}, residual "
          f"{found['residual']:.2%} (at most {limit:.0%}){recording}; {len(document['steps'])} steps, "
          f"{len(document['layers'])} layers", flush=True)
    return good


# --- six pairs of trials of this machine's processors -----------------------------------------------------------------

SIDES = {
    "base": ["--backends", "libtorch", "--levels", "O0", "--precisions", "fp32", "--batches", "1", "--threads", "1"],
    "engine": ["--backends", "onnxruntime", "--levels", "O0", "--precisions", "fp32", "--batches", "1", "--threads", "1"],
    "bf16": ["--backends", "libtorch", "--levels", "O0", "--precisions", "bf16", "--batches", "1", "--threads", "1"],
    "batch": ["--backends", "libtorch", "--levels", "O0", "--precisions", "fp32", "--batches", "4", "--threads", "1"],
    "fused": ["--backends", "libtorch", "--levels", "O1", "--precisions", "fp32", "--batches", "1", "--threads", "1"],
    "threads": ["--backends", "libtorch", "--levels", "O0", "--precisions", "fp32", "--batches", "1", "--threads", "2"],
}
PAIRS = [("another engine", "base", "engine", 0.05), ("precision", "base", "bf16", 0.02), ("batch", "base", "batch", 0.02),
         ("fused against not", "base", "fused", 0.02), ("threads", "base", "threads", 0.02),
         ("added copy", "plain", "copied", 0.02)]


def trace_of(apertune, known, name, model, words, iterations):
    """The trace of a side, made when the folder does not have it."""
    if name in known:
        return known[name]
    tuned = apertune.run("tune", model, *words, "--search", "grid", "--measuring-budget", "5s", "--trust", measures=True)
    trials = [t["id"] for t in (tuned or {}).get("trials", []) if t.get("state") == "ok"]
    recorded = trials and apertune.run("trace", "record", str(trials[0]), "--iterations", str(iterations), measures=True)
    if recorded:
        known[name] = recorded["trace"]
    return known.get(name)


def cpu(options):
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "net.py").write_text(MODELS)
    apertune = Apertune(options.build, folder / "pairs.apertune", options.before)
    file = folder / "traces.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    sides = {name: (options.model, words) for name, words in SIDES.items()}
    for name in ("plain", "copied"):
        sides[name] = (f"python:{folder / 'net.py'}:{name}", SIDES["base"])
    good = 0
    for title, a, b, limit in PAIRS:
        names = [trace_of(apertune, known, side, *sides[side], options.iterations) for side in (a, b)]
        file.write_text(json.dumps(known))
        document = all(names) and apertune.run("compare", *names)
        if not document:
            print(f"MISS {title:34} was not recorded")
            continue
        closes = report(title, document, limit)
        if title == "added copy":
            copies = [p for p in document["parts"] if p["kind"] == "added" and p["class"] == "copy"
                      and abs(p["b"][0]["count"] - 8) < 0.5]
            closes = closes and bool(copies)
            print(f"     {len(copies)} row of eight added copies")
        good += closes
    print(f"{good} of {len(PAIRS)} CPU pairs close")
    return 0 if good == len(PAIRS) else 1


# --- recordings of other programs -------------------------------------------------------------------------------------


def gpu(options):
    apertune = Apertune(options.build, "/nonexistent/none.apertune")
    recordings = pathlib.Path(options.recordings)
    pairs = [("training_a100.json.gz", "resnet50_v100.pt.trace.json.gz"),
             ("resnet50_v100.pt.trace.json.gz", "alexnet_a100.json.gz"),
             ("alexnet_a100.json.gz", "minitoy_mi250_rocm.json.gz")]
    good = 0
    for a, b in pairs:
        document = apertune.run("compare", str(recordings / a), str(recordings / b))
        good += bool(document) and report(f"{a.split('.')[0]} → {b.split('.')[0]}", document, 0.05)
    print(f"{good} of {len(pairs)} pairs of recorded GPU traces close")
    return 0 if good == len(pairs) else 1


# --- planted changes --------------------------------------------------------------------------------------------------


class Planted:
    """A change of a recording, and what its row must say: per iteration, in ms."""

    def __init__(self, kind, amount, is_row):
        self.kind, self.amount, self.is_row = kind, amount, is_row


def works_of(part, side):
    return " ".join(" ".join(work["recorded"]) for work in part[side])


def busiest_kernel(recording, steps, least=2):
    """The kernel name with the most time that runs at least `least` times in each iteration. Time of several kernels at
    once belongs to the one that began first, as in the comparison."""
    times, counts, covered = {}, {}, 0
    for event in recording.device:
        if plant_causes.sort_of(event) != "kernel":
            continue
        end = plant_causes.end_of(event)
        own, covered = max(0, end - max(event["ts"], covered)), max(covered, end)
        if "nccl" not in event["name"]:
            times[event["name"]] = times.get(event["name"], 0) + own
            counts[event["name"]] = counts.get(event["name"], 0) + 1
    often = [name for name in times if counts[name] >= least * steps]
    return max(often, key=lambda name: times[name]), times


def per_step(recording, steps, time):
    return time / steps / 1e3


def slower_kernel(recording, steps):
    name, times = busiest_kernel(recording, steps)
    recording.shrink("^" + re.escape(name) + "$", 1.4)
    recording.retime()
    return Planted("same_work", 0.4 * per_step(recording, steps, times[name]), lambda part: name in works_of(part, "b"))


def added_copy(recording, steps):
    time, size = 900.0, 12 << 20
    copy = plant_causes.op("aten::to", plant_causes.op("aten::copy_", plant_causes.call(
        "cudaMemcpyAsync", 8, plant_causes.copy("Memcpy HtoD (Pinned -> Device)", time, size))))
    anchor = recording.main_thread()
    recording.retime(slots=[(start + 1, anchor, [copy]) for start, _ in recording.iterations()])
    return Planted("added", time / 1e3, lambda part: part["class"] == "copy" and abs(part["b"][0]["count"] - 1) < 0.1)


def removed_kernel(recording, steps):
    name, times = busiest_kernel(recording, steps)
    some = [e for e in recording.device if e["name"] == name]
    numbers = {e["args"].get("correlation") for e in some}
    recording.retime(removed=some + [e for e in recording.runtime if e["args"].get("correlation") in numbers])
    return Planted("removed", -per_step(recording, steps, times[name]), lambda part: name in works_of(part, "a"))


def other_kernel(recording, steps):
    name, times = busiest_kernel(recording, steps)
    for event in recording.device:
        if event["name"] == name:
            event["name"], event["new_dur"] = "void planted_library::kernel_of_another_kind<float>(float*)", 0.5 * event["dur"]
    recording.retime()
    return Planted("replaced", -0.5 * per_step(recording, steps, times[name]),
                   lambda part: name in works_of(part, "a") and "planted_library" in works_of(part, "b"))


def host_pause(recording, steps):
    time = 30_000.0
    anchor = recording.main_thread()
    recording.retime(slots=[(start + 1, anchor, [plant_causes.pause(time), plant_causes.wait("cudaDeviceSynchronize")])
                            for start, _ in recording.iterations()])
    return Planted("idle", time / 1e3, lambda part: part["cause"] == "host_wait")


CHANGES = [slower_kernel, added_copy, removed_kernel, other_kernel, host_pause]


def planted(options):
    apertune = Apertune(options.build, "/nonexistent/none.apertune")
    found = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("resnet50_v100.pt.trace.json.gz", "training_a100.json.gz"):
            for change in CHANGES:
                title = f"{change.__name__.replace('_', ' ')} in {name.split('.')[0]}"
                if options.only not in title:
                    continue
                tried += 1
                # The sound twin is timed again, too, so that the two differ in the plant alone.
                sound, changed = pathlib.Path(folder) / "sound.json", pathlib.Path(folder) / "changed.json"
                recording = plant_causes.Recording(pathlib.Path(options.recordings) / name)
                recording.retime()
                recording.write(sound)
                recording = plant_causes.Recording(pathlib.Path(options.recordings) / name)
                plant = change(recording, len(recording.iterations()))
                recording.write(changed)
                document = apertune.run("compare", str(sound), str(changed))
                rows = [p for p in (document or {}).get("parts", []) if p["kind"] == plant.kind and plant.is_row(p)]
                total = sum(p["change_ms"]["value"] for p in rows)
                spread = max((p["change_ms"]["hi"] - p["change_ms"]["lo"]) / 2 if p["change_ms"]["hi"] is not None else 0
                             for p in rows) if rows else 0
                good = bool(rows) and abs(total - plant.amount) <= max(0.1 * abs(plant.amount), spread)
                found += good
                place = document["parts"].index(rows[0]) + 1 if rows else 0
                print(f"{'ok  ' if good else 'MISS'} {title:42} planted {plant.amount:+9.3f} ms, its row {total:+9.3f} ms "
                      f"(row {place} of {len((document or {'parts': []})['parts'])}); whole change "
                      f"{document['change_ms']['value'] if document else 0:+.3f} ms", flush=True)
    print(f"{found} of {tried} planted changes stand in their row")
    return 0 if tried and found == tried else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for name, do, place in (("cpu", cpu, "folder"), ("gpu", gpu, "recordings"), ("planted", planted, "recordings")):
        verb = verbs.add_parser(name)
        verb.add_argument("build")
        verb.add_argument(place)
        verb.set_defaults(do=do)
        if name == "cpu":
            verb.add_argument("--model", default="torchvision:resnet18")
            verb.add_argument("--iterations", type=int, default=20)
            verb.add_argument("--before", default="")
        if name == "planted":
            verb.add_argument("--only", default="")
    options = parser.parse_args()
    return options.do(options)


if __name__ == "__main__":
    sys.exit(main())

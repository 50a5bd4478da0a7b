#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants known causes of lost time into real recordings and asks `apertune trace report` for them.

    tests/trace/plant_causes.py APERTUNE FOLDER... [--only TEXT] [--keep FOLDER [--keep-all]]
                                [--quiet-only | --planted-only]

Each FOLDER has recordings of the PyTorch profiler (Kineto JSON); they are found by file name, and those that are absent
are skipped and counted. An edited recording is timed again by a small model of the program: host threads go on in their
order, a device event starts after its call and after what its stream ran before, and calls that waited wait for the
device again. So a planted pause, copy, wait or kernel moves everything after it as it would on a machine. What counts
as named was decided from the titles of the rules alone. Also reports recordings and parts of them in which a reader
finds nothing to blame: no finding of high severity may be claimed there.

Prints one line a pair and totals with 95 % intervals (Wilson). Exits with 1 when fewer than 95 % are named first, or
a quiet recording gets a finding of high severity, or nothing was found to plant into. Nothing is drawn by chance: the
same recordings give the same pairs. Standard library only; about ten minutes, and half a gigabyte of temporary
files."""

import argparse
import bisect
import collections
import gzip
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

GOAL = 0.95
CATEGORIES = {
    "Kernel": "kernel",
    "Memcpy": "gpu_memcpy",
    "Memset": "gpu_memset",
    "Runtime": "cuda_runtime",
    "Operator": "cpu_op",
    "cuda_driver": "cuda_runtime",
}
DEVICE = ("kernel", "gpu_memcpy", "gpu_memset")
FLOWS = ("ac2g", "async_cpu_to_gpu", "async", "async_gpu")
RANGES = re.compile(r"ProfilerStep|enumerate\(|Optimizer\.")
WAITS = re.compile(r"(Device|Stream|Event|Ctx)Synchronize|^(cuda|hip)Free$")


def sort_of(event):
    category = event.get("cat")
    return CATEGORIES.get(category, category)


def end_of(event):
    return event["ts"] + event["dur"]


# --- what is planted: small trees of host work, written at one moment of one thread ---------------------------------


def op(name, *inside, dims=None, types=None, before=2.0, after=1.0, concrete=None):
    return {"do": "op", "name": name, "inside": inside, "dims": dims, "types": types, "before": before, "after": after,
            "concrete": concrete}


def annotation(name, *inside):
    return {"do": "op", "name": name, "inside": inside, "before": 1.0, "after": 1.0, "sort": "user_annotation"}


def pause(time):
    return {"do": "pause", "time": time}


def call(name, time, work=None, wait=False):
    """A runtime call; `work` is the device event that it launches, `wait` says that it returns when that is done."""
    return {"do": "call", "name": name, "time": time, "work": work, "wait": wait}


def wait(name):
    """A runtime call that returns when all that was launched is done."""
    return {"do": "wait", "name": name}


def kernel(name, time, grid=None, block=None, stream=None, barrier=False):
    return {"sort": "kernel", "name": name, "time": time, "grid": grid, "block": block, "stream": stream,
            "barrier": barrier}


def copy(name, time, size, barrier=False):
    return {"sort": "gpu_memcpy", "name": name, "time": time, "bytes": size, "stream": None, "barrier": barrier}


# --- a recording and the model that times it again ------------------------------------------------------------------


class Recording:
    def __init__(self, path):
        opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")
        with opened as stream:
            self.document = json.load(stream)
        self.events = self.document["traceEvents"]
        self.amd = any(event["name"].startswith("hip") for event in self.events if sort_of(event) == "cuda_runtime")
        self.next_id = 1 + max(
            (value for event in self.events for key, value in (event.get("args") or {}).items()
             if key in ("correlation", "External id", "external id") and isinstance(value, int)), default=0)
        self.index()

    def index(self):
        """Looks up again what the plants ask for."""
        self.device = sorted((e for e in self.events if sort_of(e) in DEVICE), key=lambda e: e["ts"])
        runtime = [e for e in self.events if sort_of(e) == "cuda_runtime"]
        self.calls = {e["args"]["correlation"]: e for e in runtime if "correlation" in (e.get("args") or {})}
        self.runtime = sorted(runtime, key=lambda e: e["ts"])
        self.ops = sorted((e for e in self.events if sort_of(e) == "cpu_op" and not RANGES.match(e["name"])),
                          key=lambda e: (e["ts"], -e["dur"]))
        self.work = collections.defaultdict(list)
        for event in self.device:
            self.work[event["args"].get("correlation")].append(event)
        self.launches = collections.defaultdict(list)
        for runtime_call in self.runtime:
            if runtime_call["args"].get("correlation") in self.work:
                self.launches[str(runtime_call["tid"])].append(runtime_call)
        # AMD's recorder leaves grids out where the call is not in the recording.
        self.has_grids = any("grid" in e["args"] for e in self.device)
        self.has_dims = any("Input Dims" in e["args"] for e in self.ops[:400])
        self.has_types = any("Input type" in e["args"] for e in self.ops[:400])
        self.op_category = self.ops[0]["cat"] if self.ops else "cpu_op"
        self.call_category = next((e["cat"] for e in self.runtime if e["cat"] != "cuda_driver"), "cuda_runtime")
        self.call_keys = {key for some in self.launches.values() for e in some[:5] for key in e["args"]}
        properties = self.document.get("deviceProperties") or [{}]
        self.multiprocessors = properties[0].get("numSms", 80) or 80
        self.launch_times = {tid: [e["ts"] for e in some] for tid, some in self.launches.items()}

    def iterations(self):
        """Host times at which the iterations begin and end."""
        steps = [e for e in self.events if e.get("ph") == "X" and e["name"].startswith("ProfilerStep")
                 and sort_of(e) != "gpu_user_annotation"]
        if steps:
            return sorted((e["ts"], end_of(e)) for e in steps)
        marks = sorted(end_of(e) for e in self.events if e.get("ph") == "X"
                       and e["name"].startswith("Optimizer.step") and sort_of(e) != "gpu_user_annotation")
        if len(marks) > 2:
            return list(zip(marks, marks[1:]))
        ranges = [e for e in self.events if sort_of(e) == "user_annotation" and e["name"].startswith("execute_context")]
        if ranges:
            return sorted((e["ts"], end_of(e)) for e in ranges)
        host = self.runtime
        return [(host[0]["ts"], end_of(host[-1]))]

    def launched_by(self, event):
        """Launching calls during an operator on its thread."""
        tid = str(event["tid"])
        times = self.launch_times.get(tid, [])
        return self.launches[tid][bisect.bisect_left(times, event["ts"]):bisect.bisect_right(times, end_of(event))]

    def named(self, *names):
        return [e for e in self.ops if e["name"] in names]

    def outer(self, pattern, launching=True):
        """Operators of that name that no other of them holds, and that launch work."""
        pattern, found, until = re.compile(pattern), [], {}
        for event in self.ops:
            if pattern.search(event["name"]) and event["ts"] >= until.get(str(event["tid"]), -math.inf):
                if not launching or self.launched_by(event):
                    found.append(event)
                    until[str(event["tid"])] = end_of(event)
        return found

    def inner_launches(self):
        return sorted((e for some in self.launches.values() for e in some), key=lambda e: e["ts"])

    def in_step(self, events, first=0):
        """Those events that begin in an iteration."""
        steps = self.iterations()[first:]
        starts = [start for start, _ in steps]
        kept = []
        for event in events:
            at = bisect.bisect_right(starts, event["ts"]) - 1
            if at >= 0 and event["ts"] < steps[at][1]:
                kept.append(event)
        return kept

    def period(self):
        """Mean time of an iteration, from its first to its last."""
        steps = self.iterations()
        ends = max(end_of(e) for e in self.device)
        if len(steps) == 1:
            return max(steps[0][1], ends) - steps[0][0]
        return (steps[-1][0] - steps[0][0]) / (len(steps) - 1)

    def main_thread(self):
        """An operator of the thread that runs the iterations."""
        marks = [e for e in self.events if e.get("ph") == "X" and sort_of(e) != "gpu_user_annotation"
                 and e["name"].startswith(("ProfilerStep", "Optimizer.step", "execute_context"))]
        if marks:
            tid = str(marks[0]["tid"])
        else:
            tid = max(self.launches, key=lambda one: len(self.launches[one]))
        return next(e for e in self.ops if str(e["tid"]) == tid)

    # -- preparation --

    def shrink(self, pattern, factor):
        """Device events of that name take `factor` times as long."""
        pattern = re.compile(pattern)
        for event in self.device:
            if pattern.search(event["name"]):
                event["new_dur"] = event["dur"] * factor

    def repeat(self, times):
        """The one iteration of the recording, as often, with numbers of their own."""
        start, end = self.iterations()[0]
        calls_end = [end_of(e) for e in self.runtime if start <= e["ts"] < end]
        inside = {id(e) for e in self.events if e.get("ph") != "M" and "ts" in e and start <= e["ts"] < end
                  and sort_of(e) not in DEVICE + FLOWS + ("gpu_user_annotation", "Trace")}
        correlations = {e["args"].get("correlation") for e in self.runtime if id(e) in inside}
        inside |= {id(e) for e in self.device if e["args"].get("correlation") in correlations}
        inside |= {id(e) for e in self.events if e.get("cat") in FLOWS and e.get("id") in correlations}
        inside |= {id(e) for e in self.events if sort_of(e) == "gpu_user_annotation" and start <= e["ts"] < end}
        last = max([end] + calls_end + [end_of(e) for e in self.device if id(e) in inside])
        length = last - start + 20
        numbers = max((v for e in self.events for v in (e.get("args") or {}).values() if isinstance(v, int)
                       and v < 1 << 40), default=0)
        step = 1 + max(self.next_id, numbers if numbers < 1 << 31 else 0)
        kept, new = [], []
        for event in self.events:
            if id(event) not in inside:
                if event.get("ph") != "M" and "ts" in event and event["ts"] >= end:
                    event["ts"] += length * (times - 1)
                kept.append(event)
                continue
            for turn in range(times):
                again = dict(event)
                again["ts"] = event["ts"] + turn * length
                if "id" in event:
                    again["id"] = event["id"] + turn * step
                if event.get("args"):
                    again["args"] = args = dict(event["args"])
                    for key in ("correlation", "External id", "external id", "Ev Idx", "Python id",
                                "Python parent id", "Record function id"):
                        if isinstance(args.get(key), int) and args[key]:
                            args[key] += turn * step
                matched = re.fullmatch(r"ProfilerStep#(\d+)", event.get("name", ""))
                if matched:
                    again["name"] = f"ProfilerStep#{int(matched[1]) + turn}"
                new.append(again)
        self.next_id += step * times
        self.events = self.document["traceEvents"] = kept + new
        self.index()
        # A wait before an iteration's first launch was for work of the iteration before, which is done by now.
        stretches = []
        for begin, _ in self.iterations()[1:]:
            for event in self.runtime[bisect.bisect_left([e["ts"] for e in self.runtime], begin):]:
                if event["args"].get("correlation") in self.work:
                    break
                if WAITS.search(event["name"]) and event["dur"] > 20:
                    stretches.append((event["ts"], end_of(event), 10 / event["dur"]))
        self.retime(stretches=stretches)

    def keep_iterations(self, first, last):
        """Only what belongs to these iterations."""
        steps = self.iterations()
        self.cut(steps[first][0] - 1, steps[last][1] + 1)

    def cut(self, start, end, by_device=False):
        """Only what begins and ends between two times (host times; with `by_device` the times of the device events,
        and of the host what lies between their calls)."""
        if by_device:
            kept = {id(e) for e in self.device if e["ts"] >= start and end_of(e) <= end}
            numbers = {e["args"].get("correlation") for e in self.device if id(e) in kept}
            kept = {id(e) for e in self.device if id(e) in kept}
            own = [self.calls[n] for n in numbers if n in self.calls]
            if own:
                start, end = min(e["ts"] for e in own) - 60, max(end_of(e) for e in own) + 5
            lost = {e["args"].get("correlation") for e in self.device if id(e) not in kept}
        else:
            lost, numbers = set(), None
        new = []
        for event in self.events:
            if event.get("ph") == "M" or sort_of(event) == "Trace":
                new.append(event)
            elif sort_of(event) in DEVICE:
                number = event["args"].get("correlation")
                if by_device:
                    if id(event) in kept:
                        new.append(event)
                elif number in self.calls and start <= self.calls[number]["ts"] < end:
                    new.append(event)
            elif event.get("cat") in FLOWS:
                number = event.get("id")
                if by_device:
                    if number in numbers:
                        new.append(event)
                elif number in self.calls and start <= self.calls[number]["ts"] < end:
                    new.append(event)
            elif sort_of(event) == "cuda_runtime" and event["args"].get("correlation") in lost:
                continue
            elif "ts" in event and event["ts"] >= start and event["ts"] + event.get("dur", 0) <= end:
                new.append(event)
        self.events = self.document["traceEvents"] = [
            e for e in new if not (sort_of(e) == "Trace")]
        self.index()

    # -- timing again --

    def retime(self, slots=(), stretches=(), removed=(), tight=False):
        """Times the recording again with `slots` (time, event whose thread it is, list of planted trees),
        `stretches` (start, end, factor of host time) and without the events `removed`. `tight`: waits
        whose reason is not recorded are left out."""
        removed = {id(e) for e in removed}
        gone = {e["args"].get("correlation") for e in self.events if id(e) in removed and sort_of(e) == "cuda_runtime"}
        self.events = [e for e in self.events if id(e) not in removed
                       and not (sort_of(e) in DEVICE and e["args"].get("correlation") in gone)
                       and not (e.get("cat") in FLOWS and e.get("id") in gone)]
        self.index()
        old = {id(e): (e["ts"], end_of(e)) for e in self.device}
        before_on_stream, other = {}, {}
        last_of = {}
        for event in self.device:
            stream = (str(event["pid"]), str(event["tid"]))
            before_on_stream[id(event)] = last_of.get(stream)
            best = None
            for one, last in last_of.items():
                if one != stream and 0 <= event["ts"] - end_of(last) < 3000:
                    if best is None or end_of(last) > end_of(best):
                        best = last
            other[id(event)] = best
            last_of[stream] = event
        delays = sorted(e["ts"] - self.calls[n]["ts"] for n, some in self.work.items() if n in self.calls
                        for e in some[:1])
        usual = max(3.0, delays[len(delays) // 50]) if delays else 5.0
        usual = min(usual, 9.0)

        actions = []
        for at, (time, anchor, trees) in enumerate(slots):
            actions.append((time, 0, at, "slot", (anchor, trees)))
        for at, (start, end, factor) in enumerate(stretches):
            actions.append((start, 1, at, "stretch", (start, end, factor)))
        for at, event in enumerate(self.runtime):
            launches = event["args"].get("correlation") in self.work
            own = self.work.get(event["args"].get("correlation"), [])
            copies = own and all(sort_of(e) == "gpu_memcpy" for e in own)
            blocking = copies and max(old[id(e)][1] for e in own) <= end_of(event) + 1
            waits = WAITS.search(event["name"]) or blocking
            if launches or waits:
                actions.append((event["ts"], 2, at, "call", (event, launches, waits)))
        actions.sort(key=lambda a: a[:3])

        points_old, points_new = [-math.inf], [0.0]
        first = min(e["ts"] for e in self.events if "ts" in e and e.get("ph") != "M")
        points_old[0], points_new[0] = first - 1e6, first - 1e6

        def moved(time, beginning):
            at = (bisect.bisect_right if beginning else bisect.bisect_left)(points_old, time) - 1
            at = max(at, 0)
            if at + 1 < len(points_old):
                width = points_old[at + 1] - points_old[at]
                share = (time - points_old[at]) / width if width > 0 else 1.0
                return points_new[at] + share * (points_new[at + 1] - points_new[at])
            return points_new[at] + (time - points_old[at])

        def now(time):
            return points_new[-1] + (time - points_old[-1]) if time >= points_old[-1] else moved(time, True)

        new_start, new_end, stream_end = {}, {}, collections.defaultdict(lambda: -math.inf)
        issued = []  # (old end, new end) of recorded device events
        latest = [-math.inf]
        barrier = [-math.inf]
        planted = []
        template = {}
        for event in self.device:
            template.setdefault(sort_of(event), event)
        compute_stream = collections.Counter((str(e["pid"]), str(e["tid"])) for e in self.device
                                             if sort_of(e) == "kernel").most_common(1)[0][0]
        compute = next(e for e in self.device if sort_of(e) == "kernel"
                       and (str(e["pid"]), str(e["tid"])) == compute_stream)
        flow = next((e for e in self.events if e.get("cat") in FLOWS), None)
        runtime_template = next(iter(self.runtime))

        def start_recorded(runtime_call):
            begun = now(runtime_call["ts"])
            for at, event in enumerate(self.work[runtime_call["args"]["correlation"]]):
                place(event, begun, runtime_call["ts"], at > 0)

        def place(event, begun, call_old, follows):
            stream = (str(event["pid"]), str(event["tid"]))
            start, end = old[id(event)]
            previous, beside = before_on_stream[id(event)], other[id(event)]
            gap = start - old[id(previous)][1] if previous is not None else math.inf
            delay = start - call_old if call_old is not None else 0.0
            ready = -math.inf if follows else begun + max(0.0, min(delay, usual))
            if previous is not None and id(previous) in new_end:
                ready = max(ready, new_end[id(previous)] + min(max(gap, 0.0), 3.0 if not follows else gap))
            after_other = beside is not None and id(beside) in new_end and gap > 15 and (
                previous is None or old[id(beside)][1] > old[id(previous)][1])
            if after_other and (start - old[id(beside)][1] < 20 or delay > usual + 15):
                ready = max(ready, new_end[id(beside)] + min(start - old[id(beside)][1], 20.0))
            elif not tight and not follows and gap > 15 and delay > usual + 15:
                ready = max(ready, begun + delay)
            ready = max(ready, barrier[0], stream_end[stream])
            length = event.get("new_dur", event["dur"])
            new_start[id(event)], new_end[id(event)] = ready, ready + length
            stream_end[stream] = ready + length
            issued.append((end, ready + length))
            latest[0] = max(latest[0], ready + length)

        def plant(trees, anchor, time, inherited=None):
            for tree in trees:
                if tree["do"] == "pause":
                    time += tree["time"]
                elif tree["do"] == "op":
                    number = self.next_id
                    self.next_id += 1
                    begun = time
                    time = plant(tree["inside"], anchor, time + tree["before"], number) + tree["after"]
                    args = {"External id": number}
                    if self.has_dims and tree.get("dims") is not None:
                        args["Input Dims"] = tree["dims"]
                    if self.has_types and tree.get("types") is not None:
                        args["Input type"] = tree["types"]
                    if self.has_types and tree.get("concrete") is not None:
                        args["Concrete Inputs"] = tree["concrete"]
                    category = self.op_category if tree.get("sort") is None else tree["sort"]
                    planted.append({"ph": "X", "cat": category, "name": tree["name"], "pid": anchor["pid"],
                                    "tid": anchor["tid"], "ts": begun, "dur": time - begun, "args": args})
                elif tree["do"] in ("call", "wait"):
                    number = self.next_id
                    self.next_id += 1
                    begun = time
                    args = {"correlation": number}
                    for key in ("External id", "external id"):
                        if key in runtime_template["args"] or key in self.call_keys:
                            args[key] = inherited if inherited is not None else number
                    if self.amd and tree.get("work") and tree["work"]["sort"] == "gpu_memcpy":
                        sorts = {"HtoD": "1", "DtoH": "2", "DtoD": "3"}
                        args.update({"bytes": str(tree["work"]["bytes"]),
                                     "kind": sorts[tree["work"]["name"].split()[1]]})
                    if tree["do"] == "wait":
                        time = max(begun + 4, latest[0] + 4)
                    else:
                        time += tree["time"]
                        if tree["work"]:
                            finished = device_planted(tree["work"], begun, number, inherited)
                            if flow is not None:
                                for phase in "sf":
                                    arrow = {k: v for k, v in flow.items() if k in ("cat", "name")}
                                    arrow.update({"ph": phase, "id": number})
                                    if phase == "s":
                                        arrow.update({"pid": anchor["pid"], "tid": anchor["tid"], "ts": begun})
                                    else:
                                        work = planted[-1] if planted[-1].get("ph") == "X" else planted[-2]
                                        arrow.update({"pid": work["pid"], "tid": work["tid"], "ts": work["ts"],
                                                      "bp": "e"})
                                    planted.append(arrow)
                            if tree["wait"]:
                                time = max(time, finished + 4)
                    planted.append({"ph": "X", "cat": self.call_category, "name": tree["name"], "pid": anchor["pid"],
                                    "tid": anchor["tid"], "ts": begun, "dur": time - begun, "args": args})
            return time

        def device_planted(work, begun, number, inherited):
            stream = compute_stream if work["stream"] is None else (compute_stream[0], str(work["stream"]))
            ready = max(begun + usual, stream_end[stream] + 1, barrier[0])
            if work["barrier"]:
                ready = max(ready, latest[0] + 2)
            finish = ready + work["time"]
            stream_end[stream] = finish
            latest[0] = max(latest[0], finish)
            if work["barrier"]:
                barrier[0] = finish + 1
            base = template.get(work["sort"], compute)
            args = {k: v for k, v in base["args"].items() if k in ("device", "context", "kind", "queued")}
            args["stream"] = compute["args"].get("stream") if work["stream"] is None else work["stream"]
            args["correlation"] = number
            for key in ("External id", "external id"):
                if key in compute["args"]:
                    same = compute["args"][key] == compute["args"].get("correlation")
                    args[key] = number if same or inherited is None else inherited
            if work["sort"] == "gpu_memcpy":
                args["bytes"] = work["bytes"]
                if self.amd:
                    args["kind"] = work["name"].split()[1]
                args["memory bandwidth (GB/s)"] = work["bytes"] / work["time"] / 1e3
            elif self.has_grids:
                grid, block = work["grid"] or [4096, 1, 1], work["block"] or [256, 1, 1]
                blocks = grid[0] * grid[1] * grid[2] / self.multiprocessors
                args.update({"grid": grid, "block": block, "blocks per SM": blocks, "registers per thread": 32,
                             "shared memory": 0, "warps per SM": blocks * block[0] * block[1] * block[2] / 32})
                args["est. achieved occupancy %"] = min(100, int(100 * args["warps per SM"] / 64))
            tid = compute["tid"] if work["stream"] is None else (
                work["stream"] if isinstance(compute["tid"], int) else f"stream {work['stream']}")
            category = base["cat"] if sort_of(base) == work["sort"] else work["sort"]
            planted.append({"ph": "X", "cat": category, "name": work["name"], "pid": compute["pid"], "tid": tid,
                            "ts": ready, "dur": work["time"], "args": args})
            return finish

        without_call = [e for e in self.device if e["args"].get("correlation") not in self.calls]
        at_without = 0
        for time, _, _, what, data in actions:
            while at_without < len(without_call) and without_call[at_without]["ts"] <= time:
                event = without_call[at_without]
                place(event, now(event["ts"]), event["ts"], False)
                at_without += 1
            if what == "slot":
                here = now(time)
                if time < points_old[-1]:
                    continue
                points_old.append(time)
                points_new.append(here)
                finished = plant(data[1], data[0], here)
                points_old.append(time)
                points_new.append(finished)
            elif what == "stretch":
                start, end, factor = data
                if start < points_old[-1]:
                    continue
                here = now(start)
                points_old.extend((start, end))
                points_new.extend((here, here + (end - start) * factor))
            else:
                event, launches, waits = data
                if launches:
                    start_recorded(event)
                if waits and event["ts"] >= points_old[-1]:
                    here, end = now(event["ts"]), end_of(event)
                    waited = max((e for e, _ in issued if e <= end + 1), default=-math.inf)
                    lag = end - waited if waited > event["ts"] else math.inf
                    whole = re.search(r"DeviceSync|CtxSync|Free$", event["name"])
                    target = max((n for e, n in issued[-4000:] if whole or e <= end + 1), default=-math.inf)
                    if whole or "Stream" in event["name"]:
                        target = max(target, latest[0]) if whole or len(set(last_of)) == 1 else target
                    shortest = event["dur"] if lag == math.inf else min(event["dur"], max(2.0, min(lag, 10.0)))
                    finished = max(here + shortest, target + min(lag, 5.0)) if target > -math.inf else here + shortest
                    points_old.extend((event["ts"], end))
                    points_new.extend((here, finished))
        for event in without_call[at_without:]:
            place(event, now(event["ts"]), event["ts"], False)

        # Everything else moves with the host; ranges on the device move with the work in them.
        starts = [e["ts"] for e in self.device]
        numbers = {n: some[0] for n, some in self.work.items()}
        for event in self.events:
            sort = sort_of(event)
            if event.get("ph") == "M" or "ts" not in event or sort in DEVICE:
                continue
            if event.get("cat") in FLOWS:
                work = numbers.get(event.get("id"))
                if work is not None and abs(event["ts"] - old[id(work)][0]) < 1e-3 and \
                        str(event["pid"]) == str(work["pid"]):
                    event["ts"] = new_start[id(work)]
                else:
                    event["ts"] = moved(event["ts"], True)
                continue
            if sort == "gpu_user_annotation":
                some = self.device[bisect.bisect_left(starts, event["ts"]):bisect.bisect_right(starts, end_of(event))]
                if some:
                    begin = min(new_start[id(e)] for e in some)
                    event["ts"], event["dur"] = begin, max(new_end[id(e)] for e in some) - begin
                    continue
            start = moved(event["ts"], True)
            if "dur" in event:
                event["dur"] = max(moved(end_of(event), False) - start, 0.0)
            event["ts"] = start
        for event in self.device:
            event["ts"] = new_start[id(event)]
            event["dur"] = new_end[id(event)] - new_start[id(event)]
            event.pop("new_dur", None)
        self.events = self.document["traceEvents"] = self.events + planted
        self.index()

    def write(self, path):
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(self.document, stream)


# --- the recordings and what is done to them before a cause is planted ----------------------------------------------


def loader_ranges(recording):
    """Host times that the program spends on its next batch."""
    return sorted((e["ts"], end_of(e)) for e in recording.events if e.get("ph") == "X"
                  and sort_of(e) in ("user_annotation", "cpu_op") and e["name"].startswith("enumerate(DataLoader)"))


def fast_loader(recording):
    recording.retime(stretches=[(start, end, 0.02) for start, end in loader_ranges(recording) if end - start > 200])


def larger(factor):
    """Every kernel has more blocks and takes longer, as with a larger batch; copies and the host stay."""
    def prepare(recording):
        for event in recording.device:
            if sort_of(event) == "kernel":
                event["new_dur"] = event["dur"] * factor
                args = event["args"] = dict(event["args"])
                if args.get("grid"):
                    args["grid"] = [math.ceil(args["grid"][0] * factor)] + list(args["grid"][1:])
                for key, most in (("blocks per SM", math.inf), ("warps per SM", math.inf),
                                  ("est. achieved occupancy %", 100)):
                    if key in args:
                        args[key] = min(args[key] * factor, most)
        recording.retime()
    return prepare


def repeated(times):
    return lambda recording: recording.repeat(times)


def iterations(first, last):
    return lambda recording: recording.keep_iterations(first, last)


def without(pattern):
    """Without the device work of that name, and without waiting for it."""
    def prepare(recording):
        pattern_of = re.compile(pattern)
        some = [e for e in recording.device if pattern_of.search(e["name"])]
        numbers = {e["args"].get("correlation") for e in some}
        recording.retime(removed=some + [e for e in recording.runtime if e["args"].get("correlation") in numbers],
                         tight=True)
    return prepare


# key: (file, what is done before a cause is planted: iterations repeated or chosen, a loader that no longer holds up
# the rest, more work on the device, so that what is planted rules)
BASES = {
    "qwen-h100": ("h100_Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", [repeated(3)]),
    "qwen-mi300": ("mi300_Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", [repeated(3)]),
    "vit-h100": ("h100_Falconsai_nsfw_image_detection__1016002.json.gz", [repeated(5), larger(9)]),
    "vit-mi300": ("mi300_Falconsai_nsfw_image_detection__1016002.json.gz", [repeated(5), larger(7)]),
    "bert-h100": ("h100_gaunernst_bert-small-uncased__1016001.json.gz", [repeated(6), larger(18)]),
    "bert-mi300": ("mi300_gaunernst_bert-small-uncased__1016001.json.gz", [repeated(6), larger(13)]),
    "resnet50-v100": ("resnet50_v100.pt.trace.json.gz", [fast_loader, larger(1.5)]),
    "resnet18-2080ti": ("param_resnet_kineto.json.gz", [iterations(8, 17), fast_loader]),
    "linear-2080ti": ("param_linear_kineto.json.gz", [iterations(5, 16), larger(4)]),
    "dlrm-v100": ("trace_diff_test_test.json.gz", []),
    "dlrm-a100": ("training_a100.json.gz", []),
    "resnet50-ns-v100": ("ns_resolution_trace_rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz", []),
    "vllm-b200": ("b200_eager_trace.json.gz", [repeated(3), larger(10)]),
    "resnet-mi300": ("mi300_resnet_act_checkpoint.json.gz", [without("^nccl"), larger(3)]),
    "resnet50-ddp-a100": ("nccl_parser_config_nccl_data.json.gz", [larger(6)]),
    "once-qwen-h100": ("h100_Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", []),
    "once-qwen-mi300": ("mi300_Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", []),
    "once-vit-h100": ("h100_Falconsai_nsfw_image_detection__1016002.json.gz", [larger(9)]),
    "once-bert-mi300": ("mi300_gaunernst_bert-small-uncased__1016001.json.gz", [larger(13)]),
}


# --- the causes -----------------------------------------------------------------------------------------------------


def outermost(recording):
    """The outermost operators that launch work, of each iteration on the thread that runs it."""
    thread = str(recording.main_thread()["tid"])
    found, until = [], -math.inf
    for event in recording.ops:
        if str(event["tid"]) == thread and event["ts"] >= until:
            until = end_of(event)
            if recording.launched_by(event):
                found.append(event)
    rows = []
    for start, end in recording.iterations():
        row = [e for e in found if start <= e["ts"] < end]
        if row:
            rows.append(row)
    return rows


def spread(row, count):
    """So many of a list, evenly, without the first."""
    count = min(count, len(row) - 1)
    return [row[1 + at * (len(row) - 1) // count] for at in range(count)] if count > 0 else row[:1]


def before(event):
    return event["ts"] - 0.0005


def extra(recording, share):
    """Time to add to an iteration so that it is this share of the whole."""
    return recording.period() * share / (1 - share)


def plain_copy(recording, direction, blocking):
    """Names of the call and of the device's event of a copy."""
    kind = {"up": ("HtoD", "Pageable -> Device", "Pinned -> Device", "Host -> Device"),
            "down": ("DtoH", "Device -> Pageable", "Device -> Pinned", "Device -> Host")}[direction]
    if recording.amd:
        return "hipMemcpyWithStream" if blocking else "hipMemcpyAsync", f"Memcpy {kind[0]} ({kind[3]})"
    return "cudaMemcpyAsync", f"Memcpy {kind[0]} ({kind[1] if blocking else kind[2]})"


def api(recording, name):
    return ("hip" if recording.amd else "cuda") + name


def launch(recording, name, time, **more):
    return call(api(recording, "LaunchKernel"), 4.0, kernel(name, time, **more))


def loader(recording, named):
    """The next batch is loaded by the thread that launches: nothing runs meanwhile."""
    slots = []
    for start, end in recording.iterations():
        row = next((r for r in outermost(recording) if start <= r[0]["ts"] < end), None)
        if row is None:
            continue
        work = [pause(2 * recording.period())]
        if named:
            work = [annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", *work)]
        slots.append((before(row[0]), row[0], work))
    recording.retime(slots)


def loader_named(recording):
    loader(recording, True)


def loader_unnamed(recording):
    loader(recording, False)


def wait_after_each(recording):
    """torch.cuda.synchronize() after every operator of the forward pass."""
    recording.retime([(before(e), e, [wait(api(recording, "DeviceSynchronize"))])
                      for row in outermost(recording) for e in row[1:]])


def item_after_each(recording):
    """A value is asked for with .item() before every operator."""
    name, copied = plain_copy(recording, "down", True)
    slots = []
    for row in outermost(recording):
        for event in row[1:]:
            inner = [call(name, 6.0, copy(copied, 1.6, 4), wait=True)]
            if not recording.amd:
                inner.append(wait("cudaStreamSynchronize"))
            slots.append((before(event), event, [
                op("aten::item", op("aten::_local_scalar_dense", *inner, dims=[[]], types=["float"]),
                   dims=[[]], types=["float"])]))
    recording.retime(slots)


def slow_operators(recording):
    """Every operator takes long on the host before it launches."""
    launches = recording.in_step(recording.inner_launches())
    steps = len(recording.iterations())
    each = 2.5 * recording.period() * steps / len(launches)
    recording.retime([(before(e), e, [pause(each)]) for e in launches])


def slow_python(recording):
    """The program does something between its operators."""
    slots = []
    for row in outermost(recording):
        each = 2.2 * recording.period() / len(row)
        slots += [(before(e), e, [pause(each)]) for e in row]
    recording.retime(slots)


def pageable_upload(recording):
    """The batch is copied from pageable memory while nothing else runs."""
    time = extra(recording, 0.6)
    name, copied = plain_copy(recording, "up", True)
    size = int(time * 6000) // 4 * 4
    slots = []
    for row in outermost(recording):
        inner = [call(name, time * 0.9, copy(copied, time, size, barrier=True), wait=True)]
        if not recording.amd:
            inner.append(wait("cudaStreamSynchronize"))
        dims = [[size // 4]]
        slots.append((before(row[0]), row[0], [
            op("aten::to", op("aten::_to_copy", op("aten::copy_", *inner, dims=dims * 2, types=["float", "float"]),
                              dims=dims, types=["float"]), dims=dims, types=["float"])]))
    recording.retime(slots)


def pinned_upload(recording, parts=4):
    """Weights or inputs are sent from pinned memory on the stream that computes, so that kernels wait for them."""
    time = extra(recording, 0.6) / parts
    name, copied = plain_copy(recording, "up", False)
    size = int(time * 22000) // 4 * 4
    slots = []
    for row in outermost(recording):
        for event in [row[0]] + (spread(row, parts - 1) if parts > 1 else []):
            dims = [[size // 4]]
            slots.append((before(event), event, [
                op("aten::to", op("aten::_to_copy", op(
                    "aten::copy_", call(name, 6.0, copy(copied, time, size)), dims=dims * 2,
                    types=["float", "float"], concrete=["", "", "True"]), dims=dims, types=["float"]),
                   dims=dims, types=["float"])]))
    recording.retime(slots)


def pinned_input(recording):
    """One large input is sent from pinned memory on the stream that computes."""
    pinned_upload(recording, 1)


def download(recording):
    """Whole results are copied to pageable memory in every iteration."""
    time = extra(recording, 0.6) / 2
    name, copied = plain_copy(recording, "down", True)
    size = int(time * 5000) // 4 * 4
    slots = []
    for row in outermost(recording):
        for event in (row[len(row) // 2], row[-1]):
            inner = [call(name, 8.0, copy(copied, time, size), wait=True)]
            if not recording.amd:
                inner.append(wait("cudaStreamSynchronize"))
            dims = [[size // 4]]
            slots.append((before(event), event, [
                op("aten::to", op("aten::_to_copy", op("aten::copy_", *inner, dims=dims * 2, types=["float"] * 2),
                                  dims=dims, types=["float"]), dims=dims, types=["float"])]))
    recording.retime(slots)


def allocation(recording):
    """Memory is taken from the driver and given back in every iteration."""
    time = extra(recording, 0.6)
    slots = []
    for row in outermost(recording):
        for event in spread(row, 8):
            slots.append((before(event), event, [
                op("aten::empty", wait(api(recording, "Free")), call(api(recording, "Free"), time / 16),
                   call(api(recording, "Malloc"), time / 16), dims=[[]], types=["ScalarList"])]))
    recording.retime(slots)


def double_precision(recording):
    """Matrix products run in double precision."""
    numbers = set()
    for event in recording.outer(r"^aten::(linear|mm|addmm|bmm|baddbmm|matmul)$"):
        some = [w for c in recording.launched_by(event) for w in recording.work[c["args"]["correlation"]]]
        if any(re.search("gemm|Cijk", w["name"]) for w in some):
            numbers |= {id(w) for w in some if re.search("gemm|Cijk", w["name"])}
            for inner in recording.ops[bisect.bisect_left([e["ts"] for e in recording.ops], event["ts"]):]:
                if inner["ts"] > end_of(event):
                    break
                if str(inner["tid"]) == str(event["tid"]) and "Input type" in inner["args"]:
                    inner["args"]["Input type"] = [
                        "double" if t in ("float", "c10::BFloat16", "c10::Half") else t
                        for t in inner["args"]["Input type"]]
    products = [e for e in recording.device if id(e) in numbers]
    rest = sum(e["dur"] for e in recording.device) - sum(e["dur"] for e in products)
    factor = max(1.5 * rest / sum(e["dur"] for e in products), 8.0)
    name = ("Cijk_Ailk_Bljk_DB_MT64x64x16_MI16x16x4x1_SN_1LDSB0_APM1_ABV0_ACED0_AF0EM1" if recording.amd
            else "void cutlass::Kernel2<cutlass_80_tensorop_d884gemm_64x64_16x3_tn_align1>"
                 "(cutlass_80_tensorop_d884gemm_64x64_16x3_tn_align1::Params)")
    for event in products:
        event["name"] = name
        event["new_dur"] = event["dur"] * factor
    recording.retime()


def slow_convolutions(recording):
    """No library convolves: the framework copies the input into columns and multiplies in fp32."""
    found = recording.outer(r"^aten::(cudnn|miopen)_convolution$")
    numbers = set()
    for event in found:
        event["name"] = "aten::_slow_conv2d_forward"
        numbers |= {id(w) for c in recording.launched_by(event) for w in recording.work[c["args"]["correlation"]]}
    slow = [e for e in recording.device if id(e) in numbers]
    rest = sum(e["dur"] for e in recording.device) - sum(e["dur"] for e in slow)
    factor = max(1.5 * rest / sum(e["dur"] for e in slow), 4.0)
    for at, event in enumerate(slow):
        event["name"] = ("void at::native::im2col_kernel<float>(long, float const*, long, long, long, long, long, "
                         "long, long, long, long, long, long, long, float*)" if at % 2 == 0
                         else "Cijk_Ailk_Bljk_SB_MT64x64x16_MI16x16x4x1_SN" if recording.amd
                         else "volta_sgemm_128x64_nn")
        event["new_dur"] = event["dur"] * factor
    recording.retime()


def around(recording, events, trees, share):
    """Plants `trees(time)` before and after what these operators hold, with this share of the time in all."""
    steps = max(len(recording.iterations()), 1)
    time = extra(recording, share) * steps / len(events) / 2
    slots = []
    for event in events:
        calls = recording.launched_by(event)
        slots.append((before(calls[0]), event, trees(time, True)))
        slots.append((end_of(event) - 0.0005, event, trees(time, False)))
    recording.retime(slots)


def layouts(recording):
    """Each convolution's input and output are brought from one layout to another."""
    def trees(time, first):
        if recording.amd:
            name = "batched_transpose_32x32_half"
        else:
            name = (f"void cudnn::ops::{'nchwToNhwc' if first else 'nhwcToNchw'}Kernel<float, float, float, "
                    f"{'false, true' if first else 'true, false'}, (cudnnKernelDataType_t)0>(cudnn::ops::"
                    f"{'nchw2nhwc' if first else 'nhwc2nchw'}_params_t<float>, float const*, float*)")
        return [launch(recording, name, time)]
    around(recording, recording.in_step(recording.outer("^aten::(cudnn_|miopen_)?convolution$|^aten::conv2d$")),
           trees, 0.55)


def casts(recording):
    """Each product's input is converted to another number format and its output back."""
    half, whole = "c10::Half", "float"

    def trees(time, first):
        name = ("void at::native::vectorized_elementwise_kernel<4, at::native::float16_copy_kernel_cuda(at::Tensor"
                "IteratorBase&)::{lambda(float)#1}, std::array<char*, 2ul> >(int, at::native::float16_copy_kernel_"
                "cuda(at::TensorIteratorBase&)::{lambda(float)#1}, std::array<char*, 2ul>)" if first else
                "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIterator"
                "Base&)::{lambda()#3}::operator()() const::{lambda()#7}::operator()() const::{lambda(float)#1}, std::"
                "array<char*, 2ul>, 4, TrivialOffsetCalculator<1, unsigned int>, TrivialOffsetCalculator<1, unsigned "
                "int>, at::native::memory::LoadWithCast<1>, at::native::memory::StoreWithCast<1> >(int)")
        source, target = (whole, half) if first else (half, whole)
        dims = [[8192, 4096]]
        return [op("aten::to", op("aten::_to_copy", op(
            "aten::copy_", launch(recording, name, time, grid=[65536, 1, 1], block=[128, 1, 1]),
            dims=dims * 2 + [[]], types=[target, source, "Scalar"]), dims=dims, types=[source, "Scalar"]),
                   dims=dims, types=[source, "Scalar"])]
    some = recording.in_step(recording.outer("^aten::(linear|matmul|addmm|mm)$"))
    around(recording, some, trees, 0.55)


def attention(recording):
    """Attention written out: a product, a softmax and a product, in place of the one fused kernel."""
    removed, slots = [], []
    events = recording.in_step(recording.outer("^aten::scaled_dot_product_attention$"))
    steps = len(recording.iterations())
    time = extra(recording, 0.6) * steps / len(events)
    gemm = ("Cijk_Alik_Bljk_BBS_BH_MT128x128x32_MI32x32x8x1_SN_1LDSB1_APM1_AF0EM8_AF1EM1" if recording.amd else
            "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_128x128_32x5_nn_align8>"
            "(cutlass_80_tensorop_bf16_s16816gemm_bf16_128x128_32x5_nn_align8::Params)")
    soft = ("void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16, float, c10::BFloat16, at::"
            "native::(anonymous namespace)::SoftMaxForwardEpilogue>(c10::BFloat16*, c10::BFloat16 const*, int)")
    scale = ("void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<c10::BFloat16, c10::BFloat16,"
             " c10::BFloat16, at::native::binary_internal::MulFunctor<float> >, std::array<char*, 2ul> >(int)")
    kind, heads, length, width = "c10::BFloat16", 64, 4096, 64
    scores, rows, turned = [heads, length, length], [heads, length, width], [heads, width, length]
    starts = [e["ts"] for e in recording.ops]
    for event in events:
        removed += recording.launched_by(event)
        for inner in recording.ops[bisect.bisect_left(starts, event["ts"]):bisect.bisect_right(starts, end_of(event))]:
            if inner is not event and str(inner["tid"]) == str(event["tid"]):
                removed.append(inner)
        trees = [
            op("aten::matmul", op("aten::bmm", launch(recording, gemm, 0.24 * time), dims=[rows, turned],
                                  types=[kind] * 2), dims=[rows, turned], types=[kind] * 2),
            op("aten::mul", launch(recording, scale, 0.22 * time, grid=[65535, 1, 1]), dims=[scores, []],
               types=[kind, "double"]),
            op("aten::softmax", op("aten::_softmax", launch(recording, soft, 0.32 * time,
                                                            grid=[heads * length, 1, 1], block=[512, 1, 1]),
                                   dims=[scores, [], []], types=[kind, "Scalar", "Scalar"]),
               dims=[scores, [], []], types=[kind, "Scalar", ""]),
            op("aten::matmul", op("aten::bmm", launch(recording, gemm, 0.22 * time), dims=[scores, rows],
                                  types=[kind] * 2), dims=[scores, rows], types=[kind] * 2)]
        slots.append((end_of(event) - 0.0005, event, trees))
    recording.retime(slots, removed=removed)
    fused = {id(e) for e in events}
    recording.events = recording.document["traceEvents"] = [e for e in recording.events if id(e) not in fused]
    recording.index()


def first_call(recording):
    """The first call of several operators loads code."""
    row = next(iter(outermost(recording)))
    name = "hipModuleLoadData" if recording.amd else "cuModuleLoadData"
    time = extra(recording, 0.75) / 4
    slots = []
    for event in [row[0]] + spread(row, 3):
        runtime_call = recording.launched_by(event)[0]
        slots.append((before(runtime_call), event, [call(name, time)]))
    recording.retime(slots)


def collectives(recording):
    """Gradients or activations are summed over ranks while nothing else runs."""
    time = extra(recording, 0.55) / 4
    slots = []
    for row in outermost(recording):
        for event in spread(row, 4):
            work = kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)", time,
                          grid=[24, 1, 1], block=[640, 1, 1], stream=77, barrier=True)
            slots.append((before(event), event, [
                op("c10d::allreduce_", annotation("nccl:all_reduce", call(
                    api(recording, "LaunchKernelExC" if not recording.amd else "ExtLaunchKernel"), 12.0, work)),
                   call(api(recording, "StreamWaitEvent"), 1.5), dims=[[[67108864]]], types=["TensorList"])]))
    recording.retime(slots)


def tiny(recording):
    """Loops in Python over small tensors: thousands of kernels of 2 µs."""
    count = int(extra(recording, 0.75) / 10)
    add = ("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, "
           "3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)")
    multiply = ("void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<float, float, float, at::"
                "native::binary_internal::MulFunctor<float> >, std::array<char*, 3ul> >(int)")
    slots = []
    for row in outermost(recording):
        some = spread(row, 4)
        for event in some:
            trees = []
            for at in range(count // len(some)):
                name, entry = (("aten::add", add), ("aten::mul", multiply))[at % 2]
                trees.append(op(name, launch(recording, entry, 1.8, grid=[1, 1, 1], block=[128, 1, 1]),
                                dims=[[64], [64], []][:3 if at % 2 == 0 else 2],
                                types=["float", "float", "Scalar"][:3 if at % 2 == 0 else 2], before=4.0))
            slots.append((before(event), event, trees))
    recording.retime(slots)


def batchnorm(recording):
    """Only the forward passes, in evaluation mode, whose normalisations take long."""
    thread = str(recording.main_thread()["tid"])
    parts = []
    for start, end in recording.iterations():
        convolutions = [e for e in recording.ops if start <= e["ts"] < end and e["name"] == "aten::conv2d"
                        and str(e["tid"]) == thread]
        last = [e for e in recording.ops if start <= e["ts"] < end and e["name"] in ("aten::linear", "aten::addmm")
                and str(e["tid"]) == thread]
        if convolutions and last:
            parts.append((convolutions[0]["ts"], end_of(last[0])))
    starts = [a for a, _ in parts]

    def forward(event):
        at = bisect.bisect_right(starts, event["ts"]) - 1
        return at >= 0 and event["ts"] <= parts[at][1] and str(event["tid"]) == thread
    removed = [e for e in recording.runtime if not forward(e)] + [e for e in recording.ops if not forward(e)]
    removed += [e for e in recording.events if sort_of(e) in ("user_annotation", "gpu_user_annotation")
                and not e["name"].startswith("ProfilerStep")]
    numbers = {id(w) for e in recording.named("aten::batch_norm") if forward(e) for c in recording.launched_by(e)
               for w in recording.work[c["args"]["correlation"]]}
    keep = {id(w) for e in recording.runtime if forward(e)
            for w in recording.work.get(e["args"].get("correlation"), ())}
    rest = sum(e["dur"] for e in recording.device if id(e) in keep - numbers)
    own = sum(e["dur"] for e in recording.device if id(e) in keep & numbers)
    host = sum(b - a for a, b in parts)
    whole = max(rest, 0.9 * host)
    for event in recording.device:
        if id(event) in numbers:
            event["name"] = ("void cudnn::bn_fw_inf_1C11_kernel_NCHW<float, float, true, 1>(float, float, cudnnTensor"
                             "Struct, float const*, cudnnTensorStruct, float*, cudnnTensorStruct, float const*)")
            event["new_dur"] = event["dur"] * 1.2 * whole / own
        elif id(event) in keep:
            event["new_dur"] = event["dur"] * whole / rest
    lengths = []
    for (_, stop), (start, _) in zip(parts, parts[1:]):
        lengths.append((stop + 1, start - 1, 5 / max(start - stop - 2, 5)))
    for event in recording.ops:
        if event["name"] == "aten::batch_norm" and "Concrete Inputs" in event["args"]:
            event["args"]["Concrete Inputs"][5] = "False"
    recording.retime(stretches=lengths, removed=removed + [e for e in recording.device if id(e) not in keep],
                     tight=True)


def memory_full(recording):
    """The device's memory is full: the allocator gives back what it holds and asks again, in every iteration."""
    total = recording.document["deviceProperties"][0]["totalGlobalMem"]
    memory = [e for e in recording.events if e.get("name") == "[memory]" and e["args"].get("Total Reserved")
              and e["args"].get("Device Type") != 0]
    reserved = max(e["args"]["Total Reserved"] for e in memory)
    allocated = max(e["args"]["Total Allocated"] for e in memory)
    for event in memory:
        event["args"]["Total Reserved"] += int(0.985 * total) - reserved
        event["args"]["Total Allocated"] += int(0.975 * total) - allocated
    time = extra(recording, 0.5)
    slots = []
    for row in outermost(recording):
        for event in spread(row, 6):
            trees = [call(api(recording, "Malloc"), time / 60), wait(api(recording, "DeviceSynchronize"))]
            for _ in range(5):
                trees.append(call(api(recording, "Free"), time / 40))
            trees.append(call(api(recording, "Malloc"), time / 60))
            slots.append((before(event), event, [op("aten::empty", *trees, dims=[[]], types=["ScalarList"])]))
    recording.retime(slots)


def small_grids(recording):
    """Long sums for few results: products of four blocks on a device of more than a hundred multiprocessors."""
    each = extra(recording, 0.6) / 12
    name = ("void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_32x6_tn_align8>"
            "(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_32x6_tn_align8::Params)")
    inner = int(each * 150) // 64 * 64  # dimension that four multiprocessors can read in this time
    dims, types = [[128, inner], [inner, 128]], ["c10::BFloat16"] * 2
    recording.retime([(before(e), e, [
        op("aten::matmul", op("aten::mm", launch(recording, name, each, grid=[2, 2, 1], block=[128, 1, 1]),
                              dims=dims, types=types), dims=dims, types=types)])
        for row in outermost(recording) for e in spread(row, 12)])


def unaligned(recording):
    """A layer's width is odd, so that its products cannot use aligned loads."""
    numbers = set()
    starts = [e["ts"] for e in recording.ops]
    for event in recording.outer(r"^aten::(linear|addmm|mm)$"):
        some = [w for c in recording.launched_by(event) for w in recording.work[c["args"]["correlation"]]]
        some = [w for w in some if re.search("gemm|Cijk", w["name"])]
        if not some:
            continue
        numbers |= {id(w) for w in some}
        for inner in recording.ops[bisect.bisect_left(starts, event["ts"]):bisect.bisect_right(starts, end_of(event))]:
            if str(inner["tid"]) != str(event["tid"]) or "Input Dims" not in inner["args"]:
                continue
            for key in ("Input Dims", "Input Strides"):
                inner["args"][key] = [[v + 1 if v > 1 and v % 64 == 0 and v <= 16384 else v for v in d]
                                      if isinstance(d, list) and d and not isinstance(d[0], list) else d
                                      for d in inner["args"].get(key, [])]
    products = [e for e in recording.device if id(e) in numbers]
    own = sum(e["dur"] for e in products)
    rest = sum(e["dur"] for e in recording.device) - own
    factor = max(1.5 * rest / own, 4.0)
    for event in products:
        event["new_dur"] = event["dur"] * factor
        if recording.amd:
            event["name"] = re.sub(r"(GRVW[AB]|VW[AB]|EM|EMB|GSUAMB)\d+", r"\g<1>1", event["name"])
        else:
            event["name"] = ("void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_32x1_tn_"
                             "align1>(cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_32x1_tn_align1::Params)")
    recording.retime()


def elementwise(recording):
    """Chains of simple operators over a large tensor, each a kernel of its own."""
    functors = (
        ("aten::mul", "BinaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> >"),
        ("aten::add", "CUDAFunctor_add<float>"),
        ("aten::tanh", "tanh_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::operator()() const::"
                       "{lambda(float)#1}"),
        ("aten::sub", "CUDAFunctorOnSelf_add<float>"),
        ("aten::sigmoid", "sigmoid_kernel_cuda(at::TensorIteratorBase&)::{lambda(float)#1}"))
    each = extra(recording, 0.6) / 60
    shape = [max(int(each * 200), 1024), 1024]
    slots = []
    for row in outermost(recording):
        for event in spread(row, 6):
            trees = []
            for at in range(10):
                name, functor = functors[at % len(functors)]
                two = name in ("aten::mul", "aten::add", "aten::sub")
                entry = (f"void at::native::vectorized_elementwise_kernel<4, at::native::{functor}, std::array<char*, "
                         f"{3 if two else 2}ul> >(int, at::native::{functor}, std::array<char*, {3 if two else 2}ul>)")
                trees.append(op(name, launch(recording, entry, each, grid=[65536, 1, 1], block=[128, 1, 1]),
                                dims=[shape] * (2 if two else 1), types=["float"] * (2 if two else 1)))
            slots.append((before(event), event, trees))
    recording.retime(slots)


def round_trip(recording):
    """A stage in the middle of the model runs on the host: its input is fetched and its output is sent back."""
    time = extra(recording, 0.6)
    down, fetched = plain_copy(recording, "down", True)
    up, sent = plain_copy(recording, "up", True)
    copying = 0.06 * time
    size = int(copying * 6000) // 4 * 4
    dims, kind = [[size // 4]], ["float"]
    slots = []

    def moved(name, copied):
        inner = [call(name, 8.0, copy(copied, copying, size), wait=True)]
        if not recording.amd:
            inner.append(wait("cudaStreamSynchronize"))
        return op("aten::to", op("aten::_to_copy", op("aten::copy_", *inner, dims=dims * 2, types=kind * 2),
                                 dims=dims, types=kind), dims=dims, types=kind)
    for row in outermost(recording):
        event = row[len(row) // 2]
        slots.append((before(event), event, [
            moved(down, fetched), op("aten::sort", pause(0.5 * time), dims=dims, types=kind),
            op("aten::index_select", pause(0.38 * time), dims=dims * 2, types=["float", "long int"]),
            moved(up, sent)]))
    recording.retime(slots)


def clones(recording):
    """Activations are copied on the device before each operator."""
    slots = []
    each = extra(recording, 0.55) / 40
    size = int(each * 400e3)
    name = api(recording, "MemcpyAsync")
    dims, kind = [[size // 4]], ["float"]
    for row in outermost(recording):
        for event in spread(row, 40):
            slots.append((before(event), event, [
                op("aten::clone", op("aten::copy_", call(name, 5.0, copy("Memcpy DtoD (Device -> Device)", each, size)),
                                     dims=dims * 2, types=kind * 2), dims=dims, types=kind)]))
    recording.retime(slots)


# cause: (function, rules that count as its name, recordings). The rules were chosen from their titles alone.
CAUSES = {
    "loader, marked": (loader_named, {"device-idle", "long-gaps"},
                       ["qwen-h100", "vit-mi300", "resnet50-v100", "dlrm-a100", "linear-2080ti"]),
    "loader, unmarked": (loader_unnamed, {"device-idle", "long-gaps"},
                         ["qwen-mi300", "bert-h100", "dlrm-v100", "resnet18-2080ti"]),
    "synchronize": (wait_after_each, {"waits-in-iteration"}, ["qwen-h100", "vit-h100", "bert-mi300", "vit-mi300"]),
    "item": (item_after_each, {"waits-in-iteration", "blocking-copies"},
             ["qwen-h100", "qwen-mi300", "vit-h100", "bert-h100"]),
    "slow operators": (slow_operators, {"enqueue-bound", "tiny-kernels"},
                       ["qwen-h100", "vit-mi300", "resnet50-v100", "dlrm-a100", "resnet50-ns-v100"]),
    "slow Python": (slow_python, {"enqueue-bound", "device-idle"},
                    ["qwen-mi300", "vit-h100", "bert-mi300", "bert-h100"]),
    # Recordings of AMD do not hold the kind of memory, but that the call blocks.
    "pageable upload": (pageable_upload, {"pageable-copies", "upload-bound", "blocking-copies"},
                        ["qwen-h100", "qwen-mi300", "resnet50-v100", "dlrm-a100", "resnet50-ns-v100"]),
    "pinned upload": (pinned_upload, {"upload-bound", "no-overlap"},
                      ["qwen-h100", "vit-h100", "dlrm-v100", "vllm-b200"]),
    "pinned input": (pinned_input, {"upload-bound", "no-overlap"},
                     ["qwen-h100", "vit-h100", "dlrm-a100", "resnet-mi300"]),
    "download": (download, {"download-bound", "pageable-copies", "blocking-copies"},
                 ["vit-h100", "bert-h100", "qwen-h100", "qwen-mi300"]),
    "allocation": (allocation, {"allocation-in-loop"},
                   ["qwen-h100", "vit-mi300", "resnet50-v100", "dlrm-a100", "linear-2080ti"]),
    "float64": (double_precision, {"wide-arithmetic"},
                ["qwen-h100", "qwen-mi300", "vit-h100", "bert-mi300", "dlrm-a100"]),
    "slow convolutions": (slow_convolutions, {"slow-convolutions"},
                          ["resnet50-v100", "resnet18-2080ti", "resnet-mi300", "resnet50-ddp-a100"]),
    "layouts": (layouts, {"layout-conversions"},
                ["resnet50-v100", "resnet18-2080ti", "resnet50-ns-v100", "resnet-mi300", "resnet50-ddp-a100"]),
    "casts": (casts, {"type-conversions"}, ["qwen-h100", "qwen-mi300", "dlrm-a100", "bert-mi300", "vit-h100"]),
    "attention": (attention, {"unfused-attention"},
                  ["qwen-h100", "qwen-mi300", "vit-h100", "vit-mi300", "bert-h100"]),
    "first call": (first_call, {"first-calls"},
                   ["once-qwen-h100", "once-qwen-mi300", "once-vit-h100", "once-bert-mi300"]),
    "collectives": (collectives, {"exposed-communication"},
                    ["qwen-h100", "resnet50-v100", "dlrm-v100", "vit-mi300", "vllm-b200"]),
    "tiny kernels": (tiny, {"tiny-kernels", "enqueue-bound"},
                     ["qwen-h100", "vit-h100", "dlrm-v100", "resnet50-ns-v100", "resnet-mi300"]),
    "batch norm": (batchnorm, {"unfused-batchnorm"}, ["resnet50-v100", "resnet18-2080ti", "resnet50-ns-v100"]),
    "memory full": (memory_full, {"memory-limit", "allocation-in-loop"}, ["qwen-h100", "vit-h100", "qwen-mi300"]),
    "small grids": (small_grids, {"underfilled-device"}, ["qwen-h100", "vit-h100", "dlrm-a100", "bert-h100"]),
    "unaligned": (unaligned, {"unaligned-products"}, ["qwen-h100", "qwen-mi300", "vit-h100", "bert-mi300"]),
    "elementwise": (elementwise, {"unfused-elementwise"},
                    ["vit-h100", "dlrm-a100", "bert-mi300", "resnet50-ns-v100", "vllm-b200"]),
    "round trip": (round_trip, {"host-round-trip"}, ["qwen-h100", "vit-mi300", "dlrm-v100", "bert-h100"]),
    "clones": (clones, {"needless-copies", "device-copies"}, ["qwen-h100", "vit-h100", "dlrm-a100", "resnet50-ns-v100"]),
}


# --- quiet recordings -----------------------------------------------------------------------------------------------


def busiest(recording, parts, least=0.95):
    """Windows of the device's time in which it is busy, of equal length, the earliest first."""
    start, end = recording.device[0]["ts"], max(end_of(e) for e in recording.device)
    width = (end - start) / parts
    found = []
    for at in range(parts):
        low, high = start + at * width, start + (at + 1) * width
        inside = [e for e in recording.device if e["ts"] >= low and end_of(e) <= high]
        reach, busy = low, 0.0
        for event in inside:
            busy += max(0.0, end_of(event) - max(reach, event["ts"]))
            reach = max(reach, end_of(event))
        if len(inside) > 30 and busy > least * (inside[-1]["ts"] - inside[0]["ts"]):
            found.append((low, high))
    return found


# (file, number of equal parts of the device's time, which of its busy parts, why nothing is to blame)
QUIET = (
    ("inference_vllm_decode_full_graph_execution.json.gz", 1, [0], "one graph launch, four-bit products back to back"),
    ("inference_vllm_decode_full_graph_execution.json.gz", 3, [0, 1, 2], "parts of it"),
    ("inference_vllm_prefilldecode_piecewise_graph_execution.json.gz", 1, [0], "graph launches, products 90 %"),
    ("inference_vllm_prefilldecode_piecewise_graph_execution.json.gz", 4, [0, 1, 2, 3], "parts of it"),
    ("torch_compile_triton_trace.json.gz", 1, [0], "compiled: products and one fused kernel"),
    ("inference_sglang_prefilldecode_sglang_Qwen3-8B_prefilldecode.json.gz", 20, [0, 3, 6, 9],
     "prefill: bf16 products 84 %, fused attention and normalisation"),
    ("inference_sglang_decode_sglang_Qwen3-8B_decode.json.gz", 300, [0, 2], "decoding inside one graph"),
    ("inference_xdit_flux.1_aiter_sage_profile_trace_rank_0.json.gz", 8, [0, 1, 2, 3],
     "compiled: bf16 products 69 %, fused attention"),
    ("inference_xdit_sd_3.5_profile_trace_rank_0.json.gz", 40, [0, 2, 4], "products 57 %, fused attention 31 %"),
    ("mi300_Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", 4, [0, 1, 2],
     "bf16 products, fused attention; its simple operators are no more than a quarter"),
    ("h100_Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", 4, [0], "as above on another device"),
    ("trace_diff_test_test.json.gz", 1, [0], "96 % busy, a mix without a ruling part, collectives mostly hidden"),
)


def interval(hits, count, z=1.959964):
    """Wilson's interval of a share."""
    if not count:
        return 0.0, 1.0
    share = hits / count
    middle = (share + z * z / 2 / count) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / 4 / count / count)
    return max(0.0, middle - half), min(1.0, middle + half)


def report(apertune, path):
    ran = subprocess.run([apertune, "trace", "report", str(path), "--json", "--quiet", "--section", "verdict"],
                         capture_output=True, text=True, check=False)
    if not ran.stdout:
        raise SystemExit(f"{path}: {ran.stderr.strip()}")
    return json.loads(ran.stdout)


def first_finding(document):
    """The first finding that stands for itself."""
    return next((f for f in document["findings"] if f["part_of"] is None), None)


def shown(finding):
    return f"{finding['rule']} {finding['severity']} {finding['share'] or 0:.2f}" if finding else "none"


def find(folders, name):
    return next((path for folder in folders for path in sorted(pathlib.Path(folder).rglob(name))), None)


def prepared(folders, key, work):
    """The recording of this key as it is planted into, written once."""
    target = work / f"base-{key}.json"
    if not target.exists():
        path = find(folders, BASES[key][0])
        if path is None:
            return None
        recording = Recording(path)
        for step in BASES[key][1]:
            step(recording)
        recording.write(target)
    return target


def run_planted(options, work):
    """Plants every cause; returns (named, planted, absent)."""
    named = planted = absent = 0
    print(f"{'cause':<18}{'recording':<19}{'expected':<38}{'first finding':<34}{'verdict':<22}ok")
    keys = [key for key in BASES if any(key in cause[2] for cause in CAUSES.values())]
    for key in keys:
        base = None
        for cause, (function, expected, where) in CAUSES.items():
            if (key in where) == options.rest or (options.only and options.only not in f"{cause} {key}"):
                continue
            if options.rest and key.startswith("once-") != (cause == "first call"):
                continue
            base = base or prepared(options.folders, key, work)
            if base is None:
                absent += 1
                print(f"{cause:<18}{key:<19}recording absent: skipped")
                continue
            recording = Recording(base)
            try:
                function(recording)
            except (ArithmeticError, LookupError, ValueError, StopIteration):
                if not options.rest:
                    raise
                continue  # the recording has nothing that this cause could sit in
            name = re.sub("[^a-z0-9]+", "-", f"{cause} {key}".lower())
            path = work / f"{name}.json"
            recording.write(path)
            document = report(options.apertune, path)
            first = first_finding(document)
            good = first is not None and first["rule"] in expected
            planted += 1
            named += good
            print(f"{cause:<18}{key:<19}{', '.join(sorted(expected)):<38}{shown(first):<34}"
                  f"{document['verdict']['word']:<22}{'ok' if good else 'MISS'}", flush=True)
            if options.keep and (not good or options.keep_all):
                options.keep.mkdir(parents=True, exist_ok=True)
                with gzip.open(options.keep / f"{name}.json.gz", "wt", compresslevel=3) as stream:
                    stream.write(path.read_text(encoding="utf-8"))
            path.unlink()
    return named, planted, absent


def run_quiet(options, work):
    """Asks for causes in recordings that have none; returns (quiet, asked, absent)."""
    quiet = asked = absent = 0
    print(f"\n{'quiet recording':<60}{'part':<10}{'gravest finding':<34}{'verdict':<22}ok")
    for name, parts, which, _ in QUIET:
        path = find(options.folders, name)
        if path is None:
            absent += len(which)
            print(f"{name:<60}absent: skipped")
            continue
        for at in which:
            target = path
            if parts > 1:
                recording = Recording(path)
                windows = busiest(recording, parts)
                if at >= len(windows):
                    raise SystemExit(f"{name}: has no busy part {at}")
                recording.cut(*windows[at], by_device=True)
                target = work / "quiet.json"
                recording.write(target)
            document = report(options.apertune, target)
            loud = [f for f in document["findings"] if f["severity"] == "high"]
            gravest = loud[0] if loud else (document["findings"] or [None])[0]
            asked += 1
            quiet += not loud
            print(f"{name[:58]:<60}{f'{at + 1} of {parts}':<10}{shown(gravest):<34}"
                  f"{document['verdict']['word']:<22}{'MISS' if loud else 'ok'}", flush=True)
            if loud and options.keep and target != path:
                options.keep.mkdir(parents=True, exist_ok=True)
                with gzip.open(options.keep / f"quiet-{name.split('.')[0]}-{at}.json.gz", "wt") as stream:
                    stream.write(target.read_text(encoding="utf-8"))
    return quiet, asked, absent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("apertune")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--only", help="only the pairs whose cause and recording have this text")
    parser.add_argument("--rest", action="store_true",
                        help="the pairs of cause and recording that the table leaves out, where they can be planted")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the edited recordings of misses")
    parser.add_argument("--keep-all", action="store_true", help="keep the others too")
    parser.add_argument("--planted-only", action="store_true")
    parser.add_argument("--quiet-only", action="store_true")
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        totals = []
        if not options.quiet_only:
            named, planted, absent = run_planted(options, work)
            totals.append(("named first", named, planted, absent))
            good = good and planted > 0 and named >= GOAL * planted
        if not options.planted_only and not options.only:
            quiet, asked, absent = run_quiet(options, work)
            totals.append(("quiet recordings without a finding of high severity", quiet, asked, absent))
            good = good and quiet == asked
    print()
    for what, hits, count, absent in totals:
        low, high = interval(hits, count)
        print(f"{what}: {hits} of {count} ({100 * hits / max(count, 1):.1f} %, 95 % interval {100 * low:.1f} to "
              f"{100 * high:.1f} %), {absent} skipped")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

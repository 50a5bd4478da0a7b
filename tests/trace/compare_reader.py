#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what `apertune` says about traces of the PyTorch profiler with an independent reading of the same files.

    compare_reader.py --apertune build/release/bin/apertune FILE…

FILE is Chrome-trace JSON as Kineto writes it, plain or gzip. It is read here from the public meaning of that format
alone; nothing of Apertune is used but its documents: `trace report --rows 100000` and the kinds of `trace import
--only-check`. Only Python's standard library is needed. Exit code 1 when a figure differs by more than 0.1 % and 2 ns;
numbers of events and of bytes have to be the same. `--all` prints every difference instead of ten a family.

What is counted:
  * Events are those of phase X with all their duration, and instants (i, I, R). Arrows (s, t, f) and labels (M) are
    none. Any other phase ends the script: no file of the PyTorch profiler has one. Kinds are told by `cat` alone.
  * Times are microseconds with a fraction, taken to the nanosecond. The origin is the earliest event, instants and the
    profiler's own span (`Trace`) included; the duration goes to the end of the latest.
  * Work of a device is kernels, copies and memsets, those of graph launches and of zero length included (they count,
    and add no time). gpu_user_annotation is no work, nor is cuda_sync. The device is `args.device`, else the pid.
  * Busy time is the union of work over all streams of a device. The recording of a device goes from the start of its
    first work to the end of its last; idle is the rest. Copies alone are copies while no kernel runs.
  * A direction, source and target are what the name says: `Memcpy HtoD (Pinned -> Device)`. The size is `args.bytes`
    or, where the work has none, `size` of the call with its correlation id (ROCm). Rates are of those of known size.
  * A median is right when at least half of the values are not above it and half are not below it, and a 99th
    percentile likewise: definitions differ in what lies between two values.
  * Self time of an operator is its duration without the union of the operators directly inside it on its thread (not
    ranges, Python or runtime calls).
  * A launch call is the runtime or driver call with a kernel's correlation id. It counts once, however many kernels a
    graph launch starts; `graphs` are such calls with GraphLaunch in their name, on the device where their work ran.
  * Iterations are ranges named ProfilerStep on the host.
  * Allocated and reserved memory are what [memory] instants say in `Total Allocated` and `Total Reserved`; without
    these, the running sum of `Bytes`, from zero.

Where several definitions are usual, core/report/schema.md states one, and the figures are counted apart ("by definition"). Those of the delay, the queue and the iterations were found by trying
which one gives Apertune's figures: that they are equal shows no more than that the program keeps to them.
  * Inclusive time of an operator's name: a call inside another of the same name, on its thread, adds nothing. (Names
    without such calls are compared with the others.)
  * Device time of an operator's name: the sum of the work whose call lies in one of its calls on its thread, once each;
    self: whose innermost operator it is.
  * The delay of a launch call: from its end to the start of the first kernel it launched, zero when that is earlier.
  * shorter_than_call: launch calls whose kernels together take less time than the call.
  * The queue: work from the start of its call to its own start; depth, and mean weighted by time, from the device's
    first work (or the first call, if later) to the last start.
  * An iteration starts with its range or, if later, when the device has finished what was launched before it (work
    without a call counts as launched before), and ends where the next starts, the last one with its range or its last
    work. (Where that is the range itself, it is compared with the others.) Its busy time is cut at these; its events
    are the work that begins between these. A step that launches nothing is no iteration.
  * Counters that the import makes: of [memory] instants each `Total Allocated` and each change of `Total Reserved`; of
    a cuda_profiler_range each number in its args.
  * Copies by source and target where the name says `Host`, which is neither pinned nor pageable: unknown.
"""
import argparse
import bisect
import gzip
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from decimal import Decimal

KIND = {
    "kernel": "kernel", "gpu_memcpy": "copy", "memcpy": "copy", "gpu_memset": "fill", "memset": "fill",
    "cuda_runtime": "runtime_call", "runtime": "runtime_call", "hip_runtime": "runtime_call",
    "cuda_driver": "driver_call", "driver": "driver_call", "cuda_sync": "synchronization",
    "cpu_op": "operator_call", "operator": "operator_call", "user_annotation": "range",
    "gpu_user_annotation": "device_range", "python_function": "script_call", "overhead": "overhead",
    "cuda_profiler_range": "profiler_range", "trace": "other",
}
WORK = ("kernel", "copy", "fill")
NAMES = {"total": "total", "mean": "mean", "shortest": "min", "longest": "max", "median": "p50"}
DIRECTION = {"HtoD": "host to device", "DtoH": "device to host", "DtoD": "device to device", "HtoH": "host to host",
             "PtoP": "device to device"}


def nanoseconds(value):
    return int((Decimal(value) * 1000).to_integral_value())


class Event:
    __slots__ = ("kind", "name", "start", "end", "pid", "tid", "args", "children", "parent")

    def __init__(self, kind, raw):
        self.kind, self.name, self.args = kind, raw["name"], raw.get("args") or {}
        self.pid, self.tid = raw.get("pid"), raw.get("tid")
        self.start = nanoseconds(raw["ts"])
        self.end = self.start + nanoseconds(raw.get("dur") or 0)
        self.children, self.parent = [], None

    @property
    def length(self):
        return self.end - self.start

    def above(self):
        """The names of the operators around it."""
        names, event = set(), self.parent
        while event:
            names.add(event.name)
            event = event.parent
        return names


def load(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8", errors="replace") as stream:
        document = json.load(stream, strict=False, parse_float=Decimal)
    return document["traceEvents"] if isinstance(document, dict) else document


def union(intervals):
    """Disjoint intervals, in order, that cover the same times."""
    result = []
    for start, end in sorted(intervals):
        if result and start <= result[-1][1]:
            result[-1][1] = max(result[-1][1], end)
        else:
            result.append([start, end])
    return result


def length(intervals):
    return sum(end - start for start, end in intervals)


class Percentile:
    """The values that are right for a percentile of a sample: from one value of it to the next."""

    def __init__(self, values, percent):
        values, below = sorted(values), len(values) * percent
        self.lo, self.hi = values[max(0, -(-below // 100) - 1)], values[min(len(values) - 1, below // 100)]

    def __repr__(self):
        return f"{self.lo} … {self.hi}"

    def nearest(self, value):
        return min(max(value, self.lo), self.hi)


def outside(intervals, others):
    """How much of one union lies in no interval of another."""
    both, position = 0, 0
    for start, end in intervals:
        while position and others[position - 1][1] > start:
            position -= 1
        while position < len(others) and others[position][1] <= start:
            position += 1
        at = position
        while at < len(others) and others[at][0] < end:
            both += min(end, others[at][1]) - max(start, others[at][0])
            at += 1
    return length(intervals) - both


def nest(operators):
    """Links each operator to the innermost one of its thread that covers it."""
    threads = defaultdict(list)
    for operator in operators:
        threads[operator.pid, operator.tid].append(operator)
    for entries in threads.values():
        entries.sort(key=lambda event: (event.start, -event.end))
        stack = []
        for event in entries:
            while stack and stack[-1].end < event.end:
                stack.pop()
            while stack and stack[-1].end <= event.start and event.length:
                stack.pop()
            if stack:
                event.parent = stack[-1]
                stack[-1].children.append(event)
            stack.append(event)


def cut(intervals, start, end):
    return [[max(a, start), min(b, end)] for a, b in intervals if a < end and b > start]


def queue(waiting, begin):
    """The largest and the mean number of (start, end) at once, between the later of begin and the first start, and the
    last end."""
    if not waiting:
        return 0, 0
    first, last = max(begin, min(start for start, _ in waiting)), max(end for _, end in waiting)
    changes = sorted([(start, 1) for start, _ in waiting] + [(end, -1) for _, end in waiting])
    depth, deepest, area, at = 0, 0, 0, changes[0][0]
    for time, change in changes:
        if time > max(at, first):
            deepest, area = max(deepest, depth), area + depth * (time - max(at, first))
        depth, at = depth + change, time
    return deepest, area / (last - first) if last > first else 0


class Figures(dict):
    """Figures by key; `chosen` holds those of which schema.md chooses one of several usual definitions."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.chosen = {}


def put(figures, key, values):
    device, name = key
    figures[device, f"{name} count"] = len(values)
    if values:
        figures[device, f"{name} total ns"] = sum(values)
        figures[device, f"{name} mean ns"] = sum(values) / len(values)
        figures[device, f"{name} shortest ns"], figures[device, f"{name} longest ns"] = min(values), max(values)
        figures[device, f"{name} median ns"] = Percentile(values, 50)


class Reading:
    def __init__(self, path):
        raw = load(path)
        self.events, self.instants = [], []
        for entry in raw:
            phase, category = entry.get("ph"), str(entry.get("cat", "")).lower()
            if phase == "X":
                self.events.append(Event(KIND.get(category, "range"), entry))
            elif phase in ("i", "I", "R"):
                self.instants.append(Event("tensor_memory" if entry["name"] == "[memory]" else "other", entry))
            elif phase not in ("s", "t", "f", "M"):
                sys.exit(f"{path}: an event of phase {phase!r}, which this reader does not know")
        everything = self.events + self.instants
        self.origin = min(event.start for event in everything)
        self.last = max(event.end for event in everything)
        self.of = defaultdict(list)
        for event in everything:
            self.of[event.kind].append(event)
        self.work = [event for kind in WORK for event in self.of[kind]]
        self.devices = sorted({self.device(event) for event in self.work})
        self.calls = {}
        for event in self.of["runtime_call"] + self.of["driver_call"]:
            if "correlation" in event.args:
                self.calls.setdefault(event.args["correlation"], event)
        nest(self.of.get("operator_call", []))
        self.threads = defaultdict(list)
        for event in self.of.get("operator_call", []):
            self.threads[event.pid, str(event.tid)].append(event)
        for events in self.threads.values():
            events.sort(key=lambda event: (event.start, -event.end))
        self.begins = {thread: [event.start for event in events] for thread, events in self.threads.items()}

    def operator(self, call):
        """The innermost operator that covers a call on its thread."""
        if call is None:
            return None
        thread = call.pid, str(call.tid)
        at = bisect.bisect_right(self.begins.get(thread, []), call.start) - 1
        event = self.threads[thread][at] if at >= 0 else None
        while event and event.end < call.end:
            event = event.parent
        return event

    @staticmethod
    def place(event):
        return "host" if event.args.get("Device Type") == 0 else event.args.get("Device Id")

    @staticmethod
    def device(event):
        return event.args.get("device", event.pid)

    def call(self, event):
        return self.calls.get(event.args.get("correlation"))

    def events_figures(self):
        figures = Figures()
        for kind, events in self.of.items():
            if not events:
                continue
            figures[kind, "events"] = len(events)
            figures[kind, "ns"] = sum(event.length for event in events)
        figures["all", "ns"] = self.last - self.origin
        samples, reserved = 0, {}
        for event in sorted(self.of.get("tensor_memory", []), key=lambda event: event.start):
            if "Total Allocated" in event.args:
                place, held = self.place(event), event.args["Total Reserved"]
                samples += 1 + (reserved.get(place) != held)
                reserved[place] = held
        for event in self.of.get("profiler_range", []):
            samples += sum(isinstance(value, (int, Decimal)) for value in event.args.values())
        if samples:
            figures.chosen["counter", "events"], figures.chosen["counter", "ns"] = samples, 0
        return figures

    def kernels_figures(self):
        figures, groups, whole = Figures(), defaultdict(list), defaultdict(int)
        for event in self.of["kernel"]:
            groups[self.device(event), event.name].append(event.length)
            whole[self.device(event)] += event.length
        for (device, name), lengths in groups.items():
            figures[device, name, "count"] = len(lengths)
            figures[device, name, "total ns"] = sum(lengths)
            figures[device, name, "mean ns"] = sum(lengths) / len(lengths)
            figures[device, name, "shortest ns"] = min(lengths)
            figures[device, name, "longest ns"] = max(lengths)
            figures[device, name, "median ns"] = Percentile(lengths, 50)
            if len(lengths) >= 299:
                figures[device, name, "p99 ns"] = Percentile(lengths, 99)
            figures[device, name, "share"] = sum(lengths) / whole[device] if whole[device] else 0
        for device in self.devices:
            figures[device, "kernels"] = sum(self.device(event) == device for event in self.of["kernel"])
        return figures

    def device_figures(self):
        figures = Figures()
        for device in self.devices:
            of = {k: [(e.start, e.end) for e in self.of[k] if self.device(e) == device] for k in WORK}
            busy = union(of["kernel"] + of["copy"] + of["fill"])
            kernels, copies = union(of["kernel"]), union(of["copy"])
            span = busy[-1][1] - busy[0][0]
            figures[device, "start ns"] = busy[0][0] - self.origin
            figures[device, "end ns"] = busy[-1][1] - self.origin
            figures[device, "busy ns"] = length(busy)
            figures[device, "idle ns"] = span - length(busy)
            figures[device, "busy share"] = length(busy) / span
            figures[device, "kernels ns"] = length(kernels)
            figures[device, "copies ns"] = length(copies)
            figures[device, "copies alone ns"] = outside(copies, kernels)
        return figures

    def copies_figures(self):
        sums = defaultdict(int)
        for event in self.of["copy"]:
            found = re.fullmatch(r"Memcpy (\w+) \((\w+) -> (\w+)\)", event.name)
            word, source, target = found.groups() if found else (event.args.get("kind"), "unknown", "unknown")
            size = event.args.get("bytes")
            if size is None and self.call(event):
                size = self.call(event).args.get("size")
            source, target = ("unknown" if side == "Host" else side for side in (source, target))
            direction = DIRECTION.get(word, word)
            whole = self.device(event), direction
            for key in (whole, (*whole, f"{source} -> {target}".lower())):
                sums[*key, "count"] += 1
                sums[*key, "ns"] += event.length
                if size is not None:
                    sums[*key, "bytes"] += int(size)
                    sums[*key, "timed"] += event.length
        figures = Figures()
        for (*key, name), value in sums.items():
            here = figures.chosen if "unknown" in str(key[-1]) else figures
            if name != "timed":
                here[*key, name] = value
            elif value:
                here[*key, "bytes/s"] = sums[*key, "bytes"] / value * 1e9
        return figures

    def operators_figures(self):
        operators = self.of.get("operator_call", [])
        calls, whole, plain, own = (defaultdict(int) for _ in range(4))
        for event in operators:
            calls[event.name] += 1
            plain[event.name] += event.length
            own[event.name] += event.length - length(union((c.start, c.end) for c in event.children))
            if event.name not in event.above():
                whole[event.name] += event.length
        figures = Figures()
        for name in calls:
            figures[name, "calls"], figures[name, "self ns"] = calls[name], own[name]
            (figures if whole[name] == plain[name] else figures.chosen)[name, "ns"] = whole[name]
        device, device_own = defaultdict(int), defaultdict(int)
        for work in self.work:
            operator = self.operator(self.call(work))
            if operator:
                device_own[operator.name] += work.length
                for name in {operator.name} | operator.above():
                    device[name] += work.length
        for name in calls:
            figures.chosen[name, "device ns"] = device[name]
            figures.chosen[name, "device self ns"] = device_own[name]
        return figures

    def launches_figures(self):
        figures = Figures()
        for device in self.devices:
            work = [event for event in self.work if self.device(event) == device]
            kernels = [event for event in work if event.kind == "kernel"]
            called = [event for event in kernels if self.call(event)]
            calls = {id(self.call(event)): self.call(event) for event in called}.values()
            figures[device, "kernels"] = len(kernels)
            figures[device, "graphs"] = len(
                {id(call) for call in map(self.call, work) if call and "GraphLaunch" in call.name}
            )
            figures[device, "tiny"] = sum(event.length < 10_000 for event in kernels)
            figures[device, "calls_above_50us"] = sum(call.length > 50_000 for call in calls)
            put(figures, (device, "call"), [call.length for call in calls])
            chosen = figures.chosen
            started = defaultdict(list)
            for event in called:
                started[id(self.call(event))].append(event)
            delays = [max(0, min(e.start for e in started[id(call)]) - call.end) for call in calls]
            put(chosen, (device, "delay"), delays)
            chosen[device, "delays_above_100us"] = sum(delay > 100_000 for delay in delays)
            chosen[device, "shorter_than_call"] = sum(
                sum(event.length for event in started[id(call)]) < call.length for call in calls
            )
            waiting = [(min(self.call(e).start, e.start), e.start) for e in work if self.call(e)]
            begin = min(event.start for event in work)
            chosen[device, "deepest_queue"], chosen[device, "mean_queue"] = queue(waiting, begin)
        return figures

    def memory_figures(self):
        places = defaultdict(list)
        for event in self.of.get("tensor_memory", []):
            places[self.place(event)].append(event)
        figures = Figures()
        for place, events in places.items():
            events.sort(key=lambda event: event.start)
            sizes = [int(event.args["Bytes"]) for event in events]
            figures[place, "allocations"] = sum(size > 0 for size in sizes)
            figures[place, "releases"] = sum(size < 0 for size in sizes)
            figures[place, "allocated bytes"] = sum(max(0, size) for size in sizes)
            if "Total Allocated" in events[0].args:
                figures[place, "peak allocated bytes"] = max(event.args["Total Allocated"] for event in events)
                figures[place, "left allocated bytes"] = events[-1].args["Total Allocated"]
                figures[place, "peak reserved bytes"] = max(event.args["Total Reserved"] for event in events)
            else:
                totals = list(itertools.accumulate(sizes, initial=0))
                figures[place, "peak allocated bytes"], figures[place, "left allocated bytes"] = max(totals), totals[-1]
        return figures

    def iterations_figures(self):
        steps = sorted(
            (event for kind in ("range", "operator_call") for event in self.of.get(kind, [])
             if event.name.startswith("ProfilerStep")),
            key=lambda event: event.start,
        )
        figures = Figures()
        if not steps or not self.work:
            return figures
        begins = [step.start for step in steps]
        launched = [[] for _ in range(len(steps) + 1)]
        for event in self.work:
            call = self.call(event)
            launched[bisect.bisect_right(begins, call.start) if call else 0].append(event)
        ends = list(itertools.accumulate((max((e.end for e in part), default=0) for part in launched), max))
        starts = [max(step.start, before) for step, before in zip(steps, ends)] + [max(steps[-1].end, ends[-1])]
        empty = any(not part for part in launched[1:])
        (figures.chosen if empty else figures)["count"] = sum(bool(part) for part in launched[1:])
        busy = union((e.start, e.end) for e in self.work)
        copies = union((e.start, e.end) for e in self.of["copy"])
        kernels = union((e.start, e.end) for e in self.of["kernel"])
        for number, step in enumerate(steps):
            if not launched[number + 1]:
                continue
            start, end = starts[number : number + 2]
            (figures if start == step.start else figures.chosen)[number, "start ns"] = start - self.origin
            (figures if end == step.end else figures.chosen)[number, "end ns"] = end - self.origin
            figures.chosen[number, "busy ns"] = length(cut(busy, start, end))
            figures.chosen[number, "copies alone ns"] = outside(cut(copies, start, end), kernels)
            figures.chosen[number, "events"] = sum(start <= event.start < end for event in self.work)
        return figures

    def figures(self):
        return {
            "events": self.events_figures(), "kernels": self.kernels_figures(), "device time": self.device_figures(),
            "copies": self.copies_figures(), "operators": self.operators_figures(),
            "launches": self.launches_figures(), "memory": self.memory_figures(),
            "iterations": self.iterations_figures(),
        }


def run(program, *arguments):
    done = subprocess.run([program, *arguments, "--json", "--quiet"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{program} {' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def told(program, path):
    with tempfile.TemporaryDirectory() as scratch:
        store = ("--store", os.path.join(scratch, "none.apertune"))
        imported = run(program, "trace", "import", path, "--only-check", *store)
        report = run(program, "trace", "report", path, "--rows", "100000", *store)
    ns = 1e6
    result = defaultdict(dict)
    events = result["events"]
    for kind in imported["kinds"]:
        events[kind["kind"], "events"] = kind["events"]
        events[kind["kind"], "ns"] = kind["total_ms"] * ns
    events["all", "ns"] = report["duration_ms"] * ns
    kernels = result["kernels"]
    for row in report["kernels"]:
        key = row["device"], row["name"]
        kernels[*key, "count"] = row["count"]
        for ours, theirs in NAMES.items():
            kernels[*key, f"{ours} ns"] = row[f"{theirs}_ms"] * ns
        kernels[*key, "share"] = row["share"]
        if row["p99_ms"] is not None:
            kernels[*key, "p99 ns"] = row["p99_ms"] * ns
        kernels[row["device"], "kernels"] = kernels.get((row["device"], "kernels"), 0) + row["count"]
    for row in report["idle"]:
        device, whole = row["device"], row["recording"]
        figures = result["device time"]
        figures[device, "start ns"] = whole["range"]["start_ms"] * ns
        figures[device, "end ns"] = whole["range"]["end_ms"] * ns
        for name in ("busy", "idle", "kernels", "copies", "copies_alone"):
            figures[device, f"{name.replace('_', ' ')} ns"] = whole[f"{name}_ms"] * ns
        figures[device, "busy share"] = whole["busy_share"]
    copies, timed = result["copies"], defaultdict(float)
    for row in report["transfers"]["copies"]:
        whole = row["device"], row["direction"]
        for key in (whole, (*whole, f"{row['source']} -> {row['target']}")):
            for name, value in (("count", row["count"]), ("ns", row["time_ms"] * ns), ("bytes", row["bytes"])):
                if value is not None:
                    copies[*key, name] = copies.get((*key, name), 0) + value
            if row["bytes_per_s"]:
                timed[key] += row["bytes"] / row["bytes_per_s"]
    for key, seconds in timed.items():
        copies[*key, "bytes/s"] = copies[*key, "bytes"] / seconds
    for row in report["operators"]["by_name"]:
        result["operators"][row["name"], "calls"] = row["calls"]
        result["operators"][row["name"], "ns"] = row["host_ms"] * ns
        result["operators"][row["name"], "self ns"] = row["host_self_ms"] * ns
        result["operators"][row["name"], "device ns"] = row["device_ms"] * ns
        result["operators"][row["name"], "device self ns"] = row["device_self_ms"] * ns
    for row in report["launches"]:
        figures, device = result["launches"], row["device"]
        for name in ("kernels", "graphs", "tiny", "calls_above_50us", "delays_above_100us", "shorter_than_call",
                     "deepest_queue", "mean_queue"):
            figures[device, name] = row[name]
        for name in ("call", "delay"):
            times = row[name] or {"count": 0}
            figures[device, f"{name} count"] = times["count"]
            if times["count"]:
                for ours, theirs in NAMES.items():
                    figures[device, f"{name} {ours} ns"] = times[f"{theirs}_ms"] * ns
    for row in report["memory"]["places"]:
        figures, place = result["memory"], row["device"]
        if row["kind"] == "tensor_memory":
            figures[place, "peak allocated bytes"] = row["peak_bytes"]
            figures[place, "left allocated bytes"] = row["left_bytes"]
            figures[place, "allocations"], figures[place, "releases"] = row["allocations"], row["releases"]
            figures[place, "allocated bytes"] = row["allocated_bytes"]
        else:
            figures[place, "peak reserved bytes"] = row["peak_bytes"]
    iterations = report["iterations"]
    if iterations["source"] == "profiler_step":
        result["iterations"]["count"] = iterations["count"]
        for number, row in enumerate(iterations["strip"]):
            result["iterations"][number, "start ns"] = row["start_ms"] * ns
            result["iterations"][number, "end ns"] = (row["start_ms"] + row["time_ms"]) * ns
            result["iterations"][number, "busy ns"] = row["busy_ms"] * ns
            result["iterations"][number, "copies alone ns"] = row["copies_alone_ms"] * ns
            result["iterations"][number, "events"] = row["events"]
    return result


def equal(said, read, key):
    if said is None or read is None:
        return said is read
    if isinstance(read, Percentile):
        read = read.nearest(said)
    name = key[-1] if isinstance(key, tuple) else key
    if name.endswith(" ns") or name == "ns":
        return abs(said - read) <= max(0.001 * abs(read), 2)
    return said == read if isinstance(read, int) else abs(said - read) <= max(0.001 * abs(read), 1e-9)


def compare(path, program, everything):
    """[figures, equal ones], of what has one usual definition and of what has several."""
    ours, theirs = Reading(path).figures(), told(program, path)
    sums = [[0, 0], [0, 0]]
    for family, figures in ours.items():
        said, text, lines = theirs[family], [], []
        defined = list(figures) + [key for key in said if key not in figures and key not in figures.chosen]
        for kind, (keys, read) in enumerate(((defined, figures), (list(figures.chosen), figures.chosen))):
            wrong = [key for key in keys if not equal(said.get(key), read.get(key), key)]
            sums[kind][0] += len(keys)
            sums[kind][1] += len(keys) - len(wrong)
            if keys:
                text.append(f"{'by definition: ' if kind else ''}{len(keys)} figures, {len(wrong)} different")
            for key in wrong[: None if everything else 10]:
                lines.append(f"    DIFFERS{' (by definition)' if kind else ''} {str(key)[-100:]}: "
                             f"apertune {said.get(key)}, read {read.get(key)}")
        print(f"  {family}: {'; '.join(text) or 'nothing to compare'}", *lines, sep="\n")
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--apertune", default="apertune")
    parser.add_argument("--all", action="store_true", help="print every difference")
    options = parser.parse_args()
    sums = [[0, 0], [0, 0]]
    for path in options.files:
        print(os.path.basename(path), flush=True)
        for total, of_file in zip(sums, compare(path, options.apertune, options.all)):
            total[:] = [a + b for a, b in zip(total, of_file)]
    print(f"{len(options.files)} files")
    for what, (figures, same) in zip(("of one usual definition", "of several, by schema.md's"), sums):
        print(f"{what}: {figures} figures compared, {same} equal, {figures - same} different")
    sys.exit(1 if any(same < figures for figures, same in sums) else 0)


if __name__ == "__main__":
    main()

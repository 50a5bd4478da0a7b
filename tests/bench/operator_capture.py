#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cost of recording a model's operators: Apertune's recorder against PyTorch's profiler, on one model.

    operator_capture.py BUILD [ARTIFACT] [--rounds N] [--passes N] [--no-shapes] [--no-memory] [--json]

BUILD is a build folder with the libtorch backend, ARTIFACT the folder of an imported model; without one the exporter
makes one of MobileNetV3-Small on 32 x 32 pixels. Run it with the Python that has torch and torchvision. Both sides
record operators with input shapes and every allocation; both start from the same TorchScript file at level O0 on one
thread of the CPU.

Two measures, both of processor time, so that waiting for a busy machine is in neither. "A pass": of the thread that
runs the model (CLOCK_THREAD_CPUTIME_ID), the mean of the recorded passes minus the mean of the bare ones (the mean,
because not every pass costs Apertune the same: only some read the shapes), without starting and stopping and without
the first recorded pass, which pays for starting on both sides. "Whole": of the whole process, from starting to the end
of stopping, minus as many bare passes; of Apertune with the trace written to its file, of PyTorch until its profiler
has been left, without asking it for its events or writing them. The two sides take turns, in an order that alternates;
in a turn passes run bare and recorded. In a round Apertune has four turns, because the little that it adds drowns in
one: they cost less than PyTorch's one. The ratios of the medians of the added times stand with 95 % bootstrap intervals
over the turns. The cost of an event does not depend on how long the operator inside takes, so a model with
many short operators tells it best: on a model of 60 ms a pass both costs drown in the noise of the machine. Nothing is
asserted.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import warnings

RESAMPLES = 4000
TURNS = {"ours": 4, "rival": 1}


class Worker:
    """The supervisor's side of core/worker/protocol.md."""

    def __init__(self, build, torch_root, threads):
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads), MKL_NUM_THREADS=str(threads),
                           CUDA_VISIBLE_DEVICES="", TORCH_CPP_LOG_LEVEL="ERROR")
        self.process = subprocess.Popen(
            [build / "bin/apertune-worker", "--backend", "libtorch", "--plugins", build / "lib/apertune/plugins",
             "--torch", torch_root, "--device", "cpu"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.number = 0
        self.receive("hello")

    def receive(self, kind):
        while True:
            header = self.process.stdout.read(4)
            if len(header) < 4:
                sys.exit("the worker ended")
            message = json.loads(self.process.stdout.read(struct.unpack("<I", header)[0]))
            if message["t"] in ("error", "fatal"):
                sys.exit(f"the worker failed: {message['message']} {message.get('detail', '')}")
            if message["t"] == kind:
                return message

    def call(self, kind, answer, **members):
        self.number += 1
        body = json.dumps({"t": kind, "id": self.number, **members}).encode()
        self.process.stdin.write(struct.pack("<I", len(body)) + body)
        self.process.stdin.flush()
        return self.receive(answer)

    def cpu_ns(self):
        """Processor time of all its threads."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks)

    def end(self):
        self.process.stdin.close()
        self.process.wait(30)


def small_model():
    """The function that the exporter calls for the model of this benchmark."""
    import torch
    import torchvision

    return torchvision.models.mobilenet_v3_small().eval(), torch.randn(1, 3, 32, 32)


def make_artifact(folder):
    out = pathlib.Path(folder) / "mobilenet_v3_small-32"
    here = pathlib.Path(__file__).resolve()
    subprocess.run([sys.executable, "-m", "apertune_exporter", "export", f"python:{here}:small_model", "--out", str(out)],
                   cwd=here.parents[2] / "resources/exporter", check=True, stdout=subprocess.DEVNULL)
    return out


def median(values):
    return statistics.median(values)


NextSearch = collections.namedtuple("Turn", "bare added whole")  # nanoseconds a pass


class Ours:
    def __init__(self, build, artifact, torch_root, threads, folder, what):
        self.what = what
        self.worker = Worker(build, torch_root, threads)
        self.file = str(pathlib.Path(folder) / "capture.trace")
        request = {"artifact": str(artifact), "device": "cpu", "package": None, "inputs": 1,
                   "config": {"level": "O0", "precision": "fp32", "batch": 1, "threads": threads, "backend": "libtorch",
                              "switches": {}}}
        self.worker.call("prepare", "prepared", session=1, request=request, warmup_min_ns=500_000_000,
                         warmup_max_ns=10_000_000_000)

    def turn(self, passes):
        begin = self.worker.cpu_ns()
        answer = self.worker.call("trace", "traced", session=1, out=self.file, iterations=passes + 1,
                                  bare_iterations=passes, telemetry=False, **self.what)
        taken = self.worker.cpu_ns() - begin
        self.events = answer["events"] / (passes + 1)
        bare = statistics.fmean(answer["bare_cpu_ns"])
        traced = answer["traced_cpu_ns"][1:]  # the first pass pays for starting, here as there
        return NextSearch(bare, statistics.fmean(traced) - bare,
                    (taken - sum(answer["bare_cpu_ns"]) - bare) / passes - bare)


class Rival:
    def __init__(self, artifact, threads, what):
        import torch

        self.what = what
        self.torch = torch
        torch.set_num_threads(threads)
        manifest = json.loads((artifact / "manifest.json").read_text())
        self.model = torch.jit.load(str(artifact / manifest["files"]["torchscript"]["path"])).eval()
        self.inputs = [torch.randn([1 if i == entry.get("batch_dim") else n for i, n in enumerate(entry["shape"])])
                       for entry in manifest["inputs"]]
        for _ in range(10):
            self.run()

    def run(self):
        with self.torch.inference_mode(), self.torch.jit.optimized_execution(False):
            self.model(*self.inputs)

    def times(self, passes):
        taken = []
        for _ in range(passes):
            begin = time.thread_time_ns()
            self.run()
            taken.append(time.thread_time_ns() - begin)
        return taken

    def turn(self, passes):
        before = self.times(passes // 2)
        begin = time.process_time_ns()
        with self.torch.profiler.profile(activities=[self.torch.profiler.ProfilerActivity.CPU], record_shapes=self.what["shapes"],
                                         profile_memory=self.what["memory"]):
            self.run()  # the first pass pays for starting
            traced = self.times(passes)
        taken = time.process_time_ns() - begin
        after = self.times(passes - passes // 2)
        bare = statistics.fmean(before + after)
        return NextSearch(bare, statistics.fmean(traced) - bare, (taken - bare) / passes - bare)


def ratio_with_interval(ours, rival):
    draw = random.Random(1)
    value = median(ours) / median(rival)
    drawn = sorted(median(draw.choices(ours, k=len(ours))) / median(draw.choices(rival, k=len(rival)))
                   for _ in range(RESAMPLES))
    return value, drawn[int(0.025 * RESAMPLES)], drawn[int(0.975 * RESAMPLES)]


def main():
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("artifact", type=pathlib.Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--passes", type=int, default=60)
    parser.add_argument("--no-shapes", action="store_true", help="neither records the shapes of inputs")
    parser.add_argument("--no-memory", action="store_true", help="neither records allocations")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    import torch

    torch_root = pathlib.Path(torch.__file__).parent
    what = {"shapes": not options.no_shapes, "memory": not options.no_memory}
    with tempfile.TemporaryDirectory() as folder:
        artifact = options.artifact.resolve() if options.artifact else make_artifact(folder)
        ours = Ours(options.build.resolve(), artifact, torch_root, 1, folder, what)
        rival = Rival(artifact, 1, what)
        taken = {"ours": [], "rival": []}
        for number in range(options.rounds):
            sides = [("ours", ours), ("rival", rival)]
            for name, side in sides if number % 2 == 0 else sides[::-1]:
                taken[name] += [side.turn(options.passes) for _ in range(TURNS[name])]
        ours.worker.end()

    def micros(measure):
        return {name: median([getattr(one, measure) for one in turns]) / 1e3 for name, turns in taken.items()}

    def ratio(measure):
        sides = [[getattr(one, measure) for one in taken[name]] for name in ("ours", "rival")]
        return dict(zip(("value", "lo", "hi"), ratio_with_interval(*sides)))

    result = {"model": artifact.name, "rounds": options.rounds, "passes": options.passes,
              "events_per_pass": ours.events,
              "bare_us": micros("bare"), "added_us": micros("added"), "whole_us": micros("whole"),
              "ns_per_event": 1e3 * micros("added")["ours"] / ours.events,
              "ratio": ratio("added"), "whole_ratio": ratio("whole")}
    if options.json:
        print(json.dumps(result))
        return
    print(f"{result['model']}: {ours.events:.0f} events a pass, {options.rounds} rounds of {options.passes} passes")
    for name, words in (("ours", "Apertune's recorder"), ("rival", "PyTorch's profiler")):
        print(f"  {words}: {result['bare_us'][name]:.0f} µs a pass, recording adds {result['added_us'][name]:.0f} µs, "
              f"{result['whole_us'][name]:.0f} µs with starting and stopping")
    print(f"  {result['ns_per_event']:.0f} ns an event")
    for name, words in (("ratio", "a pass"), ("whole_ratio", "whole")):
        print("  added time, ours over PyTorch's, {}: {value:.3f} [{lo:.3f}, {hi:.3f}]".format(words, **result[name]))


if __name__ == "__main__":
    main()

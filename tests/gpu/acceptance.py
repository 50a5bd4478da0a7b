# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks Apertune on the first GPU of this machine, and packs what it saw into one file.

    apertune gpu-check [--quick] [--stages NAME[,NAME]] [--out FOLDER]
    tests/gpu/run BUNDLE [--quick] [--stages NAME[,NAME]] [--out FOLDER]

BUNDLE is the folder that `make gpu-bundle` makes, or any prefix with bin/apertune. The machine needs an NVIDIA driver
and a python3 with torch 2.11 and torchvision (named by APERTUNE_TORCH, or first on the PATH); level O3 needs a C++
compiler besides. It needs no network. --quick checks one model with one batch size, and no fp8.

The stages: devices (always run), sweep, memory, traces, counters, causes, tensorrt. The stages traces and counters
measure the trials that they record when the stage sweep is left out.

The file is FOLDER/apertune-gpu-HOST-DATE.tar.gz (FOLDER: this one, unless named). It is written after failures and after
^C, too, and holds the verdicts, a log of every command, the workspace with studies and traces, the first buffers of
records that CUPTI wrote, and what the system says of its GPUs and versions; serial numbers of the GPUs and names of
installed packages are part of that.

Exit code: 0 every check passed, 1 one failed, 2 there is no GPU to check, 130 interrupted."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import signal
import sys
import time
import traceback
from typing import Callable, Iterator

import checks
from evidence import Evidence

MODELS = ("torchvision:resnet50", "torchvision:vit_b_16")
BATCHES = (1, 32)
# Level and precisions: the configurations that the checks compare, and no others. A package of O3 takes about a minute
# to compile, so the one whose time nothing is compared with is made at the first batch size alone.
CONFIGURATIONS = (("O0", "fp32"), ("O1", "fp32,tf32"), ("O3", "fp16"))
ONE_BATCH = ("O3", "fp8")
WAYS = (("eager", "O0", "fp32"), ("frozen", "O1", "fp32"), ("CUDA graph", "O3", "fp16"))
COUNTERS = """SELECT t.label AS label, t.unit AS unit, min(c.value) AS least, max(c.value) AS most
FROM counter c JOIN track t ON t.id = c.track_id AND t.trace_id = c.trace_id GROUP BY t.label"""
CAUSES = (("pageable copies", "pageable_copies", "pageable-copies"), ("extra waits", "extra_waits", "waits-in-iteration"),
          ("tiny kernels", "tiny_kernels", "tiny-kernels"))
# The output of ResNet-50's first convolution, for one sample in fp32.
FIRST_ACTIVATION = 64 * 112 * 112 * 4
COMMAND_SECONDS = 300
STAGES = ("sweep", "memory", "traces", "counters", "causes", "tensorrt")
SYSTEM_FILES = ("/proc/driver/nvidia/version", "/proc/driver/nvidia/params", "/proc/cpuinfo", "/proc/meminfo",
                "/proc/version", "/proc/self/cgroup", "/etc/os-release")
SYSTEM_COMMANDS = (
    ("nvidia-smi", ["nvidia-smi", "-q"]), ("topology", ["nvidia-smi", "topo", "-m"]), ("libc", ["ldd", "--version"]),
    ("compiler", ["g++", "--version"]), ("nvcc", ["nvcc", "--version"]), ("libraries", ["ldconfig", "-p"]),
    ("disk", ["df", "-h"]), ("packages", ["python3", "-m", "pip", "list"]),
)
# Nothing else of the environment is kept: it may hold what is nobody's business.
TOLD_VARIABLES = ("APERTUNE_", "CUDA_", "CUBLAS_", "CUDNN_", "LD_", "NCCL_", "NVIDIA_", "PATH", "PYTORCH_", "TORCH_",
                  "XDG_", "CXX", "OMP_", "MKL_")


class Cannot(Exception):
    """A stage cannot go on; the text says why."""


class Acceptance:
    def __init__(self, bundle: pathlib.Path, evidence: Evidence, selected: tuple[str, ...] = STAGES, quick: bool = False):
        self.bundle = bundle.resolve()
        self.evidence = evidence
        self.selected = selected
        self.models = MODELS[:1] if quick else MODELS
        self.batches = BATCHES[:1] if quick else BATCHES
        self.quick = quick
        self.devices: dict | None = None
        self.studies: dict[str, dict] = {}
        self.seconds: dict[str, float] = {}
        evidence.facts["stage_seconds"] = self.seconds

    def apertune(self, *arguments: str) -> dict:
        """The document that a command prints. Its workspace is part of the evidence; the caches stay those of the
        user, because the set-up keeps its Python environments there."""
        environment = dict(os.environ, XDG_DATA_HOME=str(self.evidence.folder / "data"),
                           APERTUNE_CUPTI_RECORDS=str(self.evidence.folder / "records"))
        verb = arguments[0] if arguments[0] == "tune" else "-".join(arguments[:2])
        done = self.evidence.run(verb, [str(self.bundle / "bin" / "apertune"), *arguments, "--json"],
                                 environment, COMMAND_SECONDS)
        if not done.stdout.strip():
            raise Cannot(f"apertune {verb} printed nothing ({done.problem or 'exit code 0'})")
        try:
            return json.loads(done.stdout)
        except json.JSONDecodeError as failure:
            raise Cannot(f"apertune {verb} printed no document ({done.problem or failure})") from failure

    def tune(self, model: str, levels: str, precisions: str, batches: tuple[int, ...], *more: str) -> dict:
        """Every configuration in full: a search that drops some would drop those that are compared."""
        return self.apertune("tune", model, "--devices", "cuda:0", "--levels", levels, "--precisions", precisions,
                             "--batches", ",".join(map(str, batches)), "--search", "grid", "--budget", "0", *more)

    def rows(self, sql: str, trace: str) -> list[dict]:
        document = self.apertune("workspace", "query", sql, "--trace", trace)
        return [dict(zip(document["columns"], row)) for row in document["rows"]]

    def stages(self) -> Iterator[tuple[str, str, Callable[[], Iterator[checks.Check]]]]:
        """The name that selects a stage, its title, and what it does."""
        for model in self.models:
            yield "sweep", f"{model}: sweep", lambda model=model: self.sweep(model)
        yield "memory", "out of memory", self.out_of_memory
        for model in self.models:
            for way, level, precision in WAYS:
                yield ("traces", f"{model}: trace, {way}",
                       lambda model=model, way=(way, level, precision): self.trace(model, *way))
            yield "counters", f"{model}: hardware counters", lambda model=model: self.counters(model)
        for cause, function, rule in CAUSES:
            yield "causes", f"planted {cause}", lambda cause=(cause, function, rule): self.planted(*cause)
        yield "tensorrt", "TensorRT", self.tensorrt

    def run(self) -> None:
        """The devices and every selected stage, as long as there is a GPU."""
        self.check("devices", self.look)
        for name, title, stage in self.stages():
            if self.devices is not None and self.gpu() is None:
                return
            if name in self.selected:
                self.check(title, stage)

    def check(self, title: str, stage: Callable[[], Iterator[checks.Check]]) -> None:
        """Runs a stage. When it fails in a way of its own, that is a failed check, and the run goes on."""
        begun = time.monotonic()
        try:
            for check in stage():
                self.evidence.record(title, *check)
        except Cannot as reason:
            self.evidence.record(title, "it can be checked", False, str(reason))
        except Exception as failure:  # A document that lacks something must not end the other stages.
            where = "".join(traceback.format_exception(failure))
            with open(self.evidence.folder / "logs" / "failures.txt", "a") as file:
                file.write(f"{title}\n{where}\n")
            self.evidence.record(title, "it can be checked", False, f"{type(failure).__name__}: {failure}")
        self.seconds[title] = round(time.monotonic() - begun, 1)

    def gpu(self) -> dict | None:
        """The first GPU; none while the devices are not known."""
        return next((d for d in (self.devices or {}).get("devices", []) if d.get("vendor") == "nvidia"), None)

    def capture(self, name: str) -> dict:
        if self.devices is None:
            raise Cannot("what can be recorded is not known, because the stage of the devices failed")
        return next(c for c in self.devices["captures"] if c["name"] == name)

    def look(self) -> Iterator[checks.Check]:
        for file in SYSTEM_FILES:
            self.evidence.copy(file)
        told = {k: v for k, v in sorted(os.environ.items()) if k.startswith(TOLD_VARIABLES)}
        (self.evidence.folder / "environment.json").write_text(json.dumps(told, indent=2) + "\n")
        for name, command in SYSTEM_COMMANDS:
            self.evidence.run(name, command)
        self.devices = self.apertune("device", "list")
        gpu = self.gpu()
        yield "a GPU is seen", gpu is not None, gpu["name"] if gpu else "none: see what nvidia-smi says"
        self.evidence.facts["gpu"] = gpu
        yield from checks.gpu_usable(self.devices)

    def sweep(self, model: str) -> Iterator[checks.Check]:
        study: dict = {"trials": []}
        self.studies[model] = study
        for level, precisions in CONFIGURATIONS:
            study["trials"] += self.tune(model, level, precisions, self.batches)["trials"]
        if not self.quick:
            study["trials"] += self.tune(model, *ONE_BATCH, self.batches[:1])["trials"]
        yield from checks.everything_accounted_for(study)
        for batch in self.batches:
            yield from checks.levels_differ(study, batch)
            yield from checks.tf32_differs(study, batch)
        yield from checks.graphs_captured(study)
        yield from checks.memory_agrees(study)
        yield from checks.device_time_below_host_time(study)
        yield from checks.conditions_told(study, (self.gpu() or {}).get("max_clock_mhz") or 0)
        if not self.quick:
            yield from checks.fp8_stored(study)

    def out_of_memory(self) -> Iterator[checks.Check]:
        """A batch whose first activation alone is larger than the GPU's memory: its inputs are a fifth of that, on the
        GPU, and the host holds a few samples."""
        gpu = self.gpu()
        if gpu is None or not gpu["memory_bytes"]:
            raise Cannot("the memory of the GPU is not known")
        batch = gpu["memory_bytes"] // FIRST_ACTIVATION + 1
        yield from checks.out_of_memory(self.tune(MODELS[0], "O1", "fp32", (1, batch, 2 * batch)), batch)
        yield from checks.measures_again(self.tune(MODELS[0], "O0", "fp32", (2,)))

    def trace(self, model: str, way: str, level: str, precision: str) -> Iterator[checks.Check]:
        document = self.apertune("trace", "record", self.measured(model, level, precision))
        yield from checks.nothing_dropped(document)
        yield from checks.overhead_known(document)
        yield from checks.links_complete(self.rows(checks.UNLINKED, document["trace"])[0], way == "CUDA graph")

    def counters(self, model: str) -> Iterator[checks.Check]:
        possible = self.capture("hardware counters")
        document = self.apertune("trace", "record", self.measured(model, "O1", "fp32"), "--metrics", "--iterations", "50")
        metrics = document.get("metrics", [])
        yield from checks.counters_there(metrics, possible["reason"] or "", possible["available"])
        if metrics:
            yield from checks.counters_plausible(self.rows(COUNTERS, metrics[0]["trace"]))

    def measured(self, model: str, level: str, precision: str) -> str:
        if "sweep" in self.selected:
            study = self.studies.get(model, {"trials": []})
        else:
            study = self.tune(model, level, precision, (1,))
        trial = checks.configuration(study, level, precision, 1)
        if trial is None:
            raise Cannot(f"{level} {precision} was not measured")
        return str(trial["id"])

    def planted(self, cause: str, function: str, rule: str) -> Iterator[checks.Check]:
        """A model that does one wrong thing, and a trace that names it."""
        file = pathlib.Path(__file__).resolve().with_name("planted.py")
        study = self.tune(f"python:{file}:{function}", "O0", "fp32", (4,))
        trial = checks.configuration(study, "O0", "fp32", 4)
        if trial is None:
            raise Cannot("its model was not measured: " + "; ".join(str(t["reason"]) for t in study["trials"]))
        trace = self.apertune("trace", "record", str(trial["id"]))["trace"]
        yield from checks.cause_named(cause, rule, self.apertune("trace", "report", trace))

    def tensorrt(self) -> Iterator[checks.Check]:
        """Where the bundle has TensorRT's backend and this machine its libraries."""
        backends = (self.devices or {}).get("backends", [])
        backend = next((b for b in backends if b["name"] == "tensorrt"), None)
        if backend is None or not backend["devices"]:
            yield "it is left out", True, str(backend["reason"]) if backend else "it is not in the bundle"
            return
        study = self.tune(MODELS[0], "O0,O1,O2,O3", "fp32,tf32,bf16,fp16", (1, 8), "--backends", "tensorrt")
        yield from checks.everything_accounted_for(study)
        yield from checks.builder_levels_read_back(study)
        yield from checks.graphs_captured(study)
        yield from checks.device_time_below_host_time(study)


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="apertune gpu-check", description=__doc__,
                                     usage="%(prog)s [--quick] [--stages NAME[,NAME]] [--out FOLDER]",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="one model, one batch size, no fp8")
    parser.add_argument("--stages", default=",".join(STAGES), metavar="NAME[,NAME]",
                        help=f"which of {', '.join(STAGES)} (default: all)")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."), metavar="FOLDER")
    options = parser.parse_args(arguments)
    if not (options.bundle / "bin" / "apertune").is_file():
        parser.error(f"{options.bundle} holds no bin/apertune: name the folder that `make gpu-bundle` makes")
    selected = tuple(filter(None, (name.strip() for name in options.stages.split(","))))
    for name in selected:
        if name not in STAGES:
            parser.error(f"there is no stage {name!r}; the stages are {', '.join(STAGES)}")
    for word in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(word, interrupt)

    evidence = Evidence(options.out)
    acceptance = Acceptance(options.bundle, evidence, selected, options.quick)
    interrupted = False
    try:
        acceptance.run()
    except KeyboardInterrupt:
        interrupted = True
        evidence.facts["interrupted"] = True
    finally:
        for word in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(word, signal.SIG_IGN)  # Packing takes seconds, and a second ^C would lose it.
        # Models are large and can be imported again.
        file = evidence.write(leave_out=("data/apertune/models",))
        evidence.close()
    failed = [r for r in evidence.results if not r["passed"]]
    print(f"{len(evidence.results) - len(failed)} passed, {len(failed)} failed{', interrupted' if interrupted else ''}")
    print(f"everything that was seen is in {file}")
    if interrupted:
        return 130
    if acceptance.devices is not None and acceptance.gpu() is None:
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One rival of the engines' benchmark, run as its makers mean it to be run and with nothing of Apertune around it.

    rivals.py RIVAL --artifact DIR --batches 1,8 --threads N --precisions fp32 [--onnx FILE] [--ir FILE] [--cpus 0,2]
              [--log FILE]

RIVAL is torch.compile (mode max-autotune, with the freezing that its templates for CPUs need), onnxruntime (its Python
as it comes), openvino:latency or openvino:throughput (OpenVINO's benchmark_app with that hint). ARTIFACT is an imported
model: weights and inputs are those that Apertune measures. Of several batches and precisions the rival keeps
those with which it takes least time a sample.

Prints one JSON line when it is ready, {"batch": …, "what": …}, or {"error": …} when it cannot run. After that it reads
a number of seconds a line and answers each with {"ns": nanoseconds a sample, "passes": how many}, until its input ends.
"""
import argparse
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

PROBE_SECONDS = 1.0
WARM_UP_PASSES = 3
TYPES = {"float32": "f32", "float64": "f64", "float16": "f16", "int64": "i64", "int32": "i32", "uint8": "u8",
         "int8": "i8", "bool": "bool"}


def reference_inputs(artifact, batch):
    """One array for each input of the model: its stored samples, repeated to `batch`."""
    import numpy

    inputs = {}
    for described in json.loads((artifact / "manifest.json").read_text())["inputs"]:
        if described["dtype"] == "bfloat16":
            raise RuntimeError(f"the input {described['name']} is bfloat16, which NumPy does not have")
        shape = list(described["shape"])
        values = numpy.fromfile(artifact / described["file"], dtype=described["dtype"])
        if described["batch_dim"] is None:
            inputs[described["name"]] = values.reshape(shape)
            continue
        if described["batch_dim"] != 0:
            raise RuntimeError(f"the batch of the input {described['name']} is not its first dimension")
        shape[0] = described["samples"]
        inputs[described["name"]] = numpy.ascontiguousarray(numpy.resize(values.reshape(shape), [batch, *shape[1:]]))
    return inputs


class InProcess:
    """A rival whose passes are calls: as many as fit into the seconds, at least two."""

    def ns_per_sample(self, seconds):
        self.a_pass()  # the others' turns cooled the caches
        passes = 0
        begin = time.perf_counter_ns()
        while passes < 2 or time.perf_counter_ns() - begin < seconds * 1e9:
            self.a_pass()
            passes += 1
        return (time.perf_counter_ns() - begin) / (passes * self.batch), passes

    def warm_up(self):
        for _ in range(WARM_UP_PASSES):
            self.a_pass()


class TorchCompile(InProcess):
    def __init__(self, options, batch, precision):
        import torch
        import torch._inductor.config

        # The artifact keeps the weights of its program in another file, and only the exporter knows where.
        sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "resources/exporter"))
        from apertune_exporter.artifact.program_file import load_program

        self.batch = batch
        self.what = f"torch {torch.__version__}, torch.compile max-autotune, frozen, {precision}"
        torch._inductor.config.freezing = True
        torch.set_num_threads(options.threads)
        dtype = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[precision]
        manifest = json.loads((options.artifact / "manifest.json").read_text())
        if manifest["files"]["exported"] is None:
            raise RuntimeError("torch.export could not export this model")
        program = load_program(str(options.artifact), manifest)
        module = program.module(check_guards=False).to(dtype=dtype)
        inputs = [torch.from_numpy(v) for v in reference_inputs(options.artifact, batch).values()]
        inputs = [v.to(dtype) if v.is_floating_point() else v for v in inputs]
        compiled = torch.compile(module, mode="max-autotune", dynamic=False)

        def a_pass():
            with torch.inference_mode():
                compiled(*inputs)

        self.a_pass = a_pass


class OnnxRuntime(InProcess):
    def __init__(self, options, batch):
        import onnxruntime

        self.batch = batch
        self.what = f"onnxruntime {onnxruntime.__version__}, fp32"
        session_options = onnxruntime.SessionOptions()
        session_options.intra_op_num_threads = options.threads
        session = onnxruntime.InferenceSession(str(options.onnx), session_options, providers=["CPUExecutionProvider"])
        inputs = reference_inputs(options.artifact, batch)
        feed = {given.name: inputs.get(given.name, value) for given, value in zip(session.get_inputs(), inputs.values())}
        self.a_pass = lambda: session.run(None, feed)


class BenchmarkApp:
    """A run of the tool for every block: it loads the model each time, which is not in its figures."""

    def __init__(self, options, batch, precision, hint):
        import numpy
        import openvino

        self.batch = batch
        self.what = f"benchmark_app {openvino.__version__.split('-')[0]}, hint {hint}, {precision}"
        self.folder = tempfile.TemporaryDirectory(prefix="apertune-rival-")
        shapes = []
        files = []
        types = []  # without them the tool makes images of 8 bits of what looks like one, and converts in each pass
        for name, values in reference_inputs(options.artifact, batch).items():
            file = pathlib.Path(self.folder.name) / f"{len(files)}.npy"
            numpy.save(file, values)
            files.append(f"{name}:{file}")
            types.append(f"{name}:{TYPES[str(values.dtype)]}")
            shapes.append(f"{name}[{','.join(map(str, values.shape))}]")
        main = "import sys; from openvino.tools.benchmark.main import main; sys.exit(main())"
        self.command = [sys.executable, "-c", main, "-m", str(options.ir), "-d", "CPU", "-hint", hint,
                        "-shape", ",".join(shapes), "-i", ",".join(files), "-iop", ",".join(types),
                        "-infer_precision", {"fp32": "f32", "bf16": "bf16", "fp16": "f16"}[precision]]
        self.environment = dict(os.environ, PYTHONPATH=os.environ.get("APERTUNE_ENGINES", ""))

    def warm_up(self):
        """The tool warms up by itself."""

    def ns_per_sample(self, seconds):
        ran = subprocess.run([*self.command, "-t", str(max(1, round(seconds)))], env=self.environment,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        count = re.search(r"Count:\s+(\d+) iterations", ran.stdout)
        duration = re.search(r"Duration:\s+([\d.]+) ms", ran.stdout)
        if ran.returncode != 0 or not count or not duration:
            raise RuntimeError("benchmark_app failed: " + " ".join(ran.stdout.split("\n")[-4:]).strip()[:300])
        return float(duration[1]) * 1e6 / (int(count[1]) * self.batch), int(count[1])


def made(options, batch, precision):
    if options.rival == "torch.compile":
        return TorchCompile(options, batch, precision)
    if options.rival == "onnxruntime":
        return OnnxRuntime(options, batch)
    return BenchmarkApp(options, batch, precision, options.rival.split(":")[1])


def best(options):
    # ONNX Runtime's CPU provider computes the file as it is.
    precisions = ["fp32"] if options.rival == "onnxruntime" else options.precisions
    ways = list(itertools.product(options.batches, precisions))
    fastest = None
    for batch, precision in ways:
        rival = made(options, batch, precision)
        rival.warm_up()
        rival.probed = rival.ns_per_sample(PROBE_SECONDS)[0] if len(ways) > 1 else 0
        if fastest is None or rival.probed < fastest.probed:
            fastest = rival
    return fastest


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rival", choices=["torch.compile", "onnxruntime", "openvino:latency", "openvino:throughput"])
    parser.add_argument("--artifact", type=pathlib.Path, required=True)
    parser.add_argument("--batches", type=lambda text: [int(b) for b in text.split(",")], required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--precisions", type=lambda text: text.split(","), default=["fp32"], help="of fp32,bf16,fp16")
    parser.add_argument("--onnx", type=pathlib.Path)
    parser.add_argument("--ir", type=pathlib.Path)
    parser.add_argument("--cpus", default="", help="the processors it may use; all when empty")
    parser.add_argument("--log", help="a file for what libraries print")
    options = parser.parse_args()
    if options.cpus:
        os.sched_setaffinity(0, {int(cpu) for cpu in options.cpus.split(",")})
    sys.path.extend(folder for folder in os.environ.get("APERTUNE_ENGINES", "").split(":") if folder)
    # Output of libraries must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    if options.log:
        os.dup2(os.open(options.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    os.dup2(2, 1)
    try:
        rival = best(options)
        print(json.dumps({"batch": rival.batch, "what": rival.what}), file=answers)
        for line in sys.stdin:
            ns, passes = rival.ns_per_sample(float(line))
            print(json.dumps({"ns": ns, "passes": passes}), file=answers)
    except Exception as failure:  # whatever it is, it is this rival's row
        first = (str(failure).strip().splitlines() or [""])[0]
        print(json.dumps({"error": f"{type(failure).__name__}: {first}"[:300]}), file=answers)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

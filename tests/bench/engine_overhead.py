#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Overhead of a plugin over its engine: one model through the plugin's C table and through the engine's own Python, taking
turns.

    engine_overhead.py BUILD ENGINE MODEL... [--batch N] [--threads N] [--rounds N] [--passes N] [--json]

BUILD is a build folder with the backend ENGINE, onnxruntime or openvino. Run it with a Python that has that engine and
numpy; the plugin uses the library of the same package. MODEL is an .onnx or, for OpenVINO, an .xml file that takes one
float tensor whose first dimension is the batch.

Both sides have the same threads and values, and ONNX Runtime its highest graph level, OpenVINO its latency hint in
fp32. In a round each side runs a
number of passes after two that are not counted, in an order that alternates; the measure of a pass is its time on the
clock and, with one thread, the processor time of that thread, which other work on the machine disturbs less. A round
gives the ratio of the two sides' medians; the median of the rounds stands with its 95 % bootstrap interval. The plugin
is called through ctypes, which is counted against it. Nothing is asserted.
"""
import argparse
import ctypes
import json
import os
import pathlib
import random
import statistics
import sys
import tempfile
import time

import numpy

RESAMPLES = 4000
FUNCTIONS = ("describe open run synchronize finalize timer_start timer_stop outputs reset_peaks report last_error close "
             "trace_start trace_stop ceilings").split()
TextSink = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class Table(ctypes.Structure):
    _fields_ = [("abi_version", ctypes.c_uint32), ("struct_size", ctypes.c_uint32)] + [
        (name, ctypes.c_void_p) for name in FUNCTIONS
    ]


class Plugin:
    """The worker's side of plugins/api/apertune_plugin.h."""

    def __init__(self, library):
        if not library.is_file():
            sys.exit(f"{library} is not there: build Apertune with this engine")
        self.library = ctypes.CDLL(str(library))
        self.library.apertune_plugin_entry.restype = ctypes.POINTER(Table)
        self.table = self.library.apertune_plugin_entry().contents

    def open(self, artifact, package, level, batch, threads):
        request = {"artifact": str(artifact), "device": "cpu", "package": str(package), "inputs": 1,
                   "config": {"level": level, "precision": "fp32", "batch": batch, "threads": threads, "switches": {}}}
        self.session = ctypes.c_void_p()
        ignore = TextSink(lambda user, data, size: None)
        opened = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), TextSink,
                                  ctypes.c_void_p)(self.table.open)
        if opened(json.dumps(request).encode(), ctypes.byref(self.session), ignore, None) != 0:
            sys.exit(f"the plugin cannot open {artifact}: {self.error()}")
        self.run = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32)(self.table.run)

    def error(self):
        parts = []
        sink = TextSink(lambda user, data, size: parts.append(ctypes.string_at(data, size)))
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, TextSink, ctypes.c_void_p)(self.table.last_error)(None, sink, None)
        return b"".join(parts).decode()

    def close(self):
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.table.close)(self.session)

    def a_pass(self):
        if self.run(self.session, 0) != 0:
            sys.exit(f"a pass failed: {self.error()}")


class OnnxRuntime:
    level = "O3"

    def __init__(self):
        import onnxruntime

        self.engine = onnxruntime
        self.version = onnxruntime.__version__
        libraries = list((pathlib.Path(onnxruntime.__file__).parent / "capi").glob("libonnxruntime.so*"))
        if not libraries:
            sys.exit("this onnxruntime package has no libonnxruntime.so beside its Python module")
        os.environ["APERTUNE_ONNXRUNTIME"] = str(libraries[0])

    def open(self, model, batch, threads):
        """The input's name, the shape of a sample, and a function that makes a function that runs a pass."""
        options = self.engine.SessionOptions()
        options.intra_op_num_threads = threads
        session = self.engine.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        given = session.get_inputs()[0]
        shape = [extent if isinstance(extent, int) else None for extent in given.shape[1:]]
        if len(session.get_inputs()) != 1 or given.type != "tensor(float)" or None in shape:
            sys.exit(f"{model} does not take one float tensor of a known shape")
        return given.name, shape, lambda values: lambda: session.run(None, {given.name: values})


class OpenVino:
    level = "O1"

    def __init__(self):
        import openvino

        self.engine = openvino
        self.version = openvino.__version__.split("-")[0]

    def open(self, model, batch, threads):
        core = self.engine.Core()
        network = core.read_model(str(model))
        given = network.inputs[0]
        shape = [extent.get_length() if extent.is_static else None for extent in given.get_partial_shape()][1:]
        if len(network.inputs) != 1 or given.get_element_type() != self.engine.Type.f32 or None in shape:
            sys.exit(f"{model} does not take one float tensor of a known shape")
        name = given.get_any_name()
        network.reshape([batch, *shape])
        compiled = core.compile_model(network, "CPU", {
            "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1, "INFERENCE_NUM_THREADS": threads,
            "INFERENCE_PRECISION_HINT": "f32", "EXECUTION_MODE_HINT": "ACCURACY", "ENABLE_CPU_PINNING": False})
        request = compiled.create_infer_request()

        def ready(values):
            request.set_input_tensor(self.engine.Tensor(values))
            return lambda: request.infer(share_outputs=True)

        return name, shape, ready


def write_artifact(folder, name, values):
    (folder / "x.bin").write_bytes(values[:1].tobytes())
    spec = {"name": name, "dtype": "float32", "shape": [1, *values.shape[1:]], "batch_dim": 0, "file": "x.bin",
            "samples": 1}
    manifest = {"schema": "apertune.model/1", "inputs": [spec], "outputs": [],
                "files": {}}
    (folder / "manifest.json").write_text(json.dumps(manifest))


def timed(a_pass, passes, clock):
    for _ in range(2):
        a_pass()
    times = []
    for _ in range(passes):
        begin = clock()
        a_pass()
        times.append(clock() - begin)
    return statistics.median(times)


def interval(values, generator):
    medians = sorted(statistics.median(generator.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return medians[int(RESAMPLES * 0.025)], medians[int(RESAMPLES * 0.975)]


def compare(plugin, engine, model, arguments):
    name, shape, ready = engine.open(model, arguments.batch, arguments.threads)
    one = numpy.random.default_rng(0).standard_normal((1, *shape), dtype=numpy.float32)
    bare = ready(numpy.repeat(one, arguments.batch, axis=0))

    result = {"model": model.stem, "batch": arguments.batch, "threads": arguments.threads, "rounds": arguments.rounds,
              "engine": f"{arguments.engine} {engine.version}"}
    generator = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        write_artifact(pathlib.Path(folder), name, one)
        plugin.open(folder, model.resolve(), engine.level, arguments.batch, arguments.threads)
    sides = {"plugin": plugin.a_pass, "bare": bare}
    clocks = {"wall": time.perf_counter_ns}
    if arguments.threads == 1:
        clocks["processor"] = time.thread_time_ns
    for kind, clock in clocks.items():
        ratios = []
        medians = {side: [] for side in sides}
        for number in range(arguments.rounds):
            order = list(sides) if number % 2 else list(reversed(sides))
            for side in order:
                medians[side].append(timed(sides[side], arguments.passes, clock))
            ratios.append(medians["plugin"][-1] / medians["bare"][-1])
        low, high = interval(ratios, generator)
        result[kind] = {"ratio": statistics.median(ratios), "low": low, "high": high,
                        "bare_ms": statistics.median(medians["bare"]) / 1e6}
    plugin.close()
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("engine", choices=["onnxruntime", "openvino"])
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--passes", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    engine = OnnxRuntime() if arguments.engine == "onnxruntime" else OpenVino()
    plugin = Plugin(arguments.build / f"lib/apertune/plugins/{arguments.engine}.so")
    for model in arguments.models:
        result = compare(plugin, engine, model, arguments)
        if arguments.json:
            print(json.dumps(result))
            continue
        for clock in ("wall", "processor"):
            if clock in result:
                r = result[clock]
                print(f"{result['engine']}, {result['model']} b{result['batch']} {result['threads']} threads, {clock} time: plugin / bare "
                      f"{r['ratio']:.4f} [{r['low']:.4f}, {r['high']:.4f}] of {r['bare_ms']:.2f} ms, "
                      f"{result['rounds']} rounds")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""The `convert` command: writes the model of an artifact in the format of another engine."""

import functools
import json
import os
import re
import shutil
import time

import numpy
import torch

from .. import FORMAT_SCHEMA
from ..artifact.manifest import read_manifest, reference_inputs
from ..artifact.program_file import load_program
from ..common.engines import require
from ..common.failures import compiler_line, describe
from ..common.files import partial_folder, require_within, write_json
from ..common.protocol import ExportError
from ..quantize.calibration import Calibration
from ..quantize.quantizers import quantize
from ..tensors.batching import run
from .detections import aligned

LARGEST_SINGLE_FILE = 1 << 30  # well below protobuf's limit of 2 GiB
_LEAST_COSINE = 0.999


def convert(arguments, channel):
    started = time.monotonic()
    int8 = arguments.precision == "int8"
    channel.expect_steps(5 if int8 else 4)
    channel.progress("load", "Loading the model")
    manifest = read_manifest(arguments.artifact)
    there = manifest["files"].get(arguments.format) if int8 else None
    source = (_EngineFile if there else _Source)(arguments.artifact, manifest)
    if int8:
        calibration = Calibration(
            arguments.artifact, manifest, arguments.calibration, arguments.calibration_samples
        )
    dynamic = source.dynamic and not arguments.batch
    batch = arguments.batch or 1
    if batch > 1 and not source.dynamic:
        raise ExportError(
            "unsupported",
            f"{manifest['name']} was exported for batch 1 only, so it cannot be written for batch {batch}.",
            "Use batch 1 for this engine.",
        )
    made = _Converted(arguments.made) if arguments.made and not there else None
    if made:
        dynamic = dynamic and made.dynamic
    writer = {"onnx": _Onnx, "openvino_ir": _OpenVino}[arguments.format]()
    quantised = agreed = None

    channel.progress("convert", f"Writing {manifest['name']} as {writer.title}")
    with partial_folder(arguments.out) as folder:
        try:
            if there:
                file = source.copy(folder, there)
            elif made:
                file = made.copy(folder)
            else:
                file, agreed = _write(writer, source, folder, batch, dynamic)
            path = os.path.join(folder, file)
            if there:
                source.open(writer, path, batch)
            if int8:
                channel.progress("calibrate", "Calibrating")
                quantised = quantize(
                    arguments.format, path, calibration, batch, arguments.narrow_weights, arguments.float_layer, channel,
                    arguments.symmetric_activations,
                )
        except ExportError:
            raise
        except Exception as failure:
            how = "quantised" if int8 else f"written as {writer.title}"
            raise _failed(f"{manifest['name']} cannot be {how}: {_telling(failure)}") from failure
        channel.progress("verify", "Comparing it with the eager model")
        if int8 or not agreed:
            agreed = _verify(writer, path, source, batch, dynamic, -1 if int8 else _LEAST_COSINE)
        agreement, dynamic = agreed
        seconds = round(time.monotonic() - started, 3)
        channel.progress("write", "Writing the description")
        size = os.path.getsize(path)
        write_json(
            os.path.join(folder, "format.json"),
            {
                "schema": FORMAT_SCHEMA,
                "model": manifest["name"],
                "content_hash": manifest["content_hash"],
                "format": arguments.format,
                "file": file,
                "bytes": size,
                "files": sorted(os.listdir(folder)),
                "batch": None if dynamic else batch,
                "dynamic_batch": dynamic,
                "agreement": agreement,
                "seconds": seconds,
                "written_by": writer.version(),
                "torch": torch.__version__,
                **({"quantization": quantised} if int8 else {}),
            },
        )
    channel.done(artifact=os.path.abspath(arguments.out), name=manifest["name"], seconds=seconds)


def _write(writer, source, folder, batch, dynamic):
    """Write the model. Where the TorchScript cannot be converted as it should be, the exported program is. Return (name of
    the file, what _verify found of it, or None when nobody looked)."""
    if source.script is not None:
        try:
            file = writer.write(source, folder, batch, dynamic)
            agreed = _verify(writer, os.path.join(folder, file), source, batch, dynamic, _LEAST_COSINE)
            if agreed[1] == dynamic or not source.use_program():
                return file, agreed
        except Exception:
            if not source.use_program():
                raise
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
    return writer.write(source, folder, batch, dynamic and source.dynamic), None


def _telling(failure):
    text = compiler_line(str(failure)) if str(failure) else describe(failure)
    # A detector may have such a member. The converter looks for tensors in it, and prints its address if it finds none.
    held = re.search(r"Unknown type __torch__\.(?:\w+\.)*(\w+)", text)
    if not held:
        return text
    return f"its script holds an object that is no module ({held[1]}), which only LibTorch can run"


def _failed(message):
    return ExportError("compile_failed", message, "Leave this engine out for the model.")


class _Source:
    """The source of a conversion: the TorchScript or the exported program of an artifact.

    Both hold the same model. Converting the TorchScript takes a third to a sixth of the time, because nothing is traced
    again. The exported program has no control flow that depends on shapes, so more models can be converted from it."""

    def __init__(self, folder, manifest):
        self.folder = folder
        self.manifest = manifest
        self._exported = manifest["files"].get("exported")
        script = manifest["files"].get("torchscript")
        if self._exported is None and script is None:
            raise ExportError(
                "unsupported",
                f"{manifest['name']} is a file of another engine already; nothing else can be made of it.",
                "Import the model that it was made from.",
            )
        torch.backends.mha.set_fastpath_enabled(False)
        self.script = torch.jit.load(require_within(folder, os.path.join(folder, script["path"]))).eval() if script else None
        if self._exported and self.script and not self._script_is_as_good():
            self.script = None
        self.dynamic = bool(manifest["dynamic_batch"] if self.script else self._exported["dynamic_batch"])
        self.inputs = [described["name"] for described in manifest["inputs"]]
        self.outputs = [described["name"] for described in manifest["outputs"]]

    def _script_is_as_good(self):
        """Whether the TorchScript has no branches and loops, which engines run slower than the straight graph of the
        exported program, and takes every batch that this takes."""
        straight = all(not list(node.blocks()) for node in self.script.inlined_graph.nodes())
        return straight and (self.manifest["dynamic_batch"] or not self._exported["dynamic_batch"])

    @functools.cached_property
    def program(self):
        """The exported program. It is loaded on first use, because that takes a second."""
        return load_program(self.folder, self.manifest)

    def use_program(self):
        """Convert the exported program from now on, and return True; False when that is done or there is none."""
        if not self._exported or self.script is None:
            return False
        self.script = None
        self.dynamic = bool(self._exported["dynamic_batch"])
        return True

    def samples(self, batch):
        return reference_inputs(self.folder, self.manifest, batch)

    def eager(self, batch):
        return run(self.script or self.program.module(check_guards=False), self.samples(batch))

    def batch_dims(self):
        return [described["batch_dim"] for described in self.manifest["inputs"]]


class _EngineFile:
    """Make int8 from a model that is a file of the engine already, and compare it with that file."""

    def __init__(self, folder, manifest):
        self.folder = folder
        self.manifest = manifest
        self.dynamic = bool(manifest["dynamic_batch"])

    def copy(self, folder, described):
        name = described["path"]
        kept = ("manifest.json", "inputs")
        for other in os.listdir(self.folder):
            whole = os.path.join(self.folder, other)
            if other not in kept and os.path.isfile(whole):
                shutil.copyfile(require_within(self.folder, whole), os.path.join(folder, other))
        return name

    def open(self, writer, path, batch):
        batches = {batch, 3} if self.dynamic else {batch}
        run_file = writer.opened(path)
        self._outputs = {size: run_file(self.samples(size)) for size in batches}

    def samples(self, batch):
        return reference_inputs(self.folder, self.manifest, batch)

    def eager(self, batch):
        return [torch.from_numpy(numpy.asarray(value)) for value in self._outputs[batch]]


class _Converted:
    """The result of an earlier conversion."""

    def __init__(self, path):
        self.folder, self.file = os.path.split(path)
        try:
            with open(os.path.join(self.folder, "format.json"), encoding="utf-8") as stream:
                description = json.load(stream)
            self.files, self.dynamic = list(description["files"]), bool(description["dynamic_batch"])
        except (OSError, ValueError, KeyError) as failure:
            raise ExportError("bad_source", f"{path} was not written by `convert` ({type(failure).__name__}).",
                              "Leave --from out.") from failure

    def copy(self, folder):
        for name in self.files:
            shutil.copyfile(os.path.join(self.folder, name), os.path.join(folder, name))
        return self.file


class _Onnx:
    title = "ONNX"

    def __init__(self):
        require("onnx")

    def write(self, source, folder, batch, dynamic):
        path = os.path.join(folder, "model.onnx")
        names = {"input_names": source.inputs, "output_names": source.outputs}
        with torch.no_grad():
            if source.script is None:
                require("onnxscript")
                program = source.program
                if not dynamic and source.dynamic:
                    program = torch.export.export(program.module(check_guards=False), source.samples(batch))
                size = sum(t.numel() * t.element_size() for t in program.state_dict.values())
                torch.onnx.export(
                    program, (), path, dynamo=True, external_data=size > LARGEST_SINGLE_FILE, verbose=False, **names
                )
            else:
                axes = {}
                if dynamic:
                    for described in source.manifest["inputs"] + source.manifest["outputs"]:
                        if described["batch_dim"] is not None:
                            axes[described["name"]] = {described["batch_dim"]: "batch"}
                torch.onnx.export(
                    source.script, source.samples(batch), path, dynamo=False, dynamic_axes=axes or None, **names
                )
        return "model.onnx"

    def opened(self, path):
        """A function that runs the file on tensors and returns arrays."""
        runtime = require("onnxruntime")
        options = runtime.SessionOptions()
        options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = runtime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        names = [value.name for value in session.get_inputs()]
        return lambda inputs: session.run(None, {name: tensor.numpy() for name, tensor in zip(names, inputs)})

    def version(self):
        return f"torch.onnx, onnx {require('onnx').__version__}"


class _OpenVino:
    title = "OpenVINO IR"

    def __init__(self):
        self.openvino = require("openvino")

    def write(self, source, folder, batch, dynamic):
        # A conversion leaves every size open, but only the batch should be.
        if source.script is None:
            program = source.program
            if not dynamic and source.dynamic:
                program = torch.export.export(program.module(check_guards=False), source.samples(batch))
            model = self.openvino.convert_model(program)
        else:
            model = self.openvino.convert_model(source.script, example_input=source.samples(batch))
        if len(model.inputs) != len(source.inputs):
            raise _failed(f"The converted model has {len(model.inputs)} inputs instead of {len(source.inputs)}.")
        shapes = {}
        for value, tensor, dim in zip(model.inputs, source.samples(batch), source.batch_dims()):
            shape = list(tensor.shape)
            if dynamic and dim is not None:
                shape[dim] = -1
            shapes[value] = self.openvino.PartialShape(shape)
        model.reshape(shapes)
        for value, name in zip(model.inputs, source.inputs):
            value.get_tensor().set_names({name})
        for value, name in zip(model.outputs, source.outputs):
            value.get_tensor().set_names({name})
        self.openvino.save_model(model, os.path.join(folder, "model.xml"), compress_to_fp16=False)
        return "model.xml"

    def opened(self, path):
        """A function that runs the file on tensors and returns arrays."""
        core = self.openvino.Core()
        compiled = core.compile_model(path, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})

        def run_on(inputs):
            found = compiled([tensor.numpy() for tensor in inputs])
            return [found[port] for port in compiled.outputs]

        return run_on

    def version(self):
        return f"openvino {self.openvino.__version__}"


def _verify(writer, path, source, batch, dynamic, least):
    """Run the file in its own engine and compare it with the eager model. Return (agreement, whether the batch is
    open)."""
    try:
        run_file = writer.opened(path)
    except Exception as failure:
        raise _does_not_run(writer, failure) from failure
    worst = _compare(writer, run_file, source, batch, least)
    if dynamic:
        try:
            other = _compare(writer, run_file, source, 3, least)
            return {"max_abs": max(worst["max_abs"], other["max_abs"]), "cosine": min(worst["cosine"], other["cosine"])}, True
        except ExportError:
            return worst, False
    return worst, False


def _does_not_run(writer, failure):
    return _failed(f"The model written as {writer.title} does not run: {compiler_line(str(failure))}")


def _compare(writer, run_file, source, batch, least):
    expected = source.eager(batch)
    try:
        found = run_file(source.samples(batch))
    except Exception as failure:
        raise _does_not_run(writer, failure) from failure
    if len(found) != len(expected):
        raise _failed(f"The model written as {writer.title} has {len(found)} outputs instead of {len(expected)}.")
    worst, cosine = 0.0, 1.0
    expected = [wanted.numpy() for wanted in expected]
    for got, wanted in zip(found, expected):
        if got.shape != wanted.shape:
            raise _failed(f"The model written as {writer.title} gives {got.shape} instead of {wanted.shape}.")
    for got, wanted in aligned(found, expected):
        if not wanted.size:
            continue
        got, wanted = got.astype(numpy.float64).ravel(), wanted.astype(numpy.float64).ravel()
        worst = max(worst, float(numpy.abs(got - wanted).max()))
        norm = float(numpy.linalg.norm(got) * numpy.linalg.norm(wanted))
        if norm > 0:
            cosine = min(cosine, float(got @ wanted) / norm)
    if not cosine >= least:
        raise _failed(f"The model written as {writer.title} gives other results (cosine {cosine:.4f}).")
    return {"max_abs": worst, "cosine": cosine}

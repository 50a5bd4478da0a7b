# SPDX-License-Identifier: GPL-3.0-or-later
"""An ONNX or OpenVINO IR file as SOURCE of the `export` command: an artifact around the file, without PyTorch."""

import datetime
import hashlib
import json
import os
import re
import shutil
import time

from .. import EXPORTER_VERSION, MODEL_SCHEMA, REFERENCE_SAMPLES
from ..common.engines import require
from ..common.files import partial_folder, require_within, sha256_of, write_json
from ..common.protocol import ExportError
from ..tensors.task import task_of

_SUFFIXES = (".onnx", ".xml")
_LARGEST_INPUT = 1 << 28  # elements; a damaged file may ask for anything


def is_engine_file(source):
    return source.lower().endswith(_SUFFIXES) and os.path.isfile(source)


def export_engine_file(arguments, channel):
    started = time.monotonic()
    channel.expect_steps(4)
    if arguments.weights:
        raise ExportError("unsupported", "--weights does not go with an engine's file.", "Leave --weights out.")
    channel.progress("load", f"Reading {arguments.source}")
    reader = (_OnnxFile if arguments.source.lower().endswith(".onnx") else _IrFile)(arguments.source)
    name = arguments.name or os.path.splitext(os.path.basename(arguments.source))[0]
    given = dict(_given_shape(text) for text in arguments.input_shape)
    values = list(reader.inputs())
    if not values:
        raise _bad(arguments.source, "it has no inputs")
    names = [value[0] for value in values]
    unknown = sorted(set(given) - set(names))
    if unknown:
        raise ExportError(
            "bad_source", f"{arguments.source} has no input {unknown[0]}.", "Its inputs are " + ", ".join(names) + "."
        )
    inputs = [_describe(value, given) for value in values]
    opened = [d.pop("open") for d in inputs]
    dynamic = any(opened)
    for described, is_open in zip(inputs, opened):
        if dynamic and not is_open:  # the input has one value for all samples of a batch
            described.update(batch_dim=None, samples=1)
    samples = [_samples(described, arguments.seed + i) for i, described in enumerate(inputs)]

    channel.progress("inspect", f"Running {name} once")
    outputs, notes, dynamic = _outputs(reader, inputs, samples, dynamic)
    with partial_folder(arguments.out) as folder:
        os.mkdir(os.path.join(folder, "inputs"))
        for i, (described, values) in enumerate(zip(inputs, samples)):
            described["file"] = f"inputs/{i}.bin"
            values.tofile(os.path.join(folder, described["file"]))
        channel.progress("hash", "Copying and hashing the files")
        copied = reader.copy(folder)
        files = {"torchscript": None, "exported": None}
        described = [
            {"path": file, "sha256": sha256_of(path), "bytes": os.path.getsize(path)}
            for file, path in ((file, os.path.join(folder, file)) for file in copied)
        ]
        files[reader.format] = {**described[0], "dynamic_batch": dynamic, "beside": described[1:]}
        input_hashes = [sha256_of(os.path.join(folder, d["file"])) for d in inputs]
        hashed = {
            "exporter": EXPORTER_VERSION,
            "files": [d["sha256"] for d in described],
            "inputs": inputs,
            "outputs": outputs,
            "input_files": input_hashes,
        }
        content = hashlib.sha256(json.dumps(hashed, sort_keys=True).encode()).hexdigest()
        for one, digest in zip(inputs, input_hashes):
            one["sha256"] = digest
        count, size = reader.parameters()
        channel.progress("write", "Writing the manifest")
        write_json(
            os.path.join(folder, "manifest.json"),
            {
                "schema": MODEL_SCHEMA,
                "name": name,
                "source": arguments.source,
                "family": task_of([d["shape"] for d in inputs], [(d["name"], d["shape"]) for d in outputs]),
                "weights": f"file {os.path.basename(arguments.source)}",
                "parameters": count,
                "parameter_bytes": size,
                "macs": None,
                "inputs": inputs,
                "outputs": outputs,
                "dynamic_batch": dynamic,
                "preprocessing": None,
                "files": files,
                "layers": [],
                "torch": None,
                "exporter": EXPORTER_VERSION,
                "created": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "content_hash": content,
                "notes": notes,
            },
        )
    channel.done(artifact=os.path.abspath(arguments.out), name=name, seconds=round(time.monotonic() - started, 2))


def _bad(source, why, code="not_a_model"):
    return ExportError(code, f"{source} cannot be used: {why}.", "Export the model again, and check that the file is whole.")


# The parts of an ONNX Runtime message before the cause: its number, the path (which the message has already), and
# locations in its own sources.
_PREFIXES = re.compile(
    r"\[ONNXRuntimeError\] : \d+ : \w+ : |Load model from \S+ failed:\s*(?:Fatal error: )?|"
    r"/onnxruntime_src/\S+:\d+ [^()]*\([^()]*\)(?: const)? |\b\w+\.cc:\d+ \w+ "
)


def _line(failure):
    lines = [line.strip() for line in _PREFIXES.sub("", str(failure)).splitlines() if line.strip()]
    about_itself = ("Exception from", "Check '", "[", "Converting input model")
    telling = [line for line in lines if not line.startswith(about_itself)] or lines or [type(failure).__name__]
    return telling[0].rstrip(".:")[:300]


class _OnnxFile:
    format = "onnx"

    def __init__(self, path):
        self.path = path
        self.onnx = require("onnx")
        try:
            self.model = self.onnx.load(path, load_external_data=False)
        except Exception as failure:
            raise _bad(path, f"it is no ONNX file, or it ends early ({_line(failure)})", "truncated") from failure
        if not self.model.graph.node:
            raise _bad(path, "it holds no graph; it may be empty or cut short", "truncated")
        self.external = self._external_files()
        try:
            self.onnx.checker.check_model(path)
        except Exception as failure:
            raise _bad(path, f"it is not valid ONNX ({_line(failure)})") from failure

    def _external_files(self):
        names = {}
        for tensor in _tensors(self.model.graph):
            entries = {entry.key: entry.value for entry in tensor.external_data}
            if "location" in entries:
                ends = [int(v) if (v := entries.get(key, "")).isdecimal() else 0 for key in ("offset", "length")]
                names[entries["location"]] = max(names.get(entries["location"], 0), sum(ends))
        for name, size in sorted(names.items()):
            inside = os.path.normpath(name)
            if not name or os.path.isabs(name) or inside in (".", "..") or inside.startswith(".." + os.sep):
                raise _bad(self.path, f"its weights lie outside its own folder ({name})")
            file = os.path.join(os.path.dirname(self.path) or ".", name)
            if not os.path.isfile(file):
                raise _bad(self.path, f"the file of its weights, {name}, is missing", "bad_source")
            require_within(os.path.dirname(self.path), file)
            if os.path.getsize(file) < size:
                raise _bad(self.path, f"the file of its weights, {name}, ends early", "truncated")
        return sorted(names)

    def inputs(self):
        initializers = {tensor.name for tensor in self.model.graph.initializer}
        for value in self.model.graph.input:
            if value.name in initializers:
                continue
            tensor = value.type.tensor_type
            dtype = self.onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type) if tensor.elem_type else None
            if dtype is None or not tensor.HasField("shape"):
                raise _bad(self.path, f"the input {value.name} is no tensor of a known shape")
            shape = [d.dim_value if d.HasField("dim_value") and d.dim_value > 0 else None for d in tensor.shape.dim]
            yield value.name, str(dtype), shape

    def output_names(self):
        return [value.name for value in self.model.graph.output]

    def run(self, values):
        runtime = require("onnxruntime")
        options = runtime.SessionOptions()
        options.log_severity_level = 4
        session = runtime.InferenceSession(self.path, options, providers=["CPUExecutionProvider"])
        return session.run(None, values)

    def parameters(self):
        count = size = 0
        for tensor in self.model.graph.initializer:
            elements = 1
            for extent in tensor.dims:
                elements *= extent
            count += elements
            size += elements * self.onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type).itemsize
        return count, size

    def copy(self, folder):
        made = os.path.join(folder, "model.onnx")
        if not self.external:
            shutil.copyfile(self.path, made)
            return ["model.onnx"]
        # Weights may be in several files anywhere below the model. They become one file beside it, which copies and
        # exports find.
        beside = "model.onnx.data"
        self.onnx.save(self.onnx.load(self.path), made, save_as_external_data=True, location=beside)
        there = os.path.isfile(os.path.join(folder, beside))  # small weights go into the model itself
        return ["model.onnx", beside] if there else ["model.onnx"]


def _tensors(graph):
    """All constants of a graph, with those of its nodes and of nested graphs."""
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            yield attribute.t
            yield from attribute.tensors
            for inner in (attribute.g, *attribute.graphs):
                yield from _tensors(inner)


class _IrFile:
    format = "openvino_ir"

    def __init__(self, path):
        self.path = path
        self.weights = os.path.splitext(path)[0] + ".bin"
        if not os.path.isfile(self.weights):
            raise _bad(path, f"its weights, {os.path.basename(self.weights)}, are not beside it", "bad_source")
        require_within(os.path.dirname(path), self.weights)
        self.openvino = require("openvino")
        self.core = self.openvino.Core()
        try:
            self.model = self.core.read_model(path, self.weights)
        except Exception as failure:
            raise _bad(path, f"OpenVINO cannot read it ({_line(failure)})", "truncated") from failure

    @staticmethod
    def _name(value, index, kind):
        names = sorted(value.get_names())
        return names[0] if names else f"{kind}_{index}"

    def inputs(self):
        for i, value in enumerate(self.model.inputs):
            shape = [d.get_length() if d.is_static else None for d in value.get_partial_shape()]
            yield self._name(value, i, "input"), str(value.get_element_type().to_dtype()), shape

    def output_names(self):
        return [self._name(value, i, "output") for i, value in enumerate(self.model.outputs)]

    def run(self, values):
        compiled = self.core.compile_model(self.model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        found = compiled(list(values.values()))
        return [found[port] for port in compiled.outputs]

    def parameters(self):
        count = size = 0
        for node in self.model.get_ops():
            if node.get_type_name() == "Constant":
                elements = 1
                for extent in node.get_output_shape(0):
                    elements *= extent
                count += elements
                size += elements * node.get_element_type().bitwidth // 8
        return count, size

    def copy(self, folder):
        shutil.copyfile(self.path, os.path.join(folder, "model.xml"))
        shutil.copyfile(self.weights, os.path.join(folder, "model.bin"))
        return ["model.xml", "model.bin"]


def _given_shape(text):
    """Parse NAME:DTYPE:1x3x224x224. The type is taken from the file."""
    parts = text.split(":")
    try:
        shape = [int(extent) for extent in parts[-1].lower().split("x")]
    except ValueError:
        shape = []
    if len(parts) < 2 or not shape or min(shape) < 1:
        raise ExportError("unsupported", f'"{text}" does not describe an input.', "Write NAME:1x3x224x224.")
    return ":".join(parts[:-2]) if len(parts) > 2 else parts[0], shape


_DTYPES = {"float32", "float64", "float16", "int64", "int32", "int16", "int8", "uint8", "bool"}


def _describe(value, given):
    name, dtype, shape = value
    if dtype not in _DTYPES:
        raise ExportError("unsupported", f"The input {name} has the type {dtype}.", "Use floating-point or integer inputs.")
    wanted = given.get(name)
    if wanted is not None and (len(wanted) != len(shape) or any(s not in (None, w) for s, w in zip(shape, wanted))):
        raise ExportError("unsupported", f"The input {name} cannot have the shape {'x'.join(map(str, wanted))}.",
                          f"The file has {'x'.join('?' if s is None else str(s) for s in shape)}.")
    is_open = bool(shape) and shape[0] is None
    for i, extent in enumerate(shape):
        if extent is None and i > 0 and wanted is None:
            raise ExportError("bad_source", f"The size of dimension {i} of the input {name} is open.",
                              f"Say it with --input-shape {name}:1x….")
    fixed = [1 if s is None and i == 0 else (wanted[i] if s is None else s) for i, s in enumerate(shape)]
    elements = 1
    for extent in fixed:
        elements *= extent
    if elements > _LARGEST_INPUT:
        raise ExportError("unsupported", f"The input {name} would have {elements} elements.", "Check the file.")
    grows = bool(fixed) and fixed[0] == 1
    return {"name": name, "dtype": dtype, "shape": fixed, "batch_dim": 0 if grows else None, "file": "",
            "samples": REFERENCE_SAMPLES if grows else 1, "distribution": "normal", "open": is_open}


def _samples(described, seed):
    """Noise on two scales, so that a network that averages over positions still distinguishes samples. Inputs of other
    types get small integers."""
    numpy = require("numpy")
    generator = numpy.random.default_rng(seed)
    shape = list(described["shape"])
    if described["batch_dim"] is not None:
        shape[0] = described["samples"]
    dtype = numpy.dtype(described["dtype"])
    if dtype.kind != "f":
        return generator.integers(0, 2, shape).astype(dtype)
    values = generator.standard_normal(shape)
    if described["batch_dim"] is not None and len(shape) > 1:
        rest = [1] * (len(shape) - 2)
        values = values * (0.5 + generator.random((shape[0], 1, *rest)))
        values = values + 0.5 * generator.standard_normal((shape[0], shape[1], *rest))
    return values.astype(dtype)


def _outputs(reader, inputs, samples, dynamic):
    def run(batch):
        values = {
            d["name"]: s[:batch] if d["batch_dim"] is not None else s for d, s in zip(inputs, samples)
        }
        return reader.run(values)

    notes = ["The model is a file of an engine: backends that open other formats cannot run it."]
    if all(described["batch_dim"] is None for described in inputs):
        shape = "x".join(map(str, inputs[0]["shape"]))
        notes.append(f"The file has no batch of 1 (its input {inputs[0]['name']} is {shape}): what is reported as batch 1 is "
                     "one pass over what it takes.")
    try:
        one = run(1)
    except ExportError:
        raise
    except Exception as failure:
        line = _line(failure)
        unknown = "not a registered function/op" in line
        raise ExportError("unsupported" if unknown else "throws", f"The model does not run on made-up inputs: {line}.",
                          "The engine has no such operator: export the model with standard ones." if unknown else
                          "Check the file, and the shapes that it takes (--input-shape).") from failure
    more = one
    if dynamic:
        try:
            more = run(3)
        except Exception as failure:  # pylint: disable=broad-except
            dynamic = False
            notes.append(f"The batch is open in the file, but batch 3 does not run: {_line(failure)}. Use batch 1.")
    outputs = []
    for name, first, second in zip(reader.output_names(), one, more):
        numpy = require("numpy")
        if not isinstance(first, numpy.ndarray) or first.dtype.kind not in "fiub":
            raise ExportError("unsupported", f"The output {name} is no tensor of numbers.",
                              "Export the model without what comes behind its last tensors, such as ZipMap.")
        grows = first.ndim > 0 and (second.shape[0] == 3 * first.shape[0] if dynamic else first.shape[0] == 1)
        outputs.append({"name": name, "dtype": str(first.dtype), "shape": list(first.shape),
                        "batch_dim": 0 if grows else None})
        if first.dtype.kind == "f" and not bool(numpy.isfinite(first).all()):
            notes.append(f"Output {name} has NaN or infinite values for the reference inputs.")
    return outputs, notes, dynamic

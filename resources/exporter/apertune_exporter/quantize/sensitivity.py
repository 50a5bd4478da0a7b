# SPDX-License-Identifier: GPL-3.0-or-later
"""The `sensitivity` command: measures the cost of int8 in each layer, and in the operations between the layers.

The model is quantised once, without any correction of its weights, so that it differs from the float model by rounding
alone. For each layer it is compared with the float model twice: with the rounding of this layer only, and with that of
all other layers.
"""

import os
import tempfile
import time

import numpy

from ..artifact.manifest import read_manifest, reference_inputs
from ..common.engines import require
from ..common.protocol import ExportError
from .calibration import Calibration
from .quantizers import (
    OTHERS, counted, name_nodes, onnx_layers, onnx_size, quantize_onnx, quantize_openvino, read_openvino,
)  # fmt: skip

_LARGEST = 1 << 30
_ROUND = ("QuantizeLinear", "DequantizeLinear")


def sensitivity(arguments, channel):
    started = time.monotonic()
    channel.expect_steps(3)
    channel.progress("load", "Loading the model")
    manifest = read_manifest(arguments.artifact)
    calibration = Calibration(arguments.artifact, manifest, arguments.calibration, arguments.calibration_samples)
    channel.progress("calibrate", "Calibrating")
    samples = counted(calibration, 1, channel)
    model = {"onnx": _OnnxMix, "openvino_ir": _OpenVinoMix}[arguments.format](
        arguments.file, samples, calibration.count, arguments.narrow_weights, arguments.symmetric_activations
    )
    inputs = _singles(arguments, manifest)
    wanted = [model.run(set(), values) for values in inputs]

    def agreement(rounded):
        return min(_cosine(model.run(rounded, values), floats) for values, floats in zip(inputs, wanted))

    units = list(model.kinds)
    everything = agreement(set(units))
    channel.progress("evaluate", f"Evaluation of {len(units)} layers")
    rows = []
    for k, unit in enumerate(units):
        channel.update(f"Layer {k + 1} of {len(units)}: {unit}")
        rows.append(
            {
                "name": unit,
                "kind": model.kinds[unit],
                "only": agreement({unit}),
                "without": agreement(set(units) - {unit}),
            }
        )
    rows.sort(key=lambda row: (row["only"], -row["without"]))
    channel.done(name=manifest["name"], calibration=calibration.described(), samples=len(inputs), all=everything,
                 layers=rows, seconds=round(time.monotonic() - started, 3))


def _singles(arguments, manifest):
    """Sets of inputs of one sample each."""
    together = reference_inputs(arguments.artifact, manifest, arguments.samples)
    dims = [described["batch_dim"] for described in manifest["inputs"]]
    return [
        [t.numpy() if d is None else t.narrow(d, k, 1).contiguous().numpy() for t, d in zip(together, dims)]
        for k in range(arguments.samples)
    ]


def _cosine(found, wanted):
    """The agreement of the output that agrees least."""
    worst = 1.0
    for got, floats in zip(found, wanted):
        if not numpy.issubdtype(floats.dtype, numpy.floating):
            continue
        got, floats = got.astype(numpy.float64).ravel(), floats.astype(numpy.float64).ravel()
        norm = float(numpy.linalg.norm(got) * numpy.linalg.norm(floats))
        if norm > 0:
            worst = min(worst, float(got @ floats) / norm)
    return worst


class _Mix:
    """A model in which single layers can be rounded. `kinds` lists them in order, with their kinds. The program of the
    last mix is kept."""

    def __init__(self):
        self._last = (None, None)

    def run(self, rounded, values):
        if self._last[0] != rounded:
            self._last = (set(rounded), self._program(rounded))
        return self._last[1](values)


class _OnnxMix(_Mix):
    """The float model, with the roundings of the int8 model beside it. A rounded layer reads its inputs through them.
    (The int8 model itself cannot be used for both, because it lacks activations that a rounding replaced.)"""

    def __init__(self, path, samples, _count, narrow, symmetric=False):
        super().__init__()
        onnx = require("onnx")
        if onnx_size(path) > _LARGEST:
            raise ExportError("unsupported", "The model is larger than 1 GiB.", "Evaluate its layers with OpenVINO.")
        plain = onnx.load(path)
        with tempfile.TemporaryDirectory() as folder:
            made = os.path.join(folder, "int8.onnx")
            if name_nodes(plain.graph):
                path = os.path.join(folder, "float.onnx")
                onnx.save(plain, path)
            quantize_onnx(path, made, samples, narrow, symmetric=symmetric)
            int8 = onnx.load(made)
        roundings = [n for n in int8.graph.node if n.op_type in _ROUND]
        makers = {n.output[0]: n for n in roundings}
        # The quantizer gave some names of weights and of rounded outputs to its roundings.
        names = {n.output[0]: "int8/" + n.output[0] for n in roundings}
        for value in int8.graph.output:
            if value.name in makers:
                names[makers[makers[value.name].input[0]].input[0]] = value.name
        constants = {tensor.name for tensor in int8.graph.initializer}
        inside = {name: "int8/" + name for n in roundings for name in n.input if name in constants}
        self.inputs = {n.name: [names.get(i, i) for i in n.input] for n in int8.graph.node if n.op_type not in _ROUND}
        self.outputs = {value.name: names[value.name] for value in int8.graph.output if value.name in makers}
        for node in roundings:
            node.input[:] = [inside.get(i, names.get(i, i)) for i in node.input]
            node.output[:] = [names[o] for o in node.output]
        for tensor in int8.graph.initializer:
            if tensor.name in inside:
                tensor.name = inside[tensor.name]
                plain.graph.initializer.append(tensor)
        layers = set(onnx_layers(plain.graph))
        self.kinds = {n.name: n.op_type for n in plain.graph.node if n.name in layers}
        plain_inputs = {n.name: list(n.input) for n in plain.graph.node}
        if self.outputs or any(n not in layers and self.inputs[n] != i for n, i in plain_inputs.items() if n in self.inputs):
            self.kinds[OTHERS] = "sums, products, pooling"
        plain.graph.node.extend(roundings)
        del plain.opset_import[:]
        plain.opset_import.extend(int8.opset_import)
        plain.ir_version = max(plain.ir_version, int8.ir_version)
        self.model = plain

    def _program(self, rounded):
        runtime = require("onnxruntime")
        mixed = type(self.model)()
        mixed.CopyFrom(self.model)
        for node in mixed.graph.node:
            unit = node.name if node.name in self.kinds else OTHERS
            if node.name in self.inputs and unit in rounded:
                node.input[:] = self.inputs[node.name]
        if OTHERS in rounded:
            for value in mixed.graph.output:
                value.name = self.outputs.get(value.name, value.name)
        _sort(mixed.graph)
        options = runtime.SessionOptions()
        options.log_severity_level = 4
        session = runtime.InferenceSession(mixed.SerializeToString(), options, providers=["CPUExecutionProvider"])
        names = [value.name for value in session.get_inputs()]
        return lambda values: session.run(None, dict(zip(names, values)))


def _sort(graph):
    """Sort the nodes, each after those that compute its inputs."""
    nodes = list(graph.node)
    made = {name for node in nodes for name in node.output}
    ready, waiting, placed = set(), {}, []
    pending = [len({name for name in node.input if name in made}) for node in nodes]
    for k, node in enumerate(nodes):
        for name in {name for name in node.input if name in made}:
            waiting.setdefault(name, []).append(k)
    queue = [k for k, count in enumerate(pending) if count == 0]
    while queue:
        k = queue.pop()
        placed.append(nodes[k])
        for name in nodes[k].output:
            if name in ready:
                continue
            ready.add(name)
            for other in waiting.get(name, ()):
                pending[other] -= 1
                if pending[other] == 0:
                    queue.append(other)
    del graph.node[:]
    graph.node.extend(placed)


class _OpenVinoMix(_Mix):
    def __init__(self, path, samples, count, narrow, symmetric=False):
        super().__init__()
        if symmetric:
            raise ExportError("unsupported", "Symmetric activations are made for ONNX only.", "Leave them out.")
        self.core = require("openvino").Core()
        model, layers = read_openvino(path)
        self.kinds = {op.get_friendly_name(): op.get_type_name() for op in model.get_ordered_ops()
                      if op.get_friendly_name() in layers}
        self.layers = set(layers)
        self.model = quantize_openvino(model, samples, count, narrow, bare=True)
        if any(self._unit(target.get_node()) == OTHERS for op in self._roundings(self.model)
               for target in op.output(0).get_target_inputs()):
            self.kinds[OTHERS] = "sums, products, pooling"

    @staticmethod
    def _roundings(model):
        return [op for op in model.get_ordered_ops() if op.get_type_name() == "FakeQuantize"]

    def _unit(self, node):
        """The layer that reads a value, directly or through operations that only move values."""
        while node.get_friendly_name() not in self.layers:
            targets = list(node.output(0).get_target_inputs()) if node.get_output_size() else []
            if len(targets) != 1 or node.get_type_name() not in ("Reshape", "Transpose", "Squeeze", "Unsqueeze"):
                return OTHERS
            node = targets[0].get_node()
        return node.get_friendly_name()

    def _program(self, rounded):
        mixed = self.model.clone()
        for op in self._roundings(mixed):
            for target in list(op.output(0).get_target_inputs()):
                if self._unit(target.get_node()) not in rounded:
                    target.replace_source_output(op.input_value(0))
        compiled = self.core.compile_model(mixed, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})

        def run(values):
            found = compiled(values)
            return [found[port].copy() for port in compiled.outputs]

        return run

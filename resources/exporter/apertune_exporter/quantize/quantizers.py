# SPDX-License-Identifier: GPL-3.0-or-later
"""INT8 by post-training quantisation: static QDQ for ONNX, NNCF for OpenVINO IR.

* Weights have 8 bits with a scale for each channel. Activations have 8 bits with a scale for each tensor; their ranges
  are the least and greatest values of the calibration.
* A processor that adds 8-bit products in 16 bits (AVX2 and AVX-512 without VNNI) overflows on full 8-bit weights. For
  it weights get 7 bits.
* Engines without zero points get symmetric activations: signed, and rounded only where a layer reads them. So
  operations after a layer (bias, ReLU) stay in one kernel with it.
"""

import os
import re
import tempfile

from ..common.engines import require
from ..common.protocol import ExportError

# Operators that are worth computing in int8. The others follow their neighbours.
_LAYERS = ("Conv", "ConvTranspose", "MatMul", "Gemm")
_LARGEST_SINGLE_FILE = 1 << 30

# Biases stay in float, because an engine without zero points adds them before it rounds.
_SYMMETRIC = {"ActivationSymmetric": True, "QuantizeBias": False, "OpTypesToExcludeOutputQuantization": list(_LAYERS)}


# The name for all operations between layers: sums, products, pooling. It can be kept in float like a layer.
OTHERS = "(other operations)"

# Operations that pass int8 through in OpenVINO, or have no int8 there. Ignoring them would only block their neighbours.
_PASSED_THROUGH = (
    "Parameter", "Result", "Constant", "Convert", "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Concat", "Split",
    "VariadicSplit", "StridedSlice", "Slice", "Relu", "Clamp", "Pad", "MaxPool", "ShapeOf", "Gather", "FakeQuantize",
)  # fmt: skip
_OPENVINO_LAYERS = ("Convolution", "GroupConvolution", "ConvolutionBackpropData", "MatMul")


def quantize(form, path, calibration, batch, narrow, keep_float, channel, symmetric=False):
    """Replace the float model at `path` by its quantised form. Return the changes for format.json."""
    samples = counted(calibration, batch, channel)
    if form == "onnx":
        layers = _name_nodes_of(path)
        _check_names(keep_float, layers)
        folder = os.path.dirname(path)
        with tempfile.TemporaryDirectory(dir=folder) as beside:
            # The name is kept: weights that are too large for one file are found by it.
            quantize_onnx(path, os.path.join(beside, os.path.basename(path)), samples, narrow, keep_float, symmetric)
            for name in _weights_beside(path):
                os.remove(name)
            for name in os.listdir(beside):
                os.replace(os.path.join(beside, name), os.path.join(folder, name))
        method = f"static QDQ, onnxruntime {require('onnxruntime').__version__}, least and greatest value"
        if symmetric:
            method += ", symmetric activations"
    else:
        if symmetric:
            raise ExportError("unsupported", "Symmetric activations are made for ONNX only.", "Leave them out.")
        openvino = require("openvino")
        model, layers = read_openvino(path)
        _check_names(keep_float, layers)
        quantised = quantize_openvino(model, samples, calibration.count, narrow, keep_float)
        # It is written beside the float model, which is mapped into memory as long as it is open.
        folder = os.path.dirname(path)
        openvino.save_model(quantised, os.path.join(folder, "int8.xml"), compress_to_fp16=False)
        del model, quantised
        for suffix in (".xml", ".bin"):
            os.replace(os.path.join(folder, "int8" + suffix), os.path.splitext(path)[0] + suffix)
        method = f"post-training, NNCF {require('nncf').__version__}"
    return {
        "precision": "int8",
        "method": method,
        "weight_bits": 7 if narrow else 8,
        "calibration": calibration.described(),
        "samples": calibration.count - calibration.skipped,
        "images": calibration.folder,
        "layers": layers,
        "float_layers": sorted(keep_float),
    }


def counted(calibration, batch, channel):
    for k, values in enumerate(calibration.samples(batch)):
        channel.update(f"Calibrating: sample {k + 1} of {calibration.count}")
        yield values


def _check_names(keep_float, layers):
    unknown = sorted(set(keep_float) - set(layers) - {OTHERS})
    if unknown:
        raise ExportError(
            "unsupported", f"The model has no layer {unknown[0]} that could be kept in float.", "Take the names it has."
        )


def _is_quantised():
    return ExportError("unsupported", "The model is quantised already.", "Tune it as it is, with precision fp32.")


def _float_graph(path):
    graph = require("onnx").load(path, load_external_data=False).graph
    if any(node.op_type in ("QuantizeLinear", "DequantizeLinear") for node in graph.node):
        raise _is_quantised()
    return graph


def onnx_layers(graph):
    """Names of the layers for int8. A product of two activations (attention) is none: its conversions cost more than it
    gains."""
    constants = {tensor.name for tensor in graph.initializer}
    return [n.name for n in graph.node if n.op_type in _LAYERS and (n.op_type != "MatMul" or n.input[1] in constants)]


def name_nodes(graph):
    """Give a unique name to each node without one, because layers are reported and kept in float by name. Return
    whether a name changed."""
    taken = {node.name for node in graph.node} | {""}
    seen, counts = {""}, {}
    for node in graph.node:
        if node.name in seen:
            while node.name in taken:
                counts[node.op_type] = counts.get(node.op_type, 0) + 1
                node.name = f"{node.op_type}#{counts[node.op_type]}"
            taken.add(node.name)
        seen.add(node.name)
    return bool(counts)


def _name_nodes_of(path):
    """Do the same for the float model in a file, and write it again if a name changed. Return the names of its
    layers."""
    onnx = require("onnx")
    graph = _float_graph(path)
    if name_nodes(graph):
        model = onnx.load(path, load_external_data=False)
        name_nodes(model.graph)
        onnx.save(model, path)
    return onnx_layers(graph)


def _weights_beside(path):
    folder = os.path.dirname(path)
    return [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".data")]


def onnx_size(path):
    return os.path.getsize(path) + sum(os.path.getsize(file) for file in _weights_beside(path))


def quantize_onnx(path, made, samples, narrow, keep_float=(), symmetric=False):
    """Write the float model at `path` to `made` in QDQ form."""
    tool = require("onnxruntime.quantization")
    graph = _float_graph(path)
    constants = {tensor.name for tensor in graph.initializer}
    inputs = [value.name for value in graph.input if value.name not in constants]
    kinds = {node.op_type for node in graph.node}
    attention = bool(kinds & {"Softmax", "Attention"}) and "LayerNormalization" in kinds

    class Reader(tool.CalibrationDataReader):
        def get_next(self):
            values = next(samples, None)
            return None if values is None else dict(zip(inputs, values))

    tool.quantize_static(
        path,
        made,
        Reader(),
        quant_format=tool.QuantFormat.QDQ,
        op_types_to_quantize=list(_LAYERS) if attention or symmetric or OTHERS in keep_float else None,
        per_channel=True,
        reduce_range=narrow,
        activation_type=tool.QuantType.QInt8 if symmetric else tool.QuantType.QUInt8,
        weight_type=tool.QuantType.QInt8,
        nodes_to_exclude=sorted(set(keep_float) - {OTHERS}),
        use_external_data_format=onnx_size(path) > _LARGEST_SINGLE_FILE,
        calibrate_method=tool.CalibrationMethod.MinMax,
        extra_options={"MatMulConstBOnly": True, **(_SYMMETRIC if symmetric else {})},
    )


def read_openvino(path):
    """Return the float model, and the names of the layers for int8."""
    model = require("openvino").Core().read_model(path)
    operations = model.get_ordered_ops()
    if any(op.get_type_name() == "FakeQuantize" for op in operations):
        raise _is_quantised()
    return model, _name_layers(operations)


def quantize_openvino(model, samples, count, narrow, keep_float=(), bare=False):
    """Return the quantised model. With `bare` it has the roundings alone, after float weights."""
    nncf = require("nncf")
    nncf.set_log_level(30)
    advanced = require("nncf.quantization.advanced_parameters")
    kinds = {op.get_type_name() for op in model.get_ordered_ops()}
    attention = "ScaledDotProductAttention" in kinds or ("Softmax" in kinds and "MVN" in kinds)
    ignored = {"names": sorted(set(keep_float) - {OTHERS})}
    if OTHERS in keep_float:
        ignored["types"] = sorted(kinds - set(_OPENVINO_LAYERS) - set(_PASSED_THROUGH))
    more = {"disable_bias_correction": True, "disable_channel_alignment": True,
            "backend_params": {"compress_weights": False}} if bare else {}
    data = list(samples)
    return nncf.quantize(
        model,
        nncf.Dataset(data),
        subset_size=len(data) or count,
        model_type=nncf.ModelType.TRANSFORMER if attention else None,
        ignored_scope=nncf.IgnoredScope(**ignored, validate=False) if any(ignored.values()) else None,
        advanced_parameters=advanced.AdvancedQuantizationParameters(
            overflow_fix=advanced.OverflowFix.ENABLE if narrow else advanced.OverflowFix.DISABLE, **more
        ),
    )


def _name_layers(operations):
    """Names of the layers for int8. Names that OpenVINO generates come from a counter of the process. They are
    replaced, so that a layer has the same name when the model is converted again."""
    layers = []
    for op in operations:
        kind = op.get_type_name()
        if kind not in _OPENVINO_LAYERS:
            continue
        if re.fullmatch(r"[A-Z][A-Za-z]*_\d+", op.get_friendly_name()):
            op.set_friendly_name(f"{kind}#{len(layers) + 1}")
        layers.append(op.get_friendly_name())
    return layers

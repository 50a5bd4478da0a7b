# SPDX-License-Identifier: GPL-3.0-or-later
"""INT8 by post-training quantisation: static QDQ for ONNX, NNCF for OpenVINO IR.

Weights are 8 bits a channel, activations 8 bits a tensor with ranges from calibration (least and greatest value seen).
A processor that adds 8-bit products in 16 bits (AVX2 and AVX-512 without VNNI) overflows on full 8-bit weights; for it
weights get 7 bits.
"""

import os
import re

from .engines import require
from .protocol import ExportError

# What is worth computing in int8; the rest follows where its neighbours are.
_LAYERS = ("Conv", "ConvTranspose", "MatMul", "Gemm")
_LARGEST_SINGLE_FILE = 1 << 30


def quantize(form, path, calibration, batch, narrow, keep_float, channel):
    """Replaces the float model at `path` by its quantised form; what was done, for format.json."""

    def counted():
        for k, values in enumerate(calibration.samples(batch)):
            channel.update(f"Calibrating: sample {k + 1} of {calibration.count}")
            yield values

    method = {"onnx": _onnx, "openvino_ir": _openvino}[form](path, counted(), calibration.count, narrow, keep_float)
    return {
        "precision": "int8",
        "method": method["method"],
        "weight_bits": 7 if narrow else 8,
        "calibration": calibration.described(),
        "samples": calibration.count - calibration.skipped,
        "images": calibration.folder,
        "layers": method["layers"],
        "float_layers": sorted(keep_float),
    }


def _check_names(keep_float, layers):
    unknown = sorted(set(keep_float) - set(layers))
    if unknown:
        raise ExportError(
            "unsupported", f"The model has no layer {unknown[0]} that could be kept in float.", "Take the names it has."
        )


def _onnx(path, samples, _count, narrow, keep_float):
    onnx = require("onnx")
    tool = require("onnxruntime.quantization")
    graph = onnx.load(path, load_external_data=False).graph
    if any(node.op_type in ("QuantizeLinear", "DequantizeLinear") for node in graph.node):
        raise ExportError("unsupported", "The model is quantised already.", "Tune it as it is, with precision fp32.")
    constants = {tensor.name for tensor in graph.initializer}
    inputs = [value.name for value in graph.input if value.name not in constants]
    # A product of two activations (attention) costs more in conversions than its int8 gains.
    layers = [n.name for n in graph.node if n.op_type in _LAYERS and (n.op_type != "MatMul" or n.input[1] in constants)]
    _check_names(keep_float, layers)
    attention = any(node.op_type in ("Softmax", "Attention") for node in graph.node) and any(
        node.op_type == "LayerNormalization" for node in graph.node
    )

    class Reader(tool.CalibrationDataReader):
        def get_next(self):
            values = next(samples, None)
            return None if values is None else dict(zip(inputs, values))

    size = os.path.getsize(path) + sum(
        os.path.getsize(os.path.join(os.path.dirname(path), name))
        for name in os.listdir(os.path.dirname(path))
        if name.endswith(".data")
    )
    made = path + ".int8"
    tool.quantize_static(
        path,
        made,
        Reader(),
        quant_format=tool.QuantFormat.QDQ,
        op_types_to_quantize=list(_LAYERS) if attention else None,
        per_channel=True,
        reduce_range=narrow,
        activation_type=tool.QuantType.QUInt8,
        weight_type=tool.QuantType.QInt8,
        nodes_to_exclude=sorted(keep_float),
        use_external_data_format=size > _LARGEST_SINGLE_FILE,
        calibrate_method=tool.CalibrationMethod.MinMax,
        extra_options={"MatMulConstBOnly": True},
    )
    os.replace(made, path)
    return {"method": f"static QDQ, onnxruntime {require('onnxruntime').__version__}, least and greatest value", "layers": layers}


def _openvino(path, samples, count, narrow, keep_float):
    openvino = require("openvino")
    nncf = require("nncf")
    nncf.set_log_level(30)
    advanced = require("nncf.quantization.advanced_parameters")
    model = openvino.Core().read_model(path)
    operations = model.get_ordered_ops()
    if any(op.get_type_name() == "FakeQuantize" for op in operations):
        raise ExportError("unsupported", "The model is quantised already.", "Tune it as it is, with precision fp32.")
    layers = _name_layers(operations)
    _check_names(keep_float, layers)
    kinds = {op.get_type_name() for op in operations}
    attention = "ScaledDotProductAttention" in kinds or ("Softmax" in kinds and "MVN" in kinds)
    overflow = advanced.OverflowFix.ENABLE if narrow else advanced.OverflowFix.DISABLE
    data = list(samples)
    quantised = nncf.quantize(
        model,
        nncf.Dataset(data),
        subset_size=len(data) or count,
        model_type=nncf.ModelType.TRANSFORMER if attention else None,
        ignored_scope=nncf.IgnoredScope(names=sorted(keep_float)) if keep_float else None,
        advanced_parameters=advanced.AdvancedQuantizationParameters(overflow_fix=overflow),
    )
    # Written beside the float model, which is mapped into memory as long as it is open.
    folder = os.path.dirname(path)
    openvino.save_model(quantised, os.path.join(folder, "int8.xml"), compress_to_fp16=False)
    del model, quantised, operations
    for suffix in (".xml", ".bin"):
        os.replace(os.path.join(folder, "int8" + suffix), os.path.splitext(path)[0] + suffix)
    return {"method": f"post-training, NNCF {nncf.__version__}", "layers": layers}


def _name_layers(operations):
    """Names of what int8 is for. Those that OpenVINO made up by counting all it ever made are replaced: a layer must be
    called the same when the model is converted again."""
    layers = []
    for op in operations:
        kind = op.get_type_name()
        if kind not in ("Convolution", "GroupConvolution", "ConvolutionBackpropData", "MatMul"):
            continue
        if re.fullmatch(r"[A-Z][A-Za-z]*_\d+", op.get_friendly_name()):
            op.set_friendly_name(f"{kind}#{len(layers) + 1}")
        layers.append(op.get_friendly_name())
    return layers

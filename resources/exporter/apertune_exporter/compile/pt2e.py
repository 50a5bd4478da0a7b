# SPDX-License-Identifier: GPL-3.0-or-later
"""INT8 for compiled packages with torchao's PT2E for x86 processors, and a count of the int8 kernels that result.

Weights have 8 bits with a scale for each channel. Activations have 8 bits with a scale for each tensor; their ranges
come from histograms of the calibration. A processor that adds 8-bit products in 16 bits (no VNNI, no AMX) gets 7 bits
for activations.
"""

import operator
import re

import torch
from torch import nn

from ..common.engines import require
from ..common.protocol import ExportError
from ..quantize.quantizers import counted
from .generated_code import counts

_ATEN = torch.ops.aten

# The quantizer finds layers by their Python functions, which an exported program does not keep.
_SOURCES = {
    _ATEN.conv2d.default: nn.Conv2d,
    _ATEN.linear.default: nn.Linear,
    _ATEN.add.Tensor: operator.add,
    _ATEN.add_.Tensor: operator.add,
    _ATEN.relu.default: nn.ReLU,
    _ATEN.relu_.default: nn.ReLU,
    _ATEN.relu6.default: nn.ReLU6,
    _ATEN.relu6_.default: nn.ReLU6,
    _ATEN.hardtanh.default: nn.Hardtanh,
    _ATEN.hardtanh_.default: nn.Hardtanh,
    _ATEN.hardswish.default: nn.Hardswish,
    _ATEN.hardswish_.default: nn.Hardswish,
    _ATEN.silu.default: nn.SiLU,
    _ATEN.silu_.default: nn.SiLU,
    _ATEN.leaky_relu.default: nn.LeakyReLU,
    _ATEN.leaky_relu_.default: nn.LeakyReLU,
    _ATEN.tanh.default: nn.Tanh,
    _ATEN.gelu.default: nn.GELU,
}
_LAYERS = (_ATEN.conv2d.default, _ATEN.linear.default)

# LibTorch's names of the calls in generated code that compute a layer.
_INT8_CALL = re.compile(r"\baoti_torch_\w*?_(q(?:conv|linear)\w*)\(")
_FLOAT_CALL = re.compile(
    r"\baoti_torch_\w*?_((?:mkldnn__)?convolution\w*|mkldnn__linear\w*|_linear\w*|mkl_linear|addmm_out|mm_out)\("
)


def quantize_program(module, calibration, narrow, channel):
    """Insert roundings into an exported program. Return its module, and the changes for the package's description."""
    steps = require("torchao.quantization.pt2e.quantize_pt2e")
    x86 = require("torchao.quantization.pt2e.quantizer.x86_inductor_quantizer")
    for node in module.graph.nodes:
        if source := _SOURCES.get(node.target):
            node.meta["source_fn_stack"] = [(node.name, source)]
    quantizer = x86.X86InductorQuantizer()
    quantizer.set_global(x86.get_default_x86_inductor_quantization_config(reduce_range=narrow))
    prepared = steps.prepare_pt2e(module, quantizer)
    with torch.no_grad():
        for values in counted(calibration, 1, channel):
            prepared(*(torch.from_numpy(value) for value in values))
    quantised = steps.convert_pt2e(prepared)
    layers = [node.name for node in quantised.graph.nodes if node.target in _LAYERS and _is_rounded(node)]
    if not layers:
        raise ExportError(
            "unsupported",
            "The model has no convolution or linear layer that torchao can quantize.",
            "Leave int8 out for this model.",
        )
    return quantised, {
        "precision": "int8",
        "method": f"PT2E, torchao {require('torchao').__version__}, histograms",
        "weight_bits": 8,
        "activation_bits": 7 if narrow else 8,
        "calibration": calibration.described(),
        "samples": calibration.count - calibration.skipped,
        "images": calibration.folder,
        "layers": layers,
    }


def _is_rounded(node):
    weight = node.args[1]
    return isinstance(weight, torch.fx.Node) and "dequantize_per_channel" in str(weight.target)


def kernels_of(path):
    """The calls in the generated code that compute layers: ({kernel: calls} in int8, the same in float)."""
    return tuple(counts(path, _INT8_CALL, _FLOAT_CALL))

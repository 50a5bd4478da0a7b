# SPDX-License-Identifier: GPL-3.0-or-later
"""FP8 for compiled packages: weights in float8_e4m3fn with a scale for each output channel; nothing else changes.

The weights are stored in fp8 and converted back where they are used; products are computed in bf16. This saves memory
and memory traffic.
"""

import contextlib
import re

import torch
from torch._inductor import constant_folding

from ..common.protocol import ExportError
from .generated_code import counts

CAPABILITY = (8, 9)
_STORED = torch.float8_e4m3fn
_ATEN = torch.ops.aten
# Operators whose second argument is the weight. Its first dimension is the output channel.
_LAYERS = (
    _ATEN.conv1d.default,
    _ATEN.conv1d.padding,
    _ATEN.conv2d.default,
    _ATEN.conv2d.padding,
    _ATEN.conv3d.default,
    _ATEN.conv3d.padding,
    _ATEN.linear.default,
)
_CONSTANT_TYPE = re.compile(r"\bconstants_info_\[\d+\]\.dtype = \w*?dtype_(\w+);")


def quantize_weights(module):
    """Convert the weights of the layers in an exported program's module to fp8, in place. Return the changes for the
    package's description."""
    graph = module.graph
    stored, layers = {}, []
    for node in list(graph.nodes):
        if node.target not in _LAYERS or node.args[1].op != "get_attr":
            continue
        weight = _attribute(module, node.args[1].target)
        if weight not in stored:
            stored[weight] = _store(module, weight.detach(), f"fp8_{len(stored)}")
        values, scales, dtype = stored[weight]
        with graph.inserting_before(node):
            wide = graph.call_function(_ATEN.to.dtype, (graph.get_attr(values), torch.float32))
            scaled = graph.call_function(_ATEN.mul.Tensor, (wide, graph.get_attr(scales)))
            node.update_arg(1, graph.call_function(_ATEN.to.dtype, (scaled, dtype)))
        layers.append(node.name)
    if not layers:
        raise ExportError(
            "unsupported",
            "The model has no convolution or linear layer whose weights could be float8.",
            "Leave fp8 out for this model.",
        )
    graph.eliminate_dead_code()
    read = {node.target for node in graph.find_nodes(op="get_attr")}
    for name, tensor in [*module.named_parameters(remove_duplicate=False), *module.named_buffers(remove_duplicate=False)]:
        if tensor in stored and name not in read:
            owner, _, last = name.rpartition(".")
            delattr(module.get_submodule(owner), last)
    module.recompile()
    return {
        "precision": "fp8",
        "method": "weight-only float8_e4m3fn, a scale for each output channel",
        "weight_bits": 8,
        "calibration": "no calibration",
        "layers": layers,
    }


def _attribute(module, name):
    owner, _, last = name.rpartition(".")
    return getattr(module.get_submodule(owner), last)


def _store(module, weight, base):
    wide = weight.float()
    scales = wide.abs().flatten(1).amax(1) / torch.finfo(_STORED).max
    scales = scales.clamp(min=torch.finfo(torch.float32).tiny).reshape(-1, *[1] * (wide.dim() - 1))
    module.register_buffer(base, (wide / scales).to(_STORED))
    module.register_buffer(base + "_scale", scales)
    return base, base + "_scale", weight.dtype


@contextlib.contextmanager
def kept_from_folding():
    """Keep the conversions out of constant folding. Freezing would otherwise turn them into 16-bit weights again."""
    constant_folding.add_dont_constant_fold(torch.ops.prims.convert_element_type.default)
    try:
        yield
    finally:
        constant_folding.clear_dont_constant_fold()


def constant_types(path):
    """The number of constants of each type in the generated code: {"float8_e4m3fn": 54, "bfloat16": 161}."""
    (types,) = counts(path, _CONSTANT_TYPE)
    return types

# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps the arithmetic of sizes on the host when a script is loaded onto a GPU.

A trace writes the numbers that a model computes sizes with (`width // heads`) as constant tensors. Loading a script onto
a GPU moves its constants there, so that every such size would be computed on the GPU and read back, and each read waits
for all work before it. The model in Python computes its sizes on the host. Numbers made by the script while it runs
stay on the host, and so do the sizes computed with them."""

import torch

_TYPES = (torch.int64, torch.float64)
"""The types that prim::NumToTensor gives to an int and to a float."""


def keep_sizes_on_host(script):
    """Replace the constant tensors of `script` that are combined with sizes alone."""
    # Modules of one type that were traced alike share one graph.
    for module in script.modules():
        for name in module._c._method_names():
            _keep(module._c._get_method(name).graph)


def _keep(graph):
    _keep_in_block(graph, graph, set())


def _keep_in_block(graph, block, on_host):
    """`on_host` has the names of the tensors that are made of numbers on the host."""
    for node in list(block.nodes()):
        for inner in node.blocks():
            _keep_in_block(graph, inner, on_host)
        if node.kind() == "prim::NumToTensor":
            on_host.add(node.output().debugName())
        elif node.kind().startswith("aten::") and node.outputsSize() == 1:
            _keep_in_operator(graph, node, on_host)


def _keep_in_operator(graph, node, on_host):
    tensors = [value for value in node.inputs() if value.type().kind() == "TensorType"]
    constants = [value for value in tensors if value.debugName() not in on_host]
    if len(constants) == len(tensors) or not all(_is_number(value) for value in constants):
        return
    for value in constants:
        node.replaceInputWith(value, _number(graph, node, value))
    if node.output().type().kind() == "TensorType":
        on_host.add(node.output().debugName())


def _constant(value):
    """The tensor of a constant, or None."""
    node = value.node()
    is_tensor = node.kind() == "prim::Constant" and node.hasAttribute("value") and node.kindOf("value") == "t"
    return node.t("value") if is_tensor else None


def _is_number(value):
    constant = _constant(value)
    return constant is not None and constant.dim() == 0 and constant.dtype in _TYPES


def _number(graph, node, value):
    """The number of a constant, made before `node` runs."""
    graph.setInsertPoint(node)
    number = graph.insertConstant(_constant(value).item())
    made = graph.create("prim::NumToTensor", [number])
    made.insertBefore(node)
    made.output().setType(value.type())
    return made.output()

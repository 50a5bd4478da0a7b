# SPDX-License-Identifier: GPL-3.0-or-later
"""Convolutions of a trace that follow the settings of the process that runs them."""

_PLAIN = {1: "aten::conv1d", 2: "aten::conv2d", 3: "aten::conv3d"}
_TRANSPOSED = {1: "aten::conv_transpose1d", 2: "aten::conv_transpose2d", 3: "aten::conv_transpose3d"}


def follow_settings(scripted):
    """Replace aten::_convolution in all methods of a ScriptModule by the operators that programs call.

    A trace keeps cuDNN's settings of the moment (benchmark, TF32) as arguments of aten::_convolution, so that a process
    that forbids TF32 would compute in TF32 all the same."""
    for module in scripted.modules():
        for name in module._c._method_names():
            graph = module._c._get_method(name).graph
            for node in graph.findAllNodes("aten::_convolution"):
                _replace(graph, node)


def _replace(graph, node):
    signal, weight, bias, stride, padding, dilation, transposed, output_padding, groups = list(node.inputs())[:9]
    dimensions = _length(stride)
    if transposed.node().kind() != "prim::Constant" or dimensions not in _PLAIN:
        return
    if transposed.toIValue():
        kind, arguments = _TRANSPOSED[dimensions], [stride, padding, output_padding, groups, dilation]
    else:
        kind, arguments = _PLAIN[dimensions], [stride, padding, dilation, groups]
    plain = graph.create(kind, [signal, weight, bias, *arguments], 1)
    plain.copyMetadata(node)
    plain.insertBefore(node)
    plain.output().setType(node.output().type())
    node.output().replaceAllUsesWith(plain.output())
    node.destroy()


def _length(value):
    """Number of elements of a list of a graph; None when it is not known."""
    maker = value.node()
    if maker.kind() == "prim::ListConstruct":
        return len(list(maker.inputs()))
    return len(value.toIValue()) if maker.kind() == "prim::Constant" else None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps a script runnable after its weights and inputs are cast to a half precision.

A trace has the type float32 written into it wherever the model made a tensor or converted one, also where the model
asked for the type of a weight. Cast to bf16, such a model hands float32 to a layer whose weights are bf16, which fails.
The layers that need one type for all their arguments therefore convert what stays float32 to the type of the others. In
float32 that does nothing."""

from enum import Enum

import torch


class _Type(Enum):
    """The type of a value after a cast."""

    OTHER = 0
    """No floating-point tensor, or unknown."""
    CAST = 1
    """It follows the weights and inputs."""
    FLOAT32 = 2
    """It stays float32."""


_FLOAT32 = 6
"""torch.float32 as scripts have it."""

# The arguments that need one type. Where the last is a weight, the others follow it.
_ONE_TYPE = {
    **dict.fromkeys(
        ("_convolution", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"),
        ("input", "weight"),
    ),
    "linear": ("input", "weight"),
    "layer_norm": ("input", "weight"),
    "group_norm": ("input", "weight"),
    "batch_norm": ("input", "weight"),
    "prelu": ("self", "weight"),
    "matmul": ("self", "other"),
    "mm": ("self", "mat2"),
    "bmm": ("self", "mat2"),
    "addmm": ("self", "mat1", "mat2"),
    "baddbmm": ("self", "batch1", "batch2"),
    "scaled_dot_product_attention": ("query", "key", "value"),
    "grid_sampler": ("input", "grid"),
}

_MAKERS = ("arange", "linspace", "zeros", "ones", "full", "rand", "randn", "eye")


def _constant(value):
    """The value of a constant, or None."""
    return value.toIValue() if value.node().kind() == "prim::Constant" else None


def _is_scalar(value):
    """A scalar does not widen what it is combined with."""
    kind = value.type()
    return kind.kind() == "TensorType" and kind.dim() == 0


class _Method:
    """Follows one method of a module and the methods that it calls."""

    def __init__(self, module, name):
        self._module = module
        self._graph = module._c._get_method(name).graph
        self._types = {}
        self._modules = {}

    def follow(self, arguments):
        """Return the types of the results for those of the arguments."""
        inputs = list(self._graph.inputs())
        self._modules[inputs[0].debugName()] = self._module
        for value, kind in zip(inputs[1:], arguments):
            self._types[value.debugName()] = kind
        self._follow_nodes(self._graph.nodes())
        return [self._type(value) for value in self._graph.outputs()]

    def _type(self, value):
        return self._types.get(value.debugName(), _Type.OTHER)

    def _set(self, values, kind):
        for value in values:
            self._types[value.debugName()] = kind

    def _follow_nodes(self, nodes):
        for node in list(nodes):
            kind = node.kind()
            if kind == "prim::GetAttr":
                self._follow_attribute(node)
            elif kind == "prim::Constant":
                value = node.output().toIValue() if node.output().type().kind() == "TensorType" else None
                if isinstance(value, torch.Tensor) and value.is_floating_point():
                    self._set(node.outputs(), _Type.FLOAT32)
            elif kind == "prim::CallMethod" and (called := self._modules.get(node.inputsAt(0).debugName())) is not None:
                method = _Method(called, node.s("name"))
                results = method.follow([self._type(value) for value in list(node.inputs())[1:]])
                for output, result in zip(node.outputs(), results):
                    self._types[output.debugName()] = result
            else:
                self._follow_operator(node, kind)

    def _follow_attribute(self, node):
        owner = self._modules.get(node.inputsAt(0).debugName())
        found = getattr(owner, node.s("name"), None) if owner is not None else None
        if isinstance(found, torch.nn.Module):
            self._modules[node.output().debugName()] = found
        elif isinstance(found, torch.Tensor) and found.is_floating_point():
            self._set(node.outputs(), _Type.CAST)

    def _follow_operator(self, node, kind):
        for block in node.blocks():
            for value, given in zip(list(block.inputs()), list(node.inputs())):
                self._types.setdefault(value.debugName(), self._type(given))
            self._follow_nodes(block.nodes())
            for output, value in zip(node.outputs(), list(block.outputs())[-node.outputsSize():]):
                self._types[output.debugName()] = max(self._type(output), self._type(value), key=lambda t: t.value)
        if list(node.blocks()):
            return
        arguments = self._named_arguments(node, kind)
        if not self._has_type_of_its_own(node, kind, arguments):
            self._unify(node, arguments, _ONE_TYPE.get(kind.removeprefix("aten::"), ()))
            self._set(node.outputs(), self._combined(node))

    @staticmethod
    def _named_arguments(node, kind):
        if not kind.startswith("aten::"):
            return {}
        schema = torch._C.parse_schema(node.schema())
        return {argument.name: value for argument, value in zip(schema.arguments, node.inputs())}

    def _has_type_of_its_own(self, node, kind, arguments):
        """Set the type of an operator that gets it as an argument."""
        if kind == "aten::type_as" or (kind == "aten::to" and "other" in arguments):
            self._set(node.outputs(), self._type(arguments["other"]))
            return True
        dtype = _constant(arguments["dtype"]) if "dtype" in arguments else None
        if dtype is None and kind.removeprefix("aten::") not in _MAKERS:
            return False
        self._set(node.outputs(), _Type.FLOAT32 if dtype in (None, _FLOAT32) else _Type.OTHER)
        return True

    def _combined(self, node):
        """The type of the result of tensors of several types."""
        kinds = {self._type(value) for value in node.inputs() if not _is_scalar(value)}
        for kind in (_Type.FLOAT32, _Type.CAST):
            if kind in kinds:
                return kind
        kinds = {self._type(value) for value in node.inputs()}
        return _Type.CAST if _Type.CAST in kinds else _Type.FLOAT32 if _Type.FLOAT32 in kinds else _Type.OTHER

    def _unify(self, node, arguments, names):
        given = [(name, arguments[name]) for name in names if name in arguments]
        like = next((value for _, value in reversed(given) if self._type(value) is _Type.CAST), None)
        if like is None:
            return
        for _, value in given:
            if self._type(value) is not _Type.FLOAT32:
                continue
            converted = self._graph.create("aten::type_as", [value, like])
            converted.insertBefore(node)
            converted.output().setType(value.type())
            node.replaceInputWith(value, converted.output())
            self._types[converted.output().debugName()] = _Type.CAST


def make_castable(script):
    """Add the conversions that a float32 `script` needs once it is cast."""
    inputs = list(script.graph.inputs())[1:]
    _Method(script, "forward").follow([_Type.CAST] * len(inputs))

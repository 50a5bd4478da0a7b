# SPDX-License-Identifier: GPL-3.0-or-later
"""TorchScript of an exported program, for models that neither tracing nor scripting can take.

torch.export follows Python where the other two cannot: into custom autograd functions and checkpoints, and it keeps
both branches of torch.cond. Its program is a graph of plain operators. Scripting the graph's code keeps every size an
expression; tracing it would fix them at those of the example."""

import copy
import operator
from typing import List

import torch
from torch.fx.graph import CodeGen
from torch.fx.node import map_aggregate

_ATEN = torch.ops.aten

# Operators on symbolic sizes, which are methods of a tensor in TorchScript.
_SIZES = {_ATEN.sym_size.int: "size", _ATEN.sym_stride.int: "stride", _ATEN.sym_numel.default: "numel"}

# Checks of what torch.export found. The script is compared with the model instead.
_CHECKS = (
    _ATEN._assert_tensor_metadata.default,
    _ATEN._assert_scalar.default,
    _ATEN._assert_async.msg,
    _ATEN.sym_constrain_range.default,
    _ATEN.sym_constrain_range_for_size.default,
)


class _Either(torch.nn.Module):
    """torch.cond as TorchScript has it."""

    def __init__(self, if_true, if_false):
        super().__init__()
        self.if_true, self.if_false = if_true, if_false

    def forward(self, condition, operands: List[torch.Tensor]):
        if bool(condition):
            result = self.if_true(operands)
        else:
            result = self.if_false(operands)
        return result


def _take_a_list(graph):
    """Give the graph one list of tensors in place of its arguments."""
    given = [node for node in graph.nodes if node.op == "placeholder"]
    with graph.inserting_before(next(iter(graph.nodes))):
        operands = graph.placeholder("operands", type_expr=List[torch.Tensor])
    with graph.inserting_after(operands):
        for index, node in reversed(list(enumerate(given))):
            node.replace_all_uses_with(graph.call_function(operator.getitem, (operands, index)))
            graph.erase_node(node)


def _lower_cond(parent, node):
    condition, if_true, if_false, operands = node.args
    branches = [_scriptable(parent.get_submodule(branch.target), as_list=True) for branch in (if_true, if_false)]
    name = f"either_{node.name}"
    parent.add_submodule(name, _Either(*branches))
    node.op, node.target, node.args = "call_module", name, (condition, list(operands))


def _lower_grad_mode(parent, node):
    """Run the part of a model under torch.no_grad() as the rest of it, because nothing asks for gradients."""
    _, body, *arguments = node.args
    name = f"plain_{node.name}"
    parent.add_submodule(name, _scriptable(parent.get_submodule(body.target)))
    node.op, node.target, node.args = "call_module", name, tuple(arguments)


def _lower(parent, node):
    target = node.target
    if target in _SIZES:
        node.op, node.target = "call_method", _SIZES[target]
    elif target in _CHECKS:
        parent.graph.erase_node(node)
    elif target is torch.ops.higher_order.cond:
        _lower_cond(parent, node)
    elif target is torch.ops.higher_order.wrap_with_set_grad_enabled:
        _lower_grad_mode(parent, node)
    elif isinstance(target, torch._ops.OpOverload):
        node.target = target.overloadpacket  # TorchScript chooses the overload by the types of the arguments
        node.args, node.kwargs = (
            map_aggregate(a, lambda value: str(value) if isinstance(value, torch.device) else value)
            for a in (node.args, node.kwargs)
        )


def _scriptable(module, as_list=False):
    # The branches of cond are those of the program itself, so copies are changed. They share its tensors.
    module = torch.fx.GraphModule(module, copy.deepcopy(module.graph))
    graph = module.graph
    for node in list(graph.nodes):
        if node.op == "call_function":
            _lower(module, node)
    for node in list(graph.nodes):  # the branches and bodies that modules above stand for now
        if node.op == "get_attr" and not node.users:
            graph.erase_node(node)
    if as_list:
        _take_a_list(graph)
    graph.set_codegen(CodeGen())
    return torch.fx.GraphModule(module, graph)


def script_program(program):
    """The ScriptModule of an ExportedProgram. It shares the program's parameters."""
    module = program.module(check_guards=False)
    result = next(node for node in module.graph.nodes if node.op == "output")
    if isinstance(result.args[0], (tuple, list)) and len(result.args[0]) == 1:
        result.args = (result.args[0][0],)
    return torch.jit.script(_scriptable(module).eval())

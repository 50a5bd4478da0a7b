# SPDX-License-Identifier: GPL-3.0-or-later
"""Attention in slices of queries.

A row of scores belongs to one query, so the slices give the same result as the whole. Only the scores of one slice are in
memory at a time. Sliced are the calls of F.scaled_dot_product_attention, those of nn.MultiheadAttention included."""

import contextlib
import inspect
import io
import sys

import torch
from torch import nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

_ATTEND = F.scaled_dot_product_attention
_OPERATOR = torch.ops.aten.scaled_dot_product_attention
_OVERLOAD = _OPERATOR.default
_MULTI_HEAD = F.multi_head_attention_forward
_QUERIES = -2
"""The dimension of the queries, and of the rows of a mask."""


def _masks(mask, is_causal, sizes, keys, device):
    """The mask of each slice; None where it has none."""
    if is_causal:
        begins = [sum(sizes[:k]) for k in range(len(sizes))]
        return [torch.ones(rows, keys, dtype=torch.bool, device=device).tril(begin) for begin, rows in zip(begins, sizes)]
    if mask is None or mask.dim() < 2 or int(mask.shape[_QUERIES]) == 1:
        return [mask] * len(sizes)
    return mask.split(sizes, _QUERIES)


class _Slices(TorchFunctionMode):
    """While it is active, attention runs in `count` slices. `calls` has the number of queries of each call."""

    def __init__(self, count):
        super().__init__()
        self.count = count
        self.calls = []
        self._inside = False

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func in (_ATTEND, _OPERATOR, _OVERLOAD):
            return self.attend(*args, **(kwargs or {}))
        return func(*args, **(kwargs or {}))

    def attend(self, *args, **kwargs):
        # A name that is replaced ends in an operator that the mode catches, too.
        if self._inside:
            return _ATTEND(*args, **kwargs)
        self._inside = True
        try:
            return self._attend(*args, **kwargs)
        finally:
            self._inside = False

    def _attend(self, query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, **more):
        # int(), because a trace has sizes as tensors.
        queries, keys = int(query.shape[_QUERIES]), int(key.shape[_QUERIES])
        self.calls.append(queries)
        count = min(self.count, queries)
        if count < 2:
            return _ATTEND(query, key, value, attn_mask, dropout_p, is_causal, **more)
        sizes = [queries // count + (k < queries % count) for k in range(count)]
        masks = _masks(attn_mask, is_causal, sizes, keys, query.device)
        parts = [
            _ATTEND(part, key, value, mask, dropout_p, False, **more)
            for part, mask in zip(query.split(sizes, _QUERIES), masks)
        ]
        return torch.cat(parts, _QUERIES)


def _without_weights(*args, **kwargs):
    """Multi-head attention that returns None for its weights, because they are all the scores."""
    bound = inspect.signature(_MULTI_HEAD).bind(*args, **kwargs)
    bound.arguments["need_weights"] = False
    return _MULTI_HEAD(*bound.args, **bound.kwargs)


_IMPORTED = "scaled_dot_product_attention"
"""The name that a module of Python has with `from torch.nn.functional import scaled_dot_product_attention`."""


def _names_of(module):
    """The modules of Python that define the parts of `module` and import attention by its name."""
    files = [sys.modules.get(type(part).__module__) for part in module.modules()]
    return {id(file): file for file in files if getattr(file, _IMPORTED, None) is _ATTEND}.values()


@contextlib.contextmanager
def _sliced(module, count, by_name=False):
    """Within the block, the attention of `module` runs in `count` slices; with `by_name`, only that which is called by one
    of its names."""
    slices = _Slices(count)
    names = [
        (F, "scaled_dot_product_attention", slices.attend),
        (F, "multi_head_attention_forward", _without_weights),
        *((file, _IMPORTED, slices.attend) for file in _names_of(module)),
    ]
    before = [getattr(owner, name) for owner, name, _ in names]
    try:
        for owner, name, other in names:
            setattr(owner, name, other)
        with contextlib.nullcontext() if by_name else slices:
            yield slices
    finally:
        for (owner, name, _), own in zip(names, before):
            setattr(owner, name, own)


def _calls(module, inputs, by_name):
    with torch.no_grad(), _sliced(module, 1, by_name) as slices:
        module(*inputs)
    return slices.calls


def most_queries(module, inputs):
    """The largest number of queries of an attention that can be sliced; 0 where there is none."""
    return max(_calls(module, inputs, by_name=False), default=0)


def _attend_by_name(*args, **kwargs):
    return F.scaled_dot_product_attention(*args, **kwargs)


def _name_calls(module):
    """Let programs of torch.export call attention by its name, in place of the operator."""
    for part in module.modules():
        if isinstance(part, torch.fx.GraphModule):
            for node in part.graph.nodes:
                if node.target is _OVERLOAD:
                    node.target = _attend_by_name
            part.recompile()


class Sliced(nn.Module):
    """Run `model` with attention in `count` slices. `inputs` are those of a pass.

    REQUIRES: `model` takes tensors and is no TorchScript."""

    def __init__(self, model, count, inputs):
        super().__init__()
        self.model, self.count = model, count
        _name_calls(model)
        # The mode is slower, and a trace under it has the sizes of the traced batch.
        self.by_name = _calls(model, inputs, by_name=True) == _calls(model, inputs, by_name=False)

    def forward(self, *tensors):
        with _sliced(self.model, self.count, self.by_name):
            return self.model(*tensors)


def sliced_script(script, count):
    """Return (a copy of a ScriptModule with attention in `count` slices, how many calls that changed). Attention with a
    mask stays whole, because a script does not say which dimension of a mask is that of the queries."""
    file = io.BytesIO()
    torch.jit.save(script, file)
    file.seek(0)
    copied = torch.jit.load(file)
    # Modules of one type that were traced alike share one graph, in which nothing is left to change the second time.
    methods = [module._c._get_method(name) for module in copied.modules() for name in module._c._method_names()]
    return copied, sum(_slice_block(method.graph, method.graph, count) for method in methods)


def _slice_block(graph, block, count):
    changed = 0
    for node in list(block.nodes()):
        changed += sum(_slice_block(graph, inner, count) for inner in node.blocks())
        if node.kind() == "aten::scaled_dot_product_attention" and _is_plain(node):
            _slice_node(graph, node, count)
            changed += 1
    return changed


def _is_plain(node):
    """Whether it has no mask, and is not a slice that was made here."""
    query, _, _, mask, _, is_causal = list(node.inputs())[:6]
    source = query.node()
    if source.kind() == "prim::ListUnpack" and source.inputsAt(0).node().kind() == "aten::tensor_split":
        return False
    return mask.type().kind() == "NoneType" and is_causal.toIValue() is False


def _slice_node(graph, node, count):
    query, *others = node.inputs()
    tensors = torch._C.ListType(torch._C.TensorType.get())

    def make(kind, inputs, kind_of_output=None, outputs=1):
        made = graph.create(kind, inputs, outputs)
        made.insertBefore(node)
        if kind_of_output:
            made.output().setType(kind_of_output)
        return made

    graph.setInsertPoint(node)
    dimension = graph.insertConstant(_QUERIES)
    split = make("aten::tensor_split", [query, graph.insertConstant(count), dimension], tensors)
    parts = []
    for part in make("prim::ListUnpack", [split.output()], None, count).outputs():
        parts.append(make("aten::scaled_dot_product_attention", [part, *others]).output())
    joined = make("aten::cat", [make("prim::ListConstruct", parts, tensors).output(), dimension])
    node.output().replaceAllUsesWith(joined.output())
    node.destroy()

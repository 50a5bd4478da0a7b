# SPDX-License-Identifier: GPL-3.0-or-later
"""Wraps any module so that it takes positional tensors and returns a tensor or a flat tuple of tensors.

The C++ side knows no dictionaries, lists or keyword arguments. Names are kept from the path of each tensor in
the nested arguments and results: {"boxes": t} is "boxes", ({"a": t},) is "0.a", a bare tensor "output".
"""

import dataclasses
import inspect
from collections.abc import Mapping

import torch
from torch.utils import _pytree as pytree

from ..common.protocol import ExportError
from .passes import timed


_DEEPEST = 8
"""Objects nested deeper than this are left out, so that one that refers to itself ends."""


def _members(value):
    """The named parts of a result object, or None for a value that is no container of this kind."""
    if isinstance(value, Mapping):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if isinstance(value, (list, tuple)):
        return dict(zip(value._fields, value)) if hasattr(value, "_fields") else None
    is_object = not isinstance(value, (torch.Tensor, torch.nn.Module, type)) and not callable(value)
    return vars(value) if is_object and hasattr(value, "__dict__") else None


def _plain(value, depth=_DEEPEST):
    """The same value made of dictionaries and lists. The tree functions know few other result objects: they fail on
    dictionaries of a class of their own, and take dataclasses and objects with attributes for leaves."""
    if isinstance(value, torch.Tensor):
        return value
    if depth == 0 or value is None or isinstance(value, (str, bytes, int, float)):
        return None
    members = _members(value)
    if members is not None:
        return {str(name): _plain(part, depth - 1) for name, part in members.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part, depth - 1) for part in value]
    return value


def _path_name(path):
    parts = []
    for key in path:
        for attribute in ("key", "idx", "name"):
            if hasattr(key, attribute):
                parts.append(str(getattr(key, attribute)))
                break
    return ".".join(parts)


def _unique(names, fallback):
    result = []
    for index, name in enumerate(names):
        name = name or f"{fallback}_{index}"
        while name in result:
            name += "_"
        result.append(name)
    return result


def tensors_of(result):
    """Return (names, tensors) of a module's result, in tree order. Values that are no tensors are left out."""
    if isinstance(result, torch.Tensor):
        return ["output"], [result]
    leaves, _ = pytree.tree_flatten_with_path(_plain(result))
    found = [(_path_name(path), leaf) for path, leaf in leaves if isinstance(leaf, torch.Tensor)]
    names = [f"output_{name}" if name.isdigit() else name for name, _ in found]
    return _unique(names, "output"), [leaf for _, leaf in found]


def is_flat(result):
    """Whether TorchScript callers can use `result` unchanged."""
    if isinstance(result, torch.Tensor):
        return True
    return type(result) is tuple and len(result) > 0 and all(isinstance(item, torch.Tensor) for item in result)


class Flat(torch.nn.Module):
    """Calls `model` with arguments rebuilt from positional tensors; returns its tensors. The model gets copies of the
    tensors at the positions `copied`, so that it may change them."""

    def __init__(self, model, leaves, spec, copied=()):
        super().__init__()
        self.model = model
        self._copied = frozenset(copied)
        self._spec = spec
        self._fixed = [None if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        self._is_tensor = [isinstance(leaf, torch.Tensor) for leaf in leaves]

    def forward(self, *tensors):
        given = iter([t.clone() if i in self._copied else t for i, t in enumerate(tensors)])
        leaves = [next(given) if tensor else fixed for tensor, fixed in zip(self._is_tensor, self._fixed)]
        args, kwargs = pytree.tree_unflatten(leaves, self._spec)
        found = tensors_of(self.model(*args, **kwargs))[1]
        return found[0] if len(found) == 1 else tuple(found)


def _parameter_names(module, count):
    forward = getattr(module, "forward", None)
    try:
        parameters = list(inspect.signature(forward).parameters.values())
    except (TypeError, ValueError):
        return [f"input_{i}" for i in range(count)]
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [p.name for p in parameters if p.kind in kinds][:count]
    return names + [f"input_{i}" for i in range(len(names), count)]


@dataclasses.dataclass
class Call:
    """Example inputs that are arguments as well as keywords."""

    args: tuple
    kwargs: dict


def arguments_of(example):
    """Return example inputs as (args, kwargs)."""
    if isinstance(example, Call):
        return tuple(example.args), dict(example.kwargs)
    if isinstance(example, dict):
        return (), dict(example)
    if isinstance(example, (tuple, list)):
        return tuple(example), {}
    return (example,), {}


def flatten_inputs(module, example):
    """Return (names, tensors, leaves, spec) of example inputs."""
    args, kwargs = arguments_of(example)
    names = _parameter_names(module, len(args))
    leaves_with_path, spec = pytree.tree_flatten_with_path((args, kwargs))
    found = []
    for path, leaf in leaves_with_path:
        if isinstance(leaf, torch.Tensor):
            # path[0] says args or kwargs, path[1] which of them.
            first = names[path[1].idx] if path[0].idx == 0 else str(path[1].key)
            found.append((".".join([first, *filter(None, [_path_name(path[2:])])]), leaf))
    if not found:
        raise ExportError(
            "bad_source",
            "The example inputs hold no tensor.",
            "Return (module, inputs); inputs is a tensor, a tuple of tensors or a dict of tensors by argument name.",
        )
    return _unique([n for n, _ in found], "input"), [t for _, t in found], [leaf for _, leaf in leaves_with_path], spec


def flatten(module, example):
    """Return (flat module, input names, input tensors). A module that is flat already is returned unchanged."""
    names, tensors, leaves, spec = flatten_inputs(module, example)
    args, kwargs = arguments_of(example)
    own_args, own_kwargs = pytree.tree_map(lambda v: v.clone() if isinstance(v, torch.Tensor) else v, (args, kwargs))
    with torch.no_grad():
        result = timed(module, *own_args, **own_kwargs)
    output_names, outputs = tensors_of(result)
    if not outputs:
        raise ExportError(
            "unsupported",
            f"The model returns no tensor but {type(result).__name__}.",
            "Wrap the model in a module whose forward returns tensors, and import it as python:FILE.py:CALLABLE.",
        )
    straight = not kwargs and all(isinstance(a, torch.Tensor) for a in args)
    if straight and is_flat(result):
        return module, names, tensors, output_names
    return Flat(module, leaves, spec), names, tensors, output_names


def copying(module, inputs, positions):
    """The flat module `module` with copies of the inputs at these positions.

    REQUIRES: flatten() returned `module`; `inputs` are tensors that it takes."""
    if isinstance(module, Flat):
        module._copied = frozenset(positions)
        return module
    _, _, leaves, spec = flatten_inputs(module, tuple(inputs))
    return Flat(module, leaves, spec, positions)

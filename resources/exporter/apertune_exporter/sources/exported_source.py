# SPDX-License-Identifier: GPL-3.0-or-later
"""A file of torch.export (.pt2) as a source. Loading it runs code from the file, like a TorchScript file."""

import os
import re

import torch

from ..common.failures import describe
from ..common.protocol import ExportError
from ..tensors.flatten import Call
from .loaded import Loaded
from .optional import register_result_types

_AGAIN = "Export the model again with the installed torch, or import it as python:FILE.py:CALLABLE."

_HALF = (torch.float16, torch.bfloat16)


def _load(path):
    try:
        return torch.export.load(path)
    except Exception as failure:
        first = failure
    # The program may return a result type of a package, which is known once that package is loaded.
    register_result_types()
    try:
        return torch.export.load(path)
    except Exception:
        raise ExportError(
            "unsupported",
            f"{path} cannot be loaded as a program of torch.export: {describe(first)}",
            f"It may be of another version of torch (this one is {torch.__version__}), or use operators or result types "
            f"of a package that is not here. {_AGAIN}",
        ) from first


def _on_cpu(program):
    from torch.export.passes import move_to_device_pass

    return move_to_device_pass(program, "cpu")


def _widened(value):
    return torch.float32 if value in _HALF else value


def _widen(module):
    """Let a graph in half precision compute in float32: its weights, its conversions, and no checks of the type."""
    module.float()
    for node in list(module.graph.nodes):
        if "_assert_tensor_metadata" in str(node.target):
            module.graph.erase_node(node)
            continue
        node.args = tuple(_widened(a) if isinstance(a, torch.dtype) else a for a in node.args)
        node.kwargs = {k: _widened(v) if isinstance(v, torch.dtype) else v for k, v in node.kwargs.items()}
    module.recompile()
    return module


def _tensors(value, change):
    return torch.utils._pytree.tree_map(lambda v: change(v) if isinstance(v, torch.Tensor) else v, value)


def _example(program, path):
    """The inputs that the program was exported with."""
    if program.example_inputs is None:
        raise ExportError(
            "bad_source",
            f"{path} does not hold the inputs that the program was exported with.",
            f"Save it with torch.export.save, which keeps them. {_AGAIN}",
        )
    args, kwargs = program.example_inputs
    return _tensors(args, lambda t: t.detach().cpu()), _tensors(kwargs or {}, lambda t: t.detach().cpu())


def _says_nothing(example):
    """Whether a floating-point input is a constant, such as torch.zeros: outputs of such inputs compare nothing."""
    floats = [t for t in torch.utils._pytree.tree_leaves(example) if isinstance(t, torch.Tensor) and t.is_floating_point()]
    return any(t.numel() > 1 and bool((t == t.reshape(-1)[0]).all()) for t in floats)


def load_exported(path):
    program = _load(path)
    state = [*program.state_dict.values(), *(t for t in program.constants.values() if isinstance(t, torch.Tensor))]
    notes = []
    if any(t.device.type != "cpu" for t in state):
        program = _on_cpu(program)
        notes.append("The program was exported on another device and was moved to the CPU.")
    is_half = any(t.dtype in _HALF for t in state)
    module = program.module(check_guards=not is_half)
    example = _example(program, path)
    if is_half:
        module = _widen(module)
        example = _tensors(example, lambda t: t.float() if t.dtype in _HALF else t)
        notes.append("The program computes in half precision; it was widened to float32.")
    return Loaded(
        name=re.sub(r"\.(pt2|pt)$", "", os.path.basename(path)),
        module=module,
        family=None,
        weights=f"file {os.path.basename(path)}",
        example=Call(*example),
        distribution="normal" if _says_nothing(example) else "given",
        notes=notes,
    )

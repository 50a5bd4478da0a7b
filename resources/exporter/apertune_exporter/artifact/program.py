# SPDX-License-Identifier: GPL-3.0-or-later
"""The exported program: torch.export with a dynamic batch where that works, else at one sample."""

import contextlib
import inspect
import io
from dataclasses import dataclass, field

import torch

from ..common.failures import cause
from ..tensors.batching import all_close, run

LARGEST_BATCH = 4096


@dataclass
class Program:
    """Result of torch.export for a module."""

    program: torch.export.ExportedProgram | None = None
    dynamic: bool = False
    notes: list = field(default_factory=list)
    failure: Exception | None = None
    """Why there is no program."""


@contextlib.contextmanager
def _no_graph_dumps():
    """torch.export prints the graph so far when it fails. The note about the failure says what the user needs."""
    with contextlib.redirect_stderr(io.StringIO()):
        yield


def _dynamic_shapes(module, plan, batch):
    shapes = tuple({0: batch} if dim == 0 else None for dim in plan.batch_dims)
    kinds = [p.kind for p in inspect.signature(module.forward).parameters.values()]
    return (shapes,) if kinds and kinds[0] == inspect.Parameter.VAR_POSITIONAL else shapes


def _export(module, plan, dynamic):
    if not dynamic:
        return _exported(module, plan.batch(1))
    inputs = plan.batch(plan.several)
    shapes = _dynamic_shapes(module, plan, torch.export.Dim("batch", min=1, max=LARGEST_BATCH))
    try:
        return _exported(module, inputs, dynamic_shapes=shapes)
    except Exception as failure:
        if "Constraints violated" not in str(failure):
            raise
    try:
        # A batch that the model refuses has ruled out all others. It becomes a check that the program makes.
        return _exported(module, inputs, dynamic_shapes=shapes, prefer_deferred_runtime_asserts_over_guards=True)
    except Exception as failure:
        if "Constraints violated" not in str(failure):
            raise
    # The model has bounds of its own, as a program has that was exported with some.
    return _exported(module, inputs, dynamic_shapes=_dynamic_shapes(module, plan, torch.export.Dim.DYNAMIC))


def _exported(module, inputs, **options):
    with torch.no_grad():
        return torch.export.export(module, inputs, **options)


def _agrees(module, program, plan, dynamic):
    """Whether the program gives what the module gives, at the batches that the module takes."""
    again = program.module(check_guards=False)
    for count in sorted({1, 3, plan.several} if dynamic else {1}):
        try:
            expected = run(module, plan.batch(count))
        except Exception:
            continue
        if not all_close(expected, run(again, plan.batch(count))):
            return False
    return True


def _from_torchscript(module, plan, dynamic):
    from torch._export.converter import TS2EPConverter

    with torch.no_grad():
        converted = TS2EPConverter(module, plan.batch(plan.several if dynamic else 1)).convert()
        if not dynamic:
            return converted
        return _export(converted.module(check_guards=False), plan, True)


def make_program(module, plan):
    """Return a Program, which holds a program or the reason why there is none."""
    make = _from_torchscript if isinstance(module, torch.jit.ScriptModule) else _export
    made = Program()
    attempts = [True, False] if plan.batched and plan.scales else [False]
    for dynamic in attempts:
        try:
            with _no_graph_dumps():
                program = make(module, plan, dynamic)
                same = _agrees(module, program, plan, dynamic)
            if same:
                return Program(program, dynamic, made.notes)
            kind = "dynamic" if dynamic else "static"
            made.notes.append(f"The exported program differs from the eager model with a {kind} batch.")
            made.failure = RuntimeError("its program differs from the eager model")
        except Exception as failure:
            kind = "dynamic batch" if dynamic else "static batch 1"
            made.notes.append(f"torch.export with a {kind} failed: {cause(failure)}.")
            made.failure = failure
    return made

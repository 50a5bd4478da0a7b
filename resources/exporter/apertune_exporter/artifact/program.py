# SPDX-License-Identifier: GPL-3.0-or-later
"""The exported program: torch.export with a dynamic batch where that works, else at one sample."""

import inspect

import torch

from ..common.failures import describe
from ..tensors.batching import all_close, run

LARGEST_BATCH = 4096


def _dynamic_shapes(module, plan):
    batch = torch.export.Dim("batch", min=1, max=LARGEST_BATCH)
    shapes = tuple({0: batch} if dim == 0 else None for dim in plan.batch_dims)
    kinds = [p.kind for p in inspect.signature(module.forward).parameters.values()]
    return (shapes,) if kinds and kinds[0] == inspect.Parameter.VAR_POSITIONAL else shapes


def _export(module, plan, dynamic):
    with torch.no_grad():
        if dynamic:
            return torch.export.export(module, plan.batch(2), dynamic_shapes=_dynamic_shapes(module, plan))
        return torch.export.export(module, plan.batch(1))


def _from_torchscript(module, plan, dynamic):
    from torch._export.converter import TS2EPConverter

    with torch.no_grad():
        converted = TS2EPConverter(module, plan.batch(2 if dynamic else 1)).convert()
        if not dynamic:
            return converted
        return _export(converted.module(check_guards=False), plan, True)


def make_program(module, plan):
    """Return (ExportedProgram or None, dynamic_batch, notes)."""
    make = _from_torchscript if isinstance(module, torch.jit.ScriptModule) else _export
    notes = []
    attempts = [True, False] if plan.batched and plan.scales else [False]
    for dynamic in attempts:
        try:
            program = make(module, plan, dynamic)
            again = program.module(check_guards=False)
            sizes = (1, 3) if dynamic else (1,)
            if all(all_close(run(module, plan.batch(n)), run(again, plan.batch(n))) for n in sizes):
                return program, dynamic, notes
            notes.append(
                f"The exported program differs from the eager model with a {'dynamic' if dynamic else 'static'} batch."
            )
        except Exception as failure:
            kind = "dynamic batch" if dynamic else "static batch 1"
            notes.append(f"torch.export with a {kind} failed: {describe(failure)}")
    return None, False, notes

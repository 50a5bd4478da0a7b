# SPDX-License-Identifier: GPL-3.0-or-later
"""TorchScript of a flat module, checked against the eager module at two batch sizes."""

import warnings

import torch

from ..common.failures import describe
from ..common.protocol import ExportError
from ..tensors.batching import all_close, run
from .plain_ops import plain_operators

_ONE_PATH = "The model decides something by the values of a tensor; its trace always goes the way of the first sample."

CHECKED_BATCH = 3
"""A batch that is neither the traced one nor a power of two, so that a fixed size is noticed."""


def _agrees(scripted, module, inputs):
    try:
        # Unoptimized, because optimizing the first runs can take longer than everything else here.
        with torch.jit.optimized_execution(False):
            return all_close(run(module, inputs), run(scripted, inputs)), None
    except Exception as failure:
        return False, describe(failure)


def _trace(module, plan):
    """Return (traced module, whether the model's own code branched on a value)."""
    with torch.no_grad(), warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always")
        traced = torch.jit.trace(module, plan.batch(1), strict=False, check_trace=False)
    decided = any(
        issubclass(remark.category, torch.jit.TracerWarning) and "Python boolean" in str(remark.message)
        # Libraries assert on shapes in this way. It does no harm: such models are compared at two batches, too.
        and "site-packages" not in remark.filename
        for remark in remarks
    )
    return traced, decided


def _script(module, _plan):
    with plain_operators():
        return torch.jit.script(module), False


def make_torchscript(module, plan, prefer_script, is_script):
    """Return (ScriptModule, dynamic_batch, notes).

    REQUIRES: `module` is flat and in eval mode, `plan` is complete."""
    if is_script and isinstance(module, torch.jit.ScriptModule):
        return module, *_check(module, module, plan)[1:]
    makers = [("script", _script)] if prefer_script else [("trace", _trace), ("script", _script)]
    reasons = []
    best, best_decided = None, False
    for kind, make in makers:
        try:
            scripted, decided = make(module, plan)
            scripted.eval()
        except Exception as failure:
            reasons.append(f"{kind}: {describe(failure)}")
            continue
        faithful, dynamic, notes = _check(module, scripted, plan)
        if not faithful:
            reasons.append(f"{kind}: {notes[0]}")
            continue
        if decided:
            notes = [*notes, _ONE_PATH]
        elif dynamic or not (plan.batched and plan.scales):
            return scripted, dynamic, notes
        if best is None or best_decided:
            best, best_decided = (scripted, dynamic, notes), decided
    if best:
        return best
    raise ExportError(
        "unsupported",
        f"The model cannot be turned into TorchScript ({'; '.join(reasons)}).",
        "Remove control flow that depends on values, or make the module scriptable, then import it again.",
    )


def _check(module, scripted, plan):
    """Return (faithful at one sample, faithful at CHECKED_BATCH, notes)."""
    inputs = plan.batch(1, first=1)
    repeatable, failure = _agrees(module, module, inputs)
    if failure:
        return False, False, [f"the eager model fails on a second sample: {failure}"]
    if not repeatable:
        note = "Two runs of the model on one input differ, so its TorchScript could not be compared."
        try:
            run(scripted, inputs)
            return True, plan.scales and bool(run(scripted, plan.batch(CHECKED_BATCH))), [note]
        except Exception as problem:
            return True, False, [note, f"TorchScript fails: {describe(problem)}"]
    same, failure = _agrees(scripted, module, inputs)
    if not same:
        return False, False, [failure or "its results differ from the eager model's"]
    if not (plan.batched and plan.scales):
        return True, False, []
    same, failure = _agrees(scripted, module, plan.batch(CHECKED_BATCH))
    if same:
        return True, True, []
    what = f"fails ({failure})" if failure else "differs from the eager model"
    return True, False, [f"The TorchScript {what} at batch {CHECKED_BATCH}; it is used at batch 1 only."]

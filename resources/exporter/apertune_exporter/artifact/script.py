# SPDX-License-Identifier: GPL-3.0-or-later
"""TorchScript of a flat module, checked against the eager module at several batch sizes.

Three roads lead to it: tracing, scripting, and scripting the program of torch.export. The first whose script can be
saved and agrees with the eager module is taken."""

import warnings
from dataclasses import dataclass, field

import torch

from ..common.failures import DECIDES, cause, describe
from ..common.protocol import ExportError
from ..tensors.batching import all_close, run
from .plain_ops import plain_operators
from .program_script import script_program

_ONE_PATH = "The model decides something by the values of a tensor; its trace always goes the way of the first sample."

CHECKED_BATCH = 3
"""A batch that is neither the traced one nor a power of two, so that a fixed size is noticed."""


@dataclass
class Script:
    """A faithful script of a module."""

    module: torch.jit.ScriptModule
    dynamic: bool
    """It agrees at CHECKED_BATCH, too."""
    notes: list = field(default_factory=list)


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


def _script_of_program(exported):
    made = exported()
    if made.program is None:
        raise made.failure
    return script_program(made.program)


def make_torchscript(module, plan, prefer_script, is_script, exported, save):
    """Write the script with `save(ScriptModule)` and return it as a Script.

    `exported()` is the result of make_program(). It is asked for when the other roads fail.
    REQUIRES: `module` is flat and in eval mode, `plan` is complete."""
    if is_script and isinstance(module, torch.jit.ScriptModule):
        save(module)
        return Script(module, *_check(module, module, plan)[1:])
    roads = [("scripting", _script)] if prefer_script else [("tracing", _trace), ("scripting", _script)]
    roads.append(("torch.export", lambda *_: (_script_of_program(exported), False)))
    stopped, second_best = {}, None
    for road, make in roads:
        if road == "torch.export" and second_best:
            break
        try:
            scripted, decided = make(module, plan)
            scripted.eval()
            faithful, dynamic, notes = _check(module, scripted, plan)
            if not faithful:
                stopped[road] = notes[0]
                continue
            save(scripted)
        except Exception as failure:
            stopped[road] = cause(failure)
            continue
        found = Script(scripted, dynamic, notes)
        if decided:
            stopped[road] = DECIDES
            found.notes.append(_ONE_PATH)
        elif dynamic or not (plan.batched and plan.scales) or road == "torch.export":
            return _with_road(found, road, stopped)
        if second_best is None or second_best[1]:
            second_best = found, decided
    if second_best:
        save(second_best[0].module)  # a later road has written over it
        return second_best[0]
    raise ExportError(
        "unsupported",
        "The model cannot be turned into TorchScript: " + "; ".join(f"{r} fails: {w}" for r, w in stopped.items()) + ".",
        "Change what the message names so that one of these takes it, or import an ONNX file of the model.",
    )


def _with_road(found, road, stopped):
    """Say in one note that another road than the usual one was taken, and why."""
    if stopped:
        first, why = next(iter(stopped.items()))
        how = {"scripting": "was scripted", "torch.export": "was made from its torch.export program"}[road]
        found.notes.append(f"The model {how}, because {first} cannot take it: {why}.")
    return found


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

# SPDX-License-Identifier: GPL-3.0-or-later
"""TorchScript of a flat module, checked against the eager module at several batch sizes.

Three roads lead to it: tracing, scripting, and scripting the program of torch.export. The first whose script can be
saved and agrees with the eager module is taken."""

import os
import warnings
from dataclasses import dataclass, field

import torch

from ..common.failures import cause, describe
from ..common.protocol import ExportError
from ..tensors.batching import all_close, run
from .castable import make_castable
from .host_scalars import keep_sizes_on_host
from .plain_ops import plain_operators
from .program_script import script_program

ONE_PATH = "The model decides something by the values of a tensor; its trace always goes the way of the first sample."

_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep

CHECKED_BATCH = 3
"""A batch that is neither the traced one nor a power of two, so that a fixed size is noticed."""

_OTHER_BATCHES = (2, 4, 8)
"""Tried where CHECKED_BATCH fails, which may be a batch that the model refuses."""


@dataclass
class Script:
    """A faithful script of a module."""

    module: torch.jit.ScriptModule
    dynamic: bool = False
    """It agrees at batches above 1, too."""
    notes: list = field(default_factory=list)
    failing: dict = field(default_factory=dict)
    """Where it is dynamic: the batches at which it or the module fails, and why."""
    is_at_fault: bool = False
    """It fails at batches at which the module runs."""
    road: str = ""
    """How it was made; empty where the module was a script already."""


def _difference(scripted, module, inputs):
    """Why the script does not give what the module gives, or None where it does; and whether the module itself
    fails."""
    # Unoptimized, because optimizing the first runs can take longer than everything else here.
    with torch.jit.optimized_execution(False):
        try:
            expected = run(module, inputs)
        except Exception as failure:
            return describe(failure), True
        try:
            same = all_close(expected, run(scripted, inputs))
        except Exception as failure:
            return f"its TorchScript fails: {describe(failure)}", False
    return None if same else "its TorchScript differs from the eager model", False


def _trace(module, plan):
    """Return (traced module, whether the model's own code branched on a value)."""
    with torch.no_grad(), warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always")
        traced = torch.jit.trace(module, plan.batch(1), strict=False, check_trace=False)
    decided = any(
        issubclass(remark.category, torch.jit.TracerWarning) and "Python boolean" in str(remark.message)
        # Libraries assert on shapes in this way. It does no harm: such models are compared at two batches, too.
        # A function mode of this package may stand in for the code that it was called from; the base of a variant is traced
        # without one.
        and "site-packages" not in remark.filename
        and not remark.filename.startswith(_OWN)
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


def _prepare(script):
    """Let `script` run in other precisions and on other devices as well as the model in Python does."""
    make_castable(script)
    keep_sizes_on_host(script)


def make_torchscript(module, plan, prefer_script, is_script, exported, save, behaviour, state):
    """Write the script with `save(ScriptModule)` and return it as a Script.

    `exported()` is the result of make_program(). It is asked for when the other roads fail.
    `state` is the ModuleState that each road begins with.
    REQUIRES: `module` is flat and in eval mode, `plan` is complete, `behaviour` is the module's."""
    if is_script and isinstance(module, torch.jit.ScriptModule):
        _prepare(module)
        save(module)
        return _check(module, module, plan, behaviour, state)[0]
    roads = [("scripting", _script)] if prefer_script else [("tracing", _trace), ("scripting", _script)]
    roads.append(("torch.export", lambda *_: (_script_of_program(exported), False)))
    stopped, second_best = {}, None
    for road, make in roads:
        if road == "torch.export" and second_best:
            break
        try:
            state.restore()
            scripted, decided = make(module, plan)
            scripted.eval()
            _prepare(scripted)
            found, why = _check(module, scripted, plan, behaviour, state)
            if not found:
                stopped[road] = why
                continue
            found.road = road
            save(scripted)
        except Exception as failure:
            stopped[road] = cause(failure)
            continue
        if decided:
            stopped[road] = "it decides something by the values or sizes of a tensor"
            found.notes.append(ONE_PATH)
        elif (found.dynamic and not found.is_at_fault) or not (plan.batched and plan.scales) or road == "torch.export":
            return _with_road(found, stopped)
        if second_best is None or second_best[1]:
            second_best = found, decided
    if second_best:
        save(second_best[0].module)  # a later road has written over it
        return second_best[0]
    whys = "; ".join(f"{r} fails: {w}" for r, w in stopped.items())
    if behaviour.state:
        raise ExportError(
            "unsupported",
            f"The model keeps state from pass to pass ({behaviour.state_names()}), which its TorchScript does not keep: "
            f"{whys}.",
            "Keep the state in a buffer that forward changes in place (self.count.add_(1)), or make it an input and an "
            "output of forward.",
        )
    raise ExportError(
        "unsupported",
        f"The model cannot be turned into TorchScript: {whys}.",
        "Change what the message names so that one of these takes it, or import an ONNX file of the model.",
    )


def _with_road(found, stopped):
    """Say in one note that another road than the usual one was taken, and why."""
    if stopped:
        first, why = next(iter(stopped.items()))
        how = {"scripting": "was scripted", "torch.export": "was made from its torch.export program"}[found.road]
        found.notes.append(f"The model {how}, because {first} cannot take it: {why}.")
    return found


def _sequence(module, plan, batch, passes=3):
    with torch.jit.optimized_execution(False):
        return [run(module, plan.batch(batch, first=number)) for number in range(passes)]


def _check_state(module, scripted, plan, state):
    """_check() of a model that keeps state: several passes from the same state, which is put back."""
    found = Script(scripted, failing=dict(plan.failing))
    for batch in (1, CHECKED_BATCH) if plan.batched and plan.scales else (1,):
        why = None
        try:
            state.restore(module, scripted)
            expected = _sequence(module, plan, batch)
            state.restore(module, scripted)
            given = _sequence(scripted, plan, batch)
            if not all(all_close(a, b) for a, b in zip(expected, given)):
                why = f"its results differ from the eager model's in one of {len(expected)} passes at batch {batch}"
        except Exception as failure:
            why = f"its TorchScript fails at batch {batch}: {describe(failure)}"
        finally:
            state.restore(module, scripted)
        if why and batch == 1:
            return None, why
        if why:
            found.notes.append(f"The model is used at batch 1 only: {why}.")
        found.dynamic = batch != 1 and not why
    return found, None


def _check(module, scripted, plan, behaviour, state):
    """Return (Script, None), or (None, why it is not faithful at one sample)."""
    if behaviour.state:
        return _check_state(module, scripted, plan, state)
    inputs = plan.batch(1, first=1)
    if behaviour.unexplained:
        try:
            run(scripted, inputs)
            return Script(scripted, plan.scales and bool(run(scripted, plan.batch(CHECKED_BATCH)))), None
        except Exception as problem:
            return Script(scripted, notes=[f"TorchScript fails: {describe(problem)}"]), None
    why, eager = _difference(scripted, module, inputs)
    if why:
        return None, f"the eager model fails on a second sample: {why}" if eager else why
    if not (plan.batched and plan.scales):
        return Script(scripted), None
    return _check_batches(module, scripted, plan), None


def _check_batches(module, scripted, plan):
    found = Script(scripted, True, failing=dict(plan.failing))
    batches = [CHECKED_BATCH]
    for batch in batches:
        if batch in found.failing:
            continue
        why, eager = _difference(scripted, module, plan.batch(batch))
        if why:
            found.failing[batch] = why
            found.is_at_fault |= not eager
        if found.failing and len(batches) == 1:
            batches += _OTHER_BATCHES
    if all(batch in found.failing for batch in batches):
        why = found.failing[CHECKED_BATCH]
        return Script(
            scripted,
            notes=[f"At batch {CHECKED_BATCH} {why}; the model is used at batch 1 only."],
            is_at_fault=found.is_at_fault,
        )
    for batch, why in sorted(found.failing.items()):
        found.notes.append(f"Batch {batch} is left out: {why}.")
    return found

# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the batch dimension of each tensor by running the module, and makes the reference inputs."""

from dataclasses import dataclass, field

import torch

from ..common.failures import describe
from ..common.protocol import ExportError
from .flatten import tensors_of
from .inputs import images, variations
from .passes import timed


@dataclass
class Plan:
    """How the inputs of a flat module scale with the batch."""

    batch_dims: list
    """The batch dimension of each input: 0 or None."""
    samples: list
    """The reference samples of each input, stacked along its batch dimension."""
    scales: bool
    """The eager module runs with more than one sample."""
    several: int = 2
    """A batch of more than one sample at which it runs."""
    failing: dict = field(default_factory=dict)
    """The batches at which it was seen to fail, and why."""
    output_batch_dims: list = field(default_factory=list)
    output_shapes: list = field(default_factory=list)
    output_dtypes: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    def batch(self, count, first=0):
        """Inputs of a batch of `count` samples, from the reference samples."""
        made = []
        for dim, sample in zip(self.batch_dims, self.samples):
            if dim is None:
                made.append(sample.clone())
            else:
                index = torch.arange(first, first + count) % sample.shape[0]
                made.append(sample.index_select(0, index).contiguous())
        return tuple(made)

    @property
    def batched(self):
        return any(dim is not None for dim in self.batch_dims)


def run(module, inputs, copies=True, seed=0):
    """The outputs of a pass. It draws from PyTorch's generator with that seed, whose state stays as it was, and works on
    copies of the inputs, so that a module may change them."""
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        given = [tensor.clone() for tensor in inputs] if copies else inputs
        return [tensor.clone() for tensor in tensors_of(timed(module, *given))[1]]


def _attempt(module, inputs):
    """Run the module. Return its outputs, or the failure as text."""
    try:
        return run(module, inputs), None
    except Exception as failure:
        return None, describe(failure)


DEPENDS_ON_BATCH = "The result of a sample changes with the other samples of its batch."

_SEVERAL = (2, 4)
"""Batches that tell how shapes grow. A model may refuse one of them."""


def _grow(module, plan, one):
    """Run `plan` with several samples. Return (outputs, batch dimension of each output), or None and the reason."""
    reason = None
    for count in _SEVERAL:
        many, failure = _attempt(module, plan.batch(count))
        dims = None if failure else _output_batch_dims(one, many, count)
        if dims is not None:
            plan.several = count
            return (many, dims), None
        reason = reason or failure or "its outputs do not grow with the batch"
        if failure is None:
            break
        plan.failing[count] = failure
    plan.failing.clear()
    return None, reason


def image_plan(shape, distribution, seed):
    return Plan([0], [images(shape, distribution, seed)], True)


def _samples_of(tensor, distribution, seed):
    """Reference samples from a given tensor whose dimension 0 is the batch."""
    if distribution != "given" and tensor.is_floating_point() and tensor.dim() >= 3:
        return images((1, *tensor.shape[1:]), distribution, seed).to(tensor.dtype)
    rows = list(tensor.split(1))[:8]
    return torch.cat([*rows, *variations(tensor[:1], seed, 9 - len(rows)).split(1)[1:]], 0).contiguous()


def _candidates(tensors):
    """Guesses about which inputs have a batch dimension, the most likely first."""
    size = next((t.shape[0] for t in tensors if t.dim() > 0), None)
    if size is None:
        return []
    every = [0 if t.dim() > 0 and t.shape[0] == size else None for t in tensors]
    matrices = [dim if t.dim() > 1 else None for dim, t in zip(every, tensors)]
    first = [dim if i == every.index(0) else None for i, dim in enumerate(every)]
    guesses = []
    for guess in (every, matrices, first):
        if guess not in guesses and any(dim == 0 for dim in guess):
            guesses.append(guess)
    return guesses


def given_plan(module, tensors, distribution, seed, given=None):
    """The plan for the example tensors of a source. `given` are reference samples of each; without it they are made from
    the example."""
    def samples_for(dims):
        return [
            tensor if dim is None else given[i] if given else _samples_of(tensor, distribution, seed + i)
            for i, (dim, tensor) in enumerate(zip(dims, tensors))
        ]

    reasons = []
    for dims in _candidates(tensors):
        samples = samples_for(dims)
        plan = Plan(dims, samples, True)
        one, failure = _attempt(module, plan.batch(1))
        if failure:
            reasons.append(f"with one sample: {failure}")
            continue
        grown, failure = _grow(module, plan, one)
        if grown:
            return plan
        reasons.append(f"with two samples: {failure}")
    sizes = {t.shape[0] for t in tensors if t.dim() > 0}
    if sizes == {1}:
        dims = _candidates(tensors)[0]
        plan = Plan(dims, samples_for(dims), False)
    else:
        plan = Plan([None] * len(tensors), list(tensors), False)
    if reasons:
        plan.notes.append(f"The model runs only at the batch it was given; {reasons[0]}")
    return plan


def _output_batch_dims(one, many, count):
    """For each output the dimension that grew `count` times, or None if its shape did not change. None if any output
    did neither."""
    dims = []
    if len(one) != len(many):
        return None
    grew = False
    for a, b in zip(one, many):
        if a.shape == b.shape:
            dims.append(None)
            continue
        changed = [d for d in range(a.dim()) if a.dim() == b.dim() and a.shape[d] != b.shape[d]]
        if len(changed) != 1 or a.shape[changed[0]] * count != b.shape[changed[0]]:
            return None
        dims.append(changed[0])
        grew = True
    return dims if grew else None


def close(a, b, tolerance=1e-3):
    """Whether two results agree to `tolerance` of the largest value; NaN agrees with NaN."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if not a.is_floating_point():
        return bool(torch.equal(a, b))
    if a.numel() == 0:
        return True
    both_nan = a.isnan() & b.isnan()
    same = both_nan | (a == b)
    if bool(same.all()):
        return True
    finite = a[a.isfinite()]
    scale = float(finite.abs().max()) if finite.numel() else 0.0
    worst = (a - b).abs()[~same].max()
    return bool(worst <= tolerance * scale + 1e-6)


def all_close(first, second):
    return len(first) == len(second) and all(close(a, b) for a, b in zip(first, second))


def describe_outputs(module, plan):
    """Fill the output part of `plan` from eager runs. Add notes about suspicious outputs."""
    one, failure = _attempt(module, plan.batch(1))
    if failure:
        raise ExportError(
            "throws",
            f"The model fails on its example inputs: {failure}",
            "Check the model and the inputs that go with it.",
        )
    plan.output_shapes = [list(t.shape) for t in one]
    plan.output_dtypes = [t.dtype for t in one]
    plan.output_batch_dims = [None] * len(one)
    if plan.batched and plan.scales:
        grown, failure = _grow(module, plan, one)
        if grown is None:
            plan.scales = False
            plan.notes.append(f"The model fails with two samples: {failure}")
        else:
            many, dims = grown
            plan.output_batch_dims = dims
            first = [t if d is None else t.narrow(d, 0, t.shape[d] // plan.several) for d, t in zip(dims, many)]
            if not all_close(one, first):
                plan.notes.append(DEPENDS_ON_BATCH)
    elif plan.batched:
        # The module runs with one sample only. A leading 1 is still the dimension of the sample.
        plan.output_batch_dims = [0 if t.dim() > 0 and t.shape[0] == 1 else None for t in one]
    return one

# SPDX-License-Identifier: GPL-3.0-or-later
"""What every kind of source hands to the export: a module, its inputs and what is known about both."""

from dataclasses import dataclass, field
from typing import Any, Callable


def to_eval(module):
    """Eval mode where there is such a thing: modules of exported programs refuse it and are in it anyway."""
    try:
        module.eval()
    except NotImplementedError:
        pass


@dataclass
class Loaded:
    """A model before it is flattened. Either `image_shape` or `example` says what it takes."""

    name: str
    module: Any
    family: str | None
    """classification, segmentation, detection or other; None asks the export to look at the outputs."""
    weights: str
    image_shape: tuple | None = None
    """Shape of the one image input at batch 1, [1, C, H, W]; reference inputs are then made here."""
    distribution: str = "normal"
    example: Any = None
    """Example inputs of a source that brings its own: a tensor, a tuple of arguments or a dict of keywords."""
    input_names: list | None = None
    output_names: list | None = None
    preprocessing: dict | None = None
    random_weights: bool = False
    """The weights are random, so they may be conditioned until the outputs say something."""
    finish: Callable | None = None
    """finish(module, run_once) ends the conditioning of random weights; run_once() feeds the module images."""
    script: bool = False
    """Control flow depends on the data: script the module, do not trace it."""
    torchscript: bool = False
    notes: list = field(default_factory=list)

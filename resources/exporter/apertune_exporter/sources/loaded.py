# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of every kind of source: a module, its inputs and the facts about both."""

from dataclasses import dataclass, field
from typing import Any, Callable


def to_eval(module):
    """Set eval mode if the module has one. Modules of exported programs refuse the call and are always in eval mode."""
    try:
        module.eval()
    except NotImplementedError:
        pass


@dataclass
class Loaded:
    """A model before it is flattened. Either `image_shape` or `example` describes its inputs."""

    name: str
    module: Any
    family: str | None
    """Task type: classification, segmentation, detection or other. With None the export derives it from the outputs."""
    weights: str
    image_shape: tuple | None = None
    """Shape of the one image input at batch 1, [1, C, H, W]; reference inputs are then made here."""
    distribution: str = "normal"
    example: Any = None
    """Example inputs of a source that brings its own: a tensor, a tuple of arguments, a dict of keywords or a `Call`."""
    samples: dict | None = None
    """Several samples of each keyword of `example`, stacked along dimension 0. Without them, samples are made from the
    example."""
    input_names: list | None = None
    output_names: list | None = None
    renamed_outputs: dict = field(default_factory=dict)
    """Other names for outputs, by the names that flattening gives them."""
    preprocessing: dict | None = None
    random_weights: bool = False
    """The weights are random, so they may be conditioned."""
    finish: Callable | None = None
    """finish(module, run_once) ends the conditioning of random weights; run_once() feeds the module images."""
    script: bool = False
    """Control flow depends on the data, so the module has to be scripted and not traced."""
    torchscript: bool = False
    variant: Any = None
    """The way to run the module (`variants`), which is then the base of the model; None: as it is."""
    base_source: str = ""
    """With a variant: the source of the module."""
    notes: list = field(default_factory=list)

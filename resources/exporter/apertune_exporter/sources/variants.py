# SPDX-License-Identifier: GPL-3.0-or-later
"""Variants of a source: KIND:PARAMETERS:SOURCE runs the module of SOURCE in another way. The module of SOURCE is the base
of the variant, whose outputs its quality is measured against."""

import os
import re
from fractions import Fraction

import torch

from ..common.failures import describe
from ..common.protocol import ExportError
from ..nets.sliced import Sliced, most_queries, sliced_script
from ..nets.tiled import Tiled, seam_error
from ..tensors.batching import all_close, run
from ..tensors.flatten import Flat

_MOST_TILES = 64
"""A trace has the network once for each tile."""


def _unfit(what, hint):
    return ExportError("unsupported", what, hint)


class SlicedVariant:
    """`sliced:N:SOURCE`: attention in N slices of queries."""

    usage = "sliced:N:SOURCE with N of 2 or more, for example sliced:4:torchvision:vit_b_16"

    def __init__(self, count):
        self.count = count

    @classmethod
    def parse(cls, parameters):
        found = re.fullmatch(r"\d+", parameters, re.ASCII)
        return cls(int(parameters)) if found and int(parameters) >= 2 else None

    def __str__(self):
        return f"attention in {self.count} slices"

    def wrap(self, module, plan, notes):
        """The flat `module` with sliced attention."""
        inputs = plan.batch(1)
        expected = run(module, inputs)
        try:
            made = self._sliced(module, inputs)
            found = run(made, inputs)
        except ExportError:
            raise
        except Exception as failure:
            raise _unfit(
                f"The model fails with its attention in slices: {describe(failure)}",
                "The weights of attention are not there in slices, because they are all the scores. Leave slices out for "
                "a model that uses them.",
            ) from failure
        if not all_close(expected, found):
            raise _unfit(
                "The outputs of the model are others with its attention in slices.",
                "Does it return the weights of attention? They are not there in slices. Leave slices out for this model.",
            )
        return made

    def _sliced(self, module, inputs):
        name, script = _script_in(module)
        if script is not None:
            made, changed = sliced_script(script, self.count)
            if not changed:
                raise _unfit(
                    "The script has no attention that can be sliced: no call of scaled_dot_product_attention without a mask.",
                    "Import the model as python:FILE.py:CALLABLE, where masks are sliced too, or leave slices out.",
                )
            if name is None:
                return made
            setattr(module, name, made)
            return module
        most = most_queries(module, inputs)
        if most == 0:
            raise _unfit(
                "The model has no attention that can be sliced: it calls neither F.scaled_dot_product_attention nor "
                "nn.MultiheadAttention.",
                "Attention that is written as a product, a softmax and a product has to be written with "
                "F.scaled_dot_product_attention. Leave slices out for a model without attention.",
            )
        if most < self.count:
            raise _unfit(
                f"The attention of the model has {most} queries at most, which cannot be divided into {self.count} slices.",
                f"Use {most} slices at most.",
            )
        return Sliced(module, self.count, inputs)


def _script_in(module):
    """Return (name of the attribute, the ScriptModule) of a flat module; the name is None where the module is one
    itself, and both are None where there is none."""
    if isinstance(module, torch.jit.ScriptModule):
        return None, module
    if isinstance(module, Flat) and isinstance(module.model, torch.jit.ScriptModule):
        return "model", module.model
    return None, None


class TiledVariant:
    """`tiled:SIZExOVERLAP:SOURCE`: one square tile of the image after the other, blended where they overlap."""

    usage = (
        "tiled:SIZExOVERLAP:SOURCE in pixels of a side with the overlap below the size, for example "
        "tiled:128x16:torchvision:fcn_resnet50"
    )

    def __init__(self, size, overlap):
        self.size, self.overlap = size, overlap

    @classmethod
    def parse(cls, parameters):
        found = re.fullmatch(r"(\d+)x(\d+)", parameters, re.ASCII)
        if not found or not int(found[2]) < int(found[1]):
            return None
        return cls(int(found[1]), int(found[2]))

    def __str__(self):
        return f"tiles of {self.size} × {self.size} that overlap by {self.overlap}"

    def wrap(self, module, plan, notes):
        """The flat `module` on tiles."""
        height, width = self._image_size(plan)
        side_y, side_x = min(self.size, height), min(self.size, width)
        scales = self._scales(module, plan, (height, width), (side_y, side_x))
        for scale in scales:
            for extent in (height, width, side_y, side_x):
                if (extent * scale).denominator != 1:
                    raise _unfit(
                        f"The model cannot be run on tiles of {self.size}: its output has {scale} of the pixels of a side, "
                        f"and {extent} is no multiple of {scale.denominator}.",
                        f"Use a size of tiles and of images that is a multiple of {scale.denominator}.",
                    )
        tiled = Tiled(
            module, height, width, self.size, self.overlap, scales[0] if len(scales) == 1 else scales, together=False
        )
        if len(tiled.places) > _MOST_TILES:
            raise _unfit(
                f"An image of {height} × {width} has {len(tiled.places)} tiles of {self.size} that overlap by "
                f"{self.overlap}, more than {_MOST_TILES}.",
                "Use larger tiles or less overlap.",
            )
        cosine, largest = seam_error(tiled, *plan.batch(1))
        notes.append(
            f"{len(tiled.places)} tiles, blended. Against the whole at once (seam error): cosine {cosine:.6f}, largest "
            f"difference {largest:.3g} of the deviation."
        )
        return tiled

    def _image_size(self, plan):
        inputs = plan.batch(1)
        if len(inputs) != 1 or inputs[0].dim() != 4 or not inputs[0].is_floating_point():
            kinds = ", ".join("×".join(map(str, t.shape)) for t in inputs)
            raise _unfit(
                f"The model cannot be run on tiles: tiles are cut from one image of N × C × H × W, and it takes {kinds}.",
                "Leave tiles out for this model.",
            )
        height, width = inputs[0].shape[2:]
        if self.size >= max(height, width):
            raise _unfit(
                f"The image of {height} × {width} is no larger than a tile of {self.size}.",
                "Use smaller tiles, or larger images by @N behind the name of the model.",
            )
        return height, width

    def _scales(self, module, plan, image, tile):
        """The size of each output, as a multiple of the image and of a tile."""
        whole = plan.batch(1)[0]
        try:
            parts = run(module, [whole[:, :, : tile[0], : tile[1]].contiguous()])
        except Exception as failure:
            raise _unfit(
                f"The model cannot be run on tiles: it fails on an image of {tile[0]} × {tile[1]}: {describe(failure)}",
                "Tiles need a model that takes images of any size. Use another size of tiles, or leave tiles out.",
            ) from failure
        scales = []
        for shape, part in zip(plan.output_shapes, parts):
            ratios = {Fraction(a, b) for a, b in zip(shape[2:], image)} | {Fraction(a, b) for a, b in zip(part.shape[2:], tile)}
            if len(shape) != 4 or part.dim() != 4 or len(ratios) != 1 or not part.is_floating_point():
                raise _unfit(
                    f"The model cannot be run on tiles: its output of {'×'.join(map(str, shape))} for an image of "
                    f"{image[0]} × {image[1]} is {'×'.join(map(str, part.shape))} for a tile of {tile[0]} × {tile[1]}, and "
                    "that is no image of numbers of proportional size.",
                    "Tiles are for models from image to image, such as segmentation, super resolution or decoders, at a size "
                    "that they divide evenly. Use another size of tiles, or leave tiles out for this model.",
                )
            scales += ratios
        return scales


VARIANTS = {"sliced": SlicedVariant, "tiled": TiledVariant}

_ENGINE_FILES = (".onnx", ".xml")


def split_variant(source):
    """Return (variant, the source that it wraps), or (None, source) for a source that is none."""
    kind, separator, rest = source.partition(":")
    if not separator or kind not in VARIANTS:
        return None, source
    parameters, separator, inner = rest.partition(":")
    variant = VARIANTS[kind].parse(parameters) if separator and inner else None
    if variant is None:
        raise ExportError("bad_source", f"{source} is not of the form {kind}:PARAMETERS:SOURCE.", f"Write {VARIANTS[kind].usage}.")
    if inner.partition(":")[0] in VARIANTS:
        raise _unfit(f"{source} is a variant of a variant.", "Use one variant, whose base is the model itself.")
    if inner.lower().endswith(_ENGINE_FILES) and os.path.isfile(inner):
        raise _unfit(
            f"{inner} is a file of an engine, which has no module that could be run in another way.",
            "Import the model that the file was made from, or leave the variant out.",
        )
    return variant, inner


def require_fit(loaded, variant):
    """Raise unless the module of a `Loaded` can have a variant."""
    made = getattr(type(loaded.module), "base_model", None)
    if callable(made) and made(loaded.module) is not None:
        raise _unfit(
            f"{loaded.name} already computes another model on tiles or in slices.",
            "Use the variant with the model that it is made from.",
        )
    if loaded.script:
        raise _unfit(
            f"The control flow of {loaded.name} depends on the data, so it is scripted, and a script cannot run {variant}.",
            "Leave the variant out for this model.",
        )

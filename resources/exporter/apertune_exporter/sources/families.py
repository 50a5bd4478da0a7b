# SPDX-License-Identifier: GPL-3.0-or-later
"""Families of the zoo with several forms: a detector with or without suppression in the graph, networks on tiles, and
the components of a diffusion pipeline."""

import torch

from ..common.protocol import ExportError
from ..tensors.inputs import images
from .loaded import Loaded

_YOLO_SIZE = 320
_TILED_SIZE = 256
_TILE = 128
_LATENT = 32
_LATENT_TILE = 16


def _require_multiple(name, size, of, least):
    if size % of or size < least:
        raise ExportError(
            "unsupported",
            f"zoo:{name} cannot take images of {size}.",
            f"Use a size behind the @ that is a multiple of {of} from {least} on.",
        )


def load_yolo(name, image_size):
    from ..nets.yolo import Yolo

    size = image_size or _YOLO_SIZE
    _require_multiple(name, size, 32, 32)
    module = Yolo(size, suppress=name == "yolo_nms")
    return Loaded(name, module, "detection", "random", image_shape=(1, 3, size, size), random_weights=True,
                  distribution="uniform01")


def _with_seam_error(loaded):
    """Add a note with the error of the tiles, once the weights are final."""
    from ..nets.tiled import seam_error

    def finish(module, _run_once):
        cosine, largest = seam_error(module, images(loaded.image_shape, loaded.distribution, 1, 2))
        loaded.notes.append(
            f"{len(module.places)} tiles, blended. Against the whole at once (seam error): cosine {cosine:.6f}, largest "
            f"difference {largest:.3g} of the deviation."
        )

    loaded.finish = finish
    return loaded


def load_tiled(name, image_size):
    from ..nets.tiled import Tiled
    from ..nets.unet import UNet

    size = image_size or _TILED_SIZE
    _require_multiple(name, size, 16, _TILE)
    module = Tiled(UNet(), size, size, _TILE, _TILE // 4)
    return _with_seam_error(
        Loaded(name, module, "segmentation", "random", image_shape=(1, 3, size, size), random_weights=True)
    )


def load_diffusion(name, image_size):
    """Sizes are those of the image that the pipeline makes."""
    from ..nets import diffusion
    from ..nets.tiled import Tiled

    side = (image_size or _LATENT * diffusion.VaeDecoder.scale) // diffusion.VaeDecoder.scale
    _require_multiple(name, image_size or side * diffusion.VaeDecoder.scale, 32, 64)
    generator = torch.Generator().manual_seed(1)
    latent = torch.randn(1, diffusion.LATENT_CHANNELS, side, side, generator=generator)
    tokens = torch.randint(1, diffusion.VOCABULARY, (1, diffusion.TOKENS), generator=generator)
    common = {"family": "other", "weights": "random", "random_weights": True}
    if name == "sd_text_encoder":
        return Loaded(name, diffusion.TextEncoder(), example={"tokens": tokens}, **common)
    if name in ("sd_unet", "sd_unet_sliced"):
        context = torch.randn(1, diffusion.TOKENS, diffusion.CONTEXT, generator=generator)
        example = {"latent": latent, "timestep": torch.full((1,), 500.0), "context": context}
        module = diffusion.UNetStep()
        if name == "sd_unet_sliced":
            diffusion.slice_attention(module)
        return Loaded(name, module, example=example, **common)
    if name == "sd_pipeline":
        parts = diffusion.TextEncoder(), diffusion.UNetStep(), diffusion.VaeDecoder()
        return Loaded(name, diffusion.TextToImage(*parts), example={"tokens": tokens, "noise": latent}, **common)
    module, shape = diffusion.VaeDecoder(), tuple(latent.shape)
    if name == "sd_vae_decoder":
        return Loaded(name, module, image_shape=shape, **common)
    # One tile after the other, because a decoder is tiled to save memory.
    tiled = Tiled(module, side, side, _LATENT_TILE, _LATENT_TILE // 4, module.scale, together=False)
    return _with_seam_error(Loaded(name, tiled, image_shape=shape, **common))

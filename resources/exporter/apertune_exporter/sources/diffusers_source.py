# SPDX-License-Identifier: GPL-3.0-or-later
"""diffusers:NAME#PART and diffusers:FOLDER#PART, a part of a pipeline of diffusers: a text encoder, the U-Net, or a half
of the autoencoder. A name is an architecture with random weights; a folder has the weights that are in it. The network
is not used."""

import difflib
import os

import torch
from torch import nn

from .. import REFERENCE_SAMPLES
from ..common.failures import describe
from ..common.protocol import ExportError
from ..tensors.inputs import images
from .diffusers_architectures import ARCHITECTURES
from .json_files import read_object
from .loaded import Loaded
from .optional import quiet_transformers, require_package
from .text_inputs import Vocabulary

PARTS = ("text_encoder", "text_encoder_2", "unet", "vae_decoder", "vae_encoder")

# The folder of a part, where it is not called like the part.
_FOLDER_OF = {"vae_decoder": "vae", "vae_encoder": "vae"}
_TEXT_ENCODERS = ("CLIPTextModel", "CLIPTextModelWithProjection")
_TOKENS = 77


class TextEncoder(nn.Module):
    """Token ids [N, 77] to the context of the U-Net. Stable Diffusion XL takes the last layer but one, and the pooled text
    of an encoder that has a projection."""

    def __init__(self, part, penultimate):
        super().__init__()
        self.part, self.penultimate = part, penultimate

    def forward(self, input_ids):
        found = self.part(input_ids=input_ids, output_hidden_states=self.penultimate)
        if not self.penultimate:
            return found.last_hidden_state
        context = found.hidden_states[-2]
        return {"context": context, "text_embeds": found.text_embeds} if hasattr(found, "text_embeds") else context


class UNet(nn.Module):
    """A latent [N, 4, H, W], its timestep [N] and the context of a prompt to the noise in the latent: one step."""

    def __init__(self, part):
        super().__init__()
        self.part = part

    def forward(self, latent, timestep, context):
        return self.part(latent, timestep, context, return_dict=False)[0]


class UNetXL(UNet):
    """The same with what Stable Diffusion XL takes besides: the pooled text and six numbers about sizes and crops."""

    def forward(self, latent, timestep, context, text_embeds, time_ids):
        more = {"text_embeds": text_embeds, "time_ids": time_ids}
        return self.part(latent, timestep, context, added_cond_kwargs=more, return_dict=False)[0]


class VaeDecoder(nn.Module):
    """A latent [N, 4, H, W] as the U-Net leaves it to an image [N, 3, 8·H, 8·W] in −1…1."""

    def __init__(self, part):
        super().__init__()
        self.part = part

    def forward(self, latent):
        return self.part.decode(latent / self.part.config.scaling_factor, return_dict=False)[0]


class VaeEncoder(nn.Module):
    """An image [N, 3, H, W] in −1…1 to the mean of its latents."""

    def __init__(self, part):
        super().__init__()
        self.part = part

    def forward(self, image):
        return self.part.encode(image, return_dict=False)[0].mode() * self.part.config.scaling_factor


def _bad_part(text, parts):
    return ExportError(
        "bad_source",
        f"diffusers:{text} does not say which part of the pipeline to import.",
        f"Its parts are models of their own, such as diffusers:{text}#{'unet' if 'unet' in parts else parts[0]}; there are "
        f"{', '.join(parts)}.",
    )


class NamedPipeline:
    """A pipeline by the name of its architecture."""

    def __init__(self, name):
        if name not in ARCHITECTURES:
            near = difflib.get_close_matches(name, ARCHITECTURES, 2) or sorted(ARCHITECTURES)
            raise ExportError(
                "unknown_architecture",
                f"diffusers: takes a folder or the name of an architecture, and {name} is neither.",
                f"There are {', '.join(near)}. Fetch a pipeline with `hf download {name} --local-dir FOLDER`; an import uses "
                "no network.",
            )
        self.name = name
        self._described = ARCHITECTURES[name]
        self.parts = [part for part in PARTS if _FOLDER_OF.get(part, part) in self._described]

    def build(self, part):
        """Return (class name, module, name of the weights file or None, folder of the tokenizer or None)."""
        described = dict(self._described[_FOLDER_OF.get(part, part)])
        kind = described.pop("_class_name")
        if kind in _TEXT_ENCODERS:
            transformers = quiet_transformers("diffusers:")
            return kind, getattr(transformers, kind)(transformers.CLIPTextConfig(**described)), None, None
        diffusers = _quiet_diffusers()
        return kind, getattr(diffusers, kind)(**described), None, None


class FolderPipeline:
    """A pipeline in a folder, as save_pretrained() writes it, or one part of such a pipeline."""

    def __init__(self, text, path):
        self.text, self.path = text, path
        self.name = os.path.basename(path.rstrip("/"))
        self.index = read_object(os.path.join(path, "model_index.json"))
        own = read_object(os.path.join(path, "config.json")) if self.index is None else None
        if self.index is None and own is None:
            raise ExportError(
                "bad_source",
                f"{path} has neither model_index.json nor config.json.",
                "Give a folder that save_pretrained() of diffusers wrote.",
            )
        if own is not None:
            classes = {"UNet2DConditionModel": ["unet"], "AutoencoderKL": ["vae_decoder", "vae_encoder"]}
            self.parts = classes.get(own.get("_class_name"))
            if self.parts is None:
                raise self._unsupported(own.get("_class_name") or "other model")
        else:
            there = (part for part in PARTS if os.path.isdir(os.path.join(path, _FOLDER_OF.get(part, part))))
            self.parts = [part for part in there if self.index.get(_FOLDER_OF.get(part, part)) is not None]
            if not self.parts:
                raise self._unsupported(str(self.index.get("_class_name")))

    def _unsupported(self, kind):
        return ExportError(
            "unsupported",
            f"{self.path} holds a {kind}, which this source does not know: it takes Stable Diffusion with a U-Net "
            f"({', '.join(PARTS)}).",
            "Write a function that returns the part and its inputs, and import it as python:FILE.py:CALLABLE.",
        )

    def build(self, part):
        folder = os.path.join(self.path, _FOLDER_OF.get(part, part)) if self.index is not None else self.path
        config = read_object(os.path.join(folder, "config.json")) or {}
        kind = config.get("_class_name") or next(iter(config.get("architectures") or []), None)
        library = quiet_transformers("diffusers:") if kind in _TEXT_ENCODERS else _quiet_diffusers()
        if kind not in (*_TEXT_ENCODERS, "UNet2DConditionModel", "AutoencoderKL"):
            raise self._unsupported(kind)
        weights = sorted(e for e in os.listdir(folder) if e.endswith((".safetensors", ".bin")))
        try:
            if not weights:
                made = getattr(library, kind)
                module = made(library.CLIPTextConfig(**config)) if kind in _TEXT_ENCODERS else made.from_config(config)
                return kind, module, None, folder
            plain = [e for e in weights if ".fp16." not in e]
            dtype = {"dtype" if kind in _TEXT_ENCODERS else "torch_dtype": torch.float32}
            module = getattr(library, kind).from_pretrained(
                folder, local_files_only=True, variant=None if plain else "fp16", **dtype
            )
        except Exception as failure:
            raise ExportError(
                "unsupported",
                f"{kind} cannot be built from {folder}: {describe(failure)}",
                "Check config.json and the weights beside it, or fetch the folder again.",
            ) from failure
        tokenizer = os.path.join(self.path, part.replace("text_encoder", "tokenizer"))
        return kind, module, (plain or weights)[0], tokenizer if os.path.isdir(tokenizer) else None


def _quiet_diffusers():
    diffusers = require_package("diffusers", "diffusers:")
    diffusers.utils.logging.set_verbosity_error()
    diffusers.utils.logging.disable_progress_bar()
    return diffusers


def _noise(seed, *shape):
    return torch.randn((REFERENCE_SAMPLES, *shape), generator=torch.Generator().manual_seed(seed))


def _side(part, config, levels, image_size, scale=8):
    """The side of a latent: that of the configuration, or of an image of `image_size`."""
    if not image_size:
        size = config.sample_size if part == "unet" else config.sample_size // scale
        return int(size[0] if isinstance(size, (list, tuple)) else size or 64)
    of = scale * 2 ** (levels - 1) if part == "unet" else scale
    if image_size % of:
        raise ExportError(
            "unsupported",
            f"A {part} cannot make images of {image_size}.",
            f"Use a size behind the @ that is a multiple of {of}.",
        )
    return image_size // scale


def _text_encoder(module, is_xl, tokenizer, seed):
    length = min(_TOKENS, module.config.max_position_embeddings)
    ids, _ = Vocabulary(module.config, tokenizer).texts(length, seed)
    return TextEncoder(module, is_xl), {"input_ids": ids}


def _unet(module, image_size, seed):
    config = module.config
    side = _side("unet", config, len(config.block_out_channels), image_size)
    context = config.cross_attention_dim
    samples = {
        "latent": _noise(seed, config.in_channels, side, side),
        "timestep": torch.linspace(999, 1, REFERENCE_SAMPLES).long(),
        "context": _noise(seed + 1, _TOKENS, context[0] if isinstance(context, (list, tuple)) else context),
    }
    if config.addition_embed_type != "text_time":
        return UNet(module), samples
    pooled = config.projection_class_embeddings_input_dim - 6 * config.addition_time_embed_dim
    samples["text_embeds"] = _noise(seed + 2, pooled)
    pixels = float(8 * side)
    samples["time_ids"] = torch.tensor([[pixels, pixels, 0.0, 0.0, pixels, pixels]]).repeat(REFERENCE_SAMPLES, 1)
    return UNetXL(module), samples


def _vae(part, module, image_size, seed):
    config = module.config
    scale = 2 ** (len(config.block_out_channels) - 1)
    side = _side(part, config, 1, image_size, scale)
    if part == "vae_decoder":
        return VaeDecoder(module), {"latent": _noise(seed, config.latent_channels, side, side)}
    return VaeEncoder(module), {"image": images((1, config.in_channels, scale * side, scale * side), "normal", seed)}


def load_diffusers(rest, image_size, arguments):
    if arguments.input_shape:
        raise ExportError(
            "unsupported",
            "--input-shape does not go with this source: the configuration says what the inputs are.",
            "Leave --input-shape out; @N asks for images of N by N.",
        )
    text, _, part = rest.partition("#")
    path = os.path.abspath(text)
    source = FolderPipeline(text, path) if os.path.isdir(path) else NamedPipeline(text)
    if not part and isinstance(source, FolderPipeline) and source.index is None:
        part = source.parts[0]
    if part not in source.parts:
        raise _bad_part(text, source.parts)
    kind, module, weights, tokenizer = source.build(part)
    module.eval()
    if kind in _TEXT_ENCODERS:
        model, samples = _text_encoder(module, "text_encoder_2" in source.parts, tokenizer, arguments.seed)
    elif kind == "UNet2DConditionModel":
        model, samples = _unet(module, image_size, arguments.seed)
    else:
        model, samples = _vae(part, module, image_size, arguments.seed)
    return Loaded(
        name=f"{source.name}-{part}",
        module=model,
        family="other",
        weights=f"of the folder, {weights}" if weights else f"random, seed {arguments.seed}",
        example={name: rows[:1] for name, rows in samples.items()},
        samples=samples,
        distribution="normal",
        random_weights=weights is None,
    )

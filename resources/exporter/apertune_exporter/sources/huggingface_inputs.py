# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs of a model of transformers, from its configuration and the files of its processor."""

import inspect

import torch

from .. import REFERENCE_SAMPLES
from ..common.protocol import ExportError
from ..tensors.inputs import images
from .json_files import read_hint
from .text_inputs import Vocabulary
from .torchscript_source import parse_input_shape, torch_dtype

_IMAGE_SIZE = 224
# A processor that names only the shortest side scales a picture to it, and the published ones cost seconds on a CPU.
_SHORTEST_SIDE = 384
_TEXT_LENGTH = 128
_ANSWER_LENGTH = 8
_AUDIO_SAMPLES = 16000
# Models that count positions from behind the padding token.
_OFFSET_POSITIONS = ("roberta", "xlm-roberta", "camembert", "mpnet", "longformer", "esm", "xmod", "data2vec-text")


def _processor(folder):
    for name in ("preprocessor_config.json", "video_preprocessor_config.json", "processor_config.json"):
        found = read_hint(folder, name)
        if found is not None:
            return found.get("image_processor") if isinstance(found.get("image_processor"), dict) else found
    return {}


def _sides(size):
    """(height, width) of the forms in which configurations write a size, or None."""
    if isinstance(size, int):
        return size, size
    if isinstance(size, (list, tuple)) and len(size) == 2:
        return int(size[0]), int(size[1])
    if isinstance(size, dict):
        if "height" in size and "width" in size:
            return int(size["height"]), int(size["width"])
        if "shortest_edge" in size:
            side = int(size["shortest_edge"])
            return (min(side, _SHORTEST_SIDE),) * 2 if "longest_edge" in size else (side, side)
    return None


def _part(config, names, attribute):
    """The configuration of the part (text or vision) that has the attribute; the whole one where no part has."""
    parts = [getattr(config, name, None) for name in names]
    return next((part for part in parts if part is not None and hasattr(part, attribute)), config)


def _text_part(config):
    return _part(config, ("text_config", "decoder"), "vocab_size")


def vision_part(config):
    return _part(config, ("vision_config", "encoder"), "image_size")


class Inputs:
    """The example inputs of `model`, REFERENCE_SAMPLES of each, by argument name."""

    def __init__(self, model, folder, image_size, seed, given=()):
        self.config = model.config
        self.folder, self.image_size, self.seed = folder, image_size, seed
        self.processor = _processor(folder)
        self.takes = inspect.signature(model.forward).parameters
        self.main = getattr(model, "main_input_name", None) or "input_ids"
        self.samples = {}
        if given:
            self._give([parse_input_shape(text) for text in given], type(model).__name__)
        else:
            self._derive()

    def _derive(self):
        config, main = self.config, self.main
        if main == "pixel_values" or (hasattr(config, "vision_config") and "pixel_values" in self.takes):
            self.samples["pixel_values"] = images(self.image_shape(), "normal", self.seed)
        if main == "input_ids" or (hasattr(config, "text_config") and "input_ids" in self.takes):
            self._add_text()
        if main == "input_values":
            self.samples[main] = self._noise(self._audio_shape())
        if main == "input_features":
            self.samples[main] = self._noise(self._feature_shape())
        if not self.samples:
            raise ExportError(
                "unsupported",
                f"The inputs of a {config.model_type} model ({main}) are not known here.",
                f"Name them with --input-shape {main}:float32:1x…, once for each.",
            )
        if getattr(config, "is_encoder_decoder", False) and "decoder_input_ids" in self.takes:
            self.samples["decoder_input_ids"] = self._vocabulary().texts(_ANSWER_LENGTH, self.seed + 1)[0]

    def _vocabulary(self):
        text = _text_part(self.config)
        if not isinstance(getattr(text, "vocab_size", None), int):
            raise ExportError(
                "unsupported",
                f"The configuration of this {self.config.model_type} model says no size of its vocabulary.",
                "Write a function that returns the model and its inputs, and import it as python:FILE.py:CALLABLE.",
            )
        return Vocabulary(text, self.folder)

    def _noise(self, shape):
        generator = torch.Generator().manual_seed(self.seed)
        return torch.randn((REFERENCE_SAMPLES, *shape[1:]), generator=generator)

    def image_shape(self):
        vision = vision_part(self.config)
        if self.image_size:
            sides = self.image_size, self.image_size
        else:
            # The processor decides, because many models take other sizes than the one that they were trained at.
            cropped = self.processor.get("crop_size") if self.processor.get("do_center_crop", True) else None
            written = cropped, self.processor.get("size"), getattr(vision, "image_size", None), _IMAGE_SIZE
            sides = next(filter(None, map(_sides, written)))
        channels = getattr(vision, "num_channels", None) or 3
        frames = getattr(vision, "num_frames", None) or getattr(vision, "frames_per_clip", None)
        return (1, frames, channels, *sides) if frames else (1, channels, *sides)

    def _text_length(self):
        text = _text_part(self.config)
        names = ("max_position_embeddings", "n_positions", "max_sequence_length")
        most = next((value for name in names if isinstance(value := getattr(text, name, None), int) and value > 0), None)
        if most is None:
            return _TEXT_LENGTH
        if text.model_type in _OFFSET_POSITIONS:
            most -= (text.pad_token_id or 0) + 1
        return max(1, min(most, _TEXT_LENGTH))

    def _add_text(self, length=None):
        ids, mask = self._vocabulary().texts(length or self._text_length(), self.seed)
        self.samples["input_ids"] = ids
        if "attention_mask" in self.takes:
            self.samples["attention_mask"] = mask

    def _audio_shape(self):
        config = self.config
        if hasattr(config, "num_mel_bins") and hasattr(config, "max_length"):
            return 1, config.max_length, config.num_mel_bins  # a spectrogram
        return 1, _AUDIO_SAMPLES

    def _feature_shape(self):
        config = self.config
        bins = getattr(config, "num_mel_bins", None) or getattr(config, "input_feat_per_channel", 80)
        positions = getattr(config, "max_source_positions", None) or 1500
        return 1, bins, 2 * positions

    def _give(self, triples, model):
        for number, (name, dtype, shape) in enumerate(triples):
            name = name or (self.main if number == 0 else "")
            if name not in self.takes:
                raise ExportError(
                    "bad_source",
                    f'{model} has no input "{name}".',
                    f"Its inputs are {', '.join(n for n in self.takes if n not in ('kwargs', 'labels'))}.",
                )
            self.samples[name] = self._made(name, torch_dtype(dtype), shape, self.seed + number)

    def _made(self, name, kind, shape, seed):
        if kind.is_floating_point:
            return (images((1, *shape[1:]), "normal", seed) if len(shape) > 3 else self._noise(shape)).to(kind)
        if name in ("input_ids", "decoder_input_ids") and len(shape) == 2:
            return self._vocabulary().texts(shape[1], seed)[0].to(kind)
        if name == "position_ids" and len(shape) == 2:
            return torch.arange(shape[1], dtype=kind).repeat(REFERENCE_SAMPLES, 1)
        # Masks keep everything, and the parts of a text are of the first kind.
        value = 1 if "mask" in name else 0
        return torch.full((REFERENCE_SAMPLES, *shape[1:]), value, dtype=kind)

    def preprocessing(self):
        """What the processor does with a picture before the model sees it, or None."""
        made = self.samples.get("pixel_values")
        mean, std = self.processor.get("image_mean"), self.processor.get("image_std")
        if made is None or made.dim() != 4 or not mean or not std:
            return None
        size = _sides(self.processor.get("size"))
        return {
            "resize": min(size) if size else made.shape[-2],
            "crop": made.shape[-2],
            "mean": list(mean),
            "std": list(std),
            "interpolation": {0: "nearest", 2: "bilinear", 3: "bicubic"}.get(self.processor.get("resample"), "bilinear"),
            "layout": "NCHW",
            "channels": "RGB",
            "scale": "0..1" if self.processor.get("do_rescale", True) else "0..255",
        }

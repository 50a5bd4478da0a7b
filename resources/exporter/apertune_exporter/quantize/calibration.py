# SPDX-License-Identifier: GPL-3.0-or-later
"""The samples that INT8 is calibrated with: a folder of images, or generated ones."""

import os

import numpy
import torch

from ..artifact.manifest import reference_inputs
from ..common.protocol import ExportError
from ..tensors.inputs import images, variations

_SEED = 20_011  # differs from the reference samples: calibration on those would make the quality look better than it is
_SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".ppm", ".tif", ".tiff")
_IMAGENET = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}


class Calibration:
    """Yield `count` sets of inputs, one at a time."""

    def __init__(self, artifact, manifest, folder, count):
        self.inputs = manifest["inputs"]
        self.batched = [i for i, described in enumerate(self.inputs) if described["batch_dim"] is not None]
        self.folder = folder
        self.skipped = 0
        self._artifact, self._manifest = artifact, manifest
        self._given = reference_inputs(artifact, manifest, 1)
        if folder:
            self.preprocessing = preprocessing_of(manifest, image_input(manifest))
            self._files = _chosen(folder, count)
        else:
            self._generated = [self._generate(i, described, count) for i, described in enumerate(self.inputs)]
        self.count = len(self._files) if folder else count

    def _generate(self, index, described, count):
        if described["batch_dim"] is None:
            return self._given[index]
        shape, kind = described["shape"], described["distribution"]
        if kind in ("normal", "uniform01") and len(shape) >= 3 and described["batch_dim"] == 0:
            return images(tuple(shape), kind, _SEED + index, count).to(getattr(torch, described["dtype"]))
        if described["batch_dim"] != 0:
            return self._given[index]
        return variations(self._given[index], _SEED + index, count + 1)[1:]

    def samples(self, batch=1):
        """One list of arrays for each sample; with a fixed batch the sample is repeated to fill it."""
        made = 0
        for k in range(self.count):
            if self.folder:
                image = self._read(self._files[k])
                if image is None:
                    continue
                values = list(self._given)
                values[self.batched[0]] = image
            else:
                values = [
                    t[k : k + 1] if d["batch_dim"] == 0 and t.shape[0] == self.count else t
                    for d, t in zip(self.inputs, self._generated)
                ]
            made += 1
            yield [
                numpy.repeat(t.numpy(), batch, d["batch_dim"]) if d["batch_dim"] is not None and batch > 1 else t.numpy()
                for d, t in zip(self.inputs, values)
            ]
        if made == 0:
            raise ExportError(
                "bad_source", f"None of the images in {self.folder} can be read.", "Use a folder of JPEG or PNG files."
            )

    def _read(self, path):
        try:
            return read_image(path, self.preprocessing)
        except (OSError, ValueError, SyntaxError):
            self.skipped += 1
            return None

    def described(self):
        used = self.count - self.skipped
        text = f"{used} images of {os.path.basename(os.path.abspath(self.folder))}" if self.folder else f"{used} generated samples"
        return text + (f" ({self.skipped} could not be read)" if self.skipped else "")


def image_input(manifest):
    """The one input that is an image."""
    batched = [d for d in manifest["inputs"] if d["batch_dim"] is not None]
    if len(batched) == 1:
        shape = batched[0]["shape"]
        if len(shape) == 4 and shape[1] in (1, 3) and batched[0]["dtype"] == "float32" and batched[0]["batch_dim"] == 0:
            return batched[0]
    raise ExportError(
        "unsupported",
        f"{manifest['name']} does not take one image, so that a folder of images cannot be its input.",
        "Leave the folder out: samples are generated then.",
    )


def preprocessing_of(manifest, described):
    """The preprocessing in the manifest, completed by usual values."""
    size = list(described["shape"][2:])
    given = dict(manifest["preprocessing"] or {})
    made = {"size": size, "channels": described["shape"][1], "interpolation": given.get("interpolation", "bilinear")}
    resize = given.get("resize")
    made["resize"] = resize if isinstance(resize, int) and given.get("crop") else None
    plain = described["distribution"] == "uniform01" or (given and "mean" not in given)
    usual = {"mean": [0.0] * 3, "std": [1.0] * 3} if plain else _IMAGENET
    made["mean"], made["std"] = given.get("mean", usual["mean"]), given.get("std", usual["std"])
    return made


def read_image(path, how):
    """An image in the form that the model takes: 1 x channels x height x width."""
    from PIL import Image

    filters = {"bicubic": Image.Resampling.BICUBIC, "nearest": Image.Resampling.NEAREST}
    chosen = filters.get(how["interpolation"], Image.Resampling.BILINEAR)
    height, width = how["size"]
    with Image.open(path) as image:
        image = image.convert("L" if how["channels"] == 1 else "RGB")
        if how["resize"]:
            # The short side becomes `resize`, but never less than the crop that follows.
            scale = max(how["resize"] / min(image.size), width / image.width, height / image.height)
            image = image.resize((max(width, round(image.width * scale)), max(height, round(image.height * scale))), chosen)
            left, top = (image.width - width) // 2, (image.height - height) // 2
            image = image.crop((left, top, left + width, top + height))
        else:
            image = image.resize((width, height), chosen)
        values = numpy.asarray(image, dtype=numpy.float32) / 255
    values = values.reshape(height, width, how["channels"])
    mean = numpy.asarray(how["mean"][: how["channels"]], dtype=numpy.float32)
    std = numpy.asarray(how["std"][: how["channels"]], dtype=numpy.float32)
    return torch.from_numpy(numpy.ascontiguousarray(((values - mean) / std).transpose(2, 0, 1)[None]))


def image_files(folder):
    """All images below a folder, sorted by path."""
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        found += [os.path.join(place, name) for name in sorted(names) if name.lower().endswith(_SUFFIXES)]
    return found


def _chosen(folder, count):
    """At most `count` files, spread evenly over the folder, because it may be sorted by class."""
    if not os.path.isdir(folder):
        raise ExportError("bad_source", f"{folder} is not a folder.", "Use a folder of images.")
    files = image_files(folder)
    if not files:
        raise ExportError("bad_source", f"{folder} holds no images.", "Use a folder of JPEG or PNG files.")
    return [files[i * len(files) // count] for i in range(count)] if len(files) > count else files

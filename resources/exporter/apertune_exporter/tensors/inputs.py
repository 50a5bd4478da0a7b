# SPDX-License-Identifier: GPL-3.0-or-later
"""Reference inputs: seeded, varied, and valid for the model.

To a network that averages over positions, all samples of white noise look alike, and so its outputs are alike, too.
Images are therefore noise on several scales, normalised to mean 0 and deviation 1. Each then gets a contrast and a
colour cast of its own, so that samples differ in features that a network sees.
"""

import torch
import torch.nn.functional as F

from .. import REFERENCE_SAMPLES


def images(shape, distribution, seed, count=REFERENCE_SAMPLES):
    """Make `count` samples of an image (or video, with a time axis) of batch-1 `shape`, stacked along dimension 0."""
    generator = torch.Generator().manual_seed(seed)
    size = shape[2:]
    total = torch.randn((count, *shape[1:]), generator=generator)
    mode = {1: "linear", 2: "bilinear", 3: "trilinear"}.get(len(size))
    cells = 2
    while mode and cells < max(size):
        coarse = torch.randn((count, shape[1], *(min(cells, extent) for extent in size)), generator=generator)
        total += 2 * F.interpolate(coarse, size=size, mode=mode, align_corners=False)
        cells *= 4
    axes = list(range(1, len(shape)))
    total = (total - total.mean(axes, keepdim=True)) / total.std(axes, keepdim=True)
    contrast = 0.5 + torch.rand((count, *[1] * len(axes)), generator=generator)
    cast = 0.5 * torch.randn((count, shape[1], *[1] * len(size)), generator=generator)
    total = contrast * total + cast
    if distribution == "uniform01":
        total = torch.sigmoid(total)
    return total.contiguous()


def variations(sample, seed, count=REFERENCE_SAMPLES):
    """Make `count` samples from one given batch-1 tensor, which stays the first.

    The others are the given values, rotated and, for floating point, moved towards their mean. Every value lies within
    the range of the given ones, so indices and masks stay valid."""
    generator = torch.Generator().manual_seed(seed)
    made = [sample]
    for _ in range(count - 1):
        flat = sample.reshape(-1)
        if flat.numel() > 1:
            flat = flat.roll(int(torch.randint(1, flat.numel(), (1,), generator=generator)))
        if sample.is_floating_point():
            mean = flat.mean()
            flat = mean + (flat - mean) * (0.5 + 0.5 * torch.rand((1,), generator=generator).to(flat.dtype))
        made.append(flat.reshape(sample.shape))
    return torch.cat(made, 0).contiguous()

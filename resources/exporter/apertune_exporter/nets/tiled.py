# SPDX-License-Identifier: GPL-3.0-or-later
"""A sliding window: a network for images runs on overlapping tiles, and the results are blended.

Memory grows with the tile and not with the image. A tile lacks pixels outside of it and means over the whole image. The
difference to the network on the whole image is the seam error."""

import math
from fractions import Fraction

import torch
from torch import nn

_LEAST_WEIGHT = 1e-3


def starts(extent, tile, overlap):
    """The begins of the tiles, at most tile − overlap apart. The last tile ends with the image."""
    if tile >= extent:
        return [0]
    count = -(-(extent - overlap) // (tile - overlap))
    return [round(k * (extent - tile) / (count - 1)) for k in range(count)]


def ramp(tile, overlap):
    """Weights of a tile along one side: rising over the overlap, one inside, falling again."""
    line = torch.arange(tile) + 0.5
    near = torch.minimum(line, tile - line)
    return (near / max(overlap, 1)).clamp(_LEAST_WEIGHT, 1)


class Tiled(nn.Module):
    """Run `inner`, which maps [N, C, H, W] to [N, D, H·scale, W·scale], on tiles. The tiles of all images are one
    batch. With `together` off they run one after the other, which takes the least memory. Where `inner` returns several
    such tensors, `scale` is a list with the scale of each.

    REQUIRES: images of `height` by `width`. Sides of tiles and images, times the scale, are whole numbers."""

    def __init__(self, inner, height, width, tile, overlap, scale=1, together=True):
        super().__init__()
        if not 0 <= overlap < tile:
            raise ValueError(f"tiles of {tile} cannot overlap by {overlap}")
        self.inner, self.together = inner, together
        self.is_single = not isinstance(scale, (list, tuple))
        self.scales = [Fraction(s) for s in ([scale] if self.is_single else scale)]
        self.tile = (min(tile, height), min(tile, width))
        # Tiles begin where their results begin with a whole pixel.
        step = math.lcm(*(s.denominator for s in self.scales))
        ys, xs = (
            [step * k for k in starts(side // step, part // step, overlap // step)]
            for side, part in zip((height, width), self.tile)
        )
        self.places = [(y, x) for y in ys for x in xs]
        for k, own in enumerate(self.scales):
            rows, columns = (ramp(int(side * own), int(overlap * own)) for side in self.tile)
            weight = rows[:, None] * columns
            total = torch.zeros(int(height * own), int(width * own))
            for y, x in self.places:
                total[self._area(k, y, x)] += weight
            self.register_buffer(f"weight_{k}", weight)
            self.register_buffer(f"total_{k}", total)

    def base_model(self):
        """The network on the whole image, which the tiles approximate."""
        return self.inner

    def _area(self, k, y, x):
        """The part of output `k` that the tile at (y, x) gives."""
        scale = self.scales[k]
        top, left = int(y * scale), int(x * scale)
        return slice(top, top + int(self.tile[0] * scale)), slice(left, left + int(self.tile[1] * scale))

    def _results(self, image):
        """The outputs of each tile, in the order of `places`."""
        tiles = [image[:, :, y : y + self.tile[0], x : x + self.tile[1]] for y, x in self.places]
        if not self.together:
            for tile in tiles:
                yield self._listed(self.inner(tile))
            return
        # Not chunk(), which would need the size of an open batch.
        found = [part.unflatten(0, (len(tiles), -1)).unbind(0) for part in self._listed(self.inner(torch.cat(tiles)))]
        yield from zip(*found)

    def _listed(self, found):
        return [found] if self.is_single else list(found)

    def forward(self, image):
        blended = [torch.zeros(1) for _ in self.scales]
        for (y, x), parts in zip(self.places, self._results(image)):
            for k, part in enumerate(parts):
                height, width = self._total(k).shape
                rows, columns = self._area(k, y, x)
                sides = (columns.start, width - columns.stop, rows.start, height - rows.stop)
                blended[k] = blended[k].to(part) + nn.functional.pad(part * getattr(self, f"weight_{k}"), sides)
        results = [part / self._total(k) for k, part in enumerate(blended)]
        return results[0] if self.is_single else tuple(results)

    def _total(self, k):
        return getattr(self, f"total_{k}")


def seam_error(tiled, image):
    """Return (cosine, largest difference divided by the deviation of the whole image's result), the worst of all
    outputs."""
    with torch.no_grad():
        pairs = zip(tiled._listed(tiled.inner(image)), tiled._listed(tiled(image)))
        errors = [_error(whole.double(), parts.double()) for whole, parts in pairs]
    return min(cosine for cosine, _ in errors), max(largest for _, largest in errors)


def _error(whole, parts):
    cosine = nn.functional.cosine_similarity(whole.flatten(), parts.flatten(), 0)
    return float(cosine), float((whole - parts).abs().max() / whole.std())

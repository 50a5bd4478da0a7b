# SPDX-License-Identifier: GPL-3.0-or-later
"""A sliding window: a network for images runs on overlapping tiles, and the results are blended.

Memory grows with the tile and not with the image. A tile lacks pixels outside of it and means over the whole image. The
difference to the network on the whole image is the seam error."""

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
    batch. With `together` off they run one after the other, which takes the least memory.

    REQUIRES: images of `height` by `width`."""

    def __init__(self, inner, height, width, tile, overlap, scale=1, together=True):
        super().__init__()
        if not 0 <= overlap < tile:
            raise ValueError(f"tiles of {tile} cannot overlap by {overlap}")
        self.inner, self.scale, self.together = inner, scale, together
        self.tile = (min(tile, height), min(tile, width))
        self.places = [(y, x) for y in starts(height, tile, overlap) for x in starts(width, tile, overlap)]
        rows, columns = (ramp(side * scale, overlap * scale) for side in self.tile)
        self.register_buffer("weight", rows[:, None] * columns)
        total = torch.zeros(height * scale, width * scale)
        for y, x in self.places:
            total[self._area(y, x)] += self.weight
        self.register_buffer("total", total)

    def base_model(self):
        """The network on the whole image, which the tiles approximate."""
        return self.inner

    def _area(self, y, x):
        top, left = y * self.scale, x * self.scale
        return slice(top, top + self.weight.shape[0]), slice(left, left + self.weight.shape[1])

    def forward(self, image):
        tiles = [image[:, :, y : y + self.tile[0], x : x + self.tile[1]] for y, x in self.places]
        if self.together:
            # Not chunk(), which would need the size of an open batch.
            found = self.inner(torch.cat(tiles)).unflatten(0, (len(tiles), -1)).unbind(0)
        else:
            found = [self.inner(tile) for tile in tiles]
        height, width = self.total.shape
        blended = torch.zeros(1)
        for (y, x), part in zip(self.places, found):
            rows, columns = self._area(y, x)
            sides = (columns.start, width - columns.stop, rows.start, height - rows.stop)
            blended = blended.to(part) + nn.functional.pad(part * self.weight, sides)
        return blended / self.total


def seam_error(tiled, image):
    """Return (cosine, largest difference divided by the deviation of the whole image's result)."""
    with torch.no_grad():
        whole, parts = tiled.inner(image).double(), tiled(image).double()
    cosine = nn.functional.cosine_similarity(whole.flatten(), parts.flatten(), 0)
    return float(cosine), float((whole - parts).abs().max() / whole.std())

# SPDX-License-Identifier: GPL-3.0-or-later
"""A YOLO-like detector: blocks that split and rejoin channels, features at three scales, a box at every grid cell.

Non-maximum suppression is in the graph, or is left to the caller."""

import torch
from torch import nn

from .detector import best_detections, decide

_STRIDES = (8, 16, 32)
_CANDIDATES = 300
_MOST = 100


def _conv(channels_in, channels_out, size=1, stride=1):
    return nn.Sequential(
        nn.Conv2d(channels_in, channels_out, size, stride, size // 2, bias=False),
        nn.BatchNorm2d(channels_out),
        nn.SiLU(inplace=True),
    )


class _Split(nn.Module):
    """Half of the channels goes through residual blocks. The output of each of them is rejoined."""

    def __init__(self, channels_in, channels_out, blocks):
        super().__init__()
        half = channels_out // 2
        self.enter = _conv(channels_in, channels_out)
        self.blocks = nn.ModuleList(nn.Sequential(_conv(half, half, 3), _conv(half, half, 3)) for _ in range(blocks))
        self.leave = _conv(half * (2 + blocks), channels_out)

    def forward(self, features):
        parts = list(self.enter(features).chunk(2, 1))
        for block in self.blocks:
            parts.append(parts[-1] + block(parts[-1]))
        return self.leave(torch.cat(parts, 1))


class _Pool(nn.Module):
    """Three poolings in a row, whose outputs are joined: receptive fields of several sizes."""

    def __init__(self, channels):
        super().__init__()
        self.enter, self.leave = _conv(channels, channels // 2), _conv(channels * 2, channels)
        self.pool = nn.MaxPool2d(5, 1, 2)

    def forward(self, features):
        parts = [self.enter(features)]
        for _ in range(3):
            parts.append(self.pool(parts[-1]))
        return self.leave(torch.cat(parts, 1))


class Yolo(nn.Module):
    """[N, 3, S, S] to [N, K, 5 + classes]: centre and size in pixels, objectness, classes. With `suppress` to boxes,
    scores, labels and count instead; see FORMAT.md."""

    def __init__(self, image_size, suppress, classes=80, width=16):
        super().__init__()
        w = [width << level for level in range(5)]
        self.stem = nn.Sequential(_conv(3, w[0], 3, 2), _conv(w[0], w[1], 3, 2), _Split(w[1], w[1], 1))
        self.small = nn.Sequential(_conv(w[1], w[2], 3, 2), _Split(w[2], w[2], 2))
        self.middle = nn.Sequential(_conv(w[2], w[3], 3, 2), _Split(w[3], w[3], 2))
        self.large = nn.Sequential(_conv(w[3], w[4], 3, 2), _Split(w[4], w[4], 1), _Pool(w[4]))
        self.up = nn.Upsample(scale_factor=2.0, mode="nearest")
        self.merge_middle, self.merge_small = _Split(w[4] + w[3], w[3], 1), _Split(w[3] + w[2], w[2], 1)
        self.heads = nn.ModuleList(
            nn.Sequential(_conv(c, c, 3), nn.Conv2d(c, 5 + classes, 1)) for c in (w[2], w[3], w[4])
        )
        for head in self.heads:
            decide(head[-1])
        self.suppress = suppress
        corners, strides = [], []
        for stride in _STRIDES:
            line = torch.arange(image_size // stride, dtype=torch.float32)
            rows, columns = torch.meshgrid(line, line, indexing="ij")
            corners.append(torch.stack([columns, rows], -1).reshape(-1, 2))
            strides.append(torch.full((len(line) ** 2, 1), float(stride)))
        self.register_buffer("corners", torch.cat(corners))
        self.register_buffer("strides", torch.cat(strides))

    def forward(self, image):
        small = self.small(self.stem(image))
        middle = self.middle(small)
        large = self.large(middle)
        middle = self.merge_middle(torch.cat([self.up(large), middle], 1))
        small = self.merge_small(torch.cat([self.up(middle), small], 1))
        cells = [head(f).flatten(2).transpose(1, 2) for head, f in zip(self.heads, (small, middle, large))]
        cells = torch.cat(cells, 1).sigmoid()
        centres = (cells[..., :2] * 2 - 0.5 + self.corners) * self.strides
        sizes = (cells[..., 2:4] * 2) ** 2 * 2 * self.strides
        if not self.suppress:
            return torch.cat([centres, sizes, cells[..., 4:]], -1)
        scores, labels = (cells[..., 4:5] * cells[..., 5:]).max(-1)
        boxes = torch.cat([centres - sizes / 2, centres + sizes / 2], -1)
        candidates = min(_CANDIDATES, boxes.shape[1])
        return best_detections(boxes, scores, labels, candidates, min(_MOST, candidates))

# SPDX-License-Identifier: GPL-3.0-or-later
"""U-Net: four levels down, four up, skip connections, batch normalisation."""

import torch
from torch import nn


def _block(channels_in, channels_out):
    return nn.Sequential(
        nn.Conv2d(channels_in, channels_out, 3, padding=1, bias=False),
        nn.BatchNorm2d(channels_out),
        nn.ReLU(inplace=True),
        nn.Conv2d(channels_out, channels_out, 3, padding=1, bias=False),
        nn.BatchNorm2d(channels_out),
        nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    """[N, 3, H, W] to class scores [N, classes, H, W]; H and W are multiples of 16."""

    def __init__(self, classes=21, width=32):
        super().__init__()
        widths = [width << level for level in range(5)]
        self.down = nn.ModuleList(_block(a, b) for a, b in zip([3, *widths], widths))
        self.pool = nn.MaxPool2d(2)
        pairs = list(zip(widths[:0:-1], widths[-2::-1]))
        self.up = nn.ModuleList(nn.ConvTranspose2d(a, b, 2, stride=2) for a, b in pairs)
        self.merge = nn.ModuleList(_block(a, b) for a, b in pairs)
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, image):
        skips = []
        features = self.down[0](image)
        for block in self.down[1:]:
            skips.append(features)
            features = block(self.pool(features))
        for up, merge in zip(self.up, self.merge):
            features = merge(torch.cat([skips.pop(), up(features)], 1))
        return self.head(features)

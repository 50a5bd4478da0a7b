# SPDX-License-Identifier: GPL-3.0-or-later
"""A model that exercises what an exported program has to do and takes a millisecond."""

import torch
from torch import nn


class Tiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1), nn.ReLU()
        )
        self.head = nn.Linear(8, 4)

    def forward(self, image):
        features = self.body(image)
        return self.head(features.mean((2, 3))), features


def make():
    torch.manual_seed(0)
    return Tiny().eval(), (torch.randn(1, 3, 16, 16),)

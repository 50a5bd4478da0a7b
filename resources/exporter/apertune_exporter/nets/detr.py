# SPDX-License-Identifier: GPL-3.0-or-later
"""DETR: a ResNet-50 and a transformer on its last feature map, with one query for each possible object."""

import math

import torch
import torchvision
from torch import nn


def _sine_position(height, width, channels):
    """[1, H*W, C]: half of the channels encode the row, half the column, as sines and cosines of 2*pi*position."""
    half = channels // 2
    frequency = 10000 ** (2 * (torch.arange(half) // 2) / half)

    def encode(extent):
        position = torch.arange(1, extent + 1) / extent * 2 * math.pi
        angle = position[:, None] / frequency
        return torch.stack([angle[:, 0::2].sin(), angle[:, 1::2].cos()], 2).flatten(1)

    rows = encode(height)[:, None].expand(height, width, half)
    columns = encode(width)[None, :].expand(height, width, half)
    return torch.cat([rows, columns], 2).reshape(1, height * width, channels)


class Detr(nn.Module):
    """[N, 3, S, S] to {"pred_logits": [N, queries, classes + 1], "pred_boxes": [N, queries, 4] in 0..1}."""

    def __init__(self, image_size, classes=91, queries=100, channels=256, heads=8, layers=6):
        super().__init__()
        backbone = torchvision.models.resnet50(weights=None)
        self.backbone = nn.Sequential(*list(backbone.children())[:-2])
        self.project = nn.Conv2d(2048, channels, 1)
        extent = math.ceil(image_size / 32)
        self.register_buffer("position", _sine_position(extent, extent, channels))
        self.queries = nn.Parameter(torch.randn(1, queries, channels))
        self.transformer = nn.Transformer(channels, heads, layers, layers, 2048, 0.1, batch_first=True)
        self.class_head = nn.Linear(channels, classes + 1)
        self.box_head = nn.Sequential(
            nn.Linear(channels, channels), nn.ReLU(), nn.Linear(channels, channels), nn.ReLU(), nn.Linear(channels, 4)
        )

    def forward(self, image):
        features = self.project(self.backbone(image)).flatten(2).transpose(1, 2)
        queries = self.queries.expand(image.shape[0], -1, -1)
        decoded = self.transformer(features + self.position, queries)
        return {"pred_logits": self.class_head(decoded), "pred_boxes": self.box_head(decoded).sigmoid()}

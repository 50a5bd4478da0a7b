# SPDX-License-Identifier: GPL-3.0-or-later
"""A one-stage detector with non-maximum suppression in the graph, of fixed shapes and plain tensor operators.

It can be traced, exported with a dynamic batch, and compiled. Detectors with results of varying size cannot.
"""

import torch
import torchvision
from torch import nn

_STRIDES = (16, 32)
_OVERLAP = 0.5
_ROUNDS = 16


def _head(channels, outputs):
    return nn.Sequential(
        nn.Conv2d(channels, channels, 3, padding=1, groups=channels, bias=False),
        nn.BatchNorm2d(channels),
        nn.ReLU6(inplace=True),
        nn.Conv2d(channels, outputs, 1),
    )


def decide(layer):
    """Set random weights for the layer of classes and boxes. Its outputs differ from place to place, but their sigmoid
    stays below 1: where several classes reach 1, rounding alone would choose the label."""
    nn.init.normal_(layer.weight, std=0.25 * layer.weight[0].numel() ** -0.5)  # some places have ten times the signal


def _overlaps(boxes):
    """Intersection over union of each pair, [N, K, 4] to [N, K, K]."""
    low = torch.maximum(boxes[:, :, None, :2], boxes[:, None, :, :2])
    high = torch.minimum(boxes[:, :, None, 2:], boxes[:, None, :, 2:])
    common = (high - low).clamp(min=0).prod(-1)
    area = (boxes[..., 2:] - boxes[..., :2]).clamp(min=0).prod(-1)
    return common / (area[:, :, None] + area[:, None, :] - common).clamp(min=1e-6)


def keep_best(boxes, labels, overlap=_OVERLAP, rounds=_ROUNDS):
    """Non-maximum suppression within each class; boxes come best first. Returns a mask [N, K].

    A box is removed if a better box that stays overlaps it. Round r settles every box whose chain of such dependencies
    is at most r long. So the mask is the greedy one unless a chain is longer than `rounds`."""
    same_class = labels[:, :, None] == labels[:, None, :]
    above = torch.ones(boxes.shape[1], boxes.shape[1], dtype=torch.bool, device=boxes.device).triu(1)
    suppresses = (_overlaps(boxes) > overlap) & same_class & above
    keep = torch.ones_like(labels, dtype=torch.bool)
    for _ in range(rounds):
        keep = ~(suppresses & keep[:, :, None]).any(1)
    return keep


def best_detections(boxes, scores, labels, candidates, most):
    """At most `most` of the best `candidates`, suppressed within their class, padded with zeros; see FORMAT.md."""
    scores, order = scores.topk(candidates, 1)
    labels = labels.gather(1, order)
    boxes = boxes.gather(1, order[..., None].expand(-1, -1, 4))
    keep = keep_best(boxes, labels)

    scores, order = (scores * keep).topk(most, 1)
    real = scores > 0
    boxes = boxes.gather(1, order[..., None].expand(-1, -1, 4)) * real[..., None]
    labels = labels.gather(1, order) * real
    return {"boxes": boxes, "scores": scores, "labels": labels, "count": real.sum(1)}


class Detector(nn.Module):
    """[N, 3, S, S] to boxes [N, K, 4] in pixels, scores [N, K], labels [N, K] and count [N]; see FORMAT.md."""

    def __init__(self, image_size, classes=80, candidates=200, most=100):
        super().__init__()
        features = torchvision.models.mobilenet_v3_large(weights=None).features
        self.middle, self.deep = features[:13], features[13:]
        self.class_heads = nn.ModuleList([_head(112, classes), _head(960, classes)])
        self.box_heads = nn.ModuleList([_head(112, 4), _head(960, 4)])
        for head in self.class_heads:
            decide(head[-1])
        self.candidates, self.most = candidates, most
        centres, reach = [], []
        for stride in _STRIDES:
            line = (torch.arange(image_size // stride) + 0.5) * stride
            rows, columns = torch.meshgrid(line, line, indexing="ij")
            centres.append(torch.stack([columns, rows], -1).reshape(-1, 2))
            reach.append(torch.full((len(line) ** 2, 1), 4.0 * stride))
        self.register_buffer("centres", torch.cat(centres))
        self.register_buffer("reach", torch.cat(reach))

    def forward(self, image):
        middle = self.middle(image)
        maps = (middle, self.deep(middle))
        logits = torch.cat([h(m).flatten(2).transpose(1, 2) for h, m in zip(self.class_heads, maps)], 1)
        sides = torch.cat([h(m).flatten(2).transpose(1, 2) for h, m in zip(self.box_heads, maps)], 1)
        sides = sides.sigmoid() * self.reach
        boxes = torch.cat([self.centres - sides[..., :2], self.centres + sides[..., 2:]], -1)

        scores, labels = logits.sigmoid().max(-1)
        return best_detections(boxes, scores, labels, self.candidates, self.most)

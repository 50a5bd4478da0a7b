# SPDX-License-Identifier: GPL-3.0-or-later
"""torchvision's detectors behind a batch tensor and results of fixed size."""

from typing import List

import torch
from torch import Tensor, nn


class PaddedDetections(nn.Module):
    """[N, 3, H, W] in 0..1 to boxes [N, K, 4], scores [N, K], labels [N, K] and count [N].

    Row i holds count[i] detections, best first; the rest of the row is zero. K is the most that the detector
    keeps for one image. Meant for torch.jit.script: the number of boxes depends on the data."""

    def __init__(self, detector: nn.Module, most: int):
        super().__init__()
        self.detector = detector
        self.most = most

    def forward(self, images: Tensor):
        views: List[Tensor] = []
        for i in range(images.shape[0]):
            views.append(images[i])
        if torch.jit.is_scripting():
            found = self.detector(views)[1]
        else:
            found = self.detector(views)
        n = images.shape[0]
        boxes = torch.zeros([n, self.most, 4], dtype=images.dtype, device=images.device)
        scores = torch.zeros([n, self.most], dtype=images.dtype, device=images.device)
        labels = torch.zeros([n, self.most], dtype=torch.int64, device=images.device)
        count = torch.zeros([n], dtype=torch.int64, device=images.device)
        for i, one in enumerate(found):
            k = min(one["scores"].shape[0], self.most)
            boxes[i, :k] = one["boxes"][:k]
            scores[i, :k] = one["scores"][:k]
            labels[i, :k] = one["labels"][:k]
            count[i] = k
        return boxes, scores, labels, count


OUTPUT_NAMES = ["boxes", "scores", "labels", "count"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""The operators that stand in for torchvision's, against torchvision's."""

import unittest

import support  # noqa: F401 (finds the exporter)
import torch
import torchvision
from apertune_exporter.artifact import plain_ops
from apertune_exporter.nets.detector import keep_best


def boxes(count, generator):
    low = torch.rand(count, 2, generator=generator) * 100
    return torch.cat([low, low + torch.rand(count, 2, generator=generator) * 60], 1)


class Operators(unittest.TestCase):
    def setUp(self):
        self.generator = torch.Generator().manual_seed(1)

    def test_scripted_nms_keeps_what_torchvision_keeps(self):
        scripted = torch.jit.script(plain_ops.nms)
        # Few boxes are settled by a matrix, many one after another.
        for overlap, count in ((0.1, 300), (0.5, 300), (0.7, 300), (0.5, 2500)):
            some, scores = boxes(count, self.generator), torch.rand(count, generator=self.generator)
            expected = torchvision.ops.nms(some, scores, overlap)
            self.assertTrue(torch.equal(scripted(some, scores, overlap), expected))
        none = torch.zeros(0, 4)
        self.assertEqual(scripted(none, torch.zeros(0), 0.5).shape, (0,))

    def test_scripted_roi_align_pools_as_torchvision_does(self):
        scripted = torch.jit.script(plain_ops.roi_align)
        features = torch.randn(2, 8, 20, 30, generator=self.generator)
        image = torch.randint(0, 2, (50, 1), generator=self.generator).float()
        rois = torch.cat([image, boxes(50, self.generator) * 3 - 30], 1)
        for aligned in (False, True):
            expected = torchvision.ops.roi_align(features, rois, [7, 5], 0.1, 2, aligned)
            torch.testing.assert_close(
                scripted(features, rois, [7, 5], 0.1, 2, aligned), expected, rtol=1e-4, atol=1e-4
            )

    def test_suppression_in_rounds_is_the_greedy_one(self):
        for _ in range(5):
            some, scores = boxes(200, self.generator), torch.rand(200, generator=self.generator)
            labels = torch.randint(0, 3, (200,), generator=self.generator)
            order = scores.argsort(descending=True)
            some, scores, labels = some[order], scores[order], labels[order]
            expected = torchvision.ops.batched_nms(some, scores, labels, 0.5)
            kept = keep_best(some[None], labels[None])[0].nonzero()[:, 0]
            self.assertTrue(torch.equal(kept, expected))

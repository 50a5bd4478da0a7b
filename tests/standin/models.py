# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of elementwise and pooling operators: LibTorch runs them with kernels of its own, and calls neither cuDNN nor
cuBLAS. Their outputs are zeros, which is what the memory of the stand-in's GPUs holds."""

import torch


class Pooling(torch.nn.Module):
    """A convolutional network without its convolutions. Without the pooling LibTorch would fuse all the rest into one
    kernel, which takes it minutes."""

    def __init__(self, layers: int):
        super().__init__()
        self.scales = torch.nn.ParameterList(torch.zeros(1, 16, 1, 1) for _ in range(layers))

    def forward(self, x):
        for scale in self.scales:
            x = torch.nn.functional.max_pool2d(torch.relu(x * scale), 3, stride=1, padding=1)
        return torch.nn.functional.adaptive_avg_pool2d(x, 1).flatten(1)


class LargeActivations(torch.nn.Module):
    """128 MiB of activations for a sample of 64 KiB."""

    def forward(self, x):
        return torch.relu(x.unsqueeze(1).repeat(1, 2048, 1) * 0).amax(dim=(1, 2))


class Weighted(torch.nn.Module):
    """32 MiB of weights, and activations as large."""

    def __init__(self):
        super().__init__()
        self.weights = torch.nn.Parameter(torch.zeros(8 << 20))

    def forward(self, x):
        return torch.relu(x * self.weights).amax(dim=1)


def weighted():
    return Weighted().eval(), torch.ones(2, 1)


def pooling():
    return Pooling(12).eval(), torch.ones(2, 16, 64, 64)


def large_activations():
    return LargeActivations().eval(), torch.ones(2, 16384)

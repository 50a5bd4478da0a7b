# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of elementwise and pooling operators: LibTorch runs them with kernels of its own, and calls neither cuDNN nor
cuBLAS. Their outputs are zeros, which is what memory holds that kernels do not write."""

import torch


class Pooling(torch.nn.Module):
    """A stage of a convolutional network without its convolutions."""

    def __init__(self, layers: int):
        super().__init__()
        self.scales = torch.nn.ParameterList(torch.zeros(1, 16, 1, 1) for _ in range(layers))

    def forward(self, x):
        for scale in self.scales:
            x = torch.relu(x * scale)
        x = torch.nn.functional.max_pool2d(x, 2)
        return torch.nn.functional.adaptive_avg_pool2d(x, 1).flatten(1)


def pooling():
    return Pooling(12).eval(), torch.ones(2, 16, 64, 64)


def large_activations():
    """256 MiB of activations for each sample of 64 KiB."""

    class Large(torch.nn.Module):
        def forward(self, x):
            wide = x.unsqueeze(1) * torch.zeros(1, 4096, 1, device=x.device)
            return torch.relu(wide).amax(dim=1)

    return Large().eval(), torch.ones(1, 16384)

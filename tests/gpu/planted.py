# SPDX-License-Identifier: GPL-3.0-or-later
"""Models with one cause of lost time each, for `apertune model import python:planted.py:CALLABLE`. They run on any
device: they take it from a parameter, because the importer runs them on the CPU."""

import torch


class PageableCopies(torch.nn.Module):
    """Copies its activations to pageable memory of the host and back."""

    def __init__(self):
        super().__init__()
        self.one = torch.nn.Parameter(torch.ones(1))

    def forward(self, x):
        for _ in range(8):
            x = x.cpu().to(self.one.device) + self.one
        return x


class ExtraWaits(torch.nn.Module):
    """Reads a value on the host after each convolution."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(8, 3, 3, 3))

    def forward(self, x):
        y = x
        for _ in range(20):
            y = torch.nn.functional.conv2d(x, self.weight)
            if float(y.sum()) != float("inf"):
                x = x * 0.5
        return y


class TinyKernels(torch.nn.Module):
    """Launches hundreds of kernels that have next to nothing to do."""

    def __init__(self):
        super().__init__()
        self.one = torch.nn.Parameter(torch.ones(1))

    def forward(self, x):
        x = x[:, :, :8, :8]
        for _ in range(300):
            x = x + self.one
        return x


def example():
    return torch.rand(4, 3, 224, 224, generator=torch.Generator().manual_seed(1))


# Scripted: a trace would keep the importer's device and its decisions.
def pageable_copies():
    return torch.jit.script(PageableCopies()), example()


def extra_waits():
    return torch.jit.script(ExtraWaits()), example()


def tiny_kernels():
    return torch.jit.script(TinyKernels()), example()

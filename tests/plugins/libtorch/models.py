# SPDX-License-Identifier: GPL-3.0-or-later
"""Small models for the tests of the libtorch backend, as `python:models.py:NAME`."""

from typing import Dict, List, Tuple

import torch
from torch import Tensor, nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        return torch.relu(x + self.norm(self.conv(x)))


class ConvNet(nn.Module):
    """Convolutions, normalisation, a residual, a linear layer, and a buffer of indices that no cast may touch."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, stride=2, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(16)
        self.blocks = nn.Sequential(Block(16), Block(16))
        self.head = nn.Linear(16, 10)
        self.register_buffer("order", torch.arange(9, -1, -1))

    def forward(self, x):
        x = self.blocks(torch.relu(self.norm(self.stem(x))))
        return self.head(x.mean((2, 3)))[:, self.order]


def convnet():
    torch.manual_seed(7)
    net = ConvNet()
    for module in net.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.uniform_(module.running_mean, -0.2, 0.2)
            nn.init.uniform_(module.running_var, 0.5, 1.5)
            nn.init.uniform_(module.weight, 0.5, 1.5)
    return net.eval(), torch.randn(1, 3, 32, 32)


class Attention(nn.Module):
    """One layer of self-attention over the pixels of a small image."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 48)
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        q, k, v = self.inner(x.flatten(2).transpose(1, 2)).unsqueeze(1).chunk(3, -1)
        return self.head(nn.functional.scaled_dot_product_attention(q, k, v).mean((1, 2)))


def attention():
    torch.manual_seed(9)
    return Attention().eval(), torch.randn(1, 3, 8, 8)


class Pair(nn.Module):
    """Two inputs, one of them indices; two outputs, one of them integers."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(20, 8)

    def forward(self, image, token):
        score = self.table(token) * image.mean((1, 2, 3)).unsqueeze(1)
        return {"score": score, "best": score.argmax(1)}


def pair():
    torch.manual_seed(8)
    return Pair().eval(), (torch.randn(1, 3, 8, 8), torch.tensor([5]))


# --- TorchScript that takes the place of convnet's in a copy of its artifact ------------------------


class FailsAtThree(nn.Module):
    def forward(self, x):
        if x.shape[0] == 3:
            raise RuntimeError("three images are one too many")
        return x.mean((2, 3))


class Nested(nn.Module):
    def forward(self, x) -> Tuple[Tensor, Dict[str, List[Tensor]]]:
        return x.sum((1, 2, 3)), {"parts": [x.amax((1, 2, 3)), (x > 0).any(3).any(2).any(1)]}


class Selects(nn.Module):
    """How many rows are left depends on the picture."""

    def forward(self, x):
        rows = x.flatten(1).t()
        chosen = rows[rows.sum(1) > 0.5]
        return torch.relu(chosen).sum().reshape(1, 1)


class Hungry(nn.Module):
    def forward(self, x):
        return torch.ones([1 << 24, 1 << 24]) * x.sum()


class Synchronises(nn.Module):
    """Waits for the device in the middle, which a graph capture does not permit."""

    def forward(self, x):
        if float(x.sum()) > 1e30:
            x = x + 1
        return x.mean((2, 3))


SCRIPTED = {
    "fails_at_three": FailsAtThree,
    "nested": Nested,
    "selects": Selects,
    "hungry": Hungry,
    "synchronises": Synchronises,
}


def windows():
    """Attention in shifted windows, as Swin Transformers have it; oneDNN Graph fails on it."""
    from torchvision.models.swin_transformer import SwinTransformer

    torch.manual_seed(10)
    net = SwinTransformer(patch_size=[4, 4], embed_dim=16, depths=[2], num_heads=[2], window_size=[4, 4], num_classes=10)
    return net.eval(), torch.randn(1, 3, 32, 32)


class Counts(nn.Module):
    """Keeps state in a buffer."""

    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(16, 8)
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x):
        self.count.add_(1)
        return self.mix(x) * self.count


def counts():
    torch.manual_seed(3)
    return Counts(), torch.randn(1, 16)


class Draws(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(16, 8)

    def forward(self, x):
        return self.mix(x + torch.rand_like(x))


def draws():
    torch.manual_seed(3)
    return Draws(), torch.randn(1, 16)

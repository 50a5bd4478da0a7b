# SPDX-License-Identifier: GPL-3.0-or-later
"""Conditions random weights, so that outputs depend on the inputs.

A network with initial weights often returns a constant: the last layer of a ViT is all zeros, ConvNeXt scales each
block by 1e-6, batch normalisation has never seen data. A constant shows no difference between precisions. Therefore
zero matrices get random values, tiny scales are raised, and the statistics of normalisation are taken from images.
"""

import math

import torch
from torch.nn.modules.batchnorm import _BatchNorm

_TINY_SCALE = 1e-2
_RAISED_SCALE = 0.3

# Scale of residual branches: strong enough to matter, weak enough not to amplify rounding errors layer after layer.
# Trained networks do not amplify them either.
_BRANCH_SCALE = 0.2

_SMALLEST_VARIATION = 0.25


def _calm_branches(module):
    """Weaken the residual branches of ResNet blocks, which torchvision starts at full strength."""
    for block in module.modules():
        last = {"Bottleneck": "bn3", "BasicBlock": "bn2"}.get(type(block).__name__)
        norm = getattr(block, last, None) if last else None
        if isinstance(norm, _BatchNorm) and norm.affine:
            norm.weight.fill_(_BRANCH_SCALE)


def wake_parameters(module, seed):
    """Replace all-zero weights and raise constant tiny scales."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        _calm_branches(module)
        for name, parameter in module.named_parameters():
            if name.rsplit(".", 1)[-1] == "bias" or not parameter.is_floating_point() or parameter.numel() < 2:
                continue
            largest = float(parameter.abs().max())
            is_matrix = parameter.dim() >= 2 and min(parameter.shape[:2]) > 1
            if largest == 0 and is_matrix:
                fan_in = parameter[0].numel()
                parameter.normal_(0, 1 / math.sqrt(fan_in), generator=generator)
            elif parameter.dim() == 1 and largest == 0 and name.endswith("weight"):
                parameter.fill_(_BRANCH_SCALE)
            elif not is_matrix and 0 < largest < _TINY_SCALE and float(parameter.std()) == 0:
                parameter.fill_(_RAISED_SCALE)


def _limit_amplification(layer):
    """Keep a layer from amplifying noise. After a global pooling, channels hardly vary between images, and normalising
    them by that variance would leave mostly noise."""
    floor = (_SMALLEST_VARIATION * layer.running_mean) ** 2
    layer.running_var.copy_(torch.maximum(layer.running_var, floor))


def calibrate_normalisation(module, run_once):
    """Set running statistics from the images that `run_once()` feeds; everything else stays in eval mode."""
    layers = [m for m in module.modules() if isinstance(m, _BatchNorm) and m.track_running_stats]
    if not layers:
        return 0
    momenta = [layer.momentum for layer in layers]
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None  # a plain average over the passes
        layer.train()
    try:
        with torch.no_grad():
            run_once()
    finally:
        for layer, momentum in zip(layers, momenta):
            layer.momentum = momentum
            layer.eval()
            _limit_amplification(layer)
    return len(layers)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Which kernel computes scaled dot-product attention in a compiled package: chosen while it is compiled, read from its code."""

import contextlib
import re

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from .generated_code import counts

# Where the kernel that is named is not possible for the tensors, plain products do it all the same.
_KERNELS = {
    "math": [SDPBackend.MATH],
    "flash": [SDPBackend.FLASH_ATTENTION, SDPBackend.MATH],
    "efficient": [SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH],
}
_CALL = re.compile(r"\baoti_torch_\w*?__scaled_dot_product_(\w+)\(")


def attention_kernel(name):
    """The context to compile in; without a name LibTorch chooses."""
    return sdpa_kernel(_KERNELS[name]) if name else contextlib.nullcontext()


def attention_of(exported, package, chosen):
    """For the package's description: what was chosen, how often the model computes attention, and the fused kernels that
    the generated code calls for it. What none of them does is plain products."""
    attention = torch.ops.aten.scaled_dot_product_attention.default
    (kernels,) = counts(package, _CALL)
    calls = sum(node.target is attention for node in exported.graph.nodes)
    return {"chosen": chosen, "calls": calls, "kernels": kernels}

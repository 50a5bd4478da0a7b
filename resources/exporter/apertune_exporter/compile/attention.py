# SPDX-License-Identifier: GPL-3.0-or-later
"""The attention kernel of a compiled package: it is chosen when the package is compiled, and read back from its
code."""

import contextlib
import re

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from .generated_code import counts

# If the named kernel does not support the tensors, plain matrix products compute the attention.
_KERNELS = {
    "math": [SDPBackend.MATH],
    "flash": [SDPBackend.FLASH_ATTENTION, SDPBackend.MATH],
    "efficient": [SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH],
}
_CALL = re.compile(r"\baoti_torch_\w*?__scaled_dot_product_(\w+)\(")


def attention_kernel(name):
    """The context for compiling with the named kernel. Without a name LibTorch chooses."""
    return sdpa_kernel(_KERNELS[name]) if name else contextlib.nullcontext()


def attention_of(exported, package, chosen):
    """Attention in the package's description: the chosen kernel, the number of attentions in the model, and the fused
    kernels that the generated code calls. All other attentions are plain matrix products."""
    attention = torch.ops.aten.scaled_dot_product_attention.default
    (kernels,) = counts(package, _CALL)
    calls = sum(node.target is attention for node in exported.graph.nodes)
    return {"chosen": chosen, "calls": calls, "kernels": kernels}

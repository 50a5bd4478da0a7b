# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters, multiply-accumulates and the layers that ran, from one eager pass at batch 1."""

from collections import OrderedDict

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from ..tensors.flatten import tensors_of


def parameters_of(module):
    """Return (count, bytes) of the parameters, each counted once. Weights that a script holds as buffers do not
    count."""
    parameters = list(module.parameters())
    return sum(p.numel() for p in parameters), sum(p.numel() * p.element_size() for p in parameters)


class _Layers:
    """Hooks that find the innermost modules that run, in the order of their first runs."""

    def __init__(self, module):
        self.found = OrderedDict()
        self._stack = []
        self._handles = []
        for name, child in module.named_modules():
            if name:
                self._handles.append(child.register_forward_pre_hook(self._enter))
                self._handles.append(child.register_forward_hook(self._leave(name), always_call=False))

    def _enter(self, _module, _inputs):
        if self._stack:
            self._stack[-1] = False
        self._stack.append(True)

    def _leave(self, name):
        def hook(module, _inputs, output):
            innermost = self._stack.pop() if self._stack else False
            if innermost and name not in self.found:
                _, tensors = tensors_of(output)
                self.found[name] = (module, list(tensors[0].shape) if tensors else [])

        return hook

    def remove(self):
        for handle in self._handles:
            handle.remove()


def layers_and_macs(module, inputs):
    """Return (layer rows, total MACs) of an eager module. Layers of a wrapped model lose the wrapper's prefix."""
    layers = _Layers(module)
    try:
        # On a CPU the counter knows only the matrix products of plain attention, not the fused kernels.
        with FlopCounterMode(display=False) as counter, torch.no_grad(), sdpa_kernel(SDPBackend.MATH):
            module(*inputs)
    finally:
        layers.remove()
    counts = {name: sum(by_operator.values()) for name, by_operator in counter.get_flop_counts().items()}
    root = type(module).__name__
    rows = []
    for name, (layer, shape) in layers.found.items():
        rows.append(
            {
                "name": name.removeprefix("model.") if root == "Flat" else name,
                "type": getattr(layer, "original_name", type(layer).__name__),
                "parameters": sum(p.numel() for p in layer.parameters()),
                "macs": counts.get(f"{root}.{name}", 0) // 2,
                "output_shape": shape,
            }
        )
    return rows, counter.get_total_flops() // 2

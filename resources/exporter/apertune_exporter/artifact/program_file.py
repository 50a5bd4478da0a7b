# SPDX-License-Identifier: GPL-3.0-or-later
"""The file of an exported program. It shares the weights of the TorchScript beside it.

torch.export writes weights by way of copies in memory, and the artifact has them already. So the file holds a stand-in
for each weight that the TorchScript has under the same name: a tensor of that shape whose storage is one element."""

import os

import torch

from ..common.files import require_within


def _is_stand_in(tensor):
    return tensor.numel() > 1 and tensor.untyped_storage().nbytes() == tensor.element_size()


def _in_place_of(tensor, other):
    """`other` as what `tensor` is: a parameter or a buffer."""
    is_parameter = isinstance(tensor, torch.nn.Parameter)
    return torch.nn.Parameter(other.detach(), tensor.requires_grad) if is_parameter else other.detach()


def _stand_in(tensor):
    return _in_place_of(tensor, torch.zeros((), dtype=tensor.dtype).expand(tensor.shape))


def save_program(program, path, script):
    """Write `program` to `path`, without the weights that it shares with `script`."""
    there = script.state_dict()
    state = program.state_dict
    shared = {
        name: tensor
        for name, tensor in state.items()
        if tensor.numel() > 1
        and name in there
        and (there[name].data_ptr(), there[name].shape, there[name].stride(), there[name].dtype)
        == (tensor.data_ptr(), tensor.shape, tensor.stride(), tensor.dtype)
    }
    state.update({name: _stand_in(tensor) for name, tensor in shared.items()})
    try:
        torch.export.save(program, path)
    finally:
        state.update(shared)


def load_program(folder, manifest):
    """The exported program of an artifact, with its weights. REQUIRES: the artifact has one."""
    files = manifest["files"]
    program = torch.export.load(require_within(folder, os.path.join(folder, files["exported"]["path"])))
    state = program.state_dict
    missing = [name for name, tensor in state.items() if _is_stand_in(tensor)]
    if missing:
        script = torch.jit.load(require_within(folder, os.path.join(folder, files["torchscript"]["path"])), "cpu")
        there = script.state_dict()
        state.update({name: _in_place_of(state[name], there[name]) for name in missing})
    return program

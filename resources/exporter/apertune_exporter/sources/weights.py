# SPDX-License-Identifier: GPL-3.0-or-later
"""`--weights FILE`: a state_dict or safetensors file for a module that was built with random weights."""

import os
import zipfile

import torch

from ..common.protocol import ExportError

# Where trainers keep the weights in their checkpoints; those that are averaged over the training come first.
_WRAPPERS = (
    "state_dict_ema", "model_ema", "params_ema", "ema_state_dict", "state_dict", "model", "model_state",
    "model_state_dict", "params", "net",
)


def _read(path):
    if not os.path.isfile(path):
        raise ExportError(
            "bad_source", f"There is no weights file {path}.", "Give the path of a state_dict or safetensors file."
        )
    if path.endswith(".safetensors"):
        from safetensors.torch import load_file

        return load_file(path)
    # Mapped, so that the weights are not in memory twice while the model takes them. The old format cannot be mapped.
    return torch.load(path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path))


def read_state(path):
    """The tensors of a weights file by name."""
    try:
        state = _read(path)
    except ExportError:
        raise
    except Exception as failure:
        # The readers' messages about a wrong file do not help: a missing key, or how to load untrusted code.
        first = str(failure) if isinstance(failure, OSError) else "it is neither a state_dict nor a safetensors file"
        raise ExportError(
            "bad_source",
            f"{path} cannot be read as weights: {first}.",
            "Save the weights with torch.save(model.state_dict(), FILE).",
        ) from failure
    for key in _WRAPPERS:
        if isinstance(state, dict) and isinstance(state.get(key), dict):
            state = state[key]
            break
    if not isinstance(state, dict) or not any(isinstance(v, torch.Tensor) for v in state.values()):
        raise ExportError(
            "bad_source", f"{path} holds no state_dict.", "Save the weights with torch.save(model.state_dict(), FILE)."
        )
    return state


_MOST_WORDS = 3


def _renamed(state, expected):
    """The state with the names of the model: trainers and wrappers put words before them ("module.", "model.")."""
    before = {""}
    for name in state:
        words = name.split(".")[: _MOST_WORDS + 1]
        before |= {".".join(words[:count]) + "." for count in range(1, len(words))}

    def fitting(prefix):
        return sum(name.removeprefix(prefix) in expected for name in state)

    best = max(sorted(before, key=len), key=fitting)
    return {name.removeprefix(best): value for name, value in state.items()}


def _target(module):
    for name in ("detector", "part"):  # Wrappers of other sources have the model under these names.
        if hasattr(module, name):
            return getattr(module, name)
    return module


def _misfits(expected, state):
    missing = [k for k in expected if k not in state]
    wrong = [k for k in expected if k in state and getattr(state[k], "shape", None) != expected[k].shape]
    return missing, wrong


def classes_in(module, state):
    """The number of classes that the weights were trained for, if that is all that keeps them from fitting; else None."""
    expected = _target(module).state_dict()
    state = _renamed(state, expected)
    missing, wrong = _misfits(expected, state)
    if missing or not wrong or any(expected[k].dim() == 0 or state[k].dim() != expected[k].dim() for k in wrong):
        return None
    counts = {state[k].shape[0] for k in wrong}
    only_first = all(state[k].shape[1:] == expected[k].shape[1:] for k in wrong)
    return counts.pop() if only_first and len(counts) == 1 else None


def load_weights(module, path, state=None):
    """Load a state_dict into `module`; every parameter must be there with its shape. Return notes."""
    target = _target(module)
    expected = target.state_dict()
    state = _renamed(read_state(path) if state is None else state, expected)
    missing, wrong = _misfits(expected, state)
    if missing or wrong:
        first = (missing + wrong)[0]
        raise ExportError(
            "bad_source",
            f"{path} does not fit this model: {len(missing)} of {len(expected)} tensors are missing and "
            f"{len(wrong)} have another shape (the first is {first}).",
            "Give the weights of this very architecture and number of classes.",
        )
    target.load_state_dict({k: state[k] for k in expected})
    unused = len([k for k in state if k not in expected])
    return [f"{unused} tensors of the weights file have no place in the model."] if unused else []

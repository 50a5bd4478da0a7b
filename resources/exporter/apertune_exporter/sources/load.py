# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns SOURCE, as the user writes it, into a `Loaded`."""

import os
import zipfile

import torch

from ..common.protocol import ExportError
from .architectures import load_timm, load_torchvision
from .loaded import to_eval
from .python_source import load_python
from .torchscript_source import load_torchscript
from .zoo import load_zoo

_KINDS = {"torchvision": load_torchvision, "timm": load_timm, "zoo": load_zoo}


def load_source(arguments):
    """The model of `arguments.source`, seeded with `arguments.seed`, with `--weights` in place."""
    torch.manual_seed(arguments.seed)
    kind, separator, rest = arguments.source.partition(":")
    if kind in _KINDS and separator:
        name, image_size = _split_size(rest)
        loaded = _KINDS[kind](name, image_size)
        loaded.weights = f"random, seed {arguments.seed}"
    elif kind == "python" and separator:
        loaded = load_python(rest)
    elif os.path.exists(arguments.source):
        _refuse(arguments.weights, "--weights", "a TorchScript file has its weights in it")
        return load_torchscript(arguments.source, arguments.input_shape, arguments.seed)
    else:
        raise _no_such_source(arguments.source)
    if arguments.input_shape:
        _refuse(True, "--input-shape", "it is for TorchScript files; write NAME@SIZE")
    if arguments.weights:
        notes = load_weights(loaded.module, arguments.weights)
        loaded.weights = f"file {os.path.basename(arguments.weights)}"
        loaded.random_weights = False
        loaded.notes += notes
    to_eval(loaded.module)
    return loaded


def _split_size(text):
    """Split "resnet50@160" into ("resnet50", 160). Without a size the second is None."""
    name, mark, size = text.rpartition("@")
    if not mark:
        return text, None
    if not size.isascii() or not size.isdigit() or int(size) == 0:
        raise ExportError(
            "bad_source", f'Invalid image size "{size}" after the @.', "Use the number of pixels per side: resnet50@160."
        )
    return name, int(size)


def _refuse(value, option, why):
    if value:
        raise ExportError("unsupported", f"{option} does not go with this source: {why}.", f"Leave {option} out.")


def _no_such_source(source):
    kind, separator, _ = source.partition(":")
    forms = (
        "torchvision:NAME, timm:NAME, zoo:NAME, python:FILE.py:CALLABLE or the path of a TorchScript, ONNX or OpenVINO file"
    )
    if separator and "/" not in kind and "." not in kind:
        return ExportError("bad_source", f'There is no kind of source named "{kind}".', f"Write {forms}.")
    import torchvision

    if source in torchvision.models.list_models():
        return ExportError(
            "bad_source", f"There is no file {source}.", f"Did you mean torchvision:{source}? Write {forms}."
        )
    return ExportError("bad_source", f"There is no file {source}.", f"Write {forms}.")


def _read_state(path):
    if not os.path.isfile(path):
        raise ExportError(
            "bad_source", f"There is no weights file {path}.", "Give the path of a state_dict or safetensors file."
        )
    if path.endswith(".safetensors"):
        from safetensors.torch import load_file

        return load_file(path)
    # Mapped, so that the weights are not in memory twice while the model takes them. The old format cannot be mapped.
    return torch.load(path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path))


def load_weights(module, path):
    """Load a state_dict into `module`; every parameter must be there with its shape."""
    try:
        state = _read_state(path)
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
    for key in ("state_dict", "model", "model_state", "model_state_dict"):
        if isinstance(state, dict) and isinstance(state.get(key), dict):
            state = state[key]
    if not isinstance(state, dict) or not any(isinstance(v, torch.Tensor) for v in state.values()):
        raise ExportError(
            "bad_source", f"{path} holds no state_dict.", "Save the weights with torch.save(model.state_dict(), FILE)."
        )
    state = {k.removeprefix("module."): v for k, v in state.items()}
    target = getattr(module, "detector", module)
    expected = target.state_dict()
    missing = [k for k in expected if k not in state]
    wrong = [k for k in expected if k in state and getattr(state[k], "shape", None) != expected[k].shape]
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

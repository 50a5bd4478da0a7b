# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns SOURCE, as the user writes it, into a `Loaded`."""

import argparse
import os

import torch

from ..common.protocol import ExportError
from .architectures import load_timm, load_torchvision
from .diffusers_source import load_diffusers
from .exported_source import load_exported
from .huggingface_source import load_huggingface
from .loaded import to_eval
from .python_source import load_python
from .sniff import kind_of
from .torchscript_source import load_torchscript
from .variants import require_fit, split_variant
from .weights import classes_in, load_weights, read_state
from .zoo import load_zoo

_NAMED = {"torchvision": load_torchvision, "timm": load_timm, "zoo": load_zoo}
_FOLDERS = {"hf": load_huggingface, "diffusers": load_diffusers}


def load_source(arguments):
    """The model of `arguments.source`, seeded with `arguments.seed`, with `--weights` in place."""
    variant, source = split_variant(arguments.source)
    loaded = _load(argparse.Namespace(**{**vars(arguments), "source": source}))
    if variant:
        require_fit(loaded, variant)
        loaded.variant = variant
        loaded.base_source = source
    return loaded


def _load(arguments):
    torch.manual_seed(arguments.seed)
    kind, separator, rest = arguments.source.partition(":")
    if kind in _NAMED and separator:
        _refuse(arguments.input_shape, "--input-shape", "its size is written as NAME@SIZE")
        loaded = _load_named(_NAMED[kind], rest, arguments)
    elif kind in _FOLDERS and separator:
        loaded = _FOLDERS[kind](*_split_size(rest), arguments)
        _put_weights(loaded, arguments.weights)
    elif kind == "python" and separator:
        _refuse(arguments.input_shape, "--input-shape", "the callable returns the inputs")
        loaded = load_python(rest)
        _put_weights(loaded, arguments.weights)
    elif os.path.exists(arguments.source):
        return _load_file(arguments)
    else:
        raise _no_such_source(arguments.source)
    to_eval(loaded.module)
    return loaded


def _load_named(load, rest, arguments):
    name, image_size = _split_size(rest)
    loaded = load(name, image_size)
    loaded.weights = f"random, seed {arguments.seed}"
    if arguments.weights:
        state = read_state(arguments.weights)
        classes = classes_in(loaded.module, state)
        if classes:
            loaded = load(name, image_size, classes)
            loaded.notes.append(f"The weights are those of {classes} classes, and so is the model.")
        _put_weights(loaded, arguments.weights, state)
    return loaded


def _put_weights(loaded, path, state=None):
    if path:
        loaded.notes += load_weights(loaded.module, path, state)
        loaded.weights = f"file {os.path.basename(path)}"
        loaded.random_weights = False


def _load_file(arguments):
    _refuse(arguments.weights, "--weights", "the file has its weights in it")
    if kind_of(arguments.source) == "exported":
        _refuse(arguments.input_shape, "--input-shape", "a program of torch.export says what its inputs are")
        return load_exported(arguments.source)
    return load_torchscript(arguments.source, arguments.input_shape, arguments.seed)


def _split_size(text):
    """Split "resnet50@160" into ("resnet50", 160). Without a size the second is None."""
    name, mark, size = text.rpartition("@")
    if not mark or "/" in size:  # an earlier @ belongs to a path
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
        "torchvision:NAME, timm:NAME, zoo:NAME, hf:FOLDER, diffusers:NAME#PART, python:FILE.py:CALLABLE or the path of a "
        "TorchScript, torch.export, ONNX or OpenVINO file"
    )
    if separator and "/" not in kind and "." not in kind:
        return ExportError("bad_source", f'There is no kind of source named "{kind}".', f"Write {forms}.")
    import torchvision

    if source in torchvision.models.list_models():
        return ExportError(
            "bad_source", f"There is no file {source}.", f"Did you mean torchvision:{source}? Write {forms}."
        )
    return ExportError("bad_source", f"There is no file {source}.", f"Write {forms}.")

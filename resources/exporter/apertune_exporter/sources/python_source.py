# SPDX-License-Identifier: GPL-3.0-or-later
"""python:FILE.py:CALLABLE, the source for models that are in no list."""

import difflib
import importlib.util
import os
import sys
import traceback

import torch

from ..common.failures import describe
from ..common.protocol import ExportError
from .loaded import Loaded

_CONTRACT = "CALLABLE() must return (nn.Module, example inputs): a tensor, a tuple of arguments or a dict of keywords."


def where(failure, path):
    """The last line of `path` in the failure's trace, as ", line N", or "" without one."""
    lines = [f.lineno for f in traceback.extract_tb(failure.__traceback__) if os.path.abspath(f.filename) == path]
    return f", line {lines[-1]}" if lines else ""


def _module_from(path):
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, os.path.dirname(path))
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as failure:
        raise ExportError(
            "missing_module",
            f"{path} needs the Python module {failure.name}, which is not installed.",
            f"Install {failure.name} into the environment that `apertune model import` uses, then try again.",
        ) from failure
    except Exception as failure:
        raise ExportError(
            "throws",
            f"{path}{where(failure, path)} fails when it is loaded: {describe(failure)}",
            "Correct the file; `python FILE.py` shows the same failure.",
        ) from failure
    return module


def load_python(rest):
    file, separator, attribute = rest.rpartition(":")
    if not separator or not file or not attribute:
        raise ExportError(
            "bad_source",
            f"python:{rest} does not name a file and a callable.",
            f"Write python:FILE.py:CALLABLE. {_CONTRACT}",
        )
    path = os.path.abspath(file)
    if not os.path.isfile(path):
        raise ExportError("bad_source", f"There is no file {file}.", "Give the path of an existing Python file.")
    module = _module_from(path)
    build = getattr(module, attribute, None)
    if not callable(build):
        near = difflib.get_close_matches(attribute, [n for n in dir(module) if callable(getattr(module, n))], 3)
        hint = f"Did you mean {', '.join(near)}? " if near else ""
        raise ExportError("bad_source", f"{file} has no callable named {attribute}.", hint + _CONTRACT)
    try:
        result = build()
    except Exception as failure:
        raise ExportError(
            "throws",
            f"{attribute} in {file}{where(failure, path)} fails: {describe(failure)}",
            f"Correct the callable. {_CONTRACT}",
        ) from failure
    valid = isinstance(result, (tuple, list)) and len(result) == 2 and isinstance(result[0], torch.nn.Module)
    if not valid:
        raise ExportError("bad_source", f"{attribute} in {file} returned {_shape_of(result)}.", _CONTRACT)
    return Loaded(
        name=attribute,
        module=result[0],
        family=None,
        weights="as made by the callable",
        example=result[1],
        distribution="given",
    )


def _shape_of(result):
    if isinstance(result, (tuple, list)):
        return f"a {type(result).__name__} of ({', '.join(type(item).__name__ for item in result)})"
    return type(result).__name__

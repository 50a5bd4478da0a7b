# SPDX-License-Identifier: GPL-3.0-or-later
"""The packages of other engines, which live in environments of their own."""

import importlib
import os
import sys

from .protocol import ExportError


def add_engine_folders():
    """Add an engine's environment at the end of the path, so that its other packages do not replace those of this
    one."""
    for folder in os.environ.get("APERTUNE_ENGINES", "").split(":"):
        if folder and folder not in sys.path:
            sys.path.append(folder)


# Package -> the engine that `apertune engine add` installs it with.
_ADDED_WITH = {"openvino": "openvino", "onnxruntime": "onnxruntime", "onnx": "onnxruntime"}


def require(name):
    try:
        return importlib.import_module(name)
    except ImportError as failure:
        added = f"Add it with `apertune engine add {_ADDED_WITH[name]}`, or name" if name in _ADDED_WITH else "Name"
        raise ExportError(
            "missing_module",
            f"The Python package {name} cannot be loaded ({failure}).",
            f"{added} a Python environment that has it (pip install {name}) in APERTUNE_ENGINES.",
        ) from failure

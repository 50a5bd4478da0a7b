# SPDX-License-Identifier: GPL-3.0-or-later
"""Packages that only some sources need: transformers and diffusers."""

import contextlib
import importlib
import logging

from ..common.protocol import ExportError


def require_package(name, source):
    """The module of an optional package, or an ExportError that says how to get it."""
    try:
        module = importlib.import_module(name)
    except ImportError as failure:
        raise ExportError(
            "missing_module",
            f"{source} needs the Python package {name}, which cannot be loaded ({failure}).",
            f"Install it into a folder of its own (python3 -m pip install --target FOLDER/site-packages {name}) and name "
            "FOLDER/site-packages in APERTUNE_ENGINES.",
        ) from failure
    logging.getLogger(name).setLevel(logging.ERROR)
    return module


def quiet_transformers(source):
    """transformers without its warnings and progress bars."""
    transformers = require_package("transformers", source)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    return transformers


def register_result_types():
    """Make results of transformers and diffusers known to torch, where these packages are there."""
    for module in ("transformers.modeling_outputs", "diffusers.utils.outputs"):
        with contextlib.suppress(ImportError):
            importlib.import_module(module)

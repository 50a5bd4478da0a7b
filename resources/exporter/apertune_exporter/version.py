# SPDX-License-Identifier: GPL-3.0-or-later
"""Versions and capabilities of the Python side, as JSON."""

import importlib
import json
import platform

from . import EXPORTER_VERSION


def _version_of(name):
    try:
        return importlib.import_module(name).__version__
    except ImportError:
        return None


def describe():
    import torch

    cuda = torch.cuda.is_available()
    return {
        "exporter": EXPORTER_VERSION,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "torchvision": _version_of("torchvision"),
        "timm": _version_of("timm"),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "cuda": cuda,
        "cuda_version": torch.version.cuda,
        "devices": [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())] if cuda else [],
    }


def version_text():
    return json.dumps(describe())

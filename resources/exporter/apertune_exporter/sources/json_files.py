# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON files of a folder that other tools wrote."""

import json
import os

from ..common.protocol import ExportError


def read_object(path):
    """The object in a file; None where there is no file or it holds no object. Raise where it is not valid JSON."""
    try:
        with open(path, encoding="utf-8") as stream:
            found = json.load(stream)
    except FileNotFoundError:
        return None
    except ValueError as failure:
        raise ExportError("truncated", f"{path} is not valid JSON ({failure}).", "Copy the file again.") from failure
    return found if isinstance(found, dict) else None


def read_hint(folder, name):
    """The object in a file that only helps; None where it cannot be read."""
    try:
        return read_object(os.path.join(folder, name))
    except (OSError, ExportError):
        return None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds out what a file is before anything in it runs. It does not use torch."""

import json
import os
import re
import zipfile
import zlib

from ..common.protocol import ExportError

_PYTHON_HINT = (
    "Write a function that builds the model, loads the weights and returns (model, example inputs), "
    "and import it as python:FILE.py:CALLABLE."
)


def _not_a_model(path, what):
    return ExportError(
        "not_a_model",
        f"{path} is not a model: {what}.",
        "Use a TorchScript or torch.export file, an .onnx or OpenVINO .xml file, torchvision:NAME, timm:NAME, zoo:NAME, "
        "hf:FOLDER, diffusers:NAME or python:FILE.py:CALLABLE.",
    )


def _truncated(path, what):
    return ExportError("truncated", f"{path} is truncated or damaged: {what}.", "Copy or export the file again.")


def kind_of(path):
    """"torchscript" or "exported" (a program of torch.export): what the complete file `path` looks like. Raise for
    every other one."""
    if os.path.isdir(path):
        if os.path.exists(os.path.join(path, "manifest.json")):
            raise ExportError(
                "bad_source",
                f"{path} is a model artifact already.",
                "Tune it by its name, or import the source that it was made from.",
            )
        raise _not_a_model(path, "it is a folder")
    size = os.path.getsize(path)
    with open(path, "rb") as stream:
        head = stream.read(64)
    if size == 0:
        raise _truncated(path, "it is empty")
    if not head.startswith(b"PK\x03\x04"):
        _refuse_other(path, head, size)
    try:
        with zipfile.ZipFile(path) as archive:
            kind = _kind_of_entries(path, archive)
            damaged = archive.testzip()
            if damaged:
                raise _truncated(path, f"{damaged} fails its checksum")
            return kind
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as failure:
        raise _truncated(path, f"the zip archive cannot be read ({failure})") from failure


def _refuse_other(path, head, size):
    if b"PK\x03\x04".startswith(head):
        raise _truncated(path, f"it ends after {size} bytes")
    if head[:2] in (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"):
        raise ExportError(
            "not_a_model",
            f"{path} is a Python pickle (weights or a whole eager module), not TorchScript.",
            _PYTHON_HINT,
        )
    if len(head) > 9 and head[8:9] == b"{" and int.from_bytes(head[:8], "little") < size:
        raise ExportError(
            "not_a_model",
            f"{path} is a safetensors file: weights without a model.",
            f"Pass it with --weights to a named model. {_PYTHON_HINT}",
        )
    if str(path).endswith(".py"):
        raise ExportError(
            "not_a_model",
            f"{path} is Python code: which of its functions or classes makes the model was not said.",
            f"Import it as python:{path}:CALLABLE.",
        )
    raise _not_a_model(path, "it does not start like a zip archive")


def _kind_of_entries(path, archive):
    names = archive.namelist()
    if not names:
        raise _not_a_model(path, "the zip archive is empty")
    if any("data/aotinductor/" in n for n in names):
        raise _compiled_package(path, archive, names)
    if any(re.search(r"(^|/)(models/[^/]+\.json|serialized_exported_program\.json)$", n) for n in names):
        return "exported"
    if any(n.endswith("/constants.pkl") for n in names):
        if not any("/code/" in n for n in names):
            raise _not_a_model(path, "it has TorchScript constants but no code")
        return "torchscript"
    if any(n.endswith("data.pkl") for n in names):
        raise ExportError(
            "not_a_model",
            f"{path} is a Python pickle written by torch.save (weights or a whole eager module), not TorchScript.",
            _PYTHON_HINT,
        )
    raise _not_a_model(path, "it is a zip archive without TorchScript in it")


def package_metadata(archive):
    """The AOTI_* strings of a compiled package; empty when it has none."""
    for name in archive.namelist():
        if "data/aotinductor/" in name and name.endswith("metadata.json"):
            try:
                found = json.loads(archive.read(name))
            except ValueError:
                continue
            if isinstance(found, dict):
                return {k: str(v) for k, v in found.items()}
    return {}


def _compiled_package(path, archive, names):
    metadata = package_metadata(archive)
    device = metadata.get("AOTI_DEVICE_KEY", "unknown device")
    target = device
    if "AOTI_CPU_ISA" in metadata and device == "cpu":
        target = f"a CPU with {metadata['AOTI_CPU_ISA']}"
    elif "AOTI_COMPUTE_CAPABILITY" in metadata:
        target = f"a GPU of compute capability {metadata['AOTI_COMPUTE_CAPABILITY']}"
    if not any(n.endswith(".so") for n in names):
        target += ", as source code only"
    return ExportError(
        "foreign_package",
        f"{path} is a compiled AOTInductor package for {target}, not a model.",
        "Import the model that it was compiled from; Apertune compiles packages for this machine itself.",
    )

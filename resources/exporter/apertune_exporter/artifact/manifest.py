# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes manifest.json, reads it back and checks it."""

import datetime
import hashlib
import json
import os

import numpy
import torch

from .. import EXPORTER_VERSION, MODEL_SCHEMA
from ..common.files import require_within, sha256_of
from ..common.protocol import ExportError


def dtype_name(dtype):
    return str(dtype).removeprefix("torch.")


def raw_bytes(tensor):
    """Little-endian bytes of a tensor, row-major. numpy has no bfloat16, so that type is written as its 16 bits."""
    tensor = tensor.detach().cpu().contiguous()
    return tensor.reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.numel() else b""


def tensor_from(data, dtype, shape):
    flat = torch.from_numpy(numpy.frombuffer(data, dtype=numpy.uint8).copy())
    return flat.view(getattr(torch, dtype)).reshape(shape)


def describe_file(folder, name):
    path = os.path.join(folder, name)
    return {"path": name, "sha256": sha256_of(path), "bytes": os.path.getsize(path)}


def content_hash(files, inputs, outputs, input_hashes):
    """A hash that identifies a model: its weights, its code, and the tensors that it takes and returns."""
    hashed = {
        "exporter": EXPORTER_VERSION,
        "torchscript": files["torchscript"]["sha256"],
        "exported": files["exported"]["sha256"] if files["exported"] else None,
        "inputs": inputs,
        "outputs": outputs,
        "input_files": input_hashes,
    }
    if "base" in files:
        hashed["base"] = files["base"]["sha256"]
    return hashlib.sha256(json.dumps(hashed, sort_keys=True).encode()).hexdigest()


def stamp():
    return {
        "torch": torch.__version__,
        "exporter": EXPORTER_VERSION,
        "created": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def read_manifest(folder):
    path = os.path.join(folder, "manifest.json")
    try:
        with open(path, encoding="utf-8") as stream:
            manifest = json.load(stream)
    except FileNotFoundError as failure:
        raise ExportError(
            "bad_source",
            f"{folder} is not a model artifact: it has no manifest.json.",
            "Give the folder that `export` wrote.",
        ) from failure
    except ValueError as failure:
        raise ExportError("truncated", f"{path} is not valid JSON ({failure}).", "Import the model again.") from failure
    if not isinstance(manifest, dict) or manifest.get("schema") != MODEL_SCHEMA:
        raise ExportError(
            "unsupported", f"{path} has not the schema {MODEL_SCHEMA}.", "Import the model again with this version."
        )
    return manifest


def reference_inputs(folder, manifest, batch):
    """Reference inputs of one batch; samples repeat when the batch is larger than what is stored."""
    made = []
    for described in manifest["inputs"]:
        shape = list(described["shape"])
        if described["batch_dim"] is not None:
            shape[described["batch_dim"]] = described["samples"]
        path = require_within(folder, os.path.join(folder, described["file"]))
        with open(path, "rb") as stream:
            data = stream.read()
        try:
            tensor = tensor_from(data, described["dtype"], shape)
        except RuntimeError as failure:
            raise ExportError(
                "truncated", f"{path} has not the size that the manifest says.", "Import the model again."
            ) from failure
        if described["batch_dim"] is not None:
            index = torch.arange(batch) % described["samples"]
            tensor = tensor.index_select(described["batch_dim"], index)
        made.append(tensor.contiguous())
    return tuple(made)

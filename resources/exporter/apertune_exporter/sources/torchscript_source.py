# SPDX-License-Identifier: GPL-3.0-or-later
"""A TorchScript file as a source. Loading it runs code from the file.

REQUIRES of load_torchscript: `sniff` has recognised the file."""

import json
import os
import re
import zipfile

import torch

from ..common.protocol import ExportError
from ..tensors.inputs import images
from .loaded import Loaded

_DTYPES = {
    "float32": torch.float32,
    "float64": torch.float64,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "int64": torch.int64,
    "int32": torch.int32,
    "int16": torch.int16,
    "int8": torch.int8,
    "uint8": torch.uint8,
    "bool": torch.bool,
}

_OF_YOLO = "config.txt"
# Extra files in which exporters leave the inputs, best first.
_EXTRA_FILES = ("apertune.json", "inputs.json", "input_shapes.json", "meta.json", _OF_YOLO)

_SHAPE_HINT = (
    "Pass --input-shape NAME:float32:1x3x224x224, once for each input in order. "
    "TorchScript files run code when they are loaded: import only those that you trust."
)


def parse_input_shape(text):
    """Parse NAME:DTYPE:1x3x224x224 into (name, dtype name, shape). NAME and DTYPE may be left out."""
    parts = text.split(":")
    name, dtype, shape = {1: ("", "float32", parts[0])}.get(len(parts), (None, None, None))
    if len(parts) == 2:
        name, dtype, shape = ("", *parts) if parts[0] in _DTYPES else (parts[0], "float32", parts[1])
    elif len(parts) == 3:
        name, dtype, shape = parts
    good = shape is not None and re.fullmatch(r"\d+(x\d+)*", shape) and dtype in _DTYPES
    if not good or 0 in (extents := [int(e) for e in shape.split("x")]):
        raise ExportError(
            "bad_source",
            f"--input-shape {text} is not of the form NAME:DTYPE:1x3x224x224.",
            f"DTYPE is one of {', '.join(_DTYPES)}; sizes are positive whole numbers joined by x.",
        )
    return name, dtype, extents


def torch_dtype(name):
    return _DTYPES[name]


def _from_extra_file(path):
    """(input triples, whether YOLO wrote them) from the first extra file that has some, or an empty list."""
    with zipfile.ZipFile(path) as archive:
        by_name = {n.split("/extra/", 1)[1]: n for n in archive.namelist() if "/extra/" in n}
        for extra in _EXTRA_FILES:
            if extra not in by_name:
                continue
            try:
                return _triples(json.loads(archive.read(by_name[extra]))), extra == _OF_YOLO
            except (ValueError, TypeError, KeyError):
                continue
    return [], False


def _yolo_triples(content):
    """The input of an export of YOLO: an image of values in 0…1."""
    shape = content.get("shape")
    if shape is None:
        size = content["imgsz"]
        shape = [content.get("batch", 1), content.get("channels", 3), *(size if isinstance(size, list) else [size, size])]
    return [{"shape": shape}]


def _triples(content):
    if isinstance(content, dict) and "stride" in content:
        content = _yolo_triples(content)
    elif isinstance(content, dict) and "inputs" in content:
        content = content["inputs"]
    elif isinstance(content, dict) and "input_shapes" in content:
        content = content["input_shapes"]
    if isinstance(content, dict):
        content = [{"name": name, "shape": shape} for name, shape in content.items()]
    triples = []
    for item in content:
        if isinstance(item, dict):
            name, dtype, shape = item.get("name", ""), item.get("dtype", "float32"), item["shape"]
        else:
            name, dtype, shape = "", "float32", item
        if dtype not in _DTYPES or not all(isinstance(e, int) and e > 0 for e in shape):
            raise ValueError("not an input")
        triples.append((name, dtype, list(shape)))
    return triples


def _indexed_tables(module, count):
    """For each input the number of rows of the smallest table that it is an index of, such as the vocabulary of a text;
    None for an input that is none."""
    sizes = [None] * count
    try:
        graph = module.inlined_graph
        places = {value.debugName(): i for i, value in enumerate(list(graph.inputs())[1 : count + 1])}
        for node in graph.findAllNodes("aten::embedding"):
            table, index = list(node.inputs())[:2]
            place = places.get(index.debugName())
            rows = _value_of(module, table)
            if place is not None and rows is not None:
                sizes[place] = min(rows.shape[0], sizes[place] or rows.shape[0])
    except (AttributeError, RuntimeError):
        pass
    return sizes


def _value_of(module, value):
    """The weight that a value of the graph stands for, or None."""
    path = []
    node = value.node()
    while node.kind() == "prim::GetAttr":
        path.append(node.s("name"))
        node = next(node.inputs()).node()
    found = module
    for name in reversed(path):
        found = getattr(found, name, None)
    return found if path and isinstance(found, torch.Tensor) else None


def _sample(dtype, shape, seed, rows, distribution):
    kind = _DTYPES[dtype]
    if kind.is_floating_point:
        if len(shape) >= 3:
            return images((1, *shape[1:]), distribution, seed, 1).to(kind).expand(shape).contiguous()
        return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(kind)
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, rows or 2, shape, generator=generator).to(kind)


def load_torchscript(path, input_shapes, seed):
    named = [parse_input_shape(text) for text in input_shapes]
    triples, is_yolo = (named, False) if named else _from_extra_file(path)
    try:
        module = torch.jit.load(path, map_location="cpu")
    except Exception as failure:
        text = [line.strip() for line in str(failure).splitlines() if line.strip()]
        raise ExportError(
            "truncated" if "archive" in str(failure) or "record" in str(failure) else "not_a_model",
            f"{path} cannot be loaded as TorchScript: {text[0] if text else type(failure).__name__}",
            "Export the file again with the installed torch, or import the model as python:FILE.py:CALLABLE.",
        ) from failure
    if not triples:
        raise ExportError("bad_source", f"{path} does not say what its inputs are.", _SHAPE_HINT)
    names = [name or argument for (name, _, _), argument in zip(triples, _argument_names(module, len(triples)))]
    tables = _indexed_tables(module, len(triples))
    distribution = "uniform01" if is_yolo else "normal"
    example = tuple(
        _sample(dtype, shape, seed + i, rows, distribution) for i, ((_, dtype, shape), rows) in enumerate(zip(triples, tables))
    )
    notes = []
    if any(p.dtype in (torch.float16, torch.bfloat16) for p in module.parameters()):
        module = module.float()
        notes.append("Half-precision weights of the file were widened to float32.")
    module.eval()
    return Loaded(
        name=re.sub(r"(\.ts)?\.(pt|pth|ts|zip)$", "", os.path.basename(path)),
        module=module,
        family=None,
        weights=f"file {os.path.basename(path)}",
        example=example,
        input_names=names,
        distribution=distribution,
        torchscript=True,
        notes=notes,
    )


def _argument_names(module, count):
    try:
        names = [a.name for a in module.forward.schema.arguments][1:]
    except (AttributeError, RuntimeError):
        names = []
    return [*names, *[f"input_{i}" for i in range(len(names), count)]][:count]

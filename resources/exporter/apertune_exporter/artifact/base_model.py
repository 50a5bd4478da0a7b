# SPDX-License-Identifier: GPL-3.0-or-later
"""The base of a model that computes another one in another way: the whole network of a tiled one, plain attention of a
sliced one.

An exporter that knows the base keeps it beside the model. Studies then compare outputs with those of the base and not
with those of the model itself. The base of a variant (`sources/variants.py`) is the module that it wraps. Any other module
with a base has a method `base_model()`. It returns a module with the same inputs, outputs and weights, or None."""

import functools
import os
import shutil

import torch

from ..common.failures import describe
from ..common.files import write_json
from ..common.protocol import ExportError
from ..tensors.flatten import flatten
from .behaviour import Behaviour, ModuleState
from .manifest import describe_file
from .program import make_program
from .script import ONE_PATH, make_torchscript

FOLDER = "base"


def write_variant_base(module, loaded, plan, folder, extra, notes):
    """The description of the TorchScript of a variant's base in `folder`. A note names the base.

    REQUIRES: `module` is flat, and the variant has not been applied to it."""
    try:
        described, script = _write(module, loaded, plan, folder, extra)
    except Exception as failure:
        raise ExportError(
            "unsupported",
            f"{loaded.base_source}, which this variant is compared with, cannot be exported: {describe(failure)}",
            f"Import {loaded.base_source} by itself, which says more.",
        ) from failure
    notes.append(
        f"A variant of {loaded.base_source}: {loaded.variant}. Quality is measured against the outputs of that model, which "
        f"is kept with it (SHA-256 of its TorchScript {described['sha256'][:12]})."
    )
    notes += [note for note in script.notes if note == ONE_PATH]
    return described


def write_base(loaded, plan, folder, extra, notes):
    """The description of the base's TorchScript in `folder`, or None without a base. A note names the base."""
    # Modules of other libraries have an attribute of that name which is no method: a property, or a module.
    made = getattr(type(loaded.module), "base_model", None)
    base = made(loaded.module) if callable(made) else None
    if base is None:
        return None
    try:
        module = flatten(base.eval(), plan.batch(1) if loaded.image_shape else loaded.example)[0]
        described, _ = _write(module, loaded, plan, folder, extra)
    except Exception as failure:
        shutil.rmtree(os.path.join(folder, FOLDER), ignore_errors=True)
        notes.append(f"The model that this one is an approximation of could not be kept: {describe(failure)} "
                     "Quality is measured against the approximation itself.")
        return None
    notes.append("Quality is measured against the outputs of the model that this one is an approximation of, which is kept with it.")
    return described


def _write(module, loaded, plan, folder, extra):
    path = f"{FOLDER}/model.ts.pt"
    os.makedirs(os.path.join(folder, FOLDER), exist_ok=True)
    script = make_torchscript(
        module,
        plan,
        loaded.script,
        loaded.torchscript,
        functools.cache(lambda: make_program(module, plan)),
        lambda scripted: torch.jit.save(scripted, os.path.join(folder, path), _extra_files=extra),
        Behaviour(),
        ModuleState(module),
    )
    return describe_file(folder, path), script


def _link(source, target):
    try:
        os.link(source, target)
    except OSError:  # a file system without hard links
        shutil.copyfile(source, target)


def write_base_manifest(manifest, folder, source):
    """The manifest of the base, from that of the model. `source` is the base's own. REQUIRES: `files` names a base."""
    described = dict(manifest["files"]["base"], path="model.ts.pt")
    for given in manifest["inputs"]:  # linked, because an artifact must not name files outside of its folder
        own = os.path.join(folder, FOLDER, given["file"])
        os.makedirs(os.path.dirname(own), exist_ok=True)
        _link(os.path.join(folder, given["file"]), own)
    base = {
        **manifest,
        "name": f"{manifest['name']}, base",
        "source": source,
        "files": {"torchscript": described, "exported": None},
        "macs": None,
        "layers": [],
        "notes": [],
        "content_hash": described["sha256"],
    }
    write_json(os.path.join(folder, FOLDER, "manifest.json"), base)

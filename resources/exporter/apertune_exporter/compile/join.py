# SPDX-License-Identifier: GPL-3.0-or-later
"""The `join` command: puts the AOTInductor packages of several batches into one file, with a model for each batch."""

import json
import os
import shutil
import zipfile

from ..common.files import partial_file
from ..common.protocol import ExportError

_MODEL = "/data/aotinductor/model/"
_SAME = {
    "content_hash": "model",
    "precision": "precision",
    "device": "device",
    "isa": "instruction set",
    "compute_capability": "compute capability",
    "threads": "number of threads",
    "tf32": "use of TF32",
    "torch": "version of torch",
}
_HINT = "Join packages that `compile` made of one model for different batches."


def join(arguments, channel):
    channel.expect_steps(2)
    channel.progress("check", f"Reading {len(arguments.package)} packages")
    files = {}
    first = None
    for path in arguments.package:
        sidecar = _sidecar_of(path)
        first = first or sidecar
        for key, word in _SAME.items():
            if sidecar.get(key) != first.get(key):
                raise _refused(f"{path} and {arguments.package[0]} are not of the same {word}.")
        name = f"batch_{sidecar['batch']}"
        if name in files:
            raise _refused(f"{path} and {files[name]} are both for batch {sidecar['batch']}.")
        files[name] = path
    channel.progress("write", "Writing the package")
    with partial_file(arguments.out) as partial:
        _write(partial, files, os.path.splitext(os.path.basename(arguments.out))[0])
        size = os.path.getsize(partial)
    channel.done(package=os.path.abspath(arguments.out), bytes=size, models=list(files))


def _refused(message):
    return ExportError("bad_source", message, _HINT)


def _sidecar_of(path):
    try:
        with open(path + ".json", encoding="utf-8") as stream:
            sidecar = json.load(stream)
    except (OSError, ValueError) as failure:
        raise _refused(f"{path} comes without a readable {os.path.basename(path)}.json.") from failure
    if not isinstance(sidecar, dict) or not isinstance(sidecar.get("batch"), int):
        raise _refused(f"{path} is not for one batch.")
    return sidecar


def _write(partial, files, root):
    """Copy the packages into one. A package is an uncompressed zip archive with one folder in it. The loader finds a
    model by the name of its folder."""
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as joined:
        for i, (name, path) in enumerate(files.items()):
            try:
                with zipfile.ZipFile(path) as package:
                    _copy(package, joined, root, name, with_frame=i == 0)
            except zipfile.BadZipFile as failure:
                raise ExportError("truncated", f"{path} is damaged: {failure}.", "Compile it again.") from failure


def _copy(package, joined, root, name, with_frame):
    for entry in package.infolist():
        within = entry.filename[entry.filename.find("/") :]
        if within.startswith(_MODEL):
            within = _MODEL.replace("/model/", f"/{name}/") + within[len(_MODEL) :]
        elif not with_frame:
            continue
        target = zipfile.ZipInfo(root + within)
        target.file_size = entry.file_size
        with package.open(entry) as source, joined.open(target, "w") as sink:
            shutil.copyfileobj(source, sink, 1 << 20)

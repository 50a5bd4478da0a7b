# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports a torch.nn.Module of this process as a model of a workspace.

The exporter runs in this process, because the classes of a notebook exist nowhere else."""

import argparse
import contextlib
import copy
import hashlib
import json
import logging
import os
import pathlib
import pickletools
import re
import sys
import tempfile
import warnings
import zipfile

from .program import ApertuneError, run, tree
from .studies import store_arguments

_MANGLED = re.compile(rb"[./]?___torch_mangle_[0-9]+")


def import_module(module, example_inputs, name, store, observer):
    """Import `module` into the workspace and return its name there.

    Weights, code and inputs that were imported before are the same model again, so that what was compiled or measured of
    it is found. Another module of the same class gets a number behind its name, unless the caller names it.
    """
    if example_inputs is None:
        raise TypeError("A torch.nn.Module needs example_inputs: a tensor, a tuple of arguments or a dict of keywords")
    wanted = name or type(module).__name__
    folder = _artifact_of(module, example_inputs, wanted, observer)
    content = _manifest(folder)["content_hash"]
    known = {model["name"]: model["content_hash"] for model in _models(store)}
    chosen = wanted
    number = 1
    # A made-up name is free to change; a name that the caller chose is not, and the program refuses it.
    while name is None and known.get(chosen, content) != content:
        number += 1
        chosen = f"{wanted}-{number}"
    run("model", "import", folder, "--name", chosen, *store_arguments(store), observer=observer)
    return chosen


def _models(store):
    if not pathlib.Path(store or _data_folder() / "default.apertune").exists():
        return []
    return run("model", "list", *store_arguments(store))["models"]


def _artifact_of(module, example_inputs, name, observer):
    """The artifact folder of a module, which is written unless an equal one exists."""
    exporter = str(tree() / "share" / "apertune" / "exporter")
    if exporter not in sys.path:
        sys.path.append(exporter)
    from apertune_exporter.artifact.export import export
    from apertune_exporter.common.protocol import Channel, ExportError
    from apertune_exporter.sources.loaded import Loaded, to_eval

    class Observed(Channel):
        """A channel whose lines go to the observer instead of a descriptor."""

        def __init__(self):
            super().__init__(None)

        def _send(self, record):
            if record["t"] in ("progress", "log"):
                observer(record["text"])

    def load(_):
        own = _copy(module)
        to_eval(own)
        return Loaded(name, own, None, "of the caller's module", example=_copy(example_inputs), distribution="given")

    models = _data_folder() / "models"
    models.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".live-", dir=models) as making:
        out = pathlib.Path(making) / "artifact"
        arguments = argparse.Namespace(source=f"object:{name}", out=str(out), name=name, seed=0)
        try:
            with _settings_kept():
                export(arguments, Observed(), load)
        except ExportError as failure:
            raise ApertuneError(f"{failure.message}\n{failure.hint}") from failure
        folder = models / f"{_file_name(name)}-{_fingerprint(out)[:12]}"
        if not folder.exists():
            try:
                out.rename(folder)
            except OSError:
                # Another process made the same one meanwhile.
                if not folder.exists():
                    raise
    return folder


def _fingerprint(artifact):
    """A hash of weights, code and inputs. Unlike the content hash, it is the same for every export of one process, which
    numbers the types in a TorchScript file as it goes on ("___torch_mangle_7")."""
    manifest = _manifest(artifact)
    found = hashlib.sha256(json.dumps([manifest["inputs"], manifest["outputs"], manifest["torch"]], sort_keys=True).encode())
    with zipfile.ZipFile(artifact / manifest["files"]["torchscript"]["path"]) as archive:
        parts = []
        for name in archive.namelist():
            # What only names places in sources, and the file itself.
            if name.endswith((".debug_pkl", "serialization_id")):
                continue
            data = archive.read(name)
            if name.endswith(".pkl"):
                data = repr([(code.name, argument) for code, argument, _ in pickletools.genops(data)]).encode()
            parts.append((_MANGLED.sub(b"", name.encode()), hashlib.sha256(_MANGLED.sub(b"", data)).digest()))
    for part in sorted(parts):
        found.update(repr(part).encode())
    return found.hexdigest()


def _copy(value):
    """A copy on the CPU, so that the caller's own stays as it is."""
    import torch

    if isinstance(value, torch.nn.Module):
        return copy.deepcopy(value).to("cpu")
    if isinstance(value, torch.Tensor):
        return value.detach().to("cpu", copy=True)
    if isinstance(value, dict):
        return {key: _copy(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        entries = [_copy(entry) for entry in value]
        # A named tuple takes its fields one by one.
        return type(value)(*entries) if hasattr(value, "_fields") else type(value)(entries)
    return copy.deepcopy(value)


@contextlib.contextmanager
def _settings_kept():
    """Keep the settings of torch that an export changes, and silence remarks that do not help the caller: comparing the
    traced module with the eager one checks what they warn of."""
    import torch

    fast_path = torch.backends.mha.get_fastpath_enabled()
    logger = logging.getLogger("torch")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast_path)
        logger.setLevel(level)


def _data_folder():
    data = os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local" / "share"
    return pathlib.Path(data) / "apertune"


def _manifest(artifact):
    return json.loads((artifact / "manifest.json").read_text())


def _file_name(name):
    return "".join(c if c.isalnum() or c in "._-" else "_" for c in name)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the artifacts that the tests of the libtorch backend open: make_artifacts.py OUT EXPORTER.

OUT is made once and again when this folder, the exporter or torch has changed.
"""

import glob
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))


def fingerprint(exporter):
    digest = hashlib.sha256((sys.prefix + os.environ.get("APERTUNE_ENGINES", "")).encode())
    for path in sorted(glob.glob(f"{here}/*.py") + glob.glob(f"{exporter}/**/*.py", recursive=True)):
        with open(path, "rb") as stream:
            digest.update(stream.read())
    return digest.hexdigest()


def has_torchao(folder):
    return os.path.isdir(os.path.join(folder, "torchao"))


def exporter_runs(exporter, *arguments):
    subprocess.run([sys.executable, "-m", "apertune_exporter", *arguments], cwd=exporter, check=True, stdout=sys.stderr)


def replace_script(out, name, write, outputs=None):
    """A copy of convnet's artifact whose TorchScript file is what `write(path)` writes."""
    folder = os.path.join(out, name)
    shutil.copytree(os.path.join(out, "convnet"), folder)
    script = os.path.join(folder, "model.ts.pt")
    write(script)
    path = os.path.join(folder, "manifest.json")
    with open(path, encoding="utf-8") as stream:
        manifest = json.load(stream)
    manifest["files"]["torchscript"]["bytes"] = os.path.getsize(script)
    manifest["outputs"] = outputs or []
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(manifest, stream)


def main(out, exporter):
    stamp = os.path.join(out, "complete")
    wanted = fingerprint(exporter)
    if os.path.isfile(stamp) and open(stamp, encoding="utf-8").read() == wanted:
        return
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    for name in ("convnet", "pair", "attention", "windows", "counts", "draws"):
        exporter_runs(exporter, "export", f"python:{here}/models.py:{name}", "--out", os.path.join(out, name))
    package = os.path.join(out, "convnet_b2.pt2")
    exporter_runs(exporter, "compile", "--artifact", os.path.join(out, "convnet"), "--batch", "2", "--threads", "2", "--out", package)

    package = os.path.join(out, "convnet_any.pt2")
    exporter_runs(exporter, "compile", "--artifact", os.path.join(out, "convnet"), "--dynamic-batch", "--no-freezing", "--threads", "2", "--out", package)
    if importlib.util.find_spec("torchao") or any(map(has_torchao, os.environ.get("APERTUNE_ENGINES", "").split(":"))):
        package = os.path.join(out, "convnet_int8_b2.pt2")
        exporter_runs(exporter, "compile", "--artifact", os.path.join(out, "convnet"), "--batch", "2", "--threads", "2", "--out", package, "--precision", "int8", "--calibration-samples", "8")

    import warnings

    warnings.simplefilter("ignore")
    import torch

    sys.path.insert(0, here)
    import models

    for name, module in models.SCRIPTED.items():
        replace_script(out, name, torch.jit.script(module().eval()).save)
    traced = torch.jit.trace(models.ConvNet().eval(), torch.rand(1, 3, 32, 32))
    replace_script(out, "raw_trace", traced.save)
    replace_script(out, "weights_only", lambda path: torch.save(models.ConvNet().state_dict(), path))
    replace_script(out, "exported_program", lambda path: shutil.copy(os.path.join(out, "convnet", "model.ep.pt2"), path))

    def truncate(path):
        os.truncate(path, os.path.getsize(path) // 2)

    replace_script(out, "truncated", truncate)
    with open(stamp, "w", encoding="utf-8") as stream:
        stream.write(wanted)


if __name__ == "__main__":
    main(*sys.argv[1:])

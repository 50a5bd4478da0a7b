#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs `apertune gpu-check` on the stand-in.

    acceptance.py BUNDLE LIBRARIES [--out FOLDER] [options of apertune gpu-check]

BUNDLE is a folder that `make gpu-bundle` made, or a build tree. A bundle is copied elsewhere first, as its user does,
so that nothing is found beside it by luck.

Exit code: 0 when every check passes but those that need a real GPU, which are named below, each with its reason; 1 when
another fails or a named one passes after all, so that the list stays true."""

import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

import standin

# The begin of a check's name -> why the stand-in cannot pass it.
NEED_A_GPU = {
    "tf32 changes the outputs more than O1 fp32 does": "kernels compute nothing, so all outputs are zeros",
}
# The same, where it passes or not by the load of the machine.
DEPENDS_ON_LOAD = {
    "device time is at most host time": "one processor launches the kernels and plays the GPU",
}


def checks_of(folder: pathlib.Path) -> list[dict]:
    archive = max(folder.glob("apertune-gpu-*.tar.gz"), key=lambda file: file.stat().st_mtime)
    with tarfile.open(archive) as packed:
        name = next(n for n in packed.getnames() if n.endswith("/results.json"))
        return json.load(packed.extractfile(name))["checks"]


def named(check: dict, names: dict[str, str]) -> str | None:
    return next((why for begin, why in names.items() if check["check"].startswith(begin)), None)


def main() -> int:
    bundle, library, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as machine:
        out = pathlib.Path(options[options.index("--out") + 1] if "--out" in options else machine)
        if (pathlib.Path(bundle) / "share" / "apertune" / "gpu-check").is_dir():
            bundle = shutil.copytree(bundle, pathlib.Path(machine) / "bundle", symlinks=True)
        command = [str(pathlib.Path(bundle) / "bin" / "apertune"), "gpu-check", *options]
        if "--out" not in options:
            command += ["--out", str(out)]
        environment = standin.environment(pathlib.Path(library), pathlib.Path(machine))
        environment.pop("STANDIN_TALLY")
        environment["APERTUNE_TEST_BRIEF"] = "1"  # no check asks for the confirmation
        subprocess.run(command, env=environment, check=False)
        checks = checks_of(out)
    wrong = 0
    for check in checks:
        why = named(check, NEED_A_GPU)
        if why and not check["passed"]:
            print(f"needs a GPU: {check['stage']}: {check['check']}: {why}")
        elif why:
            wrong += 1
            print(f"WRONG {check['stage']}: {check['check']}: passes on the stand-in; take it off the list")
        elif not check["passed"] and (why := named(check, DEPENDS_ON_LOAD)):
            print(f"depends on load: {check['stage']}: {check['check']}: {check['evidence']}: {why}")
        elif not check["passed"]:
            wrong += 1
            print(f"WRONG {check['stage']}: {check['check']}: {check['evidence']}")
    print(f"{len(checks)} checks, {wrong} wrong")
    return 1 if wrong or not checks else 0


if __name__ == "__main__":
    sys.exit(main())

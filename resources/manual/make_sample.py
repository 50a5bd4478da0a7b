#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the sample workspace (resources/sample): a study of ResNet-18 on the CPU of this machine, traces of the model as
loaded and of the recommended trial, and a trace of a GPU's stand-in (tests/standin), which its name says.

    make_sample.py BUILD STANDIN_BUILD [BUDGET]

BUILD has the programs and the engines, STANDIN_BUILD is a tree of the preset `headless` with the stand-in. Run it on a
quiet machine. Nothing of this machine but its hardware and system gets into the file: names and folders are neutral."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pages

MODEL = "torchvision:resnet18"
STANDIN_NAME = "stand-in for a GPU, times are not real"
HOST = "sample"


def main() -> int:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, standin = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    budget = sys.argv[3] if len(sys.argv) > 3 else "2m"
    if os.uname().nodename != HOST:
        # The name of this machine would be in the study.
        os.execvp("unshare", ["unshare", "--uts", "sh", "-c", f'hostname {HOST} && exec "$0" "$@"', sys.executable,
                              *sys.argv])
    folder = pathlib.Path(tempfile.gettempdir()) / "apertune-sample"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    cache = os.environ.get("XDG_CACHE_HOME") or str(pathlib.Path.home() / ".cache")
    # The cache is read through a link, because a study keeps the paths of converted models.
    (folder / "cache").symlink_to(cache)
    environment = os.environ | {"XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache")}
    apertune = build / "bin" / "apertune"

    def run(*words, store="sample.apertune", command=(), **options):
        run = subprocess.run([*command, apertune, *words, "--store", store], cwd=folder, env=environment,
                             stdin=subprocess.DEVNULL, **options)
        # 4 from `tune`: nothing is better than the model as loaded, which is a result, too.
        if run.returncode != 0 and not (words[0] == "tune" and run.returncode == 4):
            sys.exit(f"apertune {' '.join(map(str, words))}: exit code {run.returncode}")
        return run

    tune = run("tune", MODEL, "--budget", budget, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    (pages.SAMPLE / "tune.txt").write_text(f"$ apertune tune {MODEL}\n" + tune.replace(" --store sample.apertune", ""))
    # The page Compare explains the difference from the trial that the recommendation is compared with.
    shown = json.loads(run("show", "last", "--json", stdout=subprocess.PIPE, text=True).stdout)
    speedup = (shown.get("recommended") or {}).get("speedup") or {}
    run("trace", "record", speedup.get("against") or "t1", "--iterations", "10")
    run("trace", "record", "best", "--iterations", "10")

    # In a workspace of its own: a study of the stand-in must not stand beside a real one.
    gpu = [pages.SOURCES / "tests" / "standin" / "run", standin]
    run("tune", MODEL, "--devices", "cuda:0", "--levels", "O0", "--precisions", "fp32", "--batches", "1", "--budget", "40s",
        store="standin.apertune", command=gpu)
    run("trace", "record", "t1", "--iterations", "5", store="standin.apertune", command=gpu)
    run("trace", "export", "last", "--out", "standin.json.gz", store="standin.apertune")
    run("trace", "import", "standin.json.gz", "--name", STANDIN_NAME)

    run("workspace", "compact")
    target = pages.SAMPLE / "sample.apertune"
    target.unlink(missing_ok=True)
    run("workspace", "copy", target)
    content = target.read_bytes()
    for private in {str(pathlib.Path.home()), str(pages.SOURCES), cache}:
        if private.encode() in content:
            sys.exit(f"The sample holds the path {private}.")
    print(f"{target}: {len(content)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

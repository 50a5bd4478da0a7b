# SPDX-License-Identifier: GPL-3.0-or-later
"""Tunes models, and compares what was measured."""

import os

from .live_model import import_module
from .progress import Progress
from .program import run
from .studies import Study, arguments_of, store_arguments


def tune(model=None, example_inputs=None, *, name=None, store=None, progress=None, **options):
    """Sweep a model on this machine and return the Study; with dry_run=True, image_sizes or variant the
    program's document.

    model           a torch.nn.Module, or anything `apertune tune` takes: the name of a model in the workspace,
                    "torchvision:resnet50", "timm:NAME", "hf:FOLDER", the path of a TorchScript, ONNX or .pt2 file …
    example_inputs  inputs of a torch.nn.Module: a tensor, a tuple of arguments or a dict of keywords
    name            name of a torch.nn.Module in the workspace (default: its class)
    store           file of the workspace (default: the user's own)
    progress        gets each line of progress; False shows nothing (default: one line that changes, on the terminal or in
                    the notebook)
    options         every option of `apertune tune` (`apertune tune --help`), with underscores: budget="1m",
                    goal="latency", max_latency="20ms", batches=[1, 8], backends=["libtorch", "openvino"],
                    switch={"channels_last": ["on", "off"]}, variant={"slice": [2, 4]}, resume="s3"

    The module is copied first and stays as it is. Raises ApertuneError with what to do; KeyboardInterrupt leaves a study
    that tune(resume=True) continues.
    """
    with Progress(progress) as observer:
        if hasattr(model, "state_dict"):
            model = import_module(model, example_inputs, name, store, observer)
        elif example_inputs is not None:
            raise TypeError("example_inputs go with a torch.nn.Module; a source brings its own")
        source = [] if model is None else [os.fspath(model)]
        document = run("tune", *source, *arguments_of(options), *store_arguments(store), observer=observer)
        # A plan (dry_run=True) and several studies (image_sizes, variant) are other documents.
        return Study(document, store) if document.get("schema") == "apertune.study/1" else document


def compare(baseline, candidate, gate=None):
    """Compare two trials or two studies of one workspace and return the document apertune.comparison/1: for each pair its
    ratio with interval, and a verdict. `gate` is the largest slowdown to accept, such as "5%"."""
    if baseline.store != candidate.store:
        raise ValueError("The two are of different workspaces. Compare the files with `apertune compare A.apertune B.apertune`.")
    return run("compare", baseline.id, candidate.id, *arguments_of({"gate": gate}), *store_arguments(baseline.store))

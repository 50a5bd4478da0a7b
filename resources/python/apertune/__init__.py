# SPDX-License-Identifier: GPL-3.0-or-later
"""Apertune in Python: find the fastest safe way to run a vision model on this machine.

    import apertune

    study = apertune.tune(model, example_inputs, budget="1m")
    study                                   # a table of what was measured
    study.best.export("deployed")           # a folder with a program that runs the recommended configuration
    study.frame()                           # the trials as a pandas.DataFrame

Engines are taken from the Python environment that imports this module: its torch, OpenVINO and ONNX Runtime. Workspaces
are files of the `apertune` program, which opens, compares and reports them too.
"""

from .program import ApertuneError, run
from .studies import Interval, Study, Trial, open_study
from .tuning import compare, tune

__all__ = ["ApertuneError", "Interval", "Study", "Trial", "compare", "open_study", "run", "tune"]

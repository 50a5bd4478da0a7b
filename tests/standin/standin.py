# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs Apertune on GPUs that are not there."""

from __future__ import annotations

import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

MODELS = pathlib.Path(__file__).resolve().with_name("models.py")
# In the order of tally.h.
COUNTS = ("launches", "graph_launches", "allocations", "peak_bytes", "kernel_records", "copy_records", "fill_records",
          "call_records", "other_records", "dropped_records", "buffers")
COMMAND_SECONDS = 600


LIBRARIES = ("toolkit/libstandin-cudart.so", "toolkit/libstandin-math.so", "driver/libcuda.so.1",
             "driver/libnvidia-ml.so.1", "toolkit/libcupti.so.13")


def preloaded(library: pathlib.Path) -> dict[str, str]:
    """The environment of a program that sees the stand-in's GPUs; `library` holds the libraries. Triton looks for the
    driver in LD_LIBRARY_PATH."""
    library = library.resolve()
    return dict(os.environ, LD_PRELOAD=":".join(str(library / name) for name in LIBRARIES),
                LD_LIBRARY_PATH=str(library / "driver"))


def environment(library: pathlib.Path, folder: pathlib.Path, **settings: str) -> dict[str, str]:
    """The same on a machine of its own: `folder` gets its state and what its processes did. The settings are those of
    README.md, without STANDIN_ and in small letters. The sandbox lets workers write there, as only a real driver needs
    no file for what its processes share."""
    tally = folder / "tally"
    tally.mkdir(parents=True, exist_ok=True)
    return dict(preloaded(library), STANDIN_STATE=str(folder / "state"), STANDIN_TALLY=str(tally),
                APERTUNE_SANDBOX_WRITE=str(folder),
                **{"STANDIN_" + name.upper(): value for name, value in settings.items()})


class Standin:
    """Apertune with a workspace of its own."""

    def __init__(self, apertune: str, library: str, folder: str):
        self.apertune = apertune
        self.library = pathlib.Path(library).resolve()
        self.folder = pathlib.Path(folder)
        self.stderr = ""

    def run(self, *arguments: str, without: str = "", confirms: bool = False, **settings: str) -> dict:
        """The document that a command prints, on a machine without one of the libraries. Its sweeps end unconfirmed
        unless the test asks for it."""
        variables = environment(self.library, self.folder, **settings)
        if without:
            variables["LD_PRELOAD"] = ":".join(l for l in variables["LD_PRELOAD"].split(":") if without not in l)
            del variables["LD_LIBRARY_PATH"]
        variables["XDG_DATA_HOME"] = str(self.folder / "data")
        if not confirms:
            variables["APERTUNE_TEST_BRIEF"] = "1"
        done = subprocess.run([self.apertune, *arguments, "--json"], env=variables, capture_output=True, text=True,
                              timeout=COMMAND_SECONDS)
        self.stderr = done.stderr
        if not done.stdout.strip():
            raise AssertionError(f"apertune {' '.join(arguments)} printed nothing: {done.stderr}")
        return json.loads(done.stdout)

    def tune(self, model: str, *more: str, levels: str = "O0", batches: str = "1", measuring: str = "10s",
             device: str = "cuda:0", **settings: str) -> list[dict]:
        """The trials of a sweep over every configuration. The budget leaves out what loading and importing take, which
        depends on what else the machine does; 0: none."""
        budget = ("--budget", "0") if measuring == "0" else ("--measuring-budget", measuring)
        return self.run("tune", f"python:{MODELS}:{model}", "--devices", device, "--levels", levels, "--precisions",
                        "fp32", "--batches", batches, "--search", "grid", *budget, *more, **settings)["trials"]

    def rows(self, sql: str, trace: str) -> list[dict]:
        document = self.run("workspace", "query", sql, "--trace", trace)
        return [dict(zip(document["columns"], row)) for row in document["rows"]]

    def take_tally(self) -> list[dict]:
        """Returns the counts of each process since the last call."""
        told = []
        for file in sorted((self.folder / "tally").glob("*")):
            told.append(dict(zip(COUNTS, struct.unpack(f"<{len(COUNTS)}Q", file.read_bytes()))))
            file.unlink()
        return told


class StandinCase(unittest.TestCase):
    """Tests with one stand-in and one workspace for all of them. `apertune` and `libraries` are those of Standin()."""

    apertune: str
    libraries: str

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.standin = Standin(cls.apertune, cls.libraries, cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Executes a notebook that tunes a model of its own, in a kernel of this interpreter, and checks what its cells show.

    PYTHON -m pip install nbclient ipykernel pandas WHEEL
    PYTHON notebook.py [--keep FILE.ipynb]

Not a test of ctest, because the environment of the tests has no Jupyter."""
import argparse
import sys
import tempfile

import nbclient
import nbformat

CELLS = [
    """
    import apertune, torch

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.body = torch.nn.Sequential(torch.nn.Conv2d(3, 32, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(32, 32, 3, padding=1))
            self.head = torch.nn.Linear(32, 10)

        def forward(self, image):
            return self.head(self.body(image).mean((2, 3)))

    study = apertune.tune(Net(), torch.randn(1, 3, 64, 64), budget="40s", batches=[1, 4], store="notebook.apertune")
    """,
    "study",
    "study.frame()[['backend', 'level', 'precision', 'batch', 'latency_ms', 'latency_lo_ms', 'latency_hi_ms']].dropna()",
    "(study.best or study.shortlist[0]).export('deployed', force=True)['dir']",
    "torch.__version__, study.document['environment']['engines']",
]


def text_of(cell):
    """What a cell shows, as text and HTML."""
    shown = []
    for output in cell.outputs:
        shown += [output.get("text", ""), *map(str, output.get("data", {}).values())]
    return "\n".join(shown)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", metavar="FILE.ipynb", help="write the executed notebook")
    arguments = parser.parse_args()
    dedented = ["\n".join(line[4:] if line.startswith("    ") else line for line in cell.strip("\n").splitlines()) for cell in CELLS]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in dedented])
    with tempfile.TemporaryDirectory() as folder:
        nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    if arguments.keep:
        nbformat.write(notebook, arguments.keep)
    tuned, table, frame, exported, versions = map(text_of, notebook.cells)
    for cell in (table, frame, exported, versions):
        print(cell, end="\n\n")
    failures = [
        what
        for what, holds in {
            "the progress line is gone at the end": not tuned.strip(),
            "a study is a table": "<table>" in table and "O0 fp32" in table,
            "a frame has measured rows": "latency_hi_ms" in frame and "onnxruntime" in frame + table,
            "the export is told": "deployed" in exported,
        }.items()
        if not holds
    ]
    for failure in failures:
        print(f"WRONG: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

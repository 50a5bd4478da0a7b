# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows what runs: one line that changes, on a terminal or in a notebook."""

import sys


class Progress:
    """Use it as `with Progress(observer) as show: show(line)`. `observer` gets the lines instead, if it is a function;
    False shows nothing."""

    def __init__(self, observer=None):
        self._observer = observer
        self._display = None
        self._width = 0

    def __enter__(self):
        if self._observer is None and _in_notebook():
            from IPython.display import display

            self._display = display({"text/plain": ""}, raw=True, display_id=True)
        return self

    def __call__(self, line):
        if callable(self._observer):
            self._observer(line)
        elif self._observer is False or not line.strip():
            return
        elif self._display is not None:
            self._display.update({"text/plain": line}, raw=True)
        elif sys.stderr.isatty():
            self._width = max(self._width, len(line))
            sys.stderr.write("\r" + line.ljust(self._width))
            sys.stderr.flush()
        else:
            sys.stderr.write(line + "\n")

    def __exit__(self, *_):
        if self._display is not None:
            self._display.update({"text/plain": ""}, raw=True)
        elif self._width and sys.stderr.isatty():
            sys.stderr.write("\r" + " " * self._width + "\r")


def _in_notebook():
    """Whether a kernel of Jupyter runs this, which shows what display() gets."""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"

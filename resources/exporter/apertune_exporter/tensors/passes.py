# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells how long the passes of a model take, where they are slow."""

import contextlib
import time

_SLOW_S = 3.0

# What an import runs, in passes of one sample: to find the shapes and batch dimensions, to trace and to compare the
# TorchScript and the exported program with the model at batches up to 3.
_SAMPLES_OF_AN_IMPORT = 30

_watch = None


class _Watch:
    def __init__(self, channel, name):
        self._channel = channel
        self._name = name
        self._started = time.monotonic()
        self._passes = 0
        self._fastest = float("inf")
        self._estimated = False

    def took(self, seconds):
        self._passes += 1
        self._fastest = min(self._fastest, seconds)
        if seconds < _SLOW_S:
            return
        # The first pass also loads code and compiles, so one alone says nothing about the others.
        if self._passes > 1 and self._fastest >= _SLOW_S and not self._estimated:
            self._estimated = True
            self._channel.log(
                f"One pass of {self._name} takes {self._fastest:.0f} s. An import runs about {_SAMPLES_OF_AN_IMPORT} of "
                f"them, about {_duration(_SAMPLES_OF_AN_IMPORT * self._fastest)} in all; a study runs each configuration "
                "several times."
            )
        so_far = _duration(time.monotonic() - self._started)
        self._channel.detail(f"pass {self._passes} took {seconds:.0f} s, {so_far} so far")


def _duration(seconds):
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


@contextlib.contextmanager
def slow_passes_reported(channel, name):
    """Within the block, slow passes are reported to `channel`."""
    global _watch
    before, _watch = _watch, _Watch(channel, name)
    try:
        yield
    finally:
        _watch = before


def timed(call, *arguments, **keywords):
    """A pass: call(...), whose time is reported if it is slow."""
    started = time.monotonic()
    result = call(*arguments, **keywords)
    if _watch:
        _watch.took(time.monotonic() - started)
    return result

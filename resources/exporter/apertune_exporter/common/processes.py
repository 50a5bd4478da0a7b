# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes sure that compilers which the exporter started do not outlive it."""

import contextlib
import ctypes
import os
import signal
import time

_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans():
    """Make this process the parent of grandchildren whose parent dies, for example of cc1plus when g++ is killed."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _descendants():
    children = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        with contextlib.suppress(OSError):
            with open(f"/proc/{entry}/stat", encoding="ascii", errors="replace") as stream:
                parent = stream.read().rpartition(")")[2].split()[1]
            children.setdefault(int(parent), []).append(int(entry))
    found, waiting = [], [os.getpid()]
    while waiting:
        direct = children.get(waiting.pop(), [])
        found += direct
        waiting += direct
    return found


def end_descendants(patience=5.0):
    """Kill all descendants, with those that this process inherits from them, and wait until they are gone."""
    deadline = time.monotonic() + patience
    while (alive := _descendants()) and time.monotonic() < deadline:
        for pid in alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.02)

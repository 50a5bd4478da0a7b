# SPDX-License-Identifier: GPL-3.0-or-later
"""A repair of Inductor's C++ for the CPU, which some models need to be compiled at all: Swin's shifted windows do."""

import contextlib
import copy

from torch._inductor.codegen import cpp


@contextlib.contextmanager
def kept_scalar():
    """While Inductor generates code, a scalar that it masks as a vector stays a scalar everywhere else.

    Inductor (2.10, 2.11) marks the variable itself as a vector. Where another mask meets it again, the C++ asks a float
    for what only vectors have, and no compiler takes it (pytorch/pytorch#179135)."""
    broken = cpp.CppVecOverrides.masked

    def masked(mask, body, other):
        return broken(mask, lambda: copy.copy(body()), other)

    cpp.CppVecOverrides.masked = staticmethod(masked)
    try:
        yield
    finally:
        cpp.CppVecOverrides.masked = staticmethod(broken)

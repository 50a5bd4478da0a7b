# SPDX-License-Identifier: GPL-3.0-or-later
"""Repairs a fault in Inductor's C++ for the CPU. Some models do not compile without it, for example Swin's windows."""

import contextlib
import copy

from torch._inductor.codegen import cpp


@contextlib.contextmanager
def kept_scalar():
    """Within the block, a scalar that Inductor masks as a vector stays a scalar everywhere else.

    Inductor (2.10, 2.11) marks the variable itself as a vector. Where another mask uses it again, the C++ calls a
    member of vectors on a float, which no compiler accepts (pytorch/pytorch#179135)."""
    broken = cpp.CppVecOverrides.masked

    def masked(mask, body, other):
        return broken(mask, lambda: copy.copy(body()), other)

    cpp.CppVecOverrides.masked = staticmethod(masked)
    try:
        yield
    finally:
        cpp.CppVecOverrides.masked = staticmethod(broken)

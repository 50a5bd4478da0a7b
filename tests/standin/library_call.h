// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace apertune::standin {

/// Rates of arithmetic that a kernel of a library may run at.
enum class Arithmetic { fp32, tf32, half };

/// Launches the kernel of a library through the driver, as the real library does. Its duration is that of `operations`
/// at the card's rate. `stream` is a stream of the runtime. Returns a Code.
int launchLibraryKernel(const char* name, double operations, Arithmetic arithmetic, void* stream);

} // namespace apertune::standin

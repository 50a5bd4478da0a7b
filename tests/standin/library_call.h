// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace apertune::standin {

/// Rates of arithmetic that a kernel of a library may run at.
enum class Arithmetic { fp32, tf32, half };

/// Launches the kernel of a library, as that library does: by a call of the driver. It takes the time that so many
/// operations need at the rate of the card. `stream` is one of the runtime's. Returns a Code.
int launchLibraryKernel(const char* name, double operations, Arithmetic arithmetic, void* stream);

} // namespace apertune::standin

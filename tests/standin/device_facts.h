// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace apertune::standin {

/// Returns "NVIDIA H200", or "NVIDIA H200 MIG 1g.18gb" for an instance.
std::string deviceName();

/// Return the PCI bus number of a GPU, and its address as "0000:01:00.0".
int busOf(int gpu);
std::string busText(int gpu);

/// Returns an attribute of a GPU, or 0 for an attribute that the stand-in lacks. The driver and the runtime use the
/// same numbers.
int deviceAttribute(int gpu, int which);

/// Returns the driver function with a name of cuGetProcAddress, in its newest version, or nullptr if the stand-in lacks
/// it.
void* driverFunction(const char* name);

/// Replaces a driver function that the stand-in lacks: it returns Code::notSupported.
int absentDriverFunction();

} // namespace apertune::standin

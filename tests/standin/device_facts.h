// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace apertune::standin {

/// "NVIDIA H200", or "NVIDIA H200 MIG 1g.18gb" for an instance.
std::string deviceName();

/// The number of the PCI bus that holds a GPU, and its address as "0000:01:00.0".
int busOf(int gpu);
std::string busText(int gpu);

/// An attribute of a GPU. The driver and the runtime number them alike; 0 stands for one that is not known here.
int deviceAttribute(int gpu, int which);

/// A function of the driver by the name that cuGetProcAddress takes, newest form first; nullptr when it is not here.
void* driverFunction(const char* name);

/// Stands for a function of the driver that is not here: it answers that it is not supported.
int absentDriverFunction();

} // namespace apertune::standin

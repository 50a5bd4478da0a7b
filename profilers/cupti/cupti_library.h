// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>

namespace apertune::profilers {

/// Sets the file of CUPTI, for processes in which neither the engine nor the loader provides it.
/// REQUIRES: no function of a profiler was called yet.
void setCuptiLibrary(std::string file);

/// Returns the file that setCuptiLibrary() set; empty without one.
const std::string& cuptiLibrary();

/// Opens the first of these copies of a library that exists: the one that the process has mapped under its bare name,
/// the one that the loader finds under that name, `file`. Returns null when there is none. Opening `file` first could
/// map a second copy beside the engine's own.
void* openCupti(const char* name, const std::string& file);

/// Returns the newest CUDA version that this machine's NVIDIA driver supports: 12080 for 12.8. It is 0 when
/// libcuda.so.1 does not load. The call does not start the driver.
int cudaDriverVersion();

/// Checks whether a driver of that version supports CUPTI 13.
/// Failures: unsupported, with the reason and the remedy.
base::Status checkDriver(int driverVersion);

} // namespace apertune::profilers

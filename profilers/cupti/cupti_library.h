// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>

namespace apertune::profilers {

/// Names the file of CUPTI, for processes in which the engine does not bring it and the loader does not find it.
///
/// REQUIRES: no profiler was asked for anything yet.
void setCuptiLibrary(std::string file);

/// The file that setCuptiLibrary() named; empty without one.
const std::string& cuptiLibrary();

/// Opens a library. It takes the first of these that exists: the copy that the process has mapped under its bare name,
/// the copy that the loader finds under that name, `file`. Returns null when there is none. Opening `file` first could
/// map a second copy beside the engine's own.
void* openCupti(const char* name, const std::string& file);

/// The newest CUDA version that this machine's NVIDIA driver runs: 12080 for 12.8. It is 0 when libcuda.so.1 does not
/// load. The call does not start the driver.
int cudaDriverVersion();

/// Whether a driver of that version can serve CUPTI 13. Failures: unsupported, with the reason and the remedy.
base::Status checkDriver(int driverVersion);

} // namespace apertune::profilers

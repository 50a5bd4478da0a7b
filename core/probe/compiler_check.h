// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

namespace apertune::worker {
struct Installation;
}

namespace apertune::probe {

/// Checks that the parts of ahead-of-time compilation are installed: Python with torch, the exporter, a C++ compiler
/// ($CXX or g++). It checks files and runs nothing.
/// Failures: unsupported (the message names the missing part, the hint how to get it).
base::Status canCompileHere(const worker::Installation& installation);

/// Checks that the tools that build an exported C++ program are installed: cmake, make or ninja, and a C++ compiler
/// ($CXX, c++, g++ or clang++). It checks files and runs nothing.
/// Failures: unsupported (the message names the missing tool).
base::Status canBuildHere();

/// Checks that models can be imported: Python with torch and the exporter are installed.
/// Failures: unsupported (the message names the missing part).
base::Status canExportHere(const worker::Installation& installation);

} // namespace apertune::probe

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

namespace apertune::worker {
struct Installation;
}

namespace apertune::probe {

/// Are the parts of ahead-of-time compilation there: Python with torch, the exporter, a C++ compiler ($CXX or g++)?
/// Looks at files only and runs nothing. Failure: unsupported, says which part and how to get it. Private to this
/// folder.
base::Status canCompileHere(const worker::Installation& installation);

/// Are the tools there that build an exported C++ program: cmake, make or ninja, and a C++ compiler ($CXX, c++, g++ or
/// clang++)? Looks at files only. Failure: unsupported, says which one is missing.
base::Status canBuildHere();

/// Can models be imported: Python with torch and the exporter? Failure: unsupported, as above.
base::Status canExportHere(const worker::Installation& installation);

} // namespace apertune::probe

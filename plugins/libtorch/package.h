// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/known_switch.h"
#include "plugins/libtorch/package_info.h"
#include "plugins/libtorch/request.h"

#include <string>
#include <vector>

namespace apertune::libtorch {

/// The switches of compiled packages. The value in the sidecar has to be the value that is requested.
const std::vector<KnownSwitch>& packageSwitches();

/// Reads the sidecar and checks the package against the configuration and, for CPU code, against the instruction set of
/// this machine. This happens before any of its code is loaded: a package runs only as it was compiled, and does not
/// check that itself. Throws Fault BAD_INPUT, which names the difference.
PackageInfo checkPackage(const Request& request, const std::string& contentHash);

/// Returns the parts of `isa` that are missing in the flags of /proc/cpuinfo.
std::vector<std::string> missingInstructions(const std::string& isa, const std::string& cpuFlags);

} // namespace apertune::libtorch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::worker {

/// Largest resident set of this process since resetProcessPeak(), from VmHWM in /proc/self/status.
std::optional<base::Bytes> processPeak();

/// Lets the kernel forget the largest resident set. Where that is not allowed the peak stays that of the whole life.
void resetProcessPeak();

/// Folders /tmp/XXXXXX (mkdtemp) from which a shared library is mapped: a compiled package unpacks itself there and
/// removes the folder only when it is closed properly.
std::vector<std::string> loadedTemporaryFolders();

/// The same from the text of a /proc/PID/maps.
std::vector<std::string> temporaryFoldersIn(std::string_view maps);

} // namespace apertune::worker

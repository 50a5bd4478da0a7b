// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::worker {

/// The largest resident set of this process since resetProcessPeak(), from VmHWM in /proc/self/status.
std::optional<base::Bytes> processPeak();

/// The resident set of this process now, from VmRSS in /proc/self/status.
std::optional<base::Bytes> residentMemory();

/// Resets the largest resident set. Where the kernel does not allow it, the peak remains that of the whole process.
void resetProcessPeak();

/// The folders /tmp/XXXXXX from which libraries of compiled packages are mapped. A package unpacks itself there and
/// removes the folder only when it is closed properly. The caller deletes these folders, so the list has only folders
/// that this process made: an environment or a checkout may lie in a folder with a similar name.
std::vector<std::string> loadedTemporaryFolders();

/// The folders of that form in the text of a /proc/PID/maps, whoever made them.
std::vector<std::string> temporaryFoldersIn(std::string_view maps);

} // namespace apertune::worker

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

/// Folders /tmp/XXXXXX from which a compiled package's library is mapped: it unpacks itself there and removes the
/// folder only when it is closed properly. They will be deleted, so none is named that this process did not make: an
/// environment or a checkout may lie in a folder of the same shape.
std::vector<std::string> loadedTemporaryFolders();

/// Those of the text of a /proc/PID/maps that look so, whoever made them.
std::vector<std::string> temporaryFoldersIn(std::string_view maps);

} // namespace apertune::worker

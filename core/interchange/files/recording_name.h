// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace apertune::interchange::files {

/// Returns the name of a recording without the endings of its format: "run" for run.pt.trace.json.gz.
std::string recordingName(const std::filesystem::path& file);

} // namespace apertune::interchange::files

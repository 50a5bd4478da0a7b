// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace apertune::worker {

// Engines that Apertune adds for the user: Python wheels in a folder of its own, one folder a backend. No environment
// of the user is changed. What there is lies in XDG_DATA_HOME/apertune/engines/BACKEND:
//   site-packages/   what pip installed
//   engine.json      the packages with versions and SHA-256 ("apertune.engine/1")

inline constexpr const char* kSitePackages = "site-packages";
inline constexpr const char* kEngineRecord = "engine.json"; ///< written last: without it the folder is being filled

/// Returns XDG_DATA_HOME/apertune/engines.
std::filesystem::path addedEnginesFolder();

/// Returns the folder of a backend in it, whether it exists or not.
std::filesystem::path addedEngineFolder(const std::string& backend);

/// Returns the site-packages folders of all added engines, sorted by backend.
std::vector<std::filesystem::path> addedEnginePackages();

} // namespace apertune::worker

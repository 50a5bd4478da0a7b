// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace apertune::exports {

/// Name of the file that lists the files of an exported folder with their hashes ("apertune.manifest/1", schema.md).
/// apertune-config.json names it, so that its absence is noticed.
inline constexpr const char* kManifestFile = "apertune-manifest.json";

/// Writes the manifest of `folder` with size and SHA-256 of `files`, whose paths are relative to the folder.
/// Failures: those of base::sha256File() and base::writeFileAtomically().
base::Status writeManifest(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& files);

/// Compares the files of an exported folder with its manifest, and returns how many it lists. Files that it does not
/// list are ignored: building and running the program leaves some. Returns 0 for a folder of an earlier version, whose
/// configuration names no manifest.
/// Failures: corrupt (the manifest or a file is missing or changed; the message names all of them).
base::Result<std::size_t> checkManifest(const std::filesystem::path& folder);

} // namespace apertune::exports

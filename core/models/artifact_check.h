// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model_ref.h"

#include <filesystem>
#include <string>

namespace apertune::models {

/// Whether the files that a manifest lists are there and hold what it gives the size and the SHA-256 of. Reads them
/// all, some seconds for a gigabyte, but for those that this process found whole before and whose size and time have
/// not changed since. Failures: those of model::readManifest, corrupt (names the file that is damaged or lies outside
/// the artifact). Any thread. Private to this folder.
base::Status checkArtifact(const std::filesystem::path& artifact);

/// The SHA-256 of a file, which this process reads once while its number, size and time stay the same. Failures: those
/// of base::sha256File. Any thread.
base::Result<std::string> fileHash(const std::filesystem::path& file);

/// The key of an artifact in caches: a SHA-256 over its manifest and the bytes of all other files in the folder,
/// computed here. What the manifest claims as its content hash is not part of it, and neither is what only names or
/// dates the model, so that two imports of the same model have the same key. A file is read once, as in
/// checkArtifact(). Failures: those of model::readManifest, io, corrupt (a link out of the artifact). Any thread.
base::Result<std::string> artifactKey(const std::filesystem::path& artifact);

/// The content hash that the manifest has to state (resources/exporter/FORMAT.md), computed from the files beside it.
/// Failures: those of model::readManifest, notFound and io (a listed file), corrupt (the manifest does not describe its
/// files).
base::Result<std::string> contentHashOf(const std::filesystem::path& artifact);

/// Before anything is measured: fails with `corrupt`, the name of the damaged file and the command that imports the
/// model again. Files that are not there at all are left to those who open them.
base::Status requireUndamaged(const model::ModelRef& model);

/// The same, and its code may run (requireTrustedModel). All that opens a model for a worker or the exporter asks this.
base::Status requireUsable(const model::ModelRef& model);

} // namespace apertune::models

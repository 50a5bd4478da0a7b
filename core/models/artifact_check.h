// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model_ref.h"

#include <filesystem>
#include <string>

namespace apertune::models {

/// Checks size and SHA-256 of the files that a manifest lists, and those that are archives (archive_check.h). Private
/// to this folder. It reads them all, which takes some seconds a gigabyte. A file that this process has found intact is
/// not read again while its size and time stay the same. Threads: any. Failures: those of model::readManifest; corrupt
/// (the message names the file that is damaged, lies outside the artifact, or is an archive that is not opened); io.
base::Status checkArtifact(const std::filesystem::path& artifact);

/// Returns the key of an artifact in caches: a SHA-256 over its manifest and the bytes of all other files in the
/// folder.
///
///  - The content hash that the manifest states is left out, and so are names and dates of the model. Two imports of
///    the same model have the same key.
///  - A file is read once, as in checkArtifact().
///
/// Threads: any.
/// Failures: those of model::readManifest; io; corrupt (a link out of the artifact).
base::Result<std::string> artifactKey(const std::filesystem::path& artifact);

/// Returns whether a claimed content hash is the SHA-256 of something. A manifest that was written by hand may have a
/// word in its place, which no other model can have.
bool isContentHash(const std::string& claimed);

/// Computes the content hash of the files in an artifact (resources/exporter/FORMAT.md), and compares it with the
/// claimed one.
/// Failures: those of model::readManifest; notFound and io (a listed file); corrupt (another hash, or the manifest does
/// not describe its files).
base::Status requireContentHash(const std::filesystem::path& artifact, const std::string& claimed);

/// Checks a model before it is measured. Missing files pass: the code that opens them reports them.
/// Failures: corrupt (with the name of the damaged file and the command that imports the model again).
base::Status requireUndamaged(const model::ModelRef& model);

} // namespace apertune::models

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/model_ref.h"

#include <filesystem>

namespace apertune::model {

/// Reads artifact/manifest.json.
/// Failures: notFound, corrupt (the message names the field), unsupported (a newer schema).
base::Result<ModelRef> readManifest(const std::filesystem::path& artifact);

/// Reads artifact/manifest.json as a document, for members that a ModelRef lacks.
/// Failures: notFound, corrupt.
base::Result<base::Json> readManifestDocument(const std::filesystem::path& artifact);

/// Returns the model that a manifest describes.
/// Failures: corrupt, unsupported.
base::Result<ModelRef> modelOfManifest(const base::Json& manifest, const std::filesystem::path& artifact);

} // namespace apertune::model

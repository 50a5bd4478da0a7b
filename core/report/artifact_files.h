// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model_ref.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace apertune::report {

/// What an export takes out of a model's artifact folder.
struct ArtifactFiles
{
    struct Input
    {
        model::TensorSpec spec;
        std::filesystem::path file; ///< relative to the artifact: all samples, little-endian, row-major
        std::int64_t samples = 1;
    };
    std::filesystem::path torchscript; ///< relative to the artifact; empty where the model is another engine's file
    std::vector<Input> inputs;
    std::string torch; ///< version that wrote it
};

/// Reads the artifact's manifest and checks that the files it names are there. Failures: notFound, corrupt.
base::Result<ArtifactFiles> readArtifactFiles(const std::filesystem::path& artifact);

/// Where the model lies in a format that its artifact lacks ("onnx"); empty: nowhere.
using FindConverted = std::function<std::filesystem::path(const std::string& format)>;

/// Whether a converted file takes any batch, as the format.json beside it says; nullopt for a file without one.
std::optional<bool> takesAnyBatch(const std::filesystem::path& file);

} // namespace apertune::report

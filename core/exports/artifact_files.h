// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model_ref.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace apertune::exports {

/// How an image becomes the input of a model. The shorter side is scaled to `resize`, the middle is cut out in the size
/// of the input, and values of 0…1 become (value − mean) / deviation.
struct ImageRecipe
{
    std::optional<int> resize{};            ///< nullopt: the whole image is stretched to the size of the input
    std::string interpolation = "bilinear"; ///< "bilinear", "bicubic", "nearest"
    std::array<double, 3> mean{0, 0, 0};
    std::array<double, 3> deviation{1, 1, 1};
};

/// The files of a model's artifact folder that an export uses.
struct ArtifactFiles
{
    struct Input
    {
        model::TensorSpec spec;
        std::filesystem::path file; ///< relative to the artifact; holds all samples, little-endian, row-major
        std::int64_t samples = 1;
    };
    std::filesystem::path torchscript; ///< relative to the artifact; empty when the model is a file of another engine
    std::vector<Input> inputs;
    std::string torch; ///< the PyTorch version that wrote the artifact
    /// How images are prepared; nullopt where the manifest does not say it, or where no input takes one image.
    std::optional<ImageRecipe> image{};
};

/// Reads the artifact's manifest and checks that the files in it exist. Failures: notFound, corrupt.
base::Result<ArtifactFiles> readArtifactFiles(const std::filesystem::path& artifact);

/// Finds the model in a format that its artifact lacks ("onnx"). It returns an empty path when there is none.
using FindConverted = std::function<std::filesystem::path(const std::string& format)>;

/// Returns whether a converted file takes any batch, according to the format.json beside it; nullopt without that file.
std::optional<bool> takesAnyBatch(const std::filesystem::path& file);

/// Returns the files that an engine's file needs: its weights lie beside it, under the same name.
std::vector<std::filesystem::path> companionsOf(const std::filesystem::path& file);

} // namespace apertune::exports

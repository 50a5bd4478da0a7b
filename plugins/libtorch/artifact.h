// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apertune::libtorch {

/// One input as the manifest describes it; `file` exists and has the size that the description implies.
struct InputSpec
{
    std::string name;
    std::string dtype;               ///< "float32", "int64", …
    std::vector<std::int64_t> shape; ///< of one sample, the batch dimension being 1
    std::optional<int> batchDim;     ///< none: the input is the same whatever the batch
    std::filesystem::path file;      ///< `samples` dense samples, one after another, little-endian
    std::int64_t samples = 1;
};

/// What this backend needs of an artifact folder (resources/exporter/FORMAT.md).
struct Artifact
{
    std::vector<InputSpec> inputs;
    std::vector<std::string> outputNames; ///< empty when the manifest names none
    std::optional<std::filesystem::path> torchscript;
    std::string contentHash; ///< identity of the model, empty when not recorded
    bool dynamicBatch = true;
};

/// Bytes of one element of a manifest dtype; 0 for a name that this backend does not know.
std::int64_t elementSize(const std::string& dtype);

/// Reads DIR/manifest.json and checks the files it names by size. Throws Fault BAD_INPUT, saying which field
/// or file is wrong.
Artifact readArtifact(const std::filesystem::path& folder);

} // namespace apertune::libtorch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apertune::plugins {

/// The hint for an artifact that can only be repaired by a new import.
inline constexpr const char* kImportAgain = "Import the model again.";

/// One input as the manifest describes it; `file` exists and has the size that the description implies.
struct InputSpec
{
    std::string name;
    std::string dtype;               ///< "float32", "int64", …
    std::vector<std::int64_t> shape; ///< shape of one sample, with a batch dimension of 1
    std::optional<int> batchDim;     ///< none: the input is the same for every batch
    std::filesystem::path file;      ///< `samples` dense samples, one after another, little-endian
    std::int64_t samples = 1;
};

/// A file of the model in one format of the manifest.
struct ModelFile
{
    std::filesystem::path path;
    std::uintmax_t bytes = 0;
    bool dynamicBatch = true;
};

/// The part of an artifact folder that a backend needs (resources/exporter/FORMAT.md).
struct Artifact
{
    std::vector<InputSpec> inputs;
    std::vector<std::string> outputNames; ///< empty when the manifest names none
    std::vector<std::optional<int>>
        outputBatchDims; ///< one for each name; none: the output does not grow with the batch
    std::map<std::string, ModelFile>
        files;               ///< key: format in the manifest ("torchscript", "onnx"); the files are not checked yet
    std::string contentHash; ///< identity of the model, empty when not recorded
    bool dynamicBatch = true;
    std::vector<std::string> state{}; ///< buffers and attributes that keep state from pass to pass
    bool random = false;              ///< the model draws random numbers in each pass
};

/// Returns the bytes of one element of a manifest dtype; 0 for an unknown name.
std::int64_t elementSize(const std::string& dtype);

/// Reads DIR/manifest.json and checks the sizes of the reference inputs that it names. Throws Fault BAD_INPUT, which
/// names the wrong field or file.
Artifact readArtifact(const std::filesystem::path& folder);

/// Returns the model's file in a format, or null when the artifact does not have that format. Throws Fault BAD_INPUT
/// when the file is missing, truncated or replaced.
const ModelFile* checkedForm(const Artifact& artifact, const std::string& form);

/// Returns the bytes of an input set: the samples set*batch … set*batch+batch-1, modulo the number of samples,
/// row-major, in the type of the manifest. An input without a batch dimension is the same in every set. Throws Fault
/// BAD_INPUT.
std::vector<char> readInputSet(const InputSpec& input, std::int64_t set, std::int64_t batch);

/// Returns the shape of an input set.
std::vector<std::int64_t> shapeOfSet(const InputSpec& input, std::int64_t batch);

/// Returns the artifact's input for names[index] of a model file: the one with that name or, when the file has names of
/// its own, the one at that position.
///
/// REQUIRES: there are as many names as inputs.
const InputSpec& specOf(const std::vector<InputSpec>& inputs, const std::vector<std::string>& names, std::size_t index);

} // namespace apertune::plugins

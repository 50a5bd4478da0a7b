// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/support/artifact.h"

#include "plugins/support/fault.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>

namespace apertune::plugins {

namespace {

using Json = nlohmann::json;

[[noreturn]] void bad(const std::string& message, const std::string& detail = {})
{
    throw Fault(APERTUNE_BAD_INPUT, message, kImportAgain, detail);
}

/// Checks that a file of the artifact has exactly `bytes`.
void checkSize(const std::filesystem::path& path, std::uintmax_t bytes)
{
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error)
        bad("The model artifact lacks the file " + path.string() + ".", error.message());
    if (size != bytes)
        bad("The file " + path.string() + " has " + std::to_string(size) + " bytes instead of the " +
            std::to_string(bytes) + " that the manifest says: it is truncated or was replaced.");
}

InputSpec readInput(const std::filesystem::path& folder, const Json& json)
{
    InputSpec input;
    input.name = json.at("name").get<std::string>();
    input.dtype = json.at("dtype").get<std::string>();
    input.shape = json.at("shape").get<std::vector<std::int64_t>>();
    input.samples = json.at("samples").get<std::int64_t>();
    if (const Json& dim = json.at("batch_dim"); !dim.is_null()) {
        input.batchDim = dim.get<int>();
        if (*input.batchDim < 0 || static_cast<std::size_t>(*input.batchDim) >= input.shape.size())
            bad("The manifest gives the input " + input.name + " a batch dimension it does not have.");
    }
    // The size of a file is the product of its shape; checking each multiplication keeps a wrong manifest from wrapping
    // it.
    std::int64_t bytes = elementSize(input.dtype);
    if (bytes == 0)
        bad("The input " + input.name + " has the element type " + input.dtype + ", which is not supported.");
    if (input.samples < 1 || (!input.batchDim && input.samples != 1))
        bad("The manifest gives the input " + input.name + " a wrong number of samples.");
    // A damaged file is found here by its size. Its content is read when input sets are made.
    bool impossible = false;
    for (const std::int64_t extent : input.shape)
        impossible = impossible || extent < 0 || __builtin_mul_overflow(bytes, extent, &bytes);
    if (impossible || __builtin_mul_overflow(bytes, input.samples, &bytes))
        bad("The manifest gives the input " + input.name + " a shape that no memory holds.");
    input.file = folder / json.at("file").get<std::string>();
    checkSize(input.file, static_cast<std::uintmax_t>(bytes));
    return input;
}

} // namespace

std::int64_t elementSize(const std::string& dtype)
{
    static const std::map<std::string, std::int64_t> kSizes{
        {"float32", 4}, {"float64", 8}, {"float16", 2}, {"bfloat16", 2}, {"int64", 8},
        {"int32", 4},   {"int16", 2},   {"int8", 1},    {"uint8", 1},    {"bool", 1}};
    const auto found = kSizes.find(dtype);
    return found == kSizes.end() ? 0 : found->second;
}

Artifact readArtifact(const std::filesystem::path& folder)
{
    const auto path = folder / "manifest.json";
    std::ifstream stream(path);
    if (!stream)
        bad(folder.string() + " is not a model artifact: it has no readable manifest.json.");
    try {
        const Json manifest = Json::parse(stream);
        const auto schema = manifest.at("schema").get<std::string>();
        // The number after the slash changes with a form that older readers would misread, so other numbers are
        // refused.
        if (schema != "apertune.model/1")
            bad("The model artifact has the schema " + schema + "; this backend reads apertune.model/1.");
        Artifact artifact;
        for (const Json& input : manifest.at("inputs"))
            artifact.inputs.push_back(readInput(folder, input));
        if (artifact.inputs.empty())
            bad("The model has no inputs.");
        for (const Json& output : manifest.value("outputs", Json::array())) {
            artifact.outputNames.push_back(output.at("name").get<std::string>());
            const auto dim = output.find("batch_dim");
            // nlohmann stores a literal that is not negative as unsigned, so this also refuses a negative dimension.
            const bool grows = dim != output.end() && dim->is_number_unsigned();
            artifact.outputBatchDims.push_back(grows ? std::optional(dim->get<int>()) : std::nullopt);
        }
        artifact.contentHash = manifest.value("content_hash", "");
        artifact.dynamicBatch = manifest.value("dynamic_batch", true);
        artifact.state = manifest.value("state", std::vector<std::string>());
        artifact.random = manifest.value("random", false);
        for (const auto& [form, file] : manifest.at("files").items())
            if (file.is_object())
                artifact.files[form] = {folder / file.at("path").get<std::string>(),
                                        file.at("bytes").get<std::uintmax_t>(), file.value("dynamic_batch", true)};
        return artifact;
    } catch (const Json::exception& e) {
        bad("The manifest " + path.string() + " is not readable.", e.what());
    }
}

const ModelFile* checkedForm(const Artifact& artifact, const std::string& form)
{
    const auto found = artifact.files.find(form);
    if (found == artifact.files.end())
        return nullptr;
    checkSize(found->second.path, found->second.bytes);
    return &found->second;
}

std::vector<std::int64_t> shapeOfSet(const InputSpec& input, std::int64_t batch)
{
    std::vector<std::int64_t> shape = input.shape;
    if (input.batchDim)
        shape[static_cast<std::size_t>(*input.batchDim)] *= batch;
    return shape;
}

std::vector<char> readInputSet(const InputSpec& input, std::int64_t set, std::int64_t batch)
{
    std::ifstream stream(input.file, std::ios::binary);
    const std::vector<char> samples{std::istreambuf_iterator<char>(stream), {}};
    const auto dims = input.shape.size();
    // Dimensions before the batch repeat a row of the file. The dimensions after it are one contiguous run of bytes.
    std::int64_t outer = 1;
    std::int64_t run = elementSize(input.dtype);
    const auto batchDim = static_cast<std::size_t>(input.batchDim.value_or(0));
    for (std::size_t i = 0; i < dims; ++i)
        (input.batchDim && i < batchDim ? outer : run) *= input.shape[i];
    // The file may have been replaced since readInput() compared its size.
    if (static_cast<std::int64_t>(samples.size()) != outer * run * input.samples)
        bad("The reference input " + input.file.string() + " cannot be read.", "its size changed");
    // An input without a batch dimension is the same in each pass.
    if (!input.batchDim)
        return samples;
    std::vector<char> bytes;
    bytes.reserve(static_cast<std::size_t>(outer * run * batch));
    for (std::int64_t row = 0; row < outer; ++row)
        for (std::int64_t i = 0; i < batch; ++i) {
            // Input sets go round the samples, so that any batch size gets data from a file of few samples.
            const std::int64_t sample = (set * batch + i) % input.samples;
            const auto from = samples.begin() + (row * input.samples + sample) * run;
            bytes.insert(bytes.end(), from, from + run);
        }
    return bytes;
}

const InputSpec& specOf(const std::vector<InputSpec>& inputs, const std::vector<std::string>& names, std::size_t index)
{
    const auto named = [&](const std::string& name) {
        // If a single name is unknown, the file has names of its own, and all inputs are taken by position.
        return std::find_if(inputs.begin(), inputs.end(), [&](const InputSpec& input) { return input.name == name; });
    };
    const bool all = std::all_of(names.begin(), names.end(), [&](const auto& n) { return named(n) != inputs.end(); });
    return all ? *named(names[index]) : inputs[index];
}

} // namespace apertune::plugins

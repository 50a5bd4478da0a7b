// SPDX-License-Identifier: GPL-3.0-or-later
// Requests to a backend to open a model, and the model manifest that it reads: plugins/support.
#include "plugins/support/artifact.h"
#include "plugins/support/request.h"
#include "tests/fuzz/fuzz.h"

#include <fstream>

namespace apertune::fuzz {

namespace {

/// Calls a function that may throw a Fault, but no other exception.
template <typename Work>
void faultOrNothing(Work work)
{
    try {
        work();
    } catch (const plugins::Fault& fault) {
        require(fault.message.ends_with('.') && fault.hint.ends_with('.'), "a fault is a sentence with a hint");
    }
}

} // namespace

void examine(std::string_view input)
{
    const std::string text(input);
    const plugins::BackendTraits backend{
        "fuzz", {plugins::Precision::fp32, plugins::Precision::int8}, "Choose fp32.", {"cuda"}, "Fuzz"};
    faultOrNothing([&] {
        const plugins::OpenRequest request = plugins::readRequest(text.c_str(), backend);
        require(request.batch >= 1 && request.threads >= 0 && request.inputSets >= 1, "a request makes sense");
        require(request.deviceIndex >= 0, "a device has a number");
    });
    const std::filesystem::path folder = scratchFolder();
    std::ofstream(folder / "manifest.json", std::ios::binary | std::ios::trunc) << text;
    std::ofstream(folder / "x.bin", std::ios::binary | std::ios::trunc) << std::string(24, '\0');
    faultOrNothing([&] {
        const plugins::Artifact artifact = plugins::readArtifact(folder);
        for (const plugins::InputSpec& spec : artifact.inputs) {
            require(plugins::shapeOfSet(spec, 2).size() == spec.shape.size(), "a set has the rank of its input");
            static_cast<void>(plugins::readInputSet(spec, 1, 2));
        }
        for (const char* form : {"torchscript", "onnx"})
            faultOrNothing([&] { static_cast<void>(plugins::checkedForm(artifact, form)); });
    });
}

std::vector<std::string> seeds()
{
    return {
        R"({"artifact": "/a", "device": "cuda:0", "inputs": 4, "package": null, "config": {"precision": "fp32",)"
        R"( "batch": 8, "threads": 2, "level": "O1", "switches": {"freeze": true}}})",
        R"({"schema": "apertune.model/1", "content_hash": "00", "inputs": [{"name": "x", "dtype": "float32", "shape":)"
        R"( [1, 3], "batch_dim": 0, "file": "x.bin", "samples": 2}], "outputs": [{"name": "y", "batch_dim": 0}],)"
        R"( "files": {"torchscript": {"path": "x.bin", "bytes": 24, "dynamic_batch": true}}})"};
}

} // namespace apertune::fuzz

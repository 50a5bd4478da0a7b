// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/openvino/model_file.h"

#include "plugins/openvino/devices.h"
#include "plugins/openvino/fault.h"
#include "plugins/support/model_inputs.h"

#include <openvino/runtime/core.hpp>

#include <map>

namespace apertune::openvino {

using plugins::Artifact;
using plugins::Fault;
using plugins::InputSpec;

std::shared_ptr<ov::Model> readModel(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        throw Fault(APERTUNE_BAD_INPUT, "The model file " + file.string() + " does not exist.", plugins::kImportAgain);
    try {
        return core().read_model(file.string());
    } catch (...) {
        throw faultOf(std::current_exception(), APERTUNE_BAD_INPUT, "OpenVINO cannot read " + file.filename().string(),
                      "Check that the file is whole, and that its version and operators are ones OpenVINO knows.");
    }
}

namespace {

/// The model's input for an input of the manifest, found by its name, else by its position.
ov::Output<ov::Node> inputOf(ov::Model& model, const InputSpec& port, std::size_t index)
{
    for (const ov::Output<ov::Node>& input : model.inputs())
        if (input.get_names().contains(port.name))
            return input;
    return model.input(index);
}

} // namespace

void fixBatch(ov::Model& model, const Artifact& artifact, std::int64_t batch)
{
    plugins::checkInputCount(model.inputs().size(), artifact.inputs);
    std::map<ov::Output<ov::Node>, ov::PartialShape> shapes;
    for (std::size_t i = 0; i < artifact.inputs.size(); ++i) {
        const InputSpec& port = artifact.inputs[i];
        const std::vector<std::int64_t> shape = plugins::shapeOfSet(port, batch);
        shapes[inputOf(model, port, i)] = ov::PartialShape(std::vector<ov::Dimension>(shape.begin(), shape.end()));
    }
    try {
        model.reshape(shapes);
    } catch (...) {
        throw faultOf(std::current_exception(), APERTUNE_UNSUPPORTED,
                      "The model does not take batch " + std::to_string(batch), "Use batch 1 for this model.");
    }
}

} // namespace apertune::openvino

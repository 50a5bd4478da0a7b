// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/support/model_inputs.h"

#include "plugins/support/fault.h"

namespace apertune::plugins {

namespace {

/// "[any, 3, 224, 224]"
std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i > 0 ? ", " : "") + (shape[i] < 0 ? std::string("any") : std::to_string(shape[i]));
    return text + "]";
}

} // namespace

void checkInputCount(std::size_t inFile, const std::vector<InputSpec>& inputs)
{
    if (inFile != inputs.size())
        throw Fault(APERTUNE_BAD_INPUT,
                    "The model file takes " + std::to_string(inFile) + " inputs, the artifact describes " +
                        std::to_string(inputs.size()) + ".",
                    kImportAgain);
}

void otherElementType(const std::string& name, const std::string& inFile, const InputSpec& spec)
{
    throw Fault(APERTUNE_BAD_INPUT,
                "The input " + name + " is " + inFile + " in the file and " + spec.dtype + " in the manifest.",
                kImportAgain);
}

void checkShape(const std::string& name, const std::vector<std::int64_t>& inFile, const InputSpec& spec,
                std::int64_t batch)
{
    const std::vector<std::int64_t> wanted = shapeOfSet(spec, batch);
    const auto fits = [&](std::size_t i) { return inFile[i] < 0 || inFile[i] == wanted[i]; };
    bool same = inFile.size() == wanted.size();
    for (std::size_t i = 0; same && i < inFile.size(); ++i)
        same = fits(i);
    if (same)
        return;
    const auto dim = static_cast<std::size_t>(spec.batchDim.value_or(0));
    if (spec.batchDim && inFile.size() == wanted.size() && !fits(dim))
        throw Fault(APERTUNE_UNSUPPORTED,
                    "The model file takes batch " + std::to_string(inFile[dim]) + " only, its input " + name + " is " +
                        shapeText(inFile) + ".",
                    "Use that batch, or export the model with a batch dimension that may vary.");
    throw Fault(APERTUNE_BAD_INPUT,
                "The input " + name + " of the model file is " + shapeText(inFile) + ", that of the artifact " +
                    shapeText(wanted) + ".",
                kImportAgain);
}

void checkBytes(const std::string& name, std::size_t given, std::size_t wanted)
{
    if (given != wanted)
        throw Fault(APERTUNE_BAD_INPUT, "The input " + name + " has another size in the file than in the manifest.",
                    kImportAgain);
}

} // namespace apertune::plugins

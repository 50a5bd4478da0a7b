// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/tensorrt/inspection.h"

#include <NvInfer.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace apertune::tensorrt {

using Json = nlohmann::json;
using plugins::Precision;

namespace {

std::string text(const Json& object, const char* member)
{
    const auto it = object.find(member);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

PlanLayer layerOf(const Json& description)
{
    PlanLayer layer;
    if (description.is_string()) {
        layer.name = description.get<std::string>();
        return layer;
    }
    if (!description.is_object())
        return layer;
    layer.name = text(description, "Name");
    layer.tactic = text(description, "TacticName");
    for (const char* side : {"Inputs", "Outputs"})
        if (const auto tensors = description.find(side); tensors != description.end() && tensors->is_array())
            for (const Json& tensor : *tensors)
                if (tensor.is_object())
                    if (std::string type = text(tensor, "Format/Datatype"); !type.empty())
                        layer.types.push_back(std::move(type));
    return layer;
}

bool contains(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

/// Returns whether a type of the layer is this precision. New versions of TensorRT write "Half", older ones "Channel
/// major FP16 format where channel % 8 == 0".
bool isOf(const PlanLayer& layer, Precision precision)
{
    std::vector<std::string_view> names;
    if (precision == Precision::fp16)
        names = {"Half", "FP16"};
    else if (precision == Precision::bf16)
        names = {"BFloat16", "BF16"};
    else if (precision == Precision::int8)
        names = {"Int8", "INT8"};
    return std::any_of(layer.types.begin(), layer.types.end(), [&](const std::string& type) {
        return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return contains(type, name); });
    });
}

} // namespace

std::vector<PlanLayer> parseLayers(std::string_view description)
{
    std::vector<PlanLayer> layers;
    const Json document = Json::parse(description, nullptr, false);
    if (!document.is_object() || !document.contains("Layers") || !document["Layers"].is_array())
        return layers;
    const Json& list = document["Layers"];
    for (const Json& layer : list)
        layers.push_back(layerOf(layer));
    return layers;
}

std::vector<PlanLayer> layersOf(nvinfer1::ICudaEngine& plan)
{
    const std::unique_ptr<nvinfer1::IEngineInspector> inspector(plan.createEngineInspector());
    const char* description =
        inspector ? inspector->getEngineInformation(nvinfer1::LayerInformationFormat::kJSON) : nullptr;
    return description ? parseLayers(description) : std::vector<PlanLayer>();
}

void reportPrecision(Precision asked, const std::vector<PlanLayer>& layers, plugins::Report& report)
{
    const auto named = [](const std::vector<std::string>& names, std::size_t of, const std::string& what) {
        std::string evidence = std::to_string(names.size()) + " of " + std::to_string(of) + " layers " + what;
        if (!names.empty())
            evidence += ": " + names.front() + (names.size() > 1 ? ", …" : "");
        return evidence;
    };
    std::vector<std::string> inTf32;
    std::vector<std::string> inAsked;
    bool detailed = false;
    for (const PlanLayer& layer : layers) {
        detailed = detailed || !layer.types.empty();
        if (contains(layer.tactic, "tf32"))
            inTf32.push_back(layer.name);
        if (isOf(layer, asked))
            inAsked.push_back(layer.name);
    }
    if (!detailed) {
        report.notApplicable("precision", "TensorRT does not report the types of this plan's layers");
        return;
    }
    report.readBack("tf32", asked == Precision::tf32, !inTf32.empty(),
                    named(inTf32, layers.size(), "run kernels named tf32"));
    if (asked == Precision::fp32)
        return;
    std::vector<std::string>& found = asked == Precision::tf32 ? inTf32 : inAsked;
    report.readBack("precision", true, !found.empty(),
                    named(found, layers.size(), "are in " + std::string(plugins::toString(asked))));
    report.applied.back().layers = std::move(found);
}

} // namespace apertune::tensorrt

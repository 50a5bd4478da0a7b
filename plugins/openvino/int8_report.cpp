// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/openvino/int8_report.h"

#include <openvino/runtime/compiled_model.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace apertune::openvino {

void reportInt8(const ov::CompiledModel& model, plugins::Report& report)
{
    std::vector<std::string> inInt8;
    std::string firstInFloat;
    std::size_t inFloat = 0;
    std::map<std::string, int> kernels;
    for (const auto& node : model.get_runtime_model()->get_ordered_ops()) {
        const auto& info = node->get_rt_info();
        const auto text = [&](const char* key) {
            const auto it = info.find(key);
            return it == info.end() ? std::string() : it->second.as<std::string>();
        };
        const std::string kind = text("layerType");
        if (kind != "Convolution" && kind != "Deconvolution" && kind != "FullyConnected" && kind != "MatMul")
            continue;
        const std::string precision = text("runtimePrecision");
        const std::string original = text("originalLayersNames");
        if (precision == "u8" || precision == "i8") {
            inInt8.push_back(original.empty() ? node->get_friendly_name() : original);
            ++kernels[text("primitiveType")];
        } else if (++inFloat == 1) {
            firstInFloat = node->get_friendly_name();
        }
    }
    std::string evidence = std::to_string(inInt8.size()) + " of " + std::to_string(inInt8.size() + inFloat) +
                           " convolutions and matrix products run in int8";
    const char* before = ": ";
    for (const auto& [kernel, count] : kernels) {
        evidence += before + kernel + " ×" + std::to_string(count);
        before = ", ";
    }
    if (inFloat > 0)
        evidence += "; in float " + firstInFloat +
                    (inFloat > 1 ? " and " + std::to_string(inFloat - 1) + " more" : std::string());
    report.readBack("precision", true, !inInt8.empty(), evidence);
    report.applied.back().layers = std::move(inInt8);
}

} // namespace apertune::openvino

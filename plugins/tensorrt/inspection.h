// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/report.h"
#include "plugins/support/request.h"

#include <string>
#include <string_view>
#include <vector>

namespace nvinfer1 {
class ICudaEngine;
}

namespace apertune::tensorrt {

/// A layer of a plan, as IEngineInspector tells it.
struct PlanLayer
{
    std::string name;               ///< "conv1 + relu1"
    std::string tactic;             ///< the kernel: "sm80_xmma_fprop_implicit_gemm_tf32f32_…"; may be empty
    std::vector<std::string> types; ///< of its inputs and outputs, as TensorRT writes them: "Half", "Int8"
};

/// Reads the inspector's JSON; layers that it tells by their names alone are there without types. Empty for what is no
/// JSON of layers.
std::vector<PlanLayer> parseLayers(std::string_view json);

/// The layers of a plan.
std::vector<PlanLayer> layersOf(nvinfer1::ICudaEngine& plan);

/// Says under "tf32" whether kernels compute in it, and under "precision" which layers are in a precision other than
/// fp32 that was asked for.
void reportPrecision(plugins::Precision asked, const std::vector<PlanLayer>& layers, plugins::Report& report);

} // namespace apertune::tensorrt

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

/// A layer of a plan, as IEngineInspector reports it.
struct PlanLayer
{
    std::string name;               ///< "conv1 + relu1"
    std::string tactic;             ///< the kernel: "sm80_xmma_fprop_implicit_gemm_tf32f32_…"; may be empty
    std::vector<std::string> types; ///< TensorRT's names of the types of its inputs and outputs: "Half", "Int8"
};

/// Reads the inspector's JSON. A layer that has only a name there has no types. Returns an empty list for other text.
std::vector<PlanLayer> parseLayers(std::string_view json);

/// Returns the layers of a plan.
std::vector<PlanLayer> layersOf(nvinfer1::ICudaEngine& plan);

/// Reports under "tf32" whether kernels compute in TF32, and under "precision" which layers compute in a requested
/// precision other than fp32.
void reportPrecision(plugins::Precision asked, const std::vector<PlanLayer>& layers, plugins::Report& report);

} // namespace apertune::tensorrt

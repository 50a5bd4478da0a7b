// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/artifact.h"
#include "plugins/tensorrt/driver.h"
#include "plugins/tensorrt/plan_cache.h"
#include "plugins/tensorrt/request.h"

#include <NvInfer.h>

#include <memory>

namespace apertune::tensorrt {

/// A deserialized plan, with the record of its build.
struct Plan
{
    std::unique_ptr<nvinfer1::IRuntime> runtime; ///< has to outlive the engine
    std::unique_ptr<nvinfer1::ICudaEngine> engine;
    PlanRecord record;
    bool cached = false;
};

/// Opens the plan for the request's ONNX file: the cached one or a new one, whose build takes seconds to many minutes.
/// The network is strongly typed except for fp16 and bf16, where TensorRT decides layer by layer. Throws Fault:
///
/// * BAD_INPUT for a file that is no model, or not the artifact's;
/// * UNSUPPORTED for operators or a batch that TensorRT does not support, and for int8 without quantization in the
/// file;
/// * OUT_OF_MEMORY.
Plan openPlan(const Request& request, const plugins::Artifact& artifact, const Device& device);

} // namespace apertune::tensorrt

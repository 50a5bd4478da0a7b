// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/artifact.h"
#include "plugins/tensorrt/driver.h"
#include "plugins/tensorrt/plan_cache.h"
#include "plugins/tensorrt/request.h"

#include <NvInfer.h>

#include <memory>

namespace apertune::tensorrt {

/// A plan made ready to run, with what was noted when it was built.
struct Plan
{
    std::unique_ptr<nvinfer1::IRuntime> runtime; ///< outlives its plan
    std::unique_ptr<nvinfer1::ICudaEngine> engine;
    PlanRecord record;
    bool cached = false;
};

/// The plan of the request's ONNX file: the one that is kept, else it is built, which takes seconds to many minutes.
/// The network is strongly typed but for fp16 and bf16, where TensorRT decides layer by layer which are worth it.
/// Throws Fault: BAD_INPUT for a file that is no model or not that of the artifact, UNSUPPORTED for operators or a
/// batch that it does not take and for int8 without quantization in the file, OUT_OF_MEMORY.
Plan openPlan(const Request& request, const plugins::Artifact& artifact, const Device& device);

} // namespace apertune::tensorrt

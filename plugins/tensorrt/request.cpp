// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/tensorrt/request.h"

namespace apertune::tensorrt {

namespace {

const plugins::BackendTraits kBackend{
    "tensorrt",
    {Precision::fp32, Precision::tf32, Precision::bf16, Precision::fp16, Precision::int8},
    "Choose fp32, tf32, bf16, fp16 or int8.",
    {"cuda"},
    "TensorRT"};

} // namespace

const std::vector<Switch>& knownSwitches()
{
    static const std::vector<Switch> kSwitches{
        {"builder_optimization_level_2", "The builder tries few kernels for each layer"},
        {"builder_optimization_level_3", "The builder tries the default number of kernels for each layer"},
        {"builder_optimization_level_5", "The builder tries all kernels, which can take many minutes"},
        {"cuda_graph", "A pass is captured once and replayed as a CUDA graph"},
        {"dynamic_batch", "The plan takes smaller batches, too, and is tuned for this one"},
        {"no_aux_streams", "Independent layers do not run side by side"},
        {"workspace_256mib", "A layer gets at most 256 MiB of scratch memory, which leaves kernels out"},
        {"timing_cache", "Kernel times are cached on the disk, which makes the next build faster"},
        {"no_plan_cache", "The plan is built again and not cached"},
    };
    return kSwitches;
}

std::vector<std::pair<std::string, std::vector<std::string>>> levels()
{
    return {{"O0", {}},
            {"O1", {"builder_optimization_level_2"}},
            {"O2", {"builder_optimization_level_3"}},
            {"O3", {"builder_optimization_level_5", "cuda_graph"}}};
}

int Request::builderLevel() const
{
    for (const int effort : {5, 3, 2})
        if (on("builder_optimization_level_" + std::to_string(effort)))
            return effort;
    return 0;
}

Request parseRequest(const char* json)
{
    Request request{plugins::readRequest(json, kBackend)};
    if (!request.cuda)
        plugins::unsupported("TensorRT runs on NVIDIA GPUs only.", "Choose a device cuda:N.");
    plugins::requireFile(request, kBackend);
    plugins::requireKnown(request, knownSwitches(), kBackend);
    return request;
}

} // namespace apertune::tensorrt

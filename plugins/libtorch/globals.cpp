// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/globals.h"

#include "plugins/libtorch/attention.h"
#include "plugins/libtorch/host_memory.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <string>

namespace apertune::libtorch {

const std::vector<KnownSwitch>& globalSwitches()
{
    static const std::vector<KnownSwitch> kSwitches{
        {"keep_memory", Where::cpu}, {"cudnn_benchmark", Where::cuda}, {"tf32", Where::cuda}};
    return kSwitches;
}

void applyGlobalSwitches(const Request& request)
{
    at::Context& context = at::globalContext();
    context.setAllowTF32CuDNN(request.on("tf32"));
    context.setAllowTF32CuBLAS(request.on("tf32"));
    context.setBenchmarkCuDNN(request.on("cudnn_benchmark"));
    context.setDeterministicCuDNN(false);
    context.setDeterministicAlgorithms(false, false);
    applyAttentionSwitches(request);
    host_memory::keepFreed(request.on("keep_memory"));
    if (request.threads > 0)
        at::set_num_threads(request.threads);
}

void reportGlobalSwitches(const Request& request, Report& report)
{
    at::Context& context = at::globalContext();
    if (request.cuda) {
        const bool convolutions = context.allowTF32CuDNN();
        const bool products = context.allowTF32CuBLAS();
        const auto allowed = [](bool yes) { return yes ? std::string("allowed") : std::string("not allowed"); };
        std::string evidence =
            "TF32 " + allowed(convolutions) + " in convolutions, " + allowed(products) + " in matrix products";
        if (request.sixteenBit())
            report.notApplicable("tf32", "the tensors are 16-bit");
        else
            report.readBack("tf32", request.on("tf32"), convolutions && products, std::move(evidence));
        const bool benchmark = context.benchmarkCuDNN();
        report.readBack("cudnn_benchmark", request.on("cudnn_benchmark"), benchmark,
                        benchmark ? "cuDNN's flag reads true" : "cuDNN's flag reads false");
        report.notApplicable("keep_memory", "the device is not a CPU");
    } else {
        const bool kept = host_memory::keepsFreed();
        report.readBack("keep_memory", request.on("keep_memory"), kept,
                        kept ? "a block of 64 MiB comes from memory that the process keeps"
                             : "a block of 64 MiB is mapped on its own");
        report.notApplicable("tf32", "the device is a CPU");
        report.notApplicable("cudnn_benchmark", "the device is a CPU");
    }
    report.notes.push_back("LibTorch uses " + std::to_string(at::get_num_threads()) + " threads");
}

} // namespace apertune::libtorch

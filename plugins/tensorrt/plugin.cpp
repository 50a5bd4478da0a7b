// SPDX-License-Identifier: GPL-3.0-or-later
// The TensorRT backend of plugins/api. plugins/support makes the C boundary.
#include "plugins/support/backend.h"
#include "plugins/support/cuda_devices.h"
#include "plugins/tensorrt/driver.h"
#include "plugins/tensorrt/library.h"
#include "plugins/tensorrt/session.h"

namespace {

using namespace apertune;
using plugins::Fault;
using plugins::Phase;

class TensorRt final : public plugins::Backend
{
public:
    plugins::Description describe() override
    {
        plugins::Description info;
        info.name = "tensorrt";
        info.version = tensorrt::library().version;
        info.formats = {"onnx"};
        for (const tensorrt::Switch& known : tensorrt::knownSwitches()) {
            info.switches.emplace_back(known.name);
            info.summaries[known.name] = known.summary;
        }
        info.levels = tensorrt::levels();
        info.precisions = {"fp32", "tf32", "bf16", "fp16", "int8"};
        plugins::addCudaDevices(info);
        return info;
    }

    plugins::Opened open(const char* request) override
    {
        static_cast<void>(tensorrt::library()); // throws when TensorRT is missing, because nothing can be opened then
        return tensorrt::openSession(tensorrt::parseRequest(request));
    }

    Fault classify(std::exception_ptr error, Phase phase) override
    {
        const apertune_status otherwise = phase == Phase::running ? APERTUNE_MODEL_THREW : APERTUNE_INTERNAL;
        try {
            std::rethrow_exception(std::move(error));
        } catch (const tensorrt::CudaError& failure) {
            return tensorrt::faultOf(failure, otherwise);
        } catch (const std::exception& failure) {
            return {otherwise, std::string("TensorRT's backend failed: ") + failure.what() + ".", "Please report it."};
        }
    }
};

} // namespace

const apertune_plugin* apertune_plugin_entry()
{
    static TensorRt s_backend;
    return plugins::entry(s_backend);
}

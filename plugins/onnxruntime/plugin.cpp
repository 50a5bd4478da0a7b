// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/library.h"
#include "plugins/onnxruntime/load_library.h"
#include "plugins/onnxruntime/request.h"
#include "plugins/onnxruntime/session.h"
#include "plugins/support/backend.h"
#include "plugins/support/cuda_devices.h"

namespace {

using namespace apertune;
using ort::Library;

class OnnxRuntime final : public plugins::Backend
{
public:
    plugins::Description describe() override
    {
        const Library& engine = ort::library();
        plugins::Description info;
        info.name = "onnxruntime";
        info.version = engine.version;
        info.formats = {"onnx"};
        info.switches = ort::knownSwitches(engine);
        info.summaries = ort::summaries();
        for (const char* level : {"O0", "O1", "O2", "O3"}) {
            info.levels.push_back({level, {}});
            for (const std::string& name : info.switches)
                if (ort::levelHas(level, name))
                    info.levels.back().second.push_back(name);
        }
        info.precisions = ort::knownPrecisions(engine);
        plugins::DeviceInfo cpu;
        cpu.id = "cpu";
        cpu.name = plugins::cpuName();
        info.devices.push_back(std::move(cpu));
        if (engine.has("CUDAExecutionProvider"))
            plugins::addCudaDevices(info);
        else
            info.notes.emplace_back("CUDA is unavailable: this ONNX Runtime has no CUDAExecutionProvider; the package "
                                    "onnxruntime-gpu has it");
        return info;
    }

    plugins::Opened open(const char* request) override
    {
        const Library& engine = ort::library();
        return ort::openSession(engine, ort::parseRequest(request, engine));
    }

    plugins::Fault classify(std::exception_ptr error, plugins::Phase phase) override
    {
        try {
            std::rethrow_exception(error);
        } catch (const std::exception& e) {
            return ort::classify(e, phase);
        }
    }
};

} // namespace

const apertune_plugin* apertune_plugin_entry()
{
    static OnnxRuntime backend;
    return plugins::entry(backend);
}

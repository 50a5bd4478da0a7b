// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/library.h"
#include "plugins/onnxruntime/request.h"
#include "plugins/onnxruntime/session.h"
#include "plugins/support/backend.h"

#include <array>
#include <dlfcn.h>

namespace {

using namespace apertune;
using ort::Library;

/// The GPUs that the driver shows, by the driver's own library: the engine has no list of them.
void describeCuda(plugins::Description& info)
{
    void* driver = ::dlopen("libcuda.so.1", RTLD_NOW);
    const auto function = [&](const char* name) { return driver ? ::dlsym(driver, name) : nullptr; };
    const auto init = reinterpret_cast<int (*)(unsigned)>(function("cuInit"));
    const auto count = reinterpret_cast<int (*)(int*)>(function("cuDeviceGetCount"));
    const auto name = reinterpret_cast<int (*)(char*, int, int)>(function("cuDeviceGetName"));
    int devices = 0;
    if (!init || !count || !name || init(0) != 0 || count(&devices) != 0 || devices == 0) {
        info.notes.emplace_back("CUDA is unavailable: no NVIDIA driver or no GPU");
        return;
    }
    for (int i = 0; i < devices; ++i) {
        std::array<char, 128> text{};
        if (name(text.data(), static_cast<int>(text.size()) - 1, i) != 0)
            continue;
        plugins::DeviceInfo device;
        device.id = "cuda:" + std::to_string(i);
        device.name = text.data();
        info.devices.push_back(std::move(device));
    }
}

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
            describeCuda(info);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/local_launcher.h"

#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/base/text.h"
#include "core/sandbox/sandbox.h"
#include "core/worker/backend_manifest.h"
#include "core/worker/sandbox_profiles.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>

namespace apertune::worker {

namespace {

/// Returns the value of CUDA_VISIBLE_DEVICES for a device: its UUID, or its number when the driver reports no UUID.
std::string visibleDevice(const model::Device& device)
{
    if (!device.type.isNvidiaGpu())
        return "";
    // A UUID stays the same when another variable hides some GPUs; a number does not.
    if (!device.uuid.empty())
        return device.uuid;
    const std::size_t colon = device.id.find(':');
    return colon == std::string::npos ? "0" : device.id.substr(colon + 1);
}

class LocalLauncher final : public Launcher
{
public:
    explicit LocalLauncher(Installation installation) : m_installation(std::move(installation)) {}

    base::Result<LaunchedWorker> launch(const LaunchRequest& request) override
    {
        const auto libraries = backendLibraries(m_installation, request.backend);
        if (!libraries)
            return libraries.error();
        auto scratch = base::TemporaryDir::create("scratch");
        if (!scratch)
            return scratch.error();
        base::ChildCommand command = commandFor(request, *libraries);
        command.environment["TMPDIR"] = scratch->path().string();
        auto child = sandbox::start(command, workerProfile(m_installation, request, scratch->path()));
        if (!child)
            return child.error();
        return LaunchedWorker{std::move(child->process), std::move(child->layers), std::move(*scratch)};
    }

private:
    base::ChildCommand commandFor(const LaunchRequest& request,
                                  const std::vector<std::filesystem::path>& libraries) const
    {
        const std::string& backend = request.backend;
        const model::Device& device = request.device;
        const int threads = request.threads;
        base::ChildCommand command;
        command.argv = {m_installation.worker.string(), "--backend", backend, "--plugins",
                        m_installation.plugins.string()};
        const auto add = [&](const char* option, const std::string& value) {
            if (!value.empty())
                command.argv.insert(command.argv.end(), {option, value});
        };
        add("--torch", m_installation.torchRoot.string());
        for (const std::filesystem::path& library : libraries)
            add("--preload", library.string());
        add("--device", workerDeviceId(device));
        if (device.type.isNvidiaGpu())
            add("--cupti", cuptiLibrary(m_installation.torchRoot).string());
        // More threads than cores are placed as the system likes.
        if (!device.type.isNvidiaGpu() && device.cores > 0 && threads <= device.cores)
            add("--cpus", oneCpuPerCore());
        std::vector<std::string> processors;
        for (const int processor : device.processors)
            processors.push_back(std::to_string(processor));
        // A GPU names the processors that are close to it.
        add("--cpus", base::join(processors, ","));

        auto& environment = command.environment;
        environment["CUDA_VISIBLE_DEVICES"] = visibleDevice(device);
        // Without it, CUDA numbers the fastest GPU first, and NVML by the bus.
        environment["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID";
        for (const char* name : {"OMP_NUM_THREADS", "MKL_NUM_THREADS"})
            // A variable of the user's shell must not decide the number of threads.
            environment[name] = threads > 0 ? std::optional(std::to_string(threads)) : std::nullopt;
        if (request.passiveWaits)
            // Otherwise the user's own setting, which the study's environment holds, is inherited.
            environment[model::kWaitPolicy] = model::kPassiveWaits;
        // Users' shells may set these variables, which would change or spoil the measurement.
        for (const char* name : {"CUDA_LAUNCH_BLOCKING", "NVIDIA_TF32_OVERRIDE", "PYTORCH_ALLOC_CONF",
                                 "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_NO_CUDA_MEMORY_CACHING"})
            environment[name] = std::nullopt;
        const char* const searched = std::getenv("LD_LIBRARY_PATH");
        // Only the folders of the driver stay: others could replace the libraries of an engine.
        const std::string driver = driverFolders(searched ? searched : "");
        environment["LD_LIBRARY_PATH"] = driver.empty() ? std::nullopt : std::optional(driver);
        // Stack traces would fill the reasons of failed trials.
        environment["TORCH_SHOW_CPP_STACKTRACES"] = "0";
        return command;
    }

    Installation m_installation;
};

} // namespace

std::string workerDeviceId(const model::Device& device)
{
    // The worker sees one GPU only, so its number there is 0.
    return device.type.isNvidiaGpu() ? "cuda:0" : device.type.isCpu() ? "cpu" : device.id;
}

std::string driverFolders(const std::string& searchPath)
{
    std::vector<std::string> kept;
    std::error_code ignored;
    for (const std::string& folder : base::splitList(searchPath, ':'))
        for (const char* library : {"libcuda.so.1", "libnvidia-ml.so.1"})
            if (!folder.empty() && std::filesystem::exists(std::filesystem::path(folder) / library, ignored)) {
                kept.push_back(folder);
                break;
            }
    return base::join(kept, ":");
}

std::string oneCpuPerCore()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return {};
    std::vector<std::string> chosen;
    std::vector<std::string> cores;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &allowed))
            continue;
        const auto siblings =
            base::readFile("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
        // Without the topology, any placement would be a guess.
        if (!siblings)
            return {};
        if (std::find(cores.begin(), cores.end(), *siblings) != cores.end())
            continue;
        cores.push_back(*siblings);
        chosen.push_back(std::to_string(cpu));
    }
    // The list is left out when it names all processors.
    return static_cast<int>(chosen.size()) == CPU_COUNT(&allowed) ? "" : base::join(chosen, ",");
}

std::unique_ptr<Launcher> makeLocalLauncher(Installation installation)
{
    return std::make_unique<LocalLauncher>(std::move(installation));
}

} // namespace apertune::worker

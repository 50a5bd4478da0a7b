// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/backend_probe.h"
#include "core/probe/capabilities.h"
#include "core/probe/device_probe.h"
#include "core/worker/worker_process.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace apertune::probe {

namespace {

constexpr auto kAnswerLimit = base::fromSeconds(60);

/// Lets a worker on the GPU answer: only what it has tried there is known to work. The first backend that uses the GPU
/// is asked; where none does, what the first one says stands for all.
void askOnGpu(worker::Launcher& launcher, const worker::Installation& installation, const model::Device& gpu,
              CapabilityFacts& facts)
{
    Obstacle refused;
    const auto note = [&](const std::string& reason) {
        if (refused.reason.empty())
            refused = {reason, "See what nvidia-smi says of the GPU."};
    };
    for (const std::string& name : backendNames(installation.plugins)) {
        auto reply = worker::WorkerProcess::start(launcher, name, gpu, 1, {});
        if (!reply) {
            note(reply.error().sentence());
            continue;
        }
        worker::WorkerProcess& worker = **reply;
        const base::Json description = worker.hello().value("describe", base::Json::object());
        const search::BackendInfo seen = backendFromDescription(name, description, gpu, {gpu});
        if (seen.forTests)
            continue;
        if (seen.deviceIds.empty()) {
            if (!seen.notes.empty())
                note(name + ": " + seen.notes.front());
            continue;
        }
        const auto answer = worker.call({{"t", "recordings"}}, kAnswerLimit, {});
        if (!answer)
            facts.gpuTrace = facts.gpuCounters = {"Asking for it failed: " + answer.error().sentence(),
                                                  "See what nvidia-smi says of the GPU."};
        else
            readRecordings(*answer, facts);
        return;
    }
    note("No engine of this installation uses the GPU.");
    facts.gpuUse = refused;
}

} // namespace

std::vector<model::Capability> probeCapabilities(worker::Launcher& launcher, const worker::Installation& installation,
                                                 const std::vector<model::Device>& devices)
{
    GpuProbe gpus = probeGpus();
    // The caller's devices are what it will measure on: it may have left GPUs out.
    std::erase_if(gpus.devices, [&](const model::Device& gpu) {
        return std::none_of(devices.begin(), devices.end(), [&](const auto& d) { return d.uuid == gpu.uuid; });
    });
    CapabilityFacts facts = gatherFacts("/", installation.torchRoot, gpus);
    if (facts.hasGpu && facts.gpuUse.reason.empty())
        askOnGpu(launcher, installation, gpus.devices.front(), facts);
    return capabilitiesOf(facts);
}

} // namespace apertune::probe

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/capability_probe.h"

#include "core/model/gpu_obstacles.h"
#include "core/probe/backend_probe.h"
#include "core/probe/capabilities.h"
#include "core/probe/reasons.h"
#include "core/worker/worker_process.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::probe {

namespace {

constexpr auto kAnswerLimit = base::fromSeconds(60); ///< the first use of CUPTI loads its libraries

/// Asks a worker on the GPU, because only recordings that it has tried are known to work. The answer is from the first
/// backend that uses the GPU, or else from the first backend.
void askOnGpu(worker::Launcher& launcher, const worker::Installation& installation, const model::Device& gpu,
              CapabilityFacts& facts)
{
    Obstacle obstacle;
    const auto note = [&](base::Message reason) {
        if (obstacle.reason.empty())
            obstacle = {std::move(reason), base::message<model::gpu_obstacles::kRunSmiForGpu>()};
    };
    for (const std::string& name : backendNames(installation.plugins)) {
        auto reply = worker::WorkerProcess::start(launcher, {name, gpu, 1}, {});
        if (!reply) {
            note(reply.error().reason.message);
            continue;
        }
        worker::WorkerProcess& worker = **reply;
        const base::Json description = worker.hello().value("describe", base::Json::object());
        const search::BackendInfo seen = backendFromDescription(name, description, gpu, {gpu});
        // A backend for tests would claim what the GPU cannot do.
        if (seen.forTests)
            continue;
        if (seen.deviceIds.empty()) {
            if (!seen.notes.empty())
                note(base::message<reasons::kBackendSays>(name, seen.notes.front()));
            continue;
        }
        const auto answer = worker.call({{"t", "recordings"}}, kAnswerLimit, {});
        if (!answer)
            facts.gpuTrace = facts.gpuCounters = {base::message<reasons::kAskingFailed>(answer.error().reason.message),
                                                  base::message<model::gpu_obstacles::kRunSmiForGpu>()};
        else
            readRecordings(*answer, facts);
        return;
    }
    note(base::message<reasons::kNoGpuEngine>());
    facts.gpuUse = obstacle;
}

} // namespace

std::vector<model::Capability> probeCapabilities(worker::Launcher& launcher, const worker::Installation& installation,
                                                 const std::vector<model::Device>& devices)
{
    GpuProbe gpus = probeGpus();
    // The caller measures on its own list of devices, which may lack some GPUs.
    std::erase_if(gpus.devices, [&](const model::Device& gpu) {
        return std::none_of(devices.begin(), devices.end(), [&](const auto& d) { return d.uuid == gpu.uuid; });
    });
    CapabilityFacts facts = gatherFacts("/", installation.torchRoot, gpus);
    if (facts.hasGpu && facts.gpuUse.reason.empty())
        askOnGpu(launcher, installation, gpus.devices.front(), facts);
    return capabilitiesOf(facts);
}

} // namespace apertune::probe

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/kit_material.h"

#include "core/models/package_source.h"
#include "core/models/usable_model.h"
#include "core/study/configuration_run.h"
#include "core/study/errors.h"
#include "core/study/trial_request.h"

#include <algorithm>

namespace apertune::runs {

namespace fs = std::filesystem;

namespace {

/// The file that the configuration opens; empty when that is the artifact's own TorchScript.
base::Result<fs::path> openedBy(const study::RunContext& context, const model::ModelRef& model,
                                const model::Config& config, const model::Device& device, const study::PhaseSink& phase,
                                std::stop_token stop)
{
    if (!context.packages || !context.packages->needed(model, config))
        return fs::path();
    phase(study::Phase::compile, {});
    const auto observer = [&](const models::ExporterProgress& progress) {
        // The exporter's log is not progress that a user could follow.
        if (!progress.isLog)
            phase(study::Phase::compile, base::foreignText(progress.text));
    };
    auto package = context.packages->get(model, config, device, observer, std::move(stop));
    if (!package)
        return package.error();
    return std::move(package->path);
}

/// Writes the outputs of the model as loaded.
base::Status writeExpected(const study::RunContext& context, const study::ConfigurationRequest& request,
                           const fs::path& file, const study::PhaseSink& phase, std::stop_token stop)
{
    worker::LaunchRequest launch = study::launchRequest(request);
    launch.writes = {file.parent_path()};
    auto worker = worker::WorkerProcess::start(context.launcher, launch, stop, context.limits.worker);
    if (!worker)
        return study::toError(worker.error());
    phase(study::Phase::load, {});
    if (const auto ready = study::prepareConfiguration(**worker, request, context.limits, {}, stop, phase); !ready)
        return study::toError(ready.error());
    const auto written = study::writeReference(**worker, file, context.limits, context.limits.quality, stop);
    return written ? base::Status() : study::toError(written.error());
}

} // namespace

base::Result<KitMaterial> makeKitMaterial(const study::RunContext& context, const model::ModelRef& model,
                                          const std::string& engine, const std::vector<int>& batches,
                                          const study::PhaseSink& phase, std::stop_token stop)
{
    if (const auto usable = models::requireUsable(model); !usable)
        return usable.error();
    const auto processor = std::find_if(context.devices.begin(), context.devices.end(),
                                        [](const model::Device& device) { return device.type.isCpu(); });
    if (processor == context.devices.end())
        return base::Error{
            base::ErrorCode::unsupported,
            base::message<study::errors::kDeviceNotHere>(std::string(model::toString(model::DeviceType::cpu()))),
            {},
            base::message<study::errors::kRunWhereMeasured>()};
    const model::Device& device = *processor;
    auto folder = base::TemporaryDir::create("kit");
    if (!folder)
        return folder.error();
    KitMaterial material{std::move(*folder), {}};
    for (const int batch : batches) {
        model::Config config;
        config.backend = engine;
        config.batch = batch;
        auto opened = openedBy(context, model, config, device, phase, stop);
        if (!opened)
            return opened.error();
        study::ConfigurationRequest request{model.artifact, model.taskType, {}, device, {}};
        request.config.batch = batch;
        // Only the engine can run a model in a format of its own.
        if (!model.files.contains("torchscript")) {
            request.config.backend = engine;
            request.package = *opened;
        }
        const fs::path expected = material.folder.path() / ("b" + std::to_string(batch));
        if (const auto written = writeExpected(context, request, expected, phase, stop); !written)
            return written.error();
        material.batches.push_back({batch, std::move(*opened), expected});
    }
    return material;
}

} // namespace apertune::runs

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/trace_run.h"

#include "core/engine/scratch_folder.h"
#include "core/stats/block_stats.h"
#include "core/trace/trace_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace apertune::engine {

using base::Error;
using base::ErrorCode;
using base::Json;
using base::Nanoseconds;
using Failure = WorkerProcess::Failure;

namespace {

constexpr int kSession = 1;
constexpr int kLeastBare = 20; // enough for an interval that says something

Error toError(const Failure& failure)
{
    if (failure.cancelled)
        return {ErrorCode::cancelled, "The capture was cancelled."};
    static constexpr std::array<std::pair<std::string_view, ErrorCode>, 9> kCodes{{
        {"oom", ErrorCode::outOfMemory},
        {"crash", ErrorCode::crashed},
        {"device_lost", ErrorCode::crashed},
        {"hang", ErrorCode::timeout},
        {"timeout", ErrorCode::timeout},
        {"model_threw", ErrorCode::modelThrew},
        {"bad_input", ErrorCode::invalidArgument},
        {"unsupported", ErrorCode::unsupported},
        {"internal", ErrorCode::internal},
    }};
    const auto* const known = std::find_if(kCodes.begin(), kCodes.end(),
                                           [&](const auto& entry) { return entry.first == failure.reason.kind; });
    return {known == kCodes.end() ? ErrorCode::internal : known->second,
            failure.reason.text,
            {},
            failure.reason.detail.empty() ? "Measure the trial again to see whether it still runs."
                                          : failure.reason.detail};
}

base::Result<CellRequest> cellOf(const TraceContext& context, const model::Study& study, const model::Trial& trial,
                                 const PhaseSink& phase, std::stop_token stop)
{
    const auto device = std::find_if(context.devices.begin(), context.devices.end(),
                                     [&](const model::Device& d) { return d.id == trial.device; });
    if (device == context.devices.end())
        return Error{ErrorCode::unsupported,
                     "The trial ran on " + trial.device + ", which is not here.",
                     {},
                     "Trace it where it was measured, or choose a trial of a device that `apertune devices` lists."};
    CellRequest request{study.model.artifact, study.model.family, trial.config, *device, {}};
    if (!trial.config.isOn("aoti"))
        return request;
    if (!context.packages)
        return Error{ErrorCode::unsupported,
                     "Nothing can be compiled here.",
                     {},
                     "Run `make setup` for the Python environment that compiles."};
    phase("compile", {});
    const auto observer = [&](const ImportProgress& progress) {
        if (!progress.isLog)
            phase("compile", progress.text);
    };
    auto package = context.packages->get(study.model, trial.config, *device, observer, stop);
    if (!package)
        return package.error();
    request.package = package->path;
    return request;
}

std::vector<Nanoseconds> times(const Json& list)
{
    std::vector<Nanoseconds> result;
    for (const Json& time : list)
        result.push_back({time.get<std::int64_t>()});
    return result;
}

std::vector<double> asDouble(const std::vector<Nanoseconds>& times)
{
    std::vector<double> result;
    for (const Nanoseconds time : times)
        result.push_back(static_cast<double>(time.count));
    return result;
}

std::string versionOf(const WorkerProcess& worker)
{
    const Json description = worker.hello().value("describe", Json::object());
    return description.value("name", "") + " " + description.value("version", "");
}

} // namespace

std::optional<trace::RecordingCost> recordingCost(const std::vector<Nanoseconds>& bare,
                                                  const std::vector<Nanoseconds>& traced)
{
    if (bare.empty() || traced.empty())
        return std::nullopt;
    const std::vector<double> without = asDouble(bare);
    const std::vector<double> with = asDouble(traced);
    trace::RecordingCost cost;
    cost.bareNs = stats::medianInterval(without);
    cost.tracedNs = stats::medianInterval(with);
    // ratioOfMedians divides the baseline by the candidate: what tracing costs is traced over bare.
    cost.ratio = stats::ratioOfMedians(base::Baseline<std::span<const double>>{std::span<const double>(with)},
                                       base::Candidate<std::span<const double>>{std::span<const double>(without)});
    cost.bareIterations = static_cast<std::int64_t>(bare.size());
    cost.tracedIterations = static_cast<std::int64_t>(traced.size());
    return cost;
}

base::Result<trace::Trace> captureTrial(const TraceContext& context, const model::Study& study,
                                        const model::Trial& trial, const TraceOptions& options, const PhaseSink& phase,
                                        std::stop_token stop)
{
    const auto cell = cellOf(context, study, trial, phase, stop);
    if (!cell)
        return cell.error();
    const auto scratch = ScratchFolder::create();
    if (!scratch)
        return scratch.error();
    const std::filesystem::path file = scratch->path() / "capture.trace";

    auto started = WorkerProcess::start(context.launcher, trial.config.backend, cell->device, trial.config.threads,
                                        stop, context.limits.worker);
    if (const auto* failure = std::get_if<Failure>(&started))
        return toError(*failure);
    WorkerProcess& worker = *std::get<std::unique_ptr<WorkerProcess>>(started);
    auto prepared = prepareCell(worker, *cell, context.limits, context.limits.trialMost, stop, phase);
    if (const auto* failure = std::get_if<Failure>(&prepared))
        return toError(*failure);

    const Json command{{"t", "trace"},
                       {"session", kSession},
                       {"out", file.string()},
                       {"iterations", options.iterations},
                       {"bare_iterations", std::max(kLeastBare, options.iterations)},
                       {"max_ns", options.most.count},
                       {"shapes", options.shapes},
                       {"memory", options.memory},
                       {"telemetry", options.telemetry},
                       {"nvtx", options.nvtx}};
    const Nanoseconds part = options.most + context.limits.first;
    auto reply = worker.call(command, part, stop, [&](const Json& message) { phase(message.value("phase", ""), {}); },
                             {{"bare", part}, {"trace", part}, {"write", context.limits.quality}});
    if (const auto* failure = std::get_if<Failure>(&reply))
        return toError(*failure);

    auto read = trace::readTraceFile(file);
    if (!read)
        return read.error();
    trace::Trace trace = std::move(*read);
    try {
        const Json& answer = std::get<Json>(reply);
        trace.cost = recordingCost(times(answer.at("bare_ns")), times(answer.at("traced_ns")));
    } catch (const Json::exception& e) {
        return Error{ErrorCode::internal,
                     std::string("The worker's answer is unreadable: ") + e.what() + ".",
                     {},
                     "Install both from the same version."};
    }
    trace.name = study.model.name + " " + model::shortName(trial.config, cell->device.kind);
    trace.recorderVersion = versionOf(worker);
    return trace;
}

} // namespace apertune::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/trace_run.h"

#include "core/base/clock.h"
#include "core/base/temporary_dir.h"
#include "core/runs/errors.h"
#include "core/stats/compare.h"
#include "core/study/trial_request.h"
#include "core/trace/reasons.h"
#include "core/trace/trace_file.h"
#include "core/trace/trace_merge.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::runs {

using base::Error;
using base::ErrorCode;
using base::Json;
using base::Nanoseconds;

namespace {

constexpr int kLeastBarePasses = 20; ///< least number of bare passes, for a useful interval

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

std::string versionOf(const worker::WorkerProcess& worker)
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
    // compare() divides the baseline by the candidate, so the traced passes are the baseline here.
    cost.ratio = stats::compare(base::Baseline<std::span<const double>>{std::span<const double>(with)},
                                base::Candidate<std::span<const double>>{std::span<const double>(without)})
                     .ratio;
    cost.bareIterations = static_cast<std::int64_t>(bare.size());
    cost.tracedIterations = static_cast<std::int64_t>(traced.size());
    return cost;
}

namespace {

using WorkerPtr = std::unique_ptr<worker::WorkerProcess>;

/// One capture. The first step that fails ends it.
class Capture
{
public:
    Capture(const study::RunContext& context, study::ConfigurationRequest configuration, const TraceOptions& options,
            const study::PhaseSink& phase, const TelemetryMaker& telemetry, std::stop_token stop)
        : m_context(context), m_configuration(std::move(configuration)), m_options(options), m_phase(phase),
          m_telemetry(telemetry), m_stop(std::move(stop))
    {
    }

    base::Result<trace::Trace> run()
    {
        const bool gpu = m_configuration.device.type.isNvidiaGpu();
        if (counters() && !gpu)
            return Error{ErrorCode::unsupported,
                         base::message<errors::kCountersNeedGpu>(m_configuration.device.id),
                         {},
                         base::message<errors::kChooseGpuTrial>()};
        std::vector<Nanoseconds> bare;
        if (gpu) {
            auto timed = barePassesInOwnWorker();
            if (!timed)
                return timed.error();
            bare = std::move(*timed);
        }
        const auto scratch = base::TemporaryDir::create("scratch");
        // Without the folder the worker's sandbox lets it write nothing.
        if (!scratch)
            return scratch.error();
        const std::filesystem::path file = scratch->path() / "capture.trace";
        auto worker = startWorker(gpu && !counters(), {scratch->path()});
        if (!worker)
            return worker.error();
        auto answer = record(**worker, file, gpu ? 0 : barePassCount());
        if (!answer)
            return answer.error();
        auto trace = trace::readTraceFile(file);
        if (!trace)
            return trace;
        // The backend's name and version are known to the supervisor from the greeting.
        trace->recorderVersion = versionOf(**worker);
        return completed(std::move(*trace), *answer, std::move(bare));
    }

private:
    bool counters() const { return m_options.pass != TracePass::events; }
    int barePassCount() const { return std::max(kLeastBarePasses, m_options.iterations); }

    /// Starts a worker and loads and warms up the configuration. The recorder of a GPU has to attach before the model
    /// is loaded.
    base::Result<WorkerPtr> startWorker(bool attach, const std::vector<std::filesystem::path>& writes)
    {
        worker::LaunchRequest request = study::launchRequest(m_configuration);
        request.writes = writes;
        auto started = worker::WorkerProcess::start(m_context.launcher, request, m_stop, m_context.limits.worker);
        if (!started)
            return study::toError(started.error());
        WorkerPtr worker = std::move(*started);
        if (attach) {
            auto reply = worker->call(
                {{"t", "attach"}, {"graphs", m_options.graphs == trace::GraphRecords::nodes ? "node" : "launch"}},
                m_context.limits.first, m_stop);
            if (!reply)
                return study::toError(reply.error());
        }
        auto prepared = study::prepareConfiguration(*worker, m_configuration, m_context.limits,
                                                    m_context.limits.trialMost, m_stop, m_phase);
        if (!prepared)
            return study::toError(prepared.error());
        return worker;
    }

    base::Result<std::vector<Nanoseconds>> barePassesInOwnWorker()
    {
        auto worker = startWorker(false, {});
        if (!worker)
            return worker.error();
        m_phase(study::Phase::bare, {});
        const study::BlockRequest blocks{6, 6, {}, m_options.most, 0, 1};
        auto measured = study::measureConfiguration(**worker, blocks, m_context.limits, m_stop, {});
        if (!measured)
            return study::toError(measured.error());
        return std::move(measured->iterations);
    }

    base::Result<Json> record(worker::WorkerProcess& worker, const std::filesystem::path& file, int bareIterations)
    {
        Json command{{"t", "trace"},
                     {"session", study::kSession},
                     {"out", file.string()},
                     {"iterations", m_options.iterations},
                     {"bare_iterations", bareIterations},
                     {"max_ns", m_options.most.count},
                     {"shapes", m_options.shapes},
                     {"memory", m_options.memory},
                     {"telemetry", m_options.telemetry},
                     {"nvtx", m_options.nvtx}};
        if (counters()) {
            command["metrics"] = m_options.pass == TracePass::samples ? "samples" : "kernels";
            command["telemetry"] = false;
            if (m_options.pass == TracePass::kernels)
                command["iterations"] = 1; // Each kernel is replayed several times, so one pass takes long.
            else
                command["min_ns"] = kSamplingTime.count;
        }
        const Nanoseconds part = m_options.most + m_context.limits.first;
        auto reply = worker.call(command, part, m_stop, [&](const Json& message) { follow(message); },
                                 {{"bare", part}, {"trace", part}, {"write", m_context.limits.quality}});
        stopTelemetry();
        if (!reply)
            return study::toError(reply.error());
        return std::move(*reply);
    }

    /// Starts and stops the outside profilers with the traced passes.
    void follow(const Json& message)
    {
        const auto phase = study::phaseFromString(message.value("phase", ""));
        if (phase == study::Phase::trace)
            startTelemetry();
        else
            stopTelemetry();
        if (phase)
            m_phase(*phase, {});
    }

    void startTelemetry()
    {
        if (!m_options.telemetry || counters() || !m_telemetry || m_externalEvents.head().originMonotonic != 0)
            return;
        m_externalEvents.head().originMonotonic = base::monotonicNow().count;
        m_profilers = m_telemetry(m_configuration.device);
        for (const auto& profiler : m_profilers) {
            const trace::Availability availability = profiler->availability();
            auto started = availability.possible
                               ? profiler->start()
                               : base::Result<std::unique_ptr<trace::ProfilerSession>>(
                                     Error{ErrorCode::unsupported, availability.reason, {}, availability.remedy});
            if (started)
                m_sessions.push_back(std::move(*started));
            else
                m_externalEvents.addLoss(
                    {{},
                     trace::EventKind::counter,
                     0,
                     trace::LossSeverity::notice,
                     base::message<trace::reasons::kProfilerMissing>(
                         profiler->name(), base::sentencesOf({started.error().message, started.error().hint}))});
        }
    }

    void stopTelemetry()
    {
        for (const auto& session : m_sessions)
            if (auto status = session->stop(m_externalEvents); !status)
                m_externalEvents.addLoss(
                    {{}, trace::EventKind::counter, 0, trace::LossSeverity::warning, status.error().message});
        m_sessions.clear();
    }

    base::Result<trace::Trace> completed(trace::Trace trace, const Json& answer, std::vector<Nanoseconds> bare)
    {
        try {
            if (bare.empty())
                bare = times(answer.at("bare_ns"));
            trace.cost = recordingCost(bare, times(answer.at("traced_ns")));
        } catch (const Json::exception& e) {
            return Error{ErrorCode::internal,
                         base::message<errors::kUnreadableWorker>(e.what()),
                         {},
                         base::message<errors::kSameVersion>()};
        }
        if (m_externalEvents.head().originMonotonic == 0)
            return trace;
        // The captured trace is appended first, because its head and time origin are those of the result.
        trace::TraceBuilder joined;
        trace::Trace& head = joined.head();
        head.source = trace.source;
        head.recorderVersion = trace.recorderVersion;
        head.originMonotonic = trace.originMonotonic;
        head.originEpoch = trace.originEpoch;
        head.cost = trace.cost;
        trace::append(joined, std::move(trace));
        trace::append(joined, m_externalEvents.finish(false));
        return joined.finish(false);
    }

    const study::RunContext& m_context;
    study::ConfigurationRequest m_configuration;
    const TraceOptions& m_options;
    const study::PhaseSink& m_phase;
    const TelemetryMaker& m_telemetry;
    std::stop_token m_stop;
    trace::TraceBuilder m_externalEvents; ///< events of the outside profilers; its origin is 0 until they start
    std::vector<std::unique_ptr<trace::Profiler>> m_profilers;
    std::vector<std::unique_ptr<trace::ProfilerSession>> m_sessions;
};

} // namespace

model::Config recordedConfig(const model::Config& config, TracePass pass)
{
    model::Config recorded = config;
    if (const auto graph = recorded.switches.find("cuda_graph");
        pass == TracePass::kernels && graph != recorded.switches.end())
        graph->second = false;
    return recorded;
}

base::Result<trace::Trace> captureTrial(const study::RunContext& context, const model::Study& study,
                                        const model::Trial& trial, const TraceOptions& options,
                                        const study::PhaseSink& phase, std::stop_token stop,
                                        const TelemetryMaker& telemetry)
{
    auto configuration = study::requestOf(context, study, trial, phase, stop);
    if (!configuration)
        return configuration.error();
    std::string name = study.model.name + " " + model::shortName(trial.config, configuration->device.type);
    const bool hadGraph =
        configuration->config.switches != recordedConfig(configuration->config, options.pass).switches;
    configuration->config = recordedConfig(configuration->config, options.pass);
    if (options.pass != TracePass::events)
        name += options.pass == TracePass::samples ? ", hardware samples" : ", counters of kernels";
    if (hadGraph)
        name += ", without its CUDA graph";
    auto trace = Capture(context, std::move(*configuration), options, phase, telemetry, stop).run();
    if (trace)
        trace->name = name;
    return trace;
}

} // namespace apertune::runs

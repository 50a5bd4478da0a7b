// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/imported.h"
#include "app/cli/lookup.h"
#include "app/cli/options.h"
#include "app/cli/trace_sheet.h"
#include "app/cli/trial_run.h"
#include "app/cli/verb.h"
#include "core/engine/workbench.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "profilers/nvml/nvml_profiler.h"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>

namespace apertune::cli {

using base::Json;

namespace {

struct TraceRecord
{
    std::string trial;
    runs::TraceOptions options;
    bool metrics = false;                        ///< also read hardware counters, in passes of their own
    std::optional<trace::GraphRecords> graphs{}; ///< none: --graphs was not given
    bool noShapes = false;
    bool noMemory = false;
    bool noTelemetry = false;
};

const char* phaseText(study::Phase phase)
{
    switch (phase) {
    case study::Phase::compile:
        return "Compiling";
    case study::Phase::load:
        return "Loading";
    case study::Phase::warmUp:
        return "Warming up";
    case study::Phase::bare:
        return "Timing without recording";
    case study::Phase::trace:
        return "Recording";
    case study::Phase::write:
        return "Gathering";
    case study::Phase::store:
        return "Storing the trace";
    case study::Phase::ceilings:
        return "Measuring the limits of the device";
    default:
        return "Working";
    }
}

int run(const TraceRecord& options, Session& session)
{
    Terminal& terminal = session.terminal;
    auto workbench = engine::Workbench::open(session.common.store);
    if (!workbench)
        return terminal.fail(workbench.error());
    const store::Store& store = (*workbench)->store();
    if (store.readOnly())
        return terminal.fail(
            base::plainError(base::ErrorCode::unsupported,
                             "The workspace can only be read: " + sentences::sentence(store.readOnlyReason()),
                             store.file().string(), "Copy it to a place where you can write."));
    const auto found = findTrial(store, options.trial);
    if (!found)
        return terminal.fail(found.error());
    if (const auto refusal = whyNotRun(found->snapshot.study, text::toText(found->id)))
        return terminal.fail(*refusal);
    // Refused before the first pass: the passes for counters come last.
    if (options.metrics && !model::typeOfDevice(found->trial().device).isNvidiaGpu())
        return terminal.fail(base::plainError(base::ErrorCode::unsupported,
                                              "Hardware counters are read on an NVIDIA GPU, and this trial ran on " +
                                                  found->trial().device + ".",
                                              {}, "Choose a trial of an NVIDIA GPU, or record without --metrics."));
    if (options.graphs && !model::typeOfDevice(found->trial().device).isNvidiaGpu())
        return terminal.fail(base::plainError(base::ErrorCode::unsupported,
                                              "CUDA graphs are recorded on an NVIDIA GPU, and this trial ran on " +
                                                  found->trial().device + ".",
                                              {}, "Choose a trial of an NVIDIA GPU, or record without --graphs."));
    const auto capture = [&](runs::TracePass pass) {
        runs::TraceOptions one = options.options;
        one.pass = pass;
        one.graphs = options.graphs.value_or(one.graphs);
        one.shapes = !options.noShapes;
        one.memory = !options.noMemory;
        one.telemetry = !options.noTelemetry;
        auto traced = (*workbench)
                          ->traceTrial(
                              found->id, one,
                              [&](study::Phase phase, const base::Message& figure) {
                                  const std::string text = sentences::sentence(figure);
                                  terminal.status(phaseText(phase) + (text.empty() ? std::string(" …") : " … " + text));
                              },
                              session.interrupt.token(), profilers::telemetryOf);
        terminal.status({});
        return traced;
    };
    const auto traced = capture(runs::TracePass::events);
    if (!traced)
        return failRun(terminal, traced.error());
    const auto trace = store.trace(*traced);
    if (!trace)
        return terminal.fail(trace.error());
    Json document = traceDocument(*traced, found->id, **trace);
    std::string text = traceSheet(*traced, **trace, terminal.width());
    std::optional<base::Error> failure;
    document["metrics"] = Json::array();
    for (const runs::TracePass pass : {runs::TracePass::samples, runs::TracePass::kernels}) {
        if (!options.metrics || session.interrupt.token().stop_requested())
            break;
        const auto counted = capture(pass);
        const auto counters = counted ? store.trace(*counted) : counted.error();
        if (!counters) {
            failure = counters.error();
            break; // the second pass would fail for the same reason
        }
        document["metrics"].push_back(traceDocument(*counted, found->id, **counters));
        text += "\n" + traceSheet(*counted, **counters, terminal.width());
    }
    // The recording is stored, so it is shown even if the passes for counters failed.
    terminal.document(document);
    terminal.text(text);
    return failure ? terminal.fail(*failure) : kDone;
}

Action declareTraceRecord(CLI::App& app)
{
    auto options = std::make_shared<TraceRecord>();
    using trace::GraphRecords;
    addArgument(app, "TRIAL", options->trial, kTrialHelp);
    addCount(app, "--iterations", options->options.iterations, "Forward passes to record (default: 20)", 1, 100'000);
    addTime(app, "--max-time", options->options.most,
            "Stop recording after this time, with at least one pass (default: 60s)");
    app.add_flag("--no-shapes", options->noShapes, "Do not record the shapes of operators' inputs");
    app.add_flag("--no-memory", options->noMemory, "Do not record tensor allocations");
    app.add_flag("--no-telemetry", options->noTelemetry, "Do not record memory, CPU use, clock and power of the host");
    app.add_flag("--metrics", options->metrics,
                 "Also record hardware counters of the GPU (SM, tensor pipe, DRAM, L2), in two more traces");
    addChoice<GraphRecords>(app, "--graphs", options->graphs,
                            {{"node", GraphRecords::nodes}, {"launch", GraphRecords::launches}},
                            "Records of CUDA graphs: one for each node or one for each launch (default: node)");
    app.add_flag("--nvtx", options->options.nvtx, "Mark operators as NVTX ranges for an attached tool");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb traceRecordVerb()
{
    return {.path = {"trace", "record"},
            .group = Group::explain,
            .summary = "Run a trial's configuration again and record what it does",
            .examples = R"(  apertune trace record best
  apertune trace record t12 --iterations 50
  apertune trace record best --graphs launch   CUDA graphs as a whole, which costs less
  apertune trace list                          what has been recorded)",
            .takes = Takes::untrustedCode,
            .documents = {{"apertune.trace/1",
                           "`trace` (`tr3`), `trial` (null of an imported one), `name`, `recorder`, `events`, "
                           "`kinds` (`kind`, `events`), `duration_ms`, `cost` (`bare_ms`, `traced_ms`, `ratio`, "
                           "each `median`, `lo`, `hi`; `bare_iterations`, `traced_iterations`) or null, `losses` "
                           "(`kind`, `count`, `severity`, `reason`)"}},
            .declare = declareTraceRecord};
}

} // namespace apertune::cli

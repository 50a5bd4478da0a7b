// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"
#include "app/cli/trial_run.h"
#include "app/cli/verbs.h"
#include "core/base/text.h"
#include "core/engine/workbench.h"
#include "core/report/format.h"
#include "core/report/text_table.h"
#include "core/report/trace_sections.h"
#include "profilers/nvml/nvml_profiler.h"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>

namespace apertune::cli {

using base::Json;
using trace::Severity;

namespace {

const char* phaseText(const std::string& phase)
{
    static const std::map<std::string, const char*> texts{
        {"compile", "Compiling"},       {"load", "Loading"},
        {"warm-up", "Warming up"},      {"bare", "Timing without recording"},
        {"trace", "Recording"},         {"write", "Gathering"},
        {"store", "Storing the trace"}, {"ceilings", "Measuring what the device reaches"},
    };
    const auto it = texts.find(phase);
    return it == texts.end() ? "Working" : it->second;
}

const char* toString(Severity severity)
{
    return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "notice";
}

std::map<trace::EventKind, std::size_t> countKinds(const trace::Trace& trace)
{
    std::map<trace::EventKind, std::size_t> counts;
    for (const trace::Series& s : trace.series)
        counts[s.kind] += s.events.size();
    return counts;
}

Json traceDocument(store::TraceId id, model::TrialId trial, const trace::Trace& trace)
{
    Json kinds = Json::array();
    for (const auto& [kind, events] : countKinds(trace))
        kinds.push_back({{"kind", trace::toString(kind)}, {"events", events}});
    Json losses = Json::array();
    for (const trace::Loss& loss : trace.losses)
        losses.push_back({{"kind", trace::toString(loss.kind)},
                          {"count", loss.count},
                          {"severity", toString(loss.severity)},
                          {"reason", loss.reason}});
    return {{"schema", "apertune.trace/1"},
            {"trace", toText(id)},
            {"trial", report::toText(trial)},
            {"name", trace.name},
            {"recorder", trace.recorderVersion},
            {"events", trace.eventCount()},
            {"kinds", std::move(kinds)},
            {"duration_ms", (trace.end() - trace.begin()).milliseconds()},
            {"cost", report::costDocument(trace.cost)},
            {"losses", std::move(losses)}};
}

std::string traceText(store::TraceId id, const trace::Trace& trace)
{
    std::string text = toText(id) + "  " + trace.name + ", " + base::counted(trace.eventCount(), "event") + " in " +
                       base::formatDuration(trace.end() - trace.begin()) + "\n\n";
    report::TextTable table({{"Events of kind"}, {"Number", report::Align::right}});
    for (const auto& [kind, events] : countKinds(trace))
        table.addRow({std::string(trace::toString(kind)), std::to_string(events)});
    text += table.render(0) + "\n";
    if (trace.cost)
        text += report::costText(*trace.cost) + "\n";
    for (const trace::Loss& loss : trace.losses)
        text += std::string(toString(loss.severity)) + ": " + loss.reason +
                (loss.count > 0 ? " (" + std::to_string(loss.count) + " events)" : "") + "\n";
    return text;
}

} // namespace

int run(const TraceTrial& options, Session& session)
{
    Terminal& terminal = session.terminal;
    auto workbench = engine::Workbench::open(options.common.store);
    if (!workbench)
        return terminal.fail(workbench.error());
    const store::Store& store = (*workbench)->store();
    if (store.readOnly())
        return terminal.fail({base::ErrorCode::unsupported, "The workspace can only be read: " + store.readOnlyReason(),
                              store.file().string(), "Copy it to a place where you can write."});
    const auto found = findTrial(store, options.trial);
    if (!found)
        return terminal.fail(found.error());
    if (options.metrics && found->trial().device == "cpu")
        return terminal.fail({base::ErrorCode::unsupported,
                              "Hardware counters are read on a GPU, and this trial ran on the CPU.",
                              {},
                              "Choose a trial of a GPU, or trace without --metrics."});
    if (options.graphs && found->trial().device == "cpu")
        return terminal.fail({base::ErrorCode::unsupported,
                              "CUDA graphs are recorded on a GPU, and this trial ran on the CPU.",
                              {},
                              "Choose a trial of a GPU, or trace without --graphs."});
    const auto capture = [&](runs::TracePass pass) {
        runs::TraceOptions one = options.options;
        one.pass = pass;
        auto traced = (*workbench)
                          ->traceTrial(
                              found->id, one,
                              [&](const std::string& phase, const std::string& text) {
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
    std::string text = traceText(*traced, **trace);
    std::optional<base::Error> failure;
    document["metrics"] = Json::array();
    for (const runs::TracePass pass : {runs::TracePass::samples, runs::TracePass::kernels}) {
        if (!options.metrics || session.interrupt.token().stop_requested())
            break;
        const auto counted = capture(pass);
        const auto counters = counted ? store.trace(*counted) : counted.error();
        if (!counters) {
            failure = counters.error();
            break; // what one pass lacks, the other lacks too
        }
        document["metrics"].push_back(traceDocument(*counted, found->id, **counters));
        text += "\n" + traceText(*counted, **counters);
    }
    terminal.document(document);
    terminal.text(text);
    return failure ? terminal.fail(*failure) : kDone;
}

int run(const TraceList& options, Session& session)
{
    const auto store = store::Store::open(options.common.store, store::OpenMode::readOnly);
    if (!store)
        return session.terminal.fail(store.error());
    const auto traces = store->traces();
    if (!traces)
        return session.terminal.fail(traces.error());
    Json list = Json::array();
    report::TextTable table({{"Trace"},
                             {"Name", report::Align::left, true},
                             {"Trial"},
                             {"Source"},
                             {"Events", report::Align::right},
                             {"Length", report::Align::right},
                             {"Size", report::Align::right},
                             {"Losses", report::Align::right},
                             {"Created"}});
    for (const store::TraceSummary& t : *traces) {
        list.push_back({{"trace", toText(t.id)},
                        {"trial", t.trial ? Json(report::toText(*t.trial)) : Json(nullptr)},
                        {"name", t.name},
                        {"source", t.source},
                        {"recorder", t.recorderVersion},
                        {"created", t.createdUtc},
                        {"events", t.events},
                        {"duration_ms", (t.end - t.begin).milliseconds()},
                        {"bytes", t.stored.count},
                        {"losses", t.losses},
                        {"complete", t.complete}});
        table.addRow({toText(t.id), t.name, t.trial ? report::toText(*t.trial) : "–", t.source,
                      std::to_string(t.events), base::formatDuration(t.end - t.begin), base::formatBytes(t.stored),
                      t.losses > 0 ? std::to_string(t.losses) : "–", t.createdUtc});
    }
    session.terminal.document(
        {{"schema", "apertune.traces/1"}, {"workspace", store->file().string()}, {"traces", list}});
    session.terminal.text(traces->empty() ? "No traces yet. Record one: apertune trace best"
                                          : table.render(session.terminal.width()));
    return kDone;
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/trace_reading.h"
#include "app/cli/trace_sheet.h"
#include "app/cli/verb.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/report/text_table.h"
#include "core/sentences/sentences.h"

#include <nlohmann/json.hpp>

#include <ctime>
#include <map>

namespace apertune::cli {

namespace fs = std::filesystem;

using base::Json;
using trace::Trace;

namespace {

struct TraceImport
{
    fs::path file;
    std::string name;  ///< empty: the name of the file
    bool only = false; ///< read and summarise, but store nothing
};

struct KindTotal
{
    std::size_t events = 0;
    std::int64_t duration = 0;
};

std::map<trace::EventKind, KindTotal> totals(const Trace& trace)
{
    std::map<trace::EventKind, KindTotal> kinds;
    for (const trace::Series& series : trace.series) {
        KindTotal& total = kinds[series.kind];
        total.events += series.events.size();
        for (const std::int64_t duration : series.events.duration)
            total.duration += duration;
    }
    return kinds;
}

/// The time of the recording in UTC; empty when the file does not say.
std::string recordedUtc(const Trace& trace)
{
    if (trace.originEpoch <= 0)
        return {};
    const std::time_t seconds = trace.originEpoch / 1'000'000'000;
    std::tm utc{};
    char text[32];
    if (!::gmtime_r(&seconds, &utc) || std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        return {};
    return text;
}

Json importDocument(const Trace& trace, const fs::path& file, const std::string& id, double seconds)
{
    Json kinds = Json::array();
    for (const auto& [kind, total] : totals(trace))
        kinds.push_back({{"kind", trace::toString(kind)},
                         {"events", total.events},
                         {"total_ms", base::Nanoseconds{total.duration}.milliseconds()}});
    Json devices = Json::array();
    for (const trace::DeviceProperties& device : trace.devices)
        devices.push_back(device.name);
    Json losses = Json::array();
    for (const trace::Loss& loss : trace.losses)
        losses.push_back({{"kind", trace::toString(loss.kind)},
                          {"count", loss.count},
                          {"severity", severityText(loss.severity)},
                          {"reason", sentences::sentence(loss.reason)}});
    const std::string recorded = recordedUtc(trace);
    std::error_code ignored;
    return {{"schema", "apertune.import/1"},
            {"trace", id.empty() ? Json(nullptr) : Json(id)},
            {"name", trace.name},
            {"file", fs::absolute(file).lexically_normal().string()},
            {"source", trace.source},
            {"recorder", trace.recorderVersion},
            {"recorded", recorded.empty() ? Json(nullptr) : Json(recorded)},
            {"events", trace.eventCount()},
            {"tracks", trace.tracks.size()},
            {"kinds", std::move(kinds)},
            {"duration_ms", (trace.end() - trace.begin()).milliseconds()},
            {"devices", std::move(devices)},
            {"losses", std::move(losses)},
            {"bytes", fs::file_size(file, ignored)},
            {"import_s", seconds}};
}

std::string importText(const Trace& trace, const std::string& id, int width)
{
    std::string text = (id.empty() ? "Not stored" : id) + "  " + trace.name + ", " +
                       base::counted(trace.eventCount(), "event") + " on " +
                       base::counted(trace.tracks.size(), "track") + " in " +
                       base::formatDuration(trace.end() - trace.begin());
    if (const std::string recorded = recordedUtc(trace); !recorded.empty())
        text += ", recorded " + recorded;
    text += "\n\n";
    report::TextTable table({{"Events of kind"}, {"Number", report::Align::right}, {"Total", report::Align::right}});
    for (const auto& [kind, total] : totals(trace))
        table.addRow({std::string(trace::toString(kind)), std::to_string(total.events),
                      total.duration == 0 ? "–" : base::formatDuration({total.duration})});
    text += table.render(width);
    for (const trace::Loss& loss : trace.losses)
        text += std::string(severityText(loss.severity)) + ": " + sentences::sentence(loss.reason) +
                (loss.count > 0 ? " (" + std::to_string(loss.count) + ")" : "") + "\n";
    return text;
}

int run(const TraceImport& options, Session& session)
{
    Terminal& terminal = session.terminal;
    Steps steps(terminal);
    const base::Nanoseconds started = base::monotonicNow();
    auto trace = readTrace(options.file, steps, session);
    if (!trace)
        return terminal.fail(trace.error());
    const double seconds = (base::monotonicNow() - started).seconds();
    if (!options.name.empty())
        trace->name = options.name;
    std::string id;
    if (!options.only) {
        // The workspace is opened last, so that a file that is no trace does not leave an empty workspace behind.
        auto store = store::Store::open(session.common.store, store::OpenMode::readWrite);
        if (!store)
            return terminal.fail(store.error());
        store::TraceTask task;
        task.stop = session.interrupt.token();
        task.progress = [&steps](double share) { steps.at(share); };
        steps.begin("Storing");
        const auto stored = store->addTrace(*trace, {}, task);
        if (!stored)
            return terminal.fail(stored.error());
        id = toText(*stored);
    }
    terminal.status({});
    terminal.document(importDocument(*trace, options.file, id, seconds));
    terminal.text(importText(*trace, id, terminal.width()));
    return kDone;
}

Action declareTraceImport(CLI::App& app)
{
    auto options = std::make_shared<TraceImport>();
    addArgument(app, "FILE", options->file, "Kineto or Chrome JSON, plain or gzip, or an SQLite export of nsys");
    app.add_option("--name", options->name, "Name in the workspace (default: the file's)")->type_name("NAME");
    app.add_flag("--only-check", options->only, "Read and summarise the file, store nothing");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb traceImportVerb()
{
    return {.path = {"trace", "import"},
            .group = Group::explain,
            .summary = "Import a trace that another tool recorded",
            .examples = R"(  apertune trace import run.pt.trace.json.gz   torch.profiler, CUDA or ROCm
  apertune trace import build.json --name build
  apertune trace import report.sqlite          nsys export --type sqlite report.nsys-rep
  apertune trace list                          what is there)",
            .takes = Takes::workspace,
            .documents = {{"apertune.import/1",
                           "`trace` (`tr3`, or null with `--only-check`), `name`, `file`, `source` (`kineto`, "
                           "`chrome`, `apertune`), `recorder`, `recorded` (UTC) or null, `events`, `tracks`, "
                           "`kinds` (`kind`, `events`, `total_ms`: the sum of their durations), `duration_ms`, "
                           "`devices` (names), `losses` (`kind`, `count`, `severity`, `reason`), `bytes` (of the "
                           "file), `import_s`"}},
            .declare = declareTraceImport};
}

} // namespace apertune::cli

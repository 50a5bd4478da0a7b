// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"
#include "app/cli/verbs.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/interchange/chrome/trace_export.h"
#include "core/interchange/nsys/nsys_export.h"
#include "core/interchange/recording_import.h"
#include "core/report/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>
#include <map>

namespace apertune::cli {

namespace fs = std::filesystem;

using base::Json;
using base::Result;
using trace::Severity;
using trace::Trace;

namespace {

/// A status line with the share that is done and, once it can be told, the time that is left.
class Steps
{
public:
    explicit Steps(Terminal& terminal) : m_terminal(terminal) {}

    void begin(const char* what)
    {
        m_what = what;
        m_started = base::monotonicNow();
        m_terminal.status(m_what + " …");
    }
    void at(double share, const std::string& more = {})
    {
        std::string text = m_what + " … " + std::to_string(static_cast<int>(share * 100)) + " %" + more;
        const base::Nanoseconds spent = base::monotonicNow() - m_started;
        if (share > 0.05 && spent.seconds() > 0.5)
            text +=
                ", about " + base::formatDuration(base::fromSeconds(spent.seconds() * (1 - share) / share)) + " left";
        m_terminal.status(text);
    }

private:
    Terminal& m_terminal;
    std::string m_what;
    base::Nanoseconds m_started{};
};

Result<Trace> readTrace(const fs::path& file, Steps& steps, Session& session)
{
    trace::ImportOptions options;
    options.cancel = session.interrupt.token();
    options.progress = [&steps](const trace::ImportProgress& p) {
        steps.at(static_cast<double>(p.bytesRead) / static_cast<double>(std::max<std::int64_t>(1, p.bytesTotal)),
                 ", " + std::to_string(p.events) + " events");
    };
    steps.begin("Reading");
    return interchange::importRecording(file, options);
}

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

const char* severityText(Severity severity)
{
    return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "notice";
}

/// When it was recorded, in UTC; empty when the file does not say.
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
                          {"reason", loss.reason}});
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

std::string importText(const Trace& trace, const std::string& id)
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
    text += table.render(0);
    for (const trace::Loss& loss : trace.losses)
        text += std::string(severityText(loss.severity)) + ": " + loss.reason +
                (loss.count > 0 ? " (" + std::to_string(loss.count) + ")" : "") + "\n";
    return text;
}

/// The trace that is meant: a file that is there, else one of the workspace.
Result<trace::TracePtr> findTraceOrFile(const TraceExport& options, Steps& steps, Session& session, std::string& name)
{
    std::error_code ignored;
    if (fs::exists(options.trace, ignored)) {
        name = options.trace;
        auto read = readTrace(options.trace, steps, session);
        if (!read)
            return read.error();
        return std::make_shared<const Trace>(std::move(read).value());
    }
    if (options.trace.find_first_of("./") != std::string::npos)
        return base::Error{base::ErrorCode::notFound, "There is no such file.", options.trace,
                           "Name a trace of the workspace (`apertune traces` lists them) or a file."};
    const auto store = store::Store::open(options.common.store, store::OpenMode::readOnly);
    if (!store)
        return store.error();
    const auto found = findTrace(*store, options.trace);
    if (!found)
        return found.error();
    name = toText(found->id);
    store::TraceTask task;
    task.stop = session.interrupt.token();
    task.progress = [&steps](double share) { steps.at(share); };
    steps.begin("Loading");
    return store->trace(found->id, {}, task);
}

} // namespace

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
        // Only now: a file that is no trace must not leave an empty workspace behind.
        auto store = store::Store::open(options.common.store, store::OpenMode::readWrite);
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
    terminal.text(importText(*trace, id));
    return kDone;
}

int run(const TraceExport& options, Session& session)
{
    Terminal& terminal = session.terminal;
    Steps steps(terminal);
    std::string name;
    const auto trace = findTraceOrFile(options, steps, session, name);
    if (!trace)
        return terminal.fail(trace.error());
    interchange::TraceExportOptions writing;
    writing.cancel = session.interrupt.token();
    writing.progress = [&steps](double share) { steps.at(share); };
    steps.begin("Writing");
    const bool csv = options.format == TraceExport::Format::csv;
    const bool nsys = options.format == TraceExport::Format::nsys;
    const auto write = csv    ? &interchange::writeTraceCsv
                       : nsys ? &interchange::writeNsys
                              : &interchange::writeChromeTrace;
    const base::Status written = write(**trace, options.out, writing);
    terminal.status({});
    if (!written)
        return terminal.fail(written.error());
    const auto leftOut = nsys ? interchange::leftOutByNsys(**trace) : std::map<trace::EventKind, std::int64_t>{};
    Json missing = Json::array();
    std::string missingText;
    std::int64_t carried = static_cast<std::int64_t>((*trace)->eventCount());
    for (const auto& [kind, events] : leftOut) {
        missing.push_back({{"kind", trace::toString(kind)}, {"events", events}});
        missingText += (missingText.empty() ? "" : ", ") + std::to_string(events) + " of kind " +
                       std::string(trace::toString(kind));
        carried -= events;
    }
    std::error_code ignored;
    const auto bytes = static_cast<std::int64_t>(fs::file_size(options.out, ignored));
    terminal.document({{"schema", "apertune.trace-export/1"},
                       {"trace", name},
                       {"file", fs::absolute(options.out).lexically_normal().string()},
                       {"format", csv    ? "csv"
                                  : nsys ? "nsys"
                                         : "chrome"},
                       {"events", carried},
                       {"left_out", std::move(missing)},
                       {"bytes", bytes}});
    terminal.text("Wrote " + options.out.string() + ": " + std::to_string(carried) + " events, " +
                  base::formatBytes({bytes}) +
                  (csv || nsys ? "." : ". Open it in ui.perfetto.dev or chrome://tracing."));
    if (!missingText.empty())
        terminal.text(report::wrap("Left out, because an export of nsys has no table for them: " + missingText +
                                       ". The formats chrome and csv carry everything.",
                                   terminal.width(), 0));
    return kDone;
}

} // namespace apertune::cli

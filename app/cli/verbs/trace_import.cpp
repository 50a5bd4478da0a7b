// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"
#include "app/cli/options.h"
#include "app/cli/rank_comparison.h"
#include "app/cli/trace_reading.h"
#include "app/cli/trace_sheet.h"
#include "app/cli/verb.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/report/rank_sections.h"
#include "core/sentences/sentences.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <optional>

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
            {"losses", lossesDocument(trace)},
            {"bytes", fs::file_size(file, ignored)}, // the size of the recording; trace list has that in the workspace
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
    text::TextTable table({{"Events of kind"}, {"Number", text::Align::right}, {"Total", text::Align::right}});
    for (const auto& [kind, total] : totals(trace))
        table.addRow({std::string(trace::toString(kind)), std::to_string(total.events),
                      total.duration == 0 ? "–" : base::formatDuration({total.duration})});
    text += table.render(width);
    for (const trace::Loss& loss : trace.losses)
        text += std::string(severityText(loss.severity)) + ": " + sentences::sentence(loss.reason) +
                (loss.count > 0 ? " (" + std::to_string(loss.count) + ")" : "") + "\n";
    return text;
}

/// Adds a trace and returns its id as text. The workspace is opened last, so that a file that is no trace does not
/// leave an empty workspace behind.
base::Result<std::string> stored(const Trace& trace, Steps& steps, Session& session)
{
    auto store = store::Store::open(session.common.store, store::OpenMode::readWrite);
    if (!store)
        return store.error();
    store::TraceTask task;
    task.stop = session.interrupt.token();
    task.progress = [&steps](double share) { steps.at(share); };
    steps.begin("Storing");
    const auto id = store->addTrace(trace, {}, task);
    if (!id)
        return id.error();
    return toText(*id);
}

/// The files of a folder whose names say that they may be traces, by name.
std::vector<fs::path> tracesIn(const fs::path& folder, std::error_code& failure)
{
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
        const std::string name = base::lower(entry.path().filename().string());
        constexpr std::array kEndings = {".json", ".json.gz",  ".json.zst", ".sqlite",
                                         ".db",   ".nsys-rep", ".pftrace",  ".perfetto-trace"};
        const bool fits =
            std::any_of(kEndings.begin(), kEndings.end(), [&](const char* ending) { return name.ends_with(ending); });
        if (fits && entry.is_regular_file(ignored))
            files.push_back(entry.path());
    }
    // The order of a folder differs between file systems; ids are to follow the names.
    std::sort(files.begin(), files.end());
    return files;
}

/// Compares the folder's ranks; nothing when fewer than two of its traces are of ranks. A reason why they cannot be
/// compared is printed as a remark.
std::optional<ComparedRanks> comparedRanks(const std::vector<std::string>& ids, Session& session)
{
    // The traces are stored already, so a failure to read them again costs the comparison alone.
    const auto store = store::Store::open(session.common.store, store::OpenMode::readOnly);
    if (!store)
        return {};
    std::vector<store::TraceSummary> ranks;
    for (const std::string& id : ids)
        if (const auto summary = findTrace(*store, id); summary && summary->rank >= 0)
            ranks.push_back(*summary);
    if (ranks.size() < 2) {
        if (ids.size() > 1)
            session.terminal.note(ranks.empty()
                                      ? "The traces do not say which rank of a job they are of, so nothing is compared."
                                      : "Only one trace says its rank, so nothing is compared.");
        return {};
    }
    auto compared = compareRanks(*store, ranks);
    if (compared)
        return std::move(*compared);
    session.terminal.note("The ranks cannot be compared: " + sentences::sentence(compared.error().message) + " " +
                          sentences::sentence(compared.error().hint));
    return {};
}

/// Imports every trace of a folder. A file that cannot be read is reported, and the others are imported.
int runFolder(const TraceImport& options, Session& session)
{
    Terminal& terminal = session.terminal;
    if (!options.name.empty() || options.only)
        return terminal.fail(base::plainError(base::ErrorCode::invalidArgument,
                                              "--name and --only-check are for one file, not for a folder.",
                                              options.file.string(), "Leave them out."));
    std::error_code failure;
    const std::vector<fs::path> files = tracesIn(options.file, failure);
    if (failure)
        return terminal.fail(base::plainError(base::ErrorCode::io,
                                              "The folder cannot be read: " + failure.message() + ".",
                                              options.file.string(), "Check its permissions."));
    if (files.empty())
        return terminal.fail(base::plainError(
            base::ErrorCode::notFound,
            "The folder itself has no file *.json, *.json.gz, *.json.zst, *.sqlite, *.db, *.nsys-rep, *.pftrace or "
            "*.perfetto-trace; folders in it are not searched.",
            options.file.string(), "Name the folder that the recorder wrote to."));
    Steps steps(terminal);
    text::TextTable table(
        {{"Trace"}, {"File", text::Align::left, true}, {"Rank", text::Align::right}, {"Events", text::Align::right}});
    Json list = Json::array();
    std::vector<std::string> ids;
    for (const fs::path& file : files) {
        const auto trace = readTrace(file, steps, session);
        if (!trace && trace.error().code == base::ErrorCode::cancelled) // not a fault of the file
            return terminal.fail(trace.error());
        if (!trace) {
            const std::string why = sentences::sentence(trace.error().message);
            list.push_back({{"file", file.string()}, {"trace", nullptr}, {"reason", why}});
            terminal.note(file.filename().string() + " is left out: " + why);
            continue;
        }
        const auto id = stored(*trace, steps, session);
        if (!id) // the others cannot be stored either
            return terminal.fail(id.error());
        ids.push_back(*id);
        list.push_back({{"file", file.string()},
                        {"trace", *id},
                        {"rank", trace->rank >= 0 ? Json(trace->rank) : Json(nullptr)},
                        {"events", trace->eventCount()}});
        table.addRow({*id, file.filename().string(), trace->rank >= 0 ? std::to_string(trace->rank) : "–",
                      std::to_string(trace->eventCount())});
    }
    terminal.status({});
    if (ids.empty())
        return terminal.fail(base::plainError(base::ErrorCode::unsupported, "No file of the folder is a trace.",
                                              options.file.string(), "The remarks above say why."));
    const std::optional<ComparedRanks> ranks = comparedRanks(ids, session);
    terminal.document({{"schema", "apertune.import-folder/1"},
                       {"files", std::move(list)},
                       {"ranks", ranks ? report::ranksDocument(ranks->comparison, ranks->traces) : Json(nullptr)}});
    std::string text = table.render(terminal.width());
    if (ranks)
        text += "\n" + report::ranksText(ranks->comparison, ranks->traces, terminal.width());
    terminal.text(text);
    return kDone;
}

int run(const TraceImport& options, Session& session)
{
    std::error_code ignored;
    if (fs::is_directory(options.file, ignored))
        return runFolder(options, session);
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
        auto added = stored(*trace, steps, session);
        if (!added)
            return terminal.fail(added.error());
        id = std::move(*added);
    }
    terminal.status({});
    terminal.document(importDocument(*trace, options.file, id, seconds));
    terminal.text(importText(*trace, id, terminal.width()));
    return kDone;
}

Action declareTraceImport(CLI::App& app)
{
    auto options = std::make_shared<TraceImport>();
    addArgument(app, "FILE", options->file,
                "Kineto, Chrome or rocprofv3 JSON or a trace of Perfetto (plain, gzip or zstd), a report or SQLite "
                "export of nsys, or a rocpd database; or a folder of such files");
    app.add_option("--name", options->name, "Name in the workspace (default: the file's); not for a folder")
        ->type_name("NAME");
    app.add_flag("--only-check", options->only, "Read and summarise the file, store nothing; not for a folder");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb traceImportVerb()
{
    return {.path = {"trace", "import"},
            .group = Group::explain,
            .summary = "Import traces that another tool recorded",
            .examples = R"(  apertune trace import run.pt.trace.json.gz   torch.profiler, CUDA or ROCm
  apertune trace import build.json --name build
  apertune trace import report.nsys-rep        Nsight Systems, where nsys is installed
  apertune trace import report.sqlite          nsys export --type sqlite report.nsys-rep
  apertune trace import results.db             rocprofv3: its database, its JSON or its .pftrace
  apertune trace import run.pftrace            any program with Perfetto's track events
  apertune trace import run/                   every rank of a job, and who waits for whom
  apertune trace list                          what is there)",
            .takes = Takes::workspace,
            .documents = {{"apertune.import/1",
                           "`trace` (`tr3`, or null with `--only-check`), `name`, `file`, `source` (`kineto`, "
                           "`chrome`, `nsys`, `rocprofv3`, `rocpd`, `perfetto`, `apertune`), `recorder`, `recorded` "
                           "(UTC) or null, `events`, `tracks`, "
                           "`kinds` (`kind`, `events`, `total_ms`: the sum of their durations), `duration_ms`, "
                           "`devices` (names), `losses` (`kind`, `count`, `severity`, `reason`), `bytes` (of the "
                           "file), `import_s`"},
                          {"apertune.import-folder/1",
                           "Of a folder: `files` (`file`, `trace` or null with a `reason`, `rank` or null, `events`), "
                           "`ranks` (`apertune.ranks/1`) or null"}},
            .declare = declareTraceImport};
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"
#include "app/cli/options.h"
#include "app/cli/trace_reading.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "core/interchange/chrome/chrome_export.h"
#include "core/interchange/csv/csv_export.h"
#include "core/interchange/nsys/nsys_export.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>

namespace apertune::cli {

namespace fs = std::filesystem;

using base::Json;
using base::Result;
using trace::Trace;

namespace {

enum class TraceFormat { chrome, csv, nsys };

struct TraceExport
{
    std::string trace; ///< a file, or "tr3" or "last"
    fs::path out;
    std::optional<TraceFormat> format{}; ///< none: chosen by the ending of `out`
};

TraceFormat formatOf(const TraceExport& options)
{
    const std::string name = options.out.filename().string();
    if (options.format)
        return *options.format;
    return name.ends_with(".csv") || name.ends_with(".csv.gz") ? TraceFormat::csv
           : name.ends_with(".sqlite")                         ? TraceFormat::nsys
                                                               : TraceFormat::chrome;
}

/// Opens the trace that the argument names: an existing file, else a trace of the workspace.
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
    // Neither "tr3" nor "last" has such a character, so a file was meant.
    if (options.trace.find_first_of("./") != std::string::npos)
        return base::plainError(base::ErrorCode::notFound, "There is no such file.", options.trace,
                                "Use a trace of the workspace (`apertune trace list` lists them) or a file.");
    const auto store = store::Store::open(session.common.store, store::OpenMode::readOnly);
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

int run(const TraceExport& options, Session& session)
{
    Terminal& terminal = session.terminal;
    Steps steps(terminal);
    std::string name;
    const auto trace = findTraceOrFile(options, steps, session, name);
    if (!trace)
        return terminal.fail(trace.error());
    trace::ExportOptions writing;
    writing.cancel = session.interrupt.token();
    writing.progress = [&steps](double share) { steps.at(share); };
    steps.begin("Writing");
    const bool csv = formatOf(options) == TraceFormat::csv;
    const bool nsys = formatOf(options) == TraceFormat::nsys;
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
    terminal.text("Wrote " + options.out.string() + ": " + base::counted(static_cast<std::int64_t>(carried), "event") +
                  ", " + base::formatBytes({bytes}) +
                  (csv || nsys ? "." : ". Open it in ui.perfetto.dev or chrome://tracing."));
    if (!missingText.empty())
        terminal.text(text::wrap("Left out, because an export of nsys has no table for them: " + missingText +
                                     ". The formats chrome and csv carry everything.",
                                 terminal.width(), 0));
    return kDone;
}

Action declareTraceExport(CLI::App& app)
{
    auto options = std::make_shared<TraceExport>();
    addArgument(app, "TRACE", options->trace, "Trace (tr3, last) or a file that `apertune trace import` reads");
    app.add_option("--out", options->out, "File to write, compressed when it ends in .gz")
        ->type_name("FILE")
        ->required();
    addChoice<TraceFormat>(app, "--format", options->format,
                           {{"chrome", TraceFormat::chrome}, {"csv", TraceFormat::csv}, {"nsys", TraceFormat::nsys}},
                           "Format (default: by the file's name, else chrome)");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb traceExportVerb()
{
    return {.path = {"trace", "export"},
            .group = Group::explain,
            .summary = "Write a trace for another tool",
            .examples = R"(  apertune trace export tr3 --out run.json.gz      for ui.perfetto.dev, chrome://tracing
  apertune trace export last --out run.csv         a line an event
  apertune trace export last --out run.sqlite      for scripts over nsys exports
  apertune trace export other.json --out copy.csv  a file, without a workspace)",
            .takes = Takes::workspace,
            .documents = {{"apertune.trace-export/1",
                           "`trace` (`tr3`, or the file that was named), `file`, `format` (`chrome`, `csv`, "
                           "`nsys`), `events` (written), `left_out` (`kind`, `events`: what an nsys export has no "
                           "table for; empty in the other formats), `bytes`"}},
            .declare = declareTraceExport};
}

} // namespace apertune::cli

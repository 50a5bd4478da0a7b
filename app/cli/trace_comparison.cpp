// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trace_comparison.h"

#include "app/cli/lookup.h"
#include "app/cli/trace_reading.h"
#include "core/base/files.h"
#include "core/base/parallel.h"
#include "core/report/trace_difference.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace apertune::cli {

namespace fs = std::filesystem;

using base::Json;

namespace {

/// What is read from a trace before it is compared. It stays where it is, because the index refers to the trace.
struct Read
{
    explicit Read(const trace::Trace& trace)
        : index(trace), forest(index), iterations(analysis::findIterations(index, forest))
    {
    }

    analysis::TraceIndex index;
    analysis::OperatorForest forest;
    analysis::Iterations iterations;
};

/// Batches that differ make passes of different work, so their times are compared per sample.
bool batchesDiffer(const OpenedTrace& a, const OpenedTrace& b)
{
    return a.context.config && b.context.config && a.context.config->batch != b.context.config->batch;
}

report::NamedDifference difference(const OpenedTrace& a, const OpenedTrace& b)
{
    std::optional<Read> readA;
    std::optional<Read> readB;
    base::sideBySide({[&] { readA.emplace(*a.trace); }, [&] { readB.emplace(*b.trace); }});
    report::NamedDifference named;
    named.perSample = batchesDiffer(a, b);
    const auto side = [&](const OpenedTrace& opened, const Read& read) {
        return analysis::ComparedTrace{read.index, read.forest, read.iterations,
                                       named.perSample ? opened.context.config->batch : 1.0};
    };
    named.difference = analysis::compareTraces(side(a, *readA), side(b, *readB));
    named.a = {a.name, a.trace->name, a.context.traceId, a.trace};
    named.b = {b.name, b.trace->name, b.context.traceId, b.trace};
    return named;
}

std::string asJson(const report::NamedDifference& named)
{
    return report::traceDifferenceDocument(named).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

using Writer = std::string (*)(const report::NamedDifference&);

/// What writes a file with that ending; null when the ending stands for no format.
Writer writerFor(const fs::path& file)
{
    const std::string ending = file.extension().string();
    return ending == ".html"   ? report::traceDifferenceHtml
           : ending == ".csv"  ? report::traceDifferenceCsv
           : ending == ".json" ? asJson
                               : nullptr;
}

} // namespace

bool namesTrace(const std::string& text)
{
    std::error_code ignored;
    if (!fs::is_regular_file(text, ignored))
        return looksLikeTrace(text);
    return !text.ends_with(".apertune") && !store::Store::open(text, store::OpenMode::readOnly);
}

int compareTraces(const std::string& a, const std::string& b, const TraceComparison& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const Writer writer = writerFor(options.out);
    if (!options.out.empty() && !writer)
        return terminal.fail(base::plainError(base::ErrorCode::invalidArgument,
                                              "The ending of " + options.out.string() + " stands for no format.", {},
                                              "Use .html, .csv or .json."));
    const auto openedA = openTrace(a, session);
    if (!openedA)
        return terminal.fail(openedA.error());
    const auto openedB = openTrace(b, session);
    if (!openedB)
        return terminal.fail(openedB.error());
    const report::NamedDifference named = difference(*openedA, *openedB);
    terminal.document(report::traceDifferenceDocument(named));
    if (options.out.empty()) {
        terminal.text(report::traceDifferenceText(named, static_cast<std::size_t>(options.rows), terminal.width()));
        return kDone;
    }
    if (const auto written = base::writeFileAtomically(options.out, writer(named)); !written)
        return terminal.fail(written.error());
    terminal.text("Wrote " + options.out.string() + ".");
    return kDone;
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trace_comparison.h"

#include "app/cli/lookup.h"
#include "app/cli/trace_reading.h"
#include "core/base/files.h"
#include "core/comparison/trace_difference.h"
#include "core/comparison/trace_difference_document.h"
#include "core/comparison/trace_difference_text.h"
#include "core/report/trace_difference_html.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace fs = std::filesystem;

using base::Json;

namespace {

/// The batch of the traced trial; 0: not known.
double batchOf(const OpenedTrace& opened)
{
    return opened.context.config ? opened.context.config->batch : 0;
}

comparison::TraceName nameOf(const OpenedTrace& opened)
{
    return {opened.name, opened.trace->name, opened.context.traceId, opened.trace};
}

std::string asJson(comparison::Differences differences)
{
    return comparison::traceDifferenceDocument(differences).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

using Writer = std::string (*)(comparison::Differences);

/// The writer of files with that ending; null when the ending stands for no format.
Writer writerFor(const fs::path& file)
{
    const std::string ending = file.extension().string();
    return ending == ".html"   ? report::traceDifferenceHtml
           : ending == ".csv"  ? comparison::traceDifferenceCsv
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

int compareTraces(const std::string& baseline, const std::vector<std::string>& others, const TraceComparison& options,
                  Session& session)
{
    Terminal& terminal = session.terminal;
    const Writer writer = writerFor(options.out);
    if (!options.out.empty() && !writer)
        return terminal.fail(base::plainError(base::ErrorCode::invalidArgument,
                                              "The ending of " + options.out.string() + " stands for no format.", {},
                                              "Use .html, .csv or .json."));
    const auto a = openTrace(baseline, session);
    if (!a)
        return terminal.fail(a.error());
    std::vector<comparison::NamedDifference> differences;
    for (const std::string& other : others) {
        const auto b = openTrace(other, session);
        if (!b)
            return terminal.fail(b.error());
        auto named = comparison::compareTraces(nameOf(*a), batchOf(*a), nameOf(*b), batchOf(*b));
        if (!named)
            return terminal.fail(named.error());
        differences.push_back(std::move(*named));
    }
    terminal.document(comparison::traceDifferenceDocument(differences));
    if (options.out.empty()) {
        terminal.text(
            comparison::traceDifferenceText(differences, static_cast<std::size_t>(options.rows), terminal.width()));
        return kDone;
    }
    if (const auto written = base::writeFileAtomically(options.out, writer(differences)); !written)
        return terminal.fail(written.error());
    terminal.text("Wrote " + options.out.string() + ".");
    return kDone;
}

} // namespace apertune::cli

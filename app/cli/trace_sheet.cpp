// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trace_sheet.h"

#include "core/base/text.h"
#include "core/report/trace_sections.h"
#include "core/report/trace_sections_text.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <map>

namespace apertune::cli {

using base::Json;
using trace::LossSeverity;

namespace {

std::map<trace::EventKind, std::size_t> countKinds(const trace::Trace& trace)
{
    std::map<trace::EventKind, std::size_t> counts;
    for (const trace::Series& s : trace.series)
        counts[s.kind] += s.events.size();
    return counts;
}

} // namespace

const char* severityText(LossSeverity severity)
{
    return severity == LossSeverity::error ? "error" : severity == LossSeverity::warning ? "warning" : "notice";
}

Json lossesDocument(const trace::Trace& trace)
{
    Json losses = Json::array();
    for (const trace::Loss& loss : trace.losses)
        losses.push_back({{"kind", trace::toString(loss.kind)},
                          {"count", loss.count},
                          {"severity", severityText(loss.severity)},
                          {"reason", sentences::sentence(loss.reason)}});
    return losses;
}

Json traceDocument(store::TraceId id, std::optional<model::TrialId> trial, const trace::Trace& trace)
{
    Json kinds = Json::array();
    for (const auto& [kind, events] : countKinds(trace))
        kinds.push_back({{"kind", trace::toString(kind)}, {"events", events}});
    return {{"schema", "apertune.trace/1"},
            {"trace", toText(id)},
            {"trial", trial ? Json(text::toText(*trial)) : Json(nullptr)},
            {"name", trace.name},
            {"recorder", trace.recorderVersion},
            {"events", trace.eventCount()},
            {"kinds", std::move(kinds)},
            {"duration_ms", (trace.end() - trace.begin()).milliseconds()},
            {"cost", report::costDocument(trace.cost)},
            {"losses", lossesDocument(trace)}};
}

std::string traceSheet(store::TraceId id, const trace::Trace& trace, int width)
{
    std::string text = toText(id) + "  " + trace.name + ", " + base::counted(trace.eventCount(), "event") + " in " +
                       base::formatDuration(trace.end() - trace.begin()) + "\n\n";
    text::TextTable table({{"Events of kind"}, {"Number", text::Align::right}});
    for (const auto& [kind, events] : countKinds(trace))
        table.addRow({std::string(trace::toString(kind)), std::to_string(events)});
    text += table.render(width) + "\n";
    if (trace.cost)
        text += report::costText(*trace.cost) + "\n";
    for (const trace::Loss& loss : trace.losses)
        text += std::string(severityText(loss.severity)) + ": " + sentences::sentence(loss.reason) +
                (loss.count > 0 ? " (" + base::counted(loss.count, "event") + ")" : "") + "\n";
    return text;
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/counter_section.h"

#include "core/analysis/counter_statistics.h"
#include "core/base/text.h"
#include "core/text/text_table.h"
#include "core/trace/counter_unit.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::report {

using base::Json;

namespace {

struct Counter
{
    const trace::Track* track = nullptr;
    analysis::CounterStatistics statistics; ///< values are whole numbers of the track's unit
    trace::CounterUnit unit;
    bool isBytes() const { return track->unit == "B"; }
};

/// The statistics of all counters over the whole recording, in the order of the tracks.
std::vector<Counter> countersOf(const trace::Trace& trace)
{
    std::vector<Counter> counters;
    for (const trace::Series& series : trace.series) {
        if (series.kind != trace::EventKind::counter)
            continue;
        const trace::Track& track = trace.track(series);
        if (const auto statistics = analysis::counterStatistics(series.events.start, series.events.value,
                                                                trace.begin().count, trace.end().count + 1))
            counters.push_back({&track, *statistics, trace::readCounterUnit(track.unit)});
    }
    return counters;
}

} // namespace

base::Json countersDocument(const TraceAnalyses& a)
{
    Json list = Json::array();
    for (const Counter& c : countersOf(a.index.trace)) {
        const auto value = [&c](double raw) { return raw * c.unit.factor(); };
        list.push_back({{"name", c.track->label},
                        {"device", c.track->device < 0 ? Json("host") : Json(c.track->device)},
                        {"unit", std::string(c.unit.unit)},
                        {"samples", c.statistics.samples},
                        {"min", value(c.statistics.least)},
                        {"mean", value(c.statistics.mean)},
                        {"max", value(c.statistics.most)},
                        {"first", value(c.statistics.first)},
                        {"last", value(c.statistics.last)},
                        {"growth", c.isBytes() ? Json(value(c.statistics.growth())) : Json(nullptr)}});
    }
    return list;
}

std::string countersText(const TraceAnalyses& a, std::size_t rows, int width)
{
    const std::vector<Counter> counters = countersOf(a.index.trace);
    if (counters.empty())
        return {};
    text::TextTable table({{"Counter", text::Align::left, true},
                           {"On"},
                           {"Samples", text::Align::right},
                           {"Min", text::Align::right},
                           {"Mean", text::Align::right},
                           {"Max", text::Align::right},
                           {"Last", text::Align::right},
                           {"Growth", text::Align::right}});
    for (std::size_t i = 0; i < counters.size() && i < rows; ++i) {
        const Counter& c = counters[i];
        const auto value = [&c](double raw) {
            if (c.isBytes())
                return base::formatBytes({static_cast<std::int64_t>(std::clamp(raw, -9e18, 9e18))});
            const std::string unit(c.unit.unit);
            return base::formatSignificant(raw * c.unit.factor(), 4) + (unit.empty() ? "" : " " + unit);
        };
        const double growth = c.statistics.growth();
        table.addRow({c.track->label, c.track->device < 0 ? "host" : "device " + std::to_string(c.track->device),
                      std::to_string(c.statistics.samples), value(c.statistics.least), value(c.statistics.mean),
                      value(c.statistics.most), value(c.statistics.last),
                      c.isBytes() ? (growth > 0 ? "+" : "") + value(growth) : std::string()});
    }
    std::string text = table.render(width);
    if (counters.size() > rows)
        text += "… and " + std::to_string(counters.size() - rows) + " more (--rows)\n";
    return text;
}

} // namespace apertune::report

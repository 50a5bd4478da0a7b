// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trace_difference.h"

#include "core/base/csv.h"
#include "core/base/text.h"
#include "core/report/documents.h"
#include "core/report/format.h"
#include "core/report/mustache.h"
#include "core/report/text_table.h"

#include <nlohmann/json.hpp>
#include <report_templates.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace apertune::report {

using analysis::DifferenceKind;
using analysis::DifferencePart;
using analysis::DifferenceSide;
using analysis::NamedWork;
using analysis::TraceDifference;
using base::Json;

namespace {

constexpr double kUsPerNs = 1e-3;
constexpr std::size_t kMostNames = 4;   ///< names of a part that are shown; the rest is counted
constexpr double kLittle = 0.3;         ///< share of A's work with a counterpart below which the programs may differ
constexpr double kMuchUnrecorded = 0.1; ///< share of an iteration
constexpr int kBarWidth = 24;

std::string spaced(std::string_view name)
{
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string signedFigure(double value, int decimals)
{
    const std::string text = formatGrouped(std::abs(value), decimals);
    const bool zero = text.find_first_not_of("0.") == std::string::npos;
    return zero ? text : (value < 0 ? "−" : "+") + text;
}

int decimalsOf(const model::Interval& interval, double scale)
{
    return decimalsFor(interval.value * scale, interval.confidence > 0 ? (interval.hi - interval.lo) / 2 * scale : 0);
}

/// "−700.1 [−720.3, −680.2]", and "−700.1" where one iteration gives no interval.
std::string changeText(const model::Interval& change, double scale)
{
    const int decimals = decimalsOf(change, scale);
    const std::string value = signedFigure(change.value * scale, decimals);
    if (change.confidence <= 0)
        return value + " [?]";
    return value + " [" + signedFigure(change.lo * scale, decimals) + ", " + signedFigure(change.hi * scale, decimals) +
           "]";
}

/// The sum of two independent values: the squares of the half-widths add up.
model::Interval sumOf(const model::Interval& a, const model::Interval& b)
{
    const double value = a.value + b.value;
    return {value, value - std::hypot(a.value - a.lo, b.value - b.lo),
            value + std::hypot(a.hi - a.value, b.hi - b.value), std::min(a.confidence, b.confidence)};
}

/// Times as long as milliseconds are shown in ms, others in µs.
struct Unit
{
    explicit Unit(const TraceDifference& d) : milliseconds(std::max(d.a.time.value, d.b.time.value) >= 10e6) {}
    bool milliseconds;
    double scale() const { return milliseconds ? kMsPerNs : kUsPerNs; }
    const char* name() const { return milliseconds ? "ms" : "µs"; }
};

std::string figure(const model::Interval& time, const Unit& unit)
{
    return formatGrouped(time.value * unit.scale(), decimalsOf(time, unit.scale()));
}

std::string causeText(const DifferencePart& part, const TraceDifference& d)
{
    if (part.cause)
        return "idle: " + spaced(toString(*part.cause));
    return d.a.onDevice && d.b.onDevice ? "work across the borders of iterations" : "outside the operators";
}

std::string kindText(DifferenceKind kind)
{
    return kind == DifferenceKind::sameWork ? "same work" : spaced(toString(kind));
}

/// A whole number without decimals; a mean over iterations that differ with one.
std::string countText(double count)
{
    return formatGrouped(count, std::abs(count - std::round(count)) < 0.05 ? 0 : 1);
}

std::string namesText(const std::vector<NamedWork>& works)
{
    std::vector<std::string> names;
    double more = 0;
    for (const NamedWork& work : works) {
        if (names.size() == kMostNames && works.size() > kMostNames + 1) {
            more += work.count;
            continue;
        }
        const std::string count = countText(work.count);
        names.push_back(work.name + (count == "1" ? "" : " ×" + count));
    }
    if (more > 0)
        names.push_back(countText(more) + " more");
    return base::join(names);
}

std::string partText(const DifferencePart& part, const TraceDifference& d)
{
    if (part.unrecorded)
        return "inside " + namesText(part.a.empty() ? part.b : part.a) + ": no operator recorded";
    switch (part.kind) {
    case DifferenceKind::sameWork:
        return namesText(part.b);
    case DifferenceKind::removed:
        return namesText(part.a);
    case DifferenceKind::added:
        return namesText(part.b);
    case DifferenceKind::replaced:
        return namesText(part.a) + " → " + namesText(part.b);
    case DifferenceKind::idle:
        break;
    }
    return causeText(part, d);
}

std::string sideText(const NamedDifference& named, const TraceName& name, const DifferenceSide& side)
{
    std::string text = name.name + (name.title.empty() || name.title == name.name ? "" : "  " + name.title) + ": ";
    text += side.source == analysis::IterationSource::none ? "the whole recording"
            : side.source == analysis::IterationSource::period
                ? base::counted(static_cast<std::int64_t>(side.iterations), "repeated section")
                : base::counted(static_cast<std::int64_t>(side.iterations), "steady iteration");
    const Unit unit(named.difference);
    text += ", " + formatPlusMinus(side.time, unit.scale()) + " " + unit.name() + " and " + countText(side.works) +
            (side.onDevice ? " pieces of device work" : " operators");
    if (side.onDevice) {
        const trace::DeviceProperties* device = name.trace->device(side.device);
        text += " on device " + std::to_string(side.device) +
                (device && !device->name.empty() ? " (" + device->name + ")" : "");
    }
    return text + (named.perSample ? " for each sample" : "");
}

std::string percentOf(double change, double of)
{
    const double share = of > 0 ? change / of : 0;
    return (share < 0 ? "−" : "+") + base::formatPercent(std::abs(share));
}

std::string headline(const NamedDifference& named)
{
    const TraceDifference& d = named.difference;
    const Unit unit(d);
    const char* of = named.perSample ? "A sample" : "An iteration";
    const std::string times = formatPlusMinus(d.b.time, unit.scale()) + " " + unit.name() + " in B and " +
                              formatPlusMinus(d.a.time, unit.scale()) + " " + unit.name() + " in A";
    const std::string change =
        changeText(d.change, unit.scale()) + " " + unit.name() + " (" + percentOf(d.change.value, d.a.time.value) + ")";
    std::string text = std::string(of) + " takes " + times + ": " + change + ".";
    if (d.change.confidence <= 0)
        text += " With one iteration on a side there is no interval, so chance may explain it.";
    else if (d.change.lo <= 0 && d.change.hi >= 0)
        text += " The recordings cannot tell the two apart.";
    return text;
}

/// What to know before the parts are read; one sentence a line.
std::vector<std::string> remarks(const NamedDifference& named)
{
    const TraceDifference& d = named.difference;
    std::vector<std::string> lines;
    if (d.sameWorkRatio) {
        const model::Interval& ratio = *d.sameWorkRatio;
        const bool equal = ratio.lo <= 1.01 && ratio.hi >= 0.99;
        lines.push_back("Work that is the same in both takes " + formatRatio(ratio) + " as long in B" +
                        (equal ? ": the machine itself ran equally fast."
                               : ": the clock, other programs or the device itself explain that, not the code."));
    }
    const auto unrecorded = [](const DifferenceSide& side) {
        return side.time.value > 0 ? side.unrecorded / side.time.value : 0;
    };
    for (const auto& [name, side] : {std::pair("A", &d.a), std::pair("B", &d.b)})
        if (unrecorded(*side) > kMuchUnrecorded)
            lines.push_back(
                "In " + std::string(name) + ", " + base::formatPercent(unrecorded(*side)) +
                " of the time lies outside the recorded operators: fused or compiled work, which engines do "
                "not record one by one, or pauses. It stands against operators that are removed.");
    if (d.matchedShare < kLittle && d.a.works > 0 && d.b.works > 0 &&
        std::max(unrecorded(d.a), unrecorded(d.b)) <= kMuchUnrecorded)
        lines.push_back("Only " + base::formatPercent(d.matchedShare) +
                        " of the time of A's work has a counterpart in B. The traces are of different programs, or of "
                        "engines whose names have nothing in common.");
    if (d.a.onDevice != d.b.onDevice)
        lines.push_back("One side ran on the host and the other on a device: the operators of the host stand against "
                        "the kernels that took their place.");
    const auto sections = [](const DifferenceSide& side) { return side.source == analysis::IterationSource::period; };
    const auto whole = [](const DifferenceSide& side) { return side.source == analysis::IterationSource::none; };
    if (sections(d.a) || sections(d.b))
        lines.push_back("A recording marks no iterations. Its repeated sections were taken for them, and they may be "
                        "layers: compare the numbers of works above.");
    if (whole(d.a) != whole(d.b))
        lines.push_back("One recording has no iterations and counts as a whole, so the two times may be of different "
                        "work.");
    const auto bare = [](const TraceName& name) -> const trace::RecordingCost* {
        return name.trace->cost ? &*name.trace->cost : nullptr;
    };
    if (const auto* a = bare(named.a), *b = bare(named.b); a && b && !named.perSample) {
        const Unit unit(d);
        const model::Interval bareChange =
            sumOf({b->bareNs.value - a->bareNs.value, b->bareNs.lo - a->bareNs.value, b->bareNs.hi - a->bareNs.value,
                   b->bareNs.confidence},
                  {0, a->bareNs.value - a->bareNs.hi, a->bareNs.value - a->bareNs.lo, a->bareNs.confidence});
        const model::Interval rest =
            sumOf(d.change, {-bareChange.value, -bareChange.hi, -bareChange.lo, bareChange.confidence});
        lines.push_back("Without recording, the same runs differed by " + changeText(bareChange, unit.scale()) + " " +
                        unit.name() + ". The other " + changeText(rest, unit.scale()) + " " + unit.name() +
                        " come from recording, or from what else the machine did.");
    }
    lines.push_back("Intervals hold the spread within each recording. Two recordings of one program differ by more: "
                    "`apertune compare` of their trials, measured in turns, decides which is faster.");
    return lines;
}

/// The query for the events of a part in a trace of the workspace; empty for idle time and for files.
std::string queryOf(const TraceName& name, const std::vector<NamedWork>& works)
{
    if (name.id == 0 || works.empty())
        return {};
    std::map<trace::EventKind, std::vector<std::string>> names;
    for (const NamedWork& work : works)
        for (const std::uint32_t recorded : work.recorded)
            names[work.kind].push_back("'" + base::replaced(name.trace->strings[recorded], "'", "''") + "'");
    std::vector<std::string> selects;
    for (const auto& [kind, quoted] : names) {
        const std::string view = kind == trace::EventKind::copy           ? "copy"
                                 : kind == trace::EventKind::memset       ? "fill"
                                 : kind == trace::EventKind::graphLaunch  ? "graph_launch"
                                 : kind == trace::EventKind::operatorCall ? "operator_call"
                                                                          : "kernel";
        selects.push_back("SELECT start_ns, duration_ns, name FROM " + view +
                          " WHERE trace_id = " + std::to_string(name.id) + " AND name IN (" + base::join(quoted) + ")");
    }
    return base::join(selects, " UNION ALL ");
}

Json worksJson(const TraceName& name, const std::vector<NamedWork>& works)
{
    Json all = Json::array();
    for (const NamedWork& work : works) {
        Json recorded = Json::array();
        for (const std::uint32_t id : work.recorded)
            recorded.push_back(name.trace->strings[id]);
        all.push_back({{"name", work.name},
                       {"class", toString(work.opClass)},
                       {"count", work.count},
                       {"recorded", std::move(recorded)}});
    }
    return all;
}

Json sideJson(const TraceName& name, const DifferenceSide& side)
{
    return {{"trace", name.name},
            {"title", name.title},
            {"device", side.onDevice ? Json(side.device) : Json(nullptr)},
            {"iterations_by", toString(side.source)},
            {"iterations", side.iterations},
            {"works", side.works},
            {"unrecorded_ms", side.unrecorded * kMsPerNs},
            {"time_ms", intervalJson("value", side.time, kMsPerNs)}};
}

Json textOrNull(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

/// A bar from the middle: to the left what B saves, to the right what it takes longer.
std::string bar(double change, double largest)
{
    const int cells = largest > 0 ? static_cast<int>(std::lround(std::abs(change) / largest * kBarWidth)) : 0;
    std::string blocks;
    for (int i = 0; i < cells; ++i)
        blocks += change < 0 ? "▒" : "█";
    return blocks;
}

} // namespace

std::vector<DifferenceStep> differenceSteps(const TraceDifference& difference)
{
    std::map<std::string, DifferenceStep> steps;
    for (const DifferencePart& part : difference.parts) {
        const std::string name = part.unrecorded ? "work that is not recorded"
                                 : part.kind == DifferenceKind::idle
                                     ? causeText(part, difference)
                                     : spaced(toString(part.opClass)) + ": " + kindText(part.kind);
        const auto [found, added] = steps.try_emplace(name, DifferenceStep{name, part.change});
        if (!added)
            found->second.change = sumOf(found->second.change, part.change);
    }
    std::vector<DifferenceStep> sorted;
    for (auto& [name, step] : steps)
        sorted.push_back(std::move(step));
    std::stable_sort(sorted.begin(), sorted.end(), [](const DifferenceStep& x, const DifferenceStep& y) {
        return std::abs(x.change.value) > std::abs(y.change.value);
    });
    return sorted;
}

Json traceDifferenceDocument(const NamedDifference& named)
{
    const TraceDifference& d = named.difference;
    Json steps = Json::array();
    for (const DifferenceStep& step : differenceSteps(d))
        steps.push_back({{"name", step.name}, {"change_ms", intervalJson("value", step.change, kMsPerNs)}});
    Json parts = Json::array();
    double sum = 0;
    for (const DifferencePart& part : d.parts) {
        sum += part.change.value;
        parts.push_back({{"kind", toString(part.kind)},
                         {"class", part.kind == DifferenceKind::idle ? Json(nullptr) : Json(toString(part.opClass))},
                         {"cause", part.cause ? Json(toString(*part.cause)) : Json(nullptr)},
                         {"operator", textOrNull(part.origin)},
                         {"unrecorded", part.unrecorded},
                         {"places", part.places},
                         {"a", worksJson(named.a, part.a)},
                         {"b", worksJson(named.b, part.b)},
                         {"a_ms", intervalJson("value", part.timeA, kMsPerNs)},
                         {"b_ms", intervalJson("value", part.timeB, kMsPerNs)},
                         {"change_ms", intervalJson("value", part.change, kMsPerNs)},
                         {"query_a", textOrNull(queryOf(named.a, part.a))},
                         {"query_b", textOrNull(queryOf(named.b, part.b))}});
    }
    return {{"schema", "apertune.trace-comparison/1"},
            {"a", sideJson(named.a, d.a)},
            {"b", sideJson(named.b, d.b)},
            {"per_sample", named.perSample},
            {"change_ms", intervalJson("value", d.change, kMsPerNs)},
            {"rest_ms", (d.change.value - sum) * kMsPerNs},
            {"matched_share", d.matchedShare},
            {"same_work_ratio", d.sameWorkRatio ? intervalJson("value", *d.sameWorkRatio) : Json(nullptr)},
            {"steps", std::move(steps)},
            {"parts", std::move(parts)},
            {"remarks", remarks(named)}};
}

std::string traceDifferenceText(const NamedDifference& named, std::size_t rows, int width)
{
    const TraceDifference& d = named.difference;
    const Unit unit(d);
    std::string text = wrap("A: " + sideText(named, named.a, d.a), width, 3) + "\n" +
                       wrap("B: " + sideText(named, named.b, d.b), width, 3) + "\n\n" +
                       wrap(headline(named), width, 0) + "\n";
    for (const std::string& line : remarks(named))
        text += wrap(line, width, 0) + "\n";

    const std::vector<DifferenceStep> steps = differenceSteps(d);
    TextTable waterfall({{"From A to B", Align::left, true}, {unit.name(), Align::right}, {"▒ saved, █ added"}});
    waterfall.addRow({"A", figure(d.a.time, unit), ""});
    double rest = d.change.value;
    const double largest = steps.empty() ? 0 : std::abs(steps.front().change.value);
    for (std::size_t i = 0; i < steps.size() && i < rows; ++i) {
        rest -= steps[i].change.value;
        waterfall.addRow(
            {steps[i].name, changeText(steps[i].change, unit.scale()), bar(steps[i].change.value, largest)});
    }
    if (steps.size() > rows)
        waterfall.addRow({std::to_string(steps.size() - rows) + " more (--rows)",
                          signedFigure(rest * unit.scale(), decimalsFor(rest * unit.scale(), 0)), ""});
    waterfall.addRow({"B", figure(d.b.time, unit), ""});
    text += "\n" + waterfall.render(width) + "\n";

    TextTable table({{std::string("Change ") + unit.name(), Align::right},
                     {"A", Align::right},
                     {"B", Align::right},
                     {"Kind"},
                     {"Operator", Align::left, true},
                     {"Work of an iteration", Align::left, true}});
    for (std::size_t i = 0; i < d.parts.size() && i < rows; ++i) {
        const DifferencePart& part = d.parts[i];
        table.addRow({changeText(part.change, unit.scale()), figure(part.timeA, unit), figure(part.timeB, unit),
                      kindText(part.kind), part.origin, partText(part, d)});
    }
    text += table.render(width);
    if (d.parts.size() > rows) {
        double others = 0;
        for (std::size_t i = rows; i < d.parts.size(); ++i)
            others += d.parts[i].change.value;
        text += "… and " + std::to_string(d.parts.size() - rows) + " more (--rows), together " +
                signedFigure(others * unit.scale(), decimalsFor(others * unit.scale(), 0)) + " " + unit.name() + "\n";
    }
    return text;
}

std::string traceDifferenceCsv(const NamedDifference& named)
{
    std::string text = "kind,class,cause,operator,places,a,b,a_ms,b_ms,change_ms,change_ms_lo,change_ms_hi\n";
    for (const DifferencePart& part : named.difference.parts) {
        const bool idle = part.kind == DifferenceKind::idle;
        const bool known = part.change.confidence > 0;
        base::CsvLine line;
        line.text(toString(part.kind)).text(idle ? std::string_view() : toString(part.opClass));
        line.text(part.cause ? toString(*part.cause) : std::string_view()).text(part.origin).count(part.places);
        line.text(namesText(part.a)).text(namesText(part.b));
        line.number(part.timeA.value * kMsPerNs).number(part.timeB.value * kMsPerNs);
        line.number(part.change.value * kMsPerNs);
        line.number(known ? std::optional(part.change.lo * kMsPerNs) : std::nullopt);
        line.number(known ? std::optional(part.change.hi * kMsPerNs) : std::nullopt);
        text += line.take();
    }
    return text;
}

std::string traceDifferenceHtml(const NamedDifference& named)
{
    const TraceDifference& d = named.difference;
    const Unit unit(d);
    const std::vector<DifferenceStep> steps = differenceSteps(d);
    // The plot spans all levels that the bars reach; each bar begins where the one before it ended.
    double level = d.a.time.value;
    double low = std::min(d.a.time.value, d.b.time.value);
    double high = std::max(d.a.time.value, d.b.time.value);
    for (const DifferenceStep& step : steps) {
        level += step.change.value;
        low = std::min(low, level);
        high = std::max(high, level);
    }
    low = std::max(0.0, low - (high - low) * 0.25);
    const auto place = [&](double value) { return high > low ? (value - low) / (high - low) * 100 : 0; };
    const auto barJson = [&](const std::string& name, const std::string& value, double from, double to,
                             const char* style) {
        const double left = place(std::min(from, to));
        return Json{{"name", name},
                    {"value", value},
                    {"left", base::formatSignificant(left, 5)},
                    {"width", base::formatSignificant(std::max(place(std::max(from, to)) - left, 0.15), 5)},
                    {"style", style}};
    };
    Json bars = Json::array({barJson("A", figure(d.a.time, unit), low, d.a.time.value, "whole")});
    level = d.a.time.value;
    for (const DifferenceStep& step : steps) {
        bars.push_back(barJson(step.name, changeText(step.change, unit.scale()), level, level + step.change.value,
                               step.change.value < 0 ? "less" : "more"));
        level += step.change.value;
    }
    bars.push_back(barJson("B", figure(d.b.time, unit), low, d.b.time.value, "whole"));

    Json parts = Json::array();
    for (const DifferencePart& part : d.parts)
        parts.push_back({{"change", changeText(part.change, unit.scale())},
                         {"a", figure(part.timeA, unit)},
                         {"b", figure(part.timeB, unit)},
                         {"kind", kindText(part.kind)},
                         {"class", part.kind == DifferenceKind::idle ? std::string() : spaced(toString(part.opClass))},
                         {"operator", part.origin},
                         {"work", partText(part, d)}});
    const Json values{
        {"title", named.a.name + " against " + named.b.name},
        {"sides", Json::array({"A: " + sideText(named, named.a, d.a), "B: " + sideText(named, named.b, d.b)})},
        {"headline", headline(named)},
        {"remarks", remarks(named)},
        {"unit", unit.name()},
        {"bars", std::move(bars)},
        {"parts", std::move(parts)}};
    return filled("{{>difference.mustache}}", values, Escape::html, templates::kReport);
}

} // namespace apertune::report

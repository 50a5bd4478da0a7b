// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trace_difference_html.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/comparison/difference_words.h"
#include "core/text/format.h"
#include "core/text/mustache.h"

#include <nlohmann/json.hpp>
#include <report_templates.h>

#include <algorithm>
#include <cmath>

namespace apertune::report {

using analysis::DifferenceKind;
using analysis::DifferencePart;
using analysis::DifferenceStep;
using analysis::TraceDifference;
using base::Json;
using base::Message;

namespace {

Json waterfallBars(const TraceDifference& d)
{
    const comparison::DifferenceUnit unit(d);
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
    Json bars = Json::array({barJson("A", comparison::timeText(d.a.time, unit), low, d.a.time.value, "whole")});
    level = d.a.time.value;
    for (const DifferenceStep& step : steps) {
        bars.push_back(barJson(comparison::stepName(step, d), comparison::changeText(step.change, unit), level,
                               level + step.change.value, step.change.value < 0 ? "less" : "more"));
        level += step.change.value;
    }
    bars.push_back(barJson("B", comparison::timeText(d.b.time, unit), low, d.b.time.value, "whole"));
    return bars;
}

/// The queries of both sides, for a row that can be opened; false without any.
Json evidenceJson(const std::string& a, const std::string& b)
{
    Json queries = Json::array();
    for (const auto& [side, query] : {std::pair("A", &a), std::pair("B", &b)})
        if (!query->empty())
            queries.push_back({{"side", side}, {"query", *query}});
    return queries.empty() ? Json(false) : Json{{"queries", std::move(queries)}};
}

Json partRows(const comparison::NamedDifference& named)
{
    const TraceDifference& d = named.difference;
    const comparison::DifferenceUnit unit(d);
    Json parts = Json::array();
    for (const DifferencePart& part : d.parts)
        parts.push_back(
            {{"change", comparison::changeText(part.change, unit)},
             {"a", comparison::timeText(part.timeA, unit)},
             {"b", comparison::timeText(part.timeB, unit)},
             {"kind", comparison::kindText(part.kind)},
             {"class", part.kind == DifferenceKind::idle ? std::string() : comparison::spaced(toString(part.opClass))},
             {"operator", part.origin},
             {"work", comparison::partText(part, d)},
             {"evidence", evidenceJson(comparison::partQuery(named.a, part, part.a, d.a),
                                       comparison::partQuery(named.b, part, part.b, d.b))}});
    return parts;
}

Json layerRows(const comparison::NamedDifference& named)
{
    const comparison::DifferenceUnit unit(named.difference);
    Json layers = Json::array();
    for (const analysis::DifferenceLayer& layer : comparison::largestLayers(named.difference))
        layers.push_back({{"change", comparison::changeText(layer.change, unit)},
                          {"a", comparison::timeText(layer.timeA, unit)},
                          {"b", comparison::timeText(layer.timeB, unit)},
                          {"layer", layer.module.empty() ? std::to_string(layer.position) : layer.module},
                          {"shapes", layer.shapes},
                          {"work", comparison::layerText(layer)},
                          {"evidence", evidenceJson(comparison::workQuery(named.a, layer.a),
                                                    comparison::workQuery(named.b, layer.b))}});
    return layers.empty() ? Json(false) : Json{{"unit", unit.name}, {"rows", std::move(layers)}};
}

Json allocationRows(const analysis::AllocationDifference& allocations)
{
    if (!allocations.recorded())
        return false;
    const auto bytes = [](double amount) { return base::formatBytes({std::llround(amount)}); };
    const auto row = [&bytes](const std::string& name, const analysis::AllocatedAmount& a,
                              const analysis::AllocatedAmount& b) {
        return Json{{"name", name},
                    {"a", comparison::countText(a.count)},
                    {"b", comparison::countText(b.count)},
                    {"a_bytes", bytes(a.bytes)},
                    {"b_bytes", bytes(b.bytes)}};
    };
    Json rows = Json::array({row("all", allocations.a.amount, allocations.b.amount)});
    for (const analysis::AllocationChange& change : allocations.changes())
        rows.push_back(row(change.owner.empty() ? "outside of operators" : change.owner, change.a, change.b));
    return {{"peak_a", bytes(static_cast<double>(allocations.a.peak))},
            {"peak_b", bytes(static_cast<double>(allocations.b.peak))},
            {"rows", std::move(rows)}};
}

/// The boxes of a differential flame graph: red where B takes longer, green where it saves.
Json flameBoxes(const comparison::NamedDifference& named)
{
    if (!named.flame || named.flame->tree.empty())
        return false;
    constexpr int kFlameWidth = 1000;
    constexpr int kRowPixels = 19;
    const analysis::FlameDifference& flame = *named.flame;
    const comparison::DifferenceUnit unit(named.difference);
    double largest = 0;
    for (std::size_t i = 1; i < flame.timeA.size(); ++i)
        largest = std::max(largest, std::abs(flame.timeB[i] - flame.timeA[i]));
    Json boxes = Json::array();
    int rows = 1;
    for (const analysis::FlameBox& box : analysis::layOutFlame(flame.tree, 0, kFlameWidth)) {
        if (box.folded > 0)
            continue;
        const auto node = static_cast<std::size_t>(box.node);
        const double change = flame.timeB[node] - flame.timeA[node];
        const std::string name = node == 0 ? "all" : flame.strings[flame.tree.nodes[node].name];
        const auto figure = [&unit](double ns) {
            return text::formatGrouped(ns * unit.scale, text::decimalsFor(ns * unit.scale, 0));
        };
        rows = std::max(rows, box.row + 1);
        boxes.push_back(
            {{"name", name},
             {"title",
              name + ": A " + figure(flame.timeA[node]) + ", B " + figure(flame.timeB[node]) + " " + unit.name},
             {"left", base::formatSignificant(100.0 * box.x / kFlameWidth, 5)},
             {"width", base::formatSignificant(100.0 * box.width / kFlameWidth, 5)},
             {"top", box.row * kRowPixels},
             {"style", change < 0 ? "less" : "more"},
             {"strength", base::formatSignificant(largest > 0 ? 100 * std::sqrt(std::abs(change) / largest) : 0, 3)}});
    }
    return {{"height", rows * kRowPixels}, {"boxes", std::move(boxes)}};
}

Json valuesOf(const comparison::NamedDifference& named)
{
    const TraceDifference& d = named.difference;
    const std::vector<Message> sentences = comparison::differenceSentences(named);
    Json remarks = Json::array();
    for (std::size_t k = 1; k < sentences.size(); ++k)
        remarks.push_back(comparison::englishText(sentences[k]));
    return {{"sides", Json::array({"A: " + comparison::sideText(named, named.a, d.a),
                                   "B: " + comparison::sideText(named, named.b, d.b)})},
            {"headline", comparison::englishText(sentences.front())},
            {"remarks", std::move(remarks)},
            {"unit", comparison::DifferenceUnit(d).name},
            {"bars", waterfallBars(d)},
            {"parts", partRows(named)},
            {"flame", flameBoxes(named)},
            {"layers", layerRows(named)},
            {"allocations", allocationRows(d.allocations)}};
}

} // namespace

std::string traceDifferenceHtml(comparison::Differences differences)
{
    std::vector<std::string> candidates;
    Json comparisons = Json::array();
    for (const comparison::NamedDifference& named : differences) {
        candidates.push_back(named.b.name);
        comparisons.push_back(valuesOf(named));
    }
    const Json values{{"title", differences.front().a.name + " against " + base::join(candidates)},
                      {"comparisons", std::move(comparisons)}};
    return text::filled("{{>difference.mustache}}", values, text::Escape::html, templates::kReport);
}

} // namespace apertune::report

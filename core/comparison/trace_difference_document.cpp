// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/trace_difference_document.h"

#include "core/base/csv.h"
#include "core/base/units.h"
#include "core/comparison/difference_words.h"
#include "core/model/interval_json.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

namespace apertune::comparison {

using analysis::DifferenceKind;
using analysis::DifferencePart;
using analysis::DifferenceSide;
using analysis::DifferenceStep;
using analysis::NamedWork;
using analysis::TraceDifference;
using base::Json;
using base::Message;

namespace {

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
            {"unrecorded_ms", side.unrecorded * base::kMsPerNs},
            {"time_ms", model::intervalJson("value", side.time, base::kMsPerNs)}};
}

Json textOrNull(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

Json partJson(const NamedDifference& named, const DifferencePart& part)
{
    const TraceDifference& d = named.difference;
    const auto word = [](const auto& value) { return value ? Json(toString(*value)) : Json(nullptr); };
    return {{"kind", toString(part.kind)},
            {"class", part.kind == DifferenceKind::idle ? Json(nullptr) : Json(toString(part.opClass))},
            {"cause", part.cause ? word(part.cause) : word(part.gap)},
            {"operator", textOrNull(part.origin)},
            {"unrecorded", part.unrecorded},
            {"places", part.places},
            {"a", worksJson(named.a, part.a)},
            {"b", worksJson(named.b, part.b)},
            {"a_ms", model::intervalJson("value", part.timeA, base::kMsPerNs)},
            {"b_ms", model::intervalJson("value", part.timeB, base::kMsPerNs)},
            {"change_ms", model::intervalJson("value", part.change, base::kMsPerNs)},
            {"query_a", textOrNull(partQuery(named.a, part, part.a, d.a))},
            {"query_b", textOrNull(partQuery(named.b, part, part.b, d.b))}};
}

Json layersJson(const NamedDifference& named)
{
    Json layers = Json::array();
    for (const analysis::DifferenceLayer& layer : named.difference.layers)
        layers.push_back({{"position", layer.position},
                          {"module", textOrNull(layer.module)},
                          {"shapes", textOrNull(layer.shapes)},
                          {"a", worksJson(named.a, layer.a)},
                          {"b", worksJson(named.b, layer.b)},
                          {"a_ms", model::intervalJson("value", layer.timeA, base::kMsPerNs)},
                          {"b_ms", model::intervalJson("value", layer.timeB, base::kMsPerNs)},
                          {"change_ms", model::intervalJson("value", layer.change, base::kMsPerNs)},
                          {"query_a", textOrNull(workQuery(named.a, layer.a))},
                          {"query_b", textOrNull(workQuery(named.b, layer.b))}});
    return layers;
}

Json allocationsJson(const analysis::AllocationDifference& allocations)
{
    if (!allocations.recorded())
        return nullptr;
    const auto side = [](const analysis::AllocationUse& use) {
        return Json{{"peak_bytes", use.peak},
                    {"peak_partial", use.partial},
                    {"count", use.amount.count},
                    {"bytes", use.amount.bytes}};
    };
    Json operators = Json::array();
    for (const analysis::AllocationChange& change : allocations.changes())
        operators.push_back({{"operator", textOrNull(change.owner)},
                             {"a_count", change.a.count},
                             {"b_count", change.b.count},
                             {"a_bytes", change.a.bytes},
                             {"b_bytes", change.b.bytes}});
    return {{"a", side(allocations.a)}, {"b", side(allocations.b)}, {"operators", std::move(operators)}};
}

/// The paths that take at least kShownFlame of an iteration, in the order of the graph.
Json flameJson(const NamedDifference& named)
{
    constexpr double kShownFlame = 0.005;
    if (!named.flame)
        return nullptr;
    const analysis::FlameDifference& flame = *named.flame;
    Json nodes = Json::array();
    for (std::size_t i = 1; i < flame.tree.nodes.size(); ++i) {
        const analysis::FlameNode& node = flame.tree.nodes[i];
        if (static_cast<double>(node.total) >= kShownFlame * static_cast<double>(flame.tree.nodes[0].total))
            nodes.push_back({{"depth", node.depth},
                             {"name", flame.strings[node.name]},
                             {"a_ms", flame.timeA[i] * base::kMsPerNs},
                             {"b_ms", flame.timeB[i] * base::kMsPerNs}});
    }
    return nodes;
}

Json bareJson(const NamedDifference& named)
{
    const std::optional<BareChange> bare = bareChange(named);
    if (!bare)
        return nullptr;
    return {{"a_ms", model::intervalJson("value", bare->a, base::kMsPerNs)},
            {"b_ms", model::intervalJson("value", bare->b, base::kMsPerNs)},
            {"change_ms", model::intervalJson("value", bare->change, base::kMsPerNs)},
            {"recording_ms", model::intervalJson("value", bare->recording, base::kMsPerNs)}};
}

Json documentOf(const NamedDifference& named)
{
    const TraceDifference& d = named.difference;
    Json sentences = Json::array();
    for (const Message& sentence : differenceSentences(named))
        sentences.push_back(englishText(sentence));
    Json steps = Json::array();
    for (const DifferenceStep& step : differenceSteps(d))
        steps.push_back(
            {{"name", stepName(step, d)}, {"change_ms", model::intervalJson("value", step.change, base::kMsPerNs)}});
    Json parts = Json::array();
    double sum = 0;
    for (const DifferencePart& part : d.parts) {
        sum += part.change.value;
        parts.push_back(partJson(named, part));
    }
    return {{"schema", "apertune.trace-comparison/1"},
            {"a", sideJson(named.a, d.a)},
            {"b", sideJson(named.b, d.b)},
            {"per_sample", named.perSample()},
            {"change_ms", model::intervalJson("value", d.change, base::kMsPerNs)},
            {"rest_ms", (d.change.value - sum) * base::kMsPerNs},
            {"residual_ms", d.residual() * base::kMsPerNs},
            {"residual_share", residualShare(d)},
            {"without_recording", bareJson(named)},
            {"matched_share", d.matchedShare},
            {"same_work_ratio", d.sameWorkRatio ? model::intervalJson("value", *d.sameWorkRatio) : Json(nullptr)},
            {"steps", std::move(steps)},
            {"parts", std::move(parts)},
            {"layers", layersJson(named)},
            {"allocations", allocationsJson(d.allocations)},
            {"flame", flameJson(named)},
            {"sentences", std::move(sentences)}};
}

} // namespace

Json traceDifferenceDocument(Differences differences)
{
    if (differences.size() == 1)
        return documentOf(differences.front());
    Json comparisons = Json::array();
    for (const NamedDifference& named : differences)
        comparisons.push_back(documentOf(named));
    return {{"schema", "apertune.trace-comparisons/1"},
            {"baseline", differences.front().a.name},
            {"comparisons", std::move(comparisons)}};
}

std::string traceDifferenceCsv(Differences differences)
{
    std::string text = "baseline,candidate,kind,class,cause,operator,places,a,b,a_ms,b_ms,change_ms,change_ms_lo,"
                       "change_ms_hi,query_a,query_b\n";
    for (const NamedDifference& named : differences)
        for (const DifferencePart& part : named.difference.parts) {
            const TraceDifference& d = named.difference;
            const bool idle = part.kind == DifferenceKind::idle;
            const bool known = part.change.confidence > 0;
            base::CsvLine line;
            line.text(named.a.name).text(named.b.name);
            line.text(toString(part.kind)).text(idle ? std::string_view() : toString(part.opClass));
            line.text(part.cause ? toString(*part.cause) : part.gap ? toString(*part.gap) : std::string_view());
            line.text(part.origin).count(part.places);
            line.text(worksText(part.a)).text(worksText(part.b));
            line.number(part.timeA.value * base::kMsPerNs).number(part.timeB.value * base::kMsPerNs);
            line.number(part.change.value * base::kMsPerNs);
            line.number(known ? std::optional(part.change.lo * base::kMsPerNs) : std::nullopt);
            line.number(known ? std::optional(part.change.hi * base::kMsPerNs) : std::nullopt);
            line.text(partQuery(named.a, part, part.a, d.a)).text(partQuery(named.b, part, part.b, d.b));
            text += line.take();
        }
    return text;
}

} // namespace apertune::comparison

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/documents.h"

#include "core/advice/reasons.h"
#include "core/advice/rule_info.h"
#include "core/base/text.h"
#include "core/sentences/sentences.h"

#include <nlohmann/json.hpp>

namespace apertune::advice {

using base::Json;
using sentences::sentence;

namespace {

Json knobJson(const Knob& knob)
{
    return {{"switch", knob.switchName.empty() ? Json(nullptr) : Json(knob.switchName)},
            {"value", knob.switchName.empty() ? Json(nullptr) : Json(knob.value)},
            {"threads", knob.threads > 0 ? Json(knob.threads) : Json(nullptr)},
            {"text", sentence(knob.text)}};
}

Json evidenceJson(const Evidence& evidence)
{
    Json range = nullptr;
    if (evidence.range.length() > 0)
        range = {{"start_ms", static_cast<double>(evidence.range.start) * 1e-6},
                 {"end_ms", static_cast<double>(evidence.range.end) * 1e-6}};
    return {{"query", evidence.query.empty() ? Json(nullptr) : Json(evidence.query)},
            {"range", range},
            {"events", evidence.events}};
}

Json trackJson(const Finding& finding)
{
    if (!finding.correction)
        return nullptr;
    const Correction& c = *finding.correction;
    return {{"experiments", c.experiments},
            {"bias", c.bias},
            {"factor", c.factor},
            {"expected", {{"lo", c.gain.lo}, {"hi", c.gain.hi}}},
            {"text", sentence(trackMessage(c))}};
}

} // namespace

Json verdictDocument(const Verdict& verdict)
{
    Json parts = Json::array();
    for (const CauseShare& part : verdict.parts)
        parts.push_back({{"cause", toString(part.cause)},
                         {"time_ms", static_cast<double>(part.time) * 1e-6},
                         {"share", part.share},
                         {"evidence", evidenceJson(part.evidence)}});
    Json knobs = Json::array();
    for (const Knob& knob : verdict.knobs)
        knobs.push_back(knobJson(knob));
    Json needs = Json::array();
    for (const base::Message& need : verdict.needs)
        needs.push_back(sentence(need));
    return {{"word", toString(verdict.kind)},
            {"sentence", sentence(verdict.sentence)},
            // A verdict that abstained has no confidence.
            {"confidence", verdict.kind == VerdictKind::abstained ? Json(nullptr) : Json(toString(verdict.confidence))},
            {"parts", parts},
            {"knobs", knobs},
            {"needs", needs}};
}

Json findingsDocument(const std::vector<Finding>& findings)
{
    Json list = Json::array();
    for (const Finding& f : findings)
        list.push_back({{"rule", f.rule},
                        {"part_of", f.isPart() ? Json(f.partOf) : Json(nullptr)},
                        {"title", sentence(f.title)},
                        {"severity", toString(severityOf(f))},
                        {"text", sentence(f.text)},
                        {"of", toString(f.shareOf)},
                        {"share", f.share},
                        {"gain", {{"lo", f.gain.lo}, {"hi", f.gain.hi}}},
                        {"track", trackJson(f)},
                        {"confidence", toString(f.confidence)},
                        {"evidence", evidenceJson(f.evidence)},
                        {"knob", knobJson(f.knob)},
                        {"verification", sentence(f.verification)}});
    return list;
}

Json rulesDocument(const std::vector<RuleResult>& results)
{
    Json list = Json::array();
    for (const RuleResult& r : results)
        list.push_back({{"rule", r.rule},
                        {"title", sentence(r.title)},
                        {"state", toString(r.state)},
                        {"reason", r.reason.empty() ? Json(nullptr) : Json(sentence(r.reason))}});
    return list;
}

namespace {

Json thresholdJson(const ThresholdInfo& info, double value)
{
    return {{"name", info.name},           {"value", value},        {"default", info.standard},
            {"unit", toString(info.unit)}, {"lowest", info.lowest}, {"highest", info.highest},
            {"fires", info.meaning}};
}

} // namespace

Json ruleListDocument(const Thresholds& thresholds)
{
    Json rules = Json::array();
    for (const RuleInfo& info : ruleCatalogue()) {
        Json own = Json::array();
        for (const ThresholdInfo& threshold : thresholdTable())
            if (threshold.rule == info.id)
                own.push_back(thresholdJson(threshold, thresholds.of(threshold.id)));
        rules.push_back({{"rule", info.id},
                         {"alias", info.alias},
                         {"of", toString(info.subject)},
                         {"title", sentence(base::Message{std::string(info.title->id)})},
                         {"needs", sentence(base::message(*info.needs))},
                         {"change", sentence(base::message(*info.change))},
                         {"thresholds", own}});
    }
    return {{"schema", "apertune.rules/1"}, {"rules", rules}};
}

Json changedThresholdsDocument(const Thresholds& thresholds)
{
    Json changed = Json::array();
    for (const ThresholdInfo* info : thresholds.changed())
        changed.push_back({{"rule", info->rule},
                           {"name", info->name},
                           {"value", thresholds.of(info->id)},
                           {"default", info->standard},
                           {"unit", toString(info->unit)}});
    return changed;
}

std::string changedThresholdsText(const Thresholds& thresholds)
{
    std::vector<std::string> changed;
    for (const ThresholdInfo* info : thresholds.changed())
        changed.push_back(std::string(info->rule) + " " + std::string(info->name) + " " +
                          valueText(thresholds.of(info->id)) + " (default " + valueText(info->standard) + ")");
    return changed.empty() ? std::string() : sentence(base::message<reasons::kChangedThresholds>(base::join(changed)));
}

Json trackDocument(const TrackRecord& record, const std::vector<model::Experiment>& experiments)
{
    const auto bounded = [](const model::Interval& i) -> Json {
        const bool known = i.confidence > 0;
        return {{"value", i.value}, {"lo", known ? Json(i.lo) : Json()}, {"hi", known ? Json(i.hi) : Json()}};
    };
    Json rules = Json::array();
    for (const RuleRecord& r : record.records())
        rules.push_back({{"rule", r.subject},
                         {"experiments", r.experiments},
                         {"inside", r.inside},
                         {"not_comparable", r.others},
                         {"bias", r.experiments > 0 ? bounded(r.bias) : Json()},
                         {"factor", r.factor},
                         {"spread", r.spread}});
    Json list = Json::array();
    for (const model::Experiment& e : experiments)
        list.push_back({{"rule", e.subject},
                        {"change", e.change},
                        {"machine", e.at.machine},
                        {"task_type", toString(e.at.taskType)},
                        {"engine", e.at.engine},
                        {"model", e.model},
                        {"others_load", e.othersLoad},
                        {"predicted", {{"lo", e.predictedLo}, {"hi", e.predictedHi}}},
                        {"saved", e.saved.confidence > 0 ? bounded(e.saved) : Json()},
                        {"outcome", toString(e.outcome)},
                        {"study", e.study},
                        {"created", e.createdUtc}});
    return {{"schema", "apertune.track/1"}, {"rules", rules}, {"experiments", list}};
}

} // namespace apertune::advice

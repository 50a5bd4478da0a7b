// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/claims_report.h"

#include "core/base/json_optional.h"
#include "core/base/text.h"
#include "core/model/interval_json.h"
#include "core/model/usable_interval.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::claims {

using base::Json;

namespace {

/// Claims state rates of models of the zoo, which take images.
constexpr std::string_view kRateUnit = base::toString(base::RateUnit::images);

std::string_view unitOf(ClaimQuantity quantity)
{
    switch (quantity) {
    case ClaimQuantity::latency:
        return "ms";
    case ClaimQuantity::rate:
        return kRateUnit;
    case ClaimQuantity::convolutions:
    case ClaimQuantity::preparation:
        return "share";
    case ClaimQuantity::parameters:
    case ClaimQuantity::patches:
        return "count";
    case ClaimQuantity::agreement:
        return "cosine";
    default:
        return "ratio";
    }
}

std::string claimNumberText(ClaimQuantity quantity, double value)
{
    switch (quantity) {
    case ClaimQuantity::latency:
        return base::formatSignificant(value, 3) + " ms";
    case ClaimQuantity::rate:
        return base::formatSignificant(value, 4) + " " + std::string(kRateUnit);
    case ClaimQuantity::convolutions:
    case ClaimQuantity::preparation:
        return base::formatPercent(value);
    case ClaimQuantity::parameters:
        return base::formatMagnitude(value);
    case ClaimQuantity::patches:
        return text::formatGrouped(value, 0);
    case ClaimQuantity::agreement:
        return base::formatSignificant(value, 6);
    default:
        return base::formatSignificant(value, 3) + "×";
    }
}

std::string intervalText(ClaimQuantity quantity, const model::Interval& measured)
{
    if (measured.confidence <= 0)
        return "no interval";
    // The value of a very wide interval would pretend to a precision that it has not.
    if (model::isTooWide(measured))
        return claimNumberText(quantity, measured.lo) + " to " + claimNumberText(quantity, measured.hi);
    if (unitOf(quantity) == "ratio")
        return text::formatRatio(measured);
    if (unitOf(quantity) == "share")
        return base::formatPercent(measured.value) + " [" + base::formatSignificant(measured.lo * 100, 3) + ", " +
               base::formatSignificant(measured.hi * 100, 3) + "]";
    return text::formatPlusMinus(measured) + " " + std::string(unitOf(quantity));
}

Json claimPairJson(const ClaimPair& pair)
{
    return {{"model", pair.model},
            {"study", pair.study ? Json(text::toText(pair.study)) : Json(nullptr)},
            {"from", pair.from ? Json(text::toText(pair.from)) : Json(nullptr)},
            {"to", pair.to ? Json(text::toText(pair.to)) : Json(nullptr)},
            {"measured", model::intervalJson("value", pair.value)}};
}

Json claimFigureJson(const FigureCheck& check)
{
    const ClaimFigure& figure = *check.figure;
    const bool isBarred = figure.barrier != ClaimBarrier::none;
    Json pairs = Json::array();
    for (const ClaimPair& pair : check.pairs)
        pairs.push_back(claimPairJson(pair));
    Json measured = model::intervalJson("value", check.measured);
    // A figure without a verdict has an interval and no value.
    if (check.state == ClaimState::cannotTell)
        measured["value"] = nullptr;
    return {{"quantity", isBarred ? Json(nullptr) : Json(toString(figure.quantity))},
            {"unit", isBarred ? Json(nullptr) : Json(unitOf(figure.quantity))},
            {"claimed", {{"lo", base::orNull(figure.low)}, {"hi", base::orNull(figure.high)}}},
            {"state", toString(check.state)},
            {"measured", isMeasured(check.state) ? std::move(measured) : Json(nullptr)},
            {"exact", check.counted},
            {"device", check.device.empty() ? Json(nullptr) : Json(check.device)},
            {"reason", check.reason.empty() ? Json(nullptr) : Json(sentences::sentence(check.reason))},
            {"evidence", std::move(pairs)}};
}

/// The ids of the claims of which no figure can be measured here, by the reason.
std::vector<std::pair<std::string, std::vector<std::string>>> barredByReason(const std::vector<ClaimCheck>& checks)
{
    std::vector<std::pair<std::string, std::vector<std::string>>> groups;
    for (const ClaimCheck& check : checks) {
        if (check.state != ClaimState::cannotMeasure)
            continue;
        const std::string reason = sentences::sentence(check.figures.front().reason);
        auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == reason; });
        if (group == groups.end())
            group = groups.insert(groups.end(), {reason, {}});
        group->second.push_back(check.claim->id);
    }
    return groups;
}

} // namespace

std::map<ClaimState, std::size_t> countStates(const std::vector<ClaimCheck>& checks)
{
    std::map<ClaimState, std::size_t> counts;
    for (const ClaimState state : kAllClaimStates)
        counts[state] = 0;
    for (const ClaimCheck& check : checks)
        ++counts[check.state];
    return counts;
}

std::string claimCounts(const std::vector<ClaimCheck>& checks)
{
    const auto counts = countStates(checks);
    const auto count = [&counts](ClaimState state) { return std::to_string(counts.at(state)); };
    // The states add up to the claims, so the sum in front of the brackets is that of the states within.
    std::size_t measured = counts.at(ClaimState::partlyMeasured);
    for (const ClaimState state : {ClaimState::agrees, ClaimState::disagrees, ClaimState::cannotTell})
        measured += counts.at(state);
    return base::counted(static_cast<std::int64_t>(checks.size()), "claim") + ": " + std::to_string(measured) +
           " measured here (" + count(ClaimState::agrees) + " agree, " + count(ClaimState::disagrees) + " disagree, " +
           count(ClaimState::cannotTell) + " cannot tell, " + count(ClaimState::partlyMeasured) +
           " agree as far as they are measured), " + count(ClaimState::notMeasured) + " not measured yet, " +
           count(ClaimState::cannotMeasure) + " cannot be measured here.";
}

std::string claimStateText(ClaimState state)
{
    return base::replaced(std::string(toString(state)), "_", " ");
}

std::string claimQuantityText(ClaimQuantity quantity)
{
    switch (quantity) {
    case ClaimQuantity::speed:
        return "speed-up";
    case ClaimQuantity::tensors:
        return "tensor memory";
    case ClaimQuantity::agreement:
        return "lowest cosine";
    case ClaimQuantity::latency:
        return "latency";
    case ClaimQuantity::rate:
        return "rate";
    case ClaimQuantity::parameters:
        return "parameters";
    case ClaimQuantity::patches:
        return "patches";
    case ClaimQuantity::convolutions:
        return "share of convolutions";
    case ClaimQuantity::preparation:
        return "share of preprocessing";
    case ClaimQuantity::pinned:
        break;
    }
    return "pinned over pageable";
}

std::string claimEndText(ClaimQuantity quantity, double value)
{
    // A guide writes "2 to 4", not "2.00× to 4.00×": the ends of a claim are exact.
    std::string number = claimNumberText(quantity, value);
    const std::size_t end = std::min(number.find_first_not_of("0123456789."), number.size());
    const std::string unit = number.substr(end);
    number.resize(end);
    if (number.find('.') != std::string::npos) {
        number.resize(number.find_last_not_of('0') + 1);
        if (number.ends_with('.'))
            number.pop_back();
    }
    return number + unit;
}

std::string claimedText(const ClaimFigure& figure)
{
    const auto text = [&figure](double value) { return claimEndText(figure.quantity, value); };
    if (figure.low && figure.high)
        return *figure.low == *figure.high ? text(*figure.low) : text(*figure.low) + " to " + text(*figure.high);
    return figure.low ? "at least " + text(*figure.low) : figure.high ? "at most " + text(*figure.high) : std::string();
}

std::string claimMeasuredText(const FigureCheck& check)
{
    if (!isMeasured(check.state))
        return "–";
    return check.counted ? claimNumberText(check.figure->quantity, check.measured.value)
                         : intervalText(check.figure->quantity, check.measured);
}

std::string claimPairText(const FigureCheck& check, const ClaimPair& pair)
{
    const bool isExact = check.counted || check.figure->quantity == ClaimQuantity::tensors;
    return isExact ? claimNumberText(check.figure->quantity, pair.value.value)
                   : intervalText(check.figure->quantity, pair.value);
}

std::string claimChangeText(const FigureCheck& check)
{
    const ClaimFigure& figure = *check.figure;
    if (!figure.fromModel.empty())
        return figure.fromModel + " → " + figure.toModel;
    const ClaimChange* const change = claimChangeOf(check);
    return change ? change->setting.name() + " " + change->from + " → " + change->to : std::string();
}

const ClaimChange* claimChangeOf(const FigureCheck& check)
{
    for (const ClaimChange& change : check.figure->changes)
        if (!change.on || model::typeOfDevice(check.device).kind == *change.on)
            return &change;
    return nullptr;
}

Json claimsDocument(const std::vector<ClaimCheck>& checks)
{
    Json list = Json::array();
    for (const ClaimCheck& check : checks) {
        Json figures = Json::array();
        for (const FigureCheck& figure : check.figures)
            figures.push_back(claimFigureJson(figure));
        list.push_back({{"id", check.claim->id},
                        {"topic", check.claim->topic},
                        {"guide", check.claim->guide},
                        {"section", check.claim->section},
                        {"says", check.claim->says},
                        {"state", toString(check.state)},
                        {"figures", std::move(figures)}});
    }
    Json counts = Json::object();
    for (const auto& [state, count] : countStates(checks))
        counts[std::string(toString(state))] = count;
    return {{"schema", "apertune.claims/1"}, {"counts", std::move(counts)}, {"claims", std::move(list)}};
}

std::string claimsText(const std::vector<ClaimCheck>& checks, int width)
{
    text::TextTable table({{"Claim", text::Align::left, true},
                           {"Figure"},
                           {"The guide says", text::Align::left, true},
                           {"Measured here"},
                           {"Verdict"}});
    for (const ClaimCheck& check : checks) {
        bool isFirst = true;
        for (const FigureCheck& figure : check.figures) {
            if (check.state == ClaimState::cannotMeasure || figure.figure->barrier != ClaimBarrier::none)
                continue;
            table.addRow({isFirst ? check.claim->id : std::string(), claimQuantityText(figure.figure->quantity),
                          claimedText(*figure.figure), claimMeasuredText(figure), claimStateText(figure.state)});
            isFirst = false;
        }
    }
    std::string text = table.empty() ? std::string() : table.render(width) + "\n";
    const auto groups = barredByReason(checks);
    if (!groups.empty())
        text += "Cannot be measured here, because\n";
    for (const auto& [reason, ids] : groups)
        text += "  " + text::wrap(reason + " (" + base::join(ids) + ")", width > 2 ? width - 2 : width, 4) + "\n";
    return text + (groups.empty() ? "" : "\n") + text::wrap(claimCounts(checks), width, 0) + "\n";
}

std::string claimSheet(const ClaimCheck& check, int width)
{
    const Claim& claim = *check.claim;
    std::string text = text::wrap(claim.says, width, 0) + "\n" +
                       text::wrap(claim.guide + " · " + claim.section + " · topic " + claim.topic, width, 2) + "\n";
    for (const FigureCheck& figure : check.figures) {
        text += "\n";
        if (figure.figure->barrier == ClaimBarrier::none) {
            const std::string change = claimChangeText(figure);
            text += text::wrap(claimQuantityText(figure.figure->quantity) + (change.empty() ? "" : ", " + change) +
                                   ": the guide says " + claimedText(*figure.figure) + ", measured here " +
                                   claimMeasuredText(figure) + ": " + claimStateText(figure.state) + ".",
                               width, 0) +
                    "\n";
        }
        if (!figure.reason.empty())
            text += text::wrap(sentences::sentence(figure.reason), width, 0) + "\n";
        if (figure.state == ClaimState::notMeasured)
            text += "`apertune claims --measure --claim " + claim.id + "` measures it.\n";
        if (figure.pairs.empty())
            continue;
        text::TextTable table({{"Model", text::Align::left, true},
                               {"From", text::Align::left, true},
                               {"To", text::Align::left, true},
                               {"Measured", text::Align::right},
                               {"Trials"}});
        for (const ClaimPair& pair : figure.pairs)
            table.addRow({pair.model, pair.fromName, pair.toName, claimPairText(figure, pair),
                          (pair.from ? text::toText(pair.from) + " " : std::string()) +
                              (pair.to ? text::toText(pair.to) : std::string())});
        text += table.render(width);
    }
    return text;
}

Json claimValues(const model::StudySnapshot& snapshot,
                 const std::vector<std::pair<model::TrialId, workload::PipelineRun>>& pipelines)
{
    ClaimEvidence evidence;
    evidence.studies = {std::shared_ptr<const model::StudySnapshot>(&snapshot, [](const auto*) {})};
    evidence.pipelines = pipelines;
    evidence.models = {snapshot.study.model};
    evidence.devices = snapshot.study.environment.devices;
    const std::vector<ClaimCheck> checks = checkClaims(evidence);
    Json list = Json::array();
    for (const ClaimCheck& check : checks)
        for (const FigureCheck& figure : check.figures)
            if (isMeasured(figure.state))
                list.push_back({{"says", check.claim->says},
                                {"guide", check.claim->guide},
                                {"figure", claimQuantityText(figure.figure->quantity)},
                                {"claimed", claimedText(*figure.figure)},
                                {"measured", claimMeasuredText(figure)},
                                {"verdict", claimStateText(figure.state)}});
    return list.empty() ? Json() : Json{{"list", std::move(list)}};
}

} // namespace apertune::claims

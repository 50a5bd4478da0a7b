// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/envelopes.h"

#include "core/base/json_members.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/model/experiment.h"
#include "core/model/json_codec.h"
#include "core/text/format.h"

#include <envelope_data.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace apertune::comparison {

using base::Json;

namespace {

constexpr const char* kEnvelopeSchema = "apertune.envelopes/1";

std::string modelKey(const model::ModelRef& model)
{
    // A name is a choice of the user and may differ between machines; the source does not.
    return model.source.empty() ? model.name : model.source;
}

bool isOfOneKind(const Envelope& a, const Envelope& b)
{
    return a.machine == b.machine && a.model == b.model && a.device == b.device && a.config == b.config;
}

/// Reads a row; nullopt for a row that a person damaged.
std::optional<Envelope> envelopeFromJson(const Json& row)
{
    if (!row.is_object() || !row.contains("config"))
        return std::nullopt;
    const auto text = [&row](const char* key) { return base::textMember(row, key); };
    const auto number = [&row](const char* key) {
        return row.contains(key) && row[key].is_number() ? row[key].get<double>() : 0;
    };
    auto config = model::configFromJson(row["config"]);
    Envelope envelope{text("machine"),
                      text("model"),
                      text("device"),
                      {},
                      number("lo_ms") / base::kMsPerNs,
                      number("hi_ms") / base::kMsPerNs,
                      static_cast<std::size_t>(std::clamp(number("trials"), 0.0, 1e6)),
                      text("engine"),
                      text("apertune"),
                      text("first"),
                      text("last")};
    constexpr double kLongestNs = 1e18; // 31 years, which fits base::Nanoseconds
    if (!config || envelope.machine.empty() || !(envelope.loNs > 0) || !(envelope.hiNs >= envelope.loNs) ||
        envelope.hiNs > kLongestNs)
        return std::nullopt;
    envelope.config = std::move(*config);
    return envelope;
}

} // namespace

const std::vector<Envelope>& shippedEnvelopes()
{
    static const std::vector<Envelope> kShipped =
        envelopesFromText(templates::kEnvelopes).value_or(std::vector<Envelope>());
    return kShipped;
}

std::optional<std::vector<Envelope>> envelopesFromText(std::string_view text)
{
    const Json document = Json::parse(text, nullptr, false);
    if (!document.is_object() || document.value("schema", Json()) != kEnvelopeSchema ||
        !document.contains("envelopes") || !document["envelopes"].is_array())
        return std::nullopt;
    std::vector<Envelope> envelopes;
    for (const Json& row : document["envelopes"]) {
        auto envelope = envelopeFromJson(row);
        // Without the damaged row, its configuration would silently have no verdict.
        if (!envelope)
            return std::nullopt;
        envelopes.push_back(std::move(*envelope));
    }
    return envelopes;
}

std::string envelopesText(std::span<const Envelope> envelopes)
{
    Json rows = Json::array();
    for (const Envelope& envelope : envelopes)
        rows.push_back(envelopeJson(envelope));
    return Json{{"schema", kEnvelopeSchema}, {"envelopes", rows}}.dump(1) + "\n";
}

std::optional<Envelope> envelopeOf(const Trend& trend, const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    Envelope envelope;
    const TrendPoint* newest = nullptr;
    for (const TrendPoint& point : trend.points) {
        // A disturbed trial would widen what counts as normal.
        if (point.busy || !(point.latencyNs.confidence > 0))
            continue;
        envelope.loNs = newest ? std::min(envelope.loNs, point.latencyNs.lo) : point.latencyNs.lo;
        envelope.hiNs = std::max(envelope.hiNs, point.latencyNs.hi);
        if (!newest)
            envelope.firstUtc = point.when;
        newest = &point;
        ++envelope.trials;
    }
    if (envelope.trials < kEnvelopeTrials)
        return std::nullopt;
    envelope.machine = trend.machine;
    envelope.model = modelKey(snapshot.study.model);
    envelope.device = trial.device;
    envelope.config = trial.config;
    envelope.lastUtc = newest->when;
    for (const auto& [name, version] : newest->versions)
        if (name == trial.config.backend)
            envelope.engine = version;
        else if (name == "apertune")
            envelope.apertune = version;
    return envelope;
}

void putEnvelope(std::vector<Envelope>& envelopes, Envelope envelope)
{
    std::erase_if(envelopes, [&envelope](const Envelope& other) { return isOfOneKind(other, envelope); });
    envelopes.push_back(std::move(envelope));
}

const Envelope* envelopeFor(std::span<const Envelope> envelopes, const model::StudySnapshot& snapshot,
                            const model::Trial& trial)
{
    const model::Device* device = snapshot.deviceOf(trial);
    if (!device)
        return nullptr;
    const std::string machine = model::machineClass(*device);
    const std::string own = modelKey(snapshot.study.model);
    const auto found = std::find_if(envelopes.begin(), envelopes.end(), [&](const Envelope& envelope) {
        return envelope.machine == machine && envelope.model == own && envelope.device == trial.device &&
               envelope.config == trial.config;
    });
    return found == envelopes.end() ? nullptr : &*found;
}

std::string_view toString(EnvelopeVerdict verdict)
{
    switch (verdict) {
    case EnvelopeVerdict::slower:
        return "slower";
    case EnvelopeVerdict::faster:
        return "faster";
    case EnvelopeVerdict::inside:
        return "inside";
    case EnvelopeVerdict::cannotTell:
        break;
    }
    return "cannot_tell";
}

EnvelopeVerdict envelopeVerdict(const Envelope& envelope, const model::Interval& latencyNs)
{
    using enum EnvelopeVerdict;
    if (!(latencyNs.confidence > 0))
        return cannotTell;
    // Only an interval that lies wholly on one side of an end says something about it.
    if (latencyNs.lo > envelope.hiNs)
        return slower;
    if (latencyNs.hi < envelope.loNs)
        return faster;
    return latencyNs.lo >= envelope.loNs && latencyNs.hi <= envelope.hiNs ? inside : cannotTell;
}

Json envelopeJson(const Envelope& envelope)
{
    return {{"machine", envelope.machine},
            {"model", envelope.model},
            {"device", envelope.device},
            {"config", model::toJson(envelope.config)},
            {"lo_ms", envelope.loNs * base::kMsPerNs},
            {"hi_ms", envelope.hiNs * base::kMsPerNs},
            {"trials", envelope.trials},
            {"engine", envelope.engine},
            {"apertune", envelope.apertune},
            {"first", envelope.firstUtc},
            {"last", envelope.lastUtc}};
}

std::string envelopeSentence(const Envelope& envelope, const model::Interval& latencyNs)
{
    const int decimals =
        text::decimalsFor(envelope.loNs * base::kMsPerNs, (envelope.hiNs - envelope.loNs) / 2 * base::kMsPerNs);
    const EnvelopeVerdict verdict = envelopeVerdict(envelope, latencyNs);
    return "Normal for this class (" + envelope.machine +
           "): " + text::formatGrouped(envelope.loNs * base::kMsPerNs, decimals) + "–" +
           text::formatGrouped(envelope.hiNs * base::kMsPerNs, decimals) +
           " ms; this trial: " + text::formatPlusMinus(latencyNs, base::kMsPerNs) + " ms, " +
           (verdict == EnvelopeVerdict::cannotTell ? "cannot tell" : std::string(toString(verdict))) + ". From " +
           base::counted(static_cast<std::int64_t>(envelope.trials), "trial") + " of Apertune " + envelope.apertune +
           " with " + envelope.config.backend + " " + envelope.engine + ", " + envelope.firstUtc.substr(0, 10) +
           " to " + envelope.lastUtc.substr(0, 10) + ".";
}

} // namespace apertune::comparison

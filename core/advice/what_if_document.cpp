// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/what_if_document.h"

#include "core/advice/documents.h"
#include "core/base/json_optional.h"
#include "core/base/units.h"
#include "core/model/interval_json.h"
#include "core/sentences/sentences.h"

#include <nlohmann/json.hpp>

namespace apertune::advice {

using base::Json;

namespace {

Json effectJson(const ChangeEffect& effect, const WhatIfReport& report)
{
    Json track = nullptr;
    if (effect.correction)
        track = {{"experiments", effect.correction->experiments},
                 {"bias", effect.correction->bias},
                 {"factor", effect.correction->factor},
                 {"expected", {{"lo", effect.correction->gain.lo}, {"hi", effect.correction->gain.hi}}}};
    const bool can = !effect.knob.switchName.empty() || effect.knob.threads > 0;
    Json saved{{"value", effect.saved}, {"lo", nullptr}, {"hi", nullptr}};
    if (effect.bandKnown)
        saved.update({{"lo", effect.band.lo}, {"hi", effect.band.hi}});
    return {{"saved", saved},          {"after_ms", model::intervalJson("value", report.after(effect), base::kMsPerNs)},
            {"events", effect.events}, {"on_critical_path", base::orNull(effect.onCriticalPath)},
            {"track", track},          {"verifiable", can}};
}

} // namespace

Json whatIfDocument(const std::vector<Change>& changes, const WhatIfReport& report)
{
    Json effects = Json::array();
    for (std::size_t i = 0; i < changes.size(); ++i) {
        effects.push_back(effectJson(report.effects[i], report));
        effects.back()["change"] = changes[i].text;
    }
    return {{"schema", "apertune.what-if/1"},
            {"before_ms", model::intervalJson("value", report.before, base::kMsPerNs)},
            {"bare", report.bare},
            {"iterations", report.iterations},
            {"replay_error", report.replayError},
            {"changes", effects},
            {"together", effectJson(report.together, report)},
            {"verdict", verdictDocument(report.verdict)},
            {"verdict_after", verdictDocument(report.verdictAfter)}};
}

} // namespace apertune::advice

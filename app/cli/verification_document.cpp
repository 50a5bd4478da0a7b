// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verification_document.h"

#include "app/cli/terminal.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using advice::Finding;
using base::Json;
using model::VerificationOutcome;
using runs::Verification;

Json verificationDocument(const Finding& finding, const Verification& verification)
{
    const auto trial = [](model::TrialId id) { return id ? Json(text::toText(id)) : Json(nullptr); };
    const bool measured = verification.effect.samples > 0;
    return {{"rule", finding.rule},
            {"switch", finding.knob.switchName.empty() ? Json(nullptr) : Json(finding.knob.switchName)},
            {"value", finding.knob.switchName.empty() ? Json(nullptr) : Json(finding.knob.value)},
            {"threads", finding.knob.threads > 0 ? Json(finding.knob.threads) : Json(nullptr)},
            {"proof", toString(verification.outcome)},
            {"sentence", sentences::sentence(verification.message)},
            {"predicted", {{"lo", verification.predicted.lo}, {"hi", verification.predicted.hi}}},
            {"saved", measured ? Json{{"value", verification.saved.value},
                                      {"lo", verification.saved.lo},
                                      {"hi", verification.saved.hi},
                                      {"confidence", verification.saved.confidence}}
                               : Json(nullptr)},
            {"study", text::toText(verification.study)},
            {"before", trial(verification.before)},
            {"after", trial(verification.after)}};
}

int codeOf(VerificationOutcome word)
{
    switch (word) {
    case VerificationOutcome::proved:
        return kDone;
    case VerificationOutcome::refuted:
    case VerificationOutcome::notInEffect:
        return kGateFailed;
    case VerificationOutcome::notRun:
        return kNoResult;
    case VerificationOutcome::cannotTell:
        break;
    }
    return kCannotTell;
}

} // namespace apertune::cli

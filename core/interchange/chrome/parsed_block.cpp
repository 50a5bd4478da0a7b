// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/parsed_block.h"

#include "core/interchange/chrome/reasons.h"
#include "core/trace/reasons.h"

namespace apertune::interchange::chrome {

trace::Loss lossOf(LossReason reason)
{
    switch (reason) {
    case LossReason::malformed:
        return {.reason = base::message<reasons::kMalformed>()};
    case LossReason::badTime:
        return {.reason = base::message<reasons::kBadTime>()};
    case LossReason::negativeDuration:
        return {.reason = base::message<reasons::kNegativeDuration>()};
    case LossReason::noDuration:
        return {.severity = trace::Severity::notice, .reason = base::message<reasons::kNoDuration>()};
    case LossReason::sharedId:
        return {.reason = base::message<trace::reasons::kSharedIds>()};
    case LossReason::largeSize:
        return {.reason = base::message<trace::reasons::kLargeSizes>()};
    case LossReason::roundedSample:
        return {.kind = trace::EventKind::counter,
                .severity = trace::Severity::notice,
                .reason = base::message<reasons::kRoundedSamples>()};
    case LossReason::badSample:
        return {.kind = trace::EventKind::counter, .reason = base::message<trace::reasons::kNoNumbers>()};
    case LossReason::replacedText:
        return {.severity = trace::Severity::notice, .reason = base::message<reasons::kReplacedText>()};
    case LossReason::phase:
        return {.severity = trace::Severity::notice, .reason = base::message<reasons::kOtherTools>()};
    case LossReason::foreignFlow:
        return {.severity = trace::Severity::notice, .reason = base::message<reasons::kForeignFlow>()};
    case LossReason::longText:
        return {.severity = trace::Severity::notice, .reason = base::message<reasons::kLongText>()};
    case LossReason::endWithoutBegin:
        return {.kind = trace::EventKind::range, .reason = base::message<reasons::kEndWithoutBegin>()};
    case LossReason::neverEnded:
        return {.kind = trace::EventKind::range, .reason = base::message<reasons::kNeverEnded>()};
    case LossReason::openList:
        return {.reason = base::message<reasons::kOpenList>()};
    case LossReason::longTail:
        break;
    }
    return {.severity = trace::Severity::notice, .reason = base::message<reasons::kLongTail>()};
}

void ParsedBlock::clear()
{
    end = End::complete;
    offset = 0;
    events.clear();
    labels.clear();
    facts.clear();
    losses = {};
    sameIds = differentIds = 0;
    kinetoWords = false;
    texts.clear();
    tracks.clear();
    kernels.clear();
    copies.clear();
    synchronizations.clear();
    operators.clear();
    memory.clear();
    notes.clear();
}

} // namespace apertune::interchange::chrome

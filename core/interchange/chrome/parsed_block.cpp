// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/parsed_block.h"

#include "core/interchange/chrome/reasons.h"
#include "core/trace/reasons.h"

#include <algorithm>

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
        return {.severity = trace::LossSeverity::notice, .reason = base::message<reasons::kNoDuration>()};
    case LossReason::sharedId:
        return {.reason = base::message<trace::reasons::kSharedIds>()};
    case LossReason::largeSize:
        return {.reason = base::message<trace::reasons::kLargeSizes>()};
    case LossReason::roundedSample:
        return {.kind = trace::EventKind::counter,
                .severity = trace::LossSeverity::notice,
                .reason = base::message<reasons::kRoundedSamples>()};
    case LossReason::badSample:
        return {.kind = trace::EventKind::counter, .reason = base::message<trace::reasons::kNoNumbers>()};
    case LossReason::replacedText:
        return {.severity = trace::LossSeverity::notice, .reason = base::message<reasons::kReplacedText>()};
    case LossReason::phase:
        return {.severity = trace::LossSeverity::notice, .reason = base::message<reasons::kOtherTools>()};
    case LossReason::foreignFlow:
        return {.severity = trace::LossSeverity::notice, .reason = base::message<reasons::kForeignFlow>()};
    case LossReason::longText:
        return {.severity = trace::LossSeverity::notice, .reason = base::message<reasons::kLongText>()};
    case LossReason::endWithoutBegin:
        return {.kind = trace::EventKind::range, .reason = base::message<reasons::kEndWithoutBegin>()};
    case LossReason::neverEnded:
        return {.kind = trace::EventKind::range, .reason = base::message<reasons::kNeverEnded>()};
    case LossReason::openList:
        return {.reason = base::message<reasons::kOpenList>()};
    case LossReason::longTail:
        break;
    }
    return {.severity = trace::LossSeverity::notice, .reason = base::message<reasons::kLongTail>()};
}

void NameCounts::count(std::string_view name, std::int64_t times)
{
    auto at = std::find_if(m_counts.begin(), m_counts.end(), [name](const auto& known) { return known.first == name; });
    // A recorder that numbers its arguments would otherwise fill the memory. Further names count together.
    if (at == m_counts.end() && m_counts.size() >= kMostNames && !name.empty())
        return count("", times);
    if (at == m_counts.end())
        at = m_counts.insert(at, {std::string(name), 0});
    at->second += times;
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
    kinetoNames = false;
    dropped.clear();
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

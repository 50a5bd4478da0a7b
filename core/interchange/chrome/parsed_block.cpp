// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/parsed_block.h"

namespace apertune::interchange::chrome {

trace::Loss lossOf(LossReason reason)
{
    switch (reason) {
    case LossReason::malformed:
        return {.reason = "Entries of the list of events that are no events were left out."};
    case LossReason::badTime:
        return {.reason = "Events without a usable time were left out."};
    case LossReason::negativeDuration:
        return {.reason = "Events with a negative duration were left out."};
    case LossReason::noDuration:
        return {.severity = trace::Severity::notice, .reason = "Events without a duration are kept as instants."};
    case LossReason::sharedId:
        return {.reason = "Ids of more than 32 bits got numbers that other events have as well: some of these may be "
                          "joined wrongly."};
    case LossReason::largeSize:
        return {.reason = "Sizes of more than 64 TiB were taken for damaged and left out."};
    case LossReason::roundedSample:
        return {.kind = trace::EventKind::counter,
                .severity = trace::Severity::notice,
                .reason = "Samples with more digits than can be kept were rounded."};
    case LossReason::badSample:
        return {.kind = trace::EventKind::counter, .reason = "Samples that are no numbers were left out."};
    case LossReason::replacedText:
        return {.severity = trace::Severity::notice, .reason = "Bytes that are no text were replaced in names."};
    case LossReason::phase:
        return {.severity = trace::Severity::notice,
                .reason = "Stack samples, objects and memory dumps of other tools were left out."};
    case LossReason::foreignFlow:
        return {.severity = trace::Severity::notice, .reason = "Arrows that another tool drew were left out."};
    case LossReason::longText:
        return {.severity = trace::Severity::notice, .reason = "Texts of more than 64 KiB were cut."};
    case LossReason::endWithoutBegin:
        return {.kind = trace::EventKind::range, .reason = "Ends of ranges that never began were left out."};
    case LossReason::neverEnded:
        return {.kind = trace::EventKind::range,
                .reason = "Ranges that never ended are drawn to the end of the recording."};
    case LossReason::openList:
        return {.reason = "The list of events is not closed: the recording may have been cut off."};
    case LossReason::longTail:
        break;
    }
    return {.severity = trace::Severity::notice, .reason = "What follows the events was too large and was not read."};
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/reason.h"

#include <algorithm>
#include <array>
#include <utility>

namespace apertune::model {

namespace {

constexpr std::array<std::pair<ReasonKind, std::string_view>, 24> kReasonWords{{
    {ReasonKind::none, ""},
    {ReasonKind::outOfMemory, "oom"},
    {ReasonKind::crash, "crash"},
    {ReasonKind::hang, "hang"},
    {ReasonKind::timeout, "timeout"},
    {ReasonKind::compileFailed, "compile_failed"},
    {ReasonKind::modelThrew, "model_threw"},
    {ReasonKind::badInput, "bad_input"},
    {ReasonKind::unsupported, "unsupported"},
    {ReasonKind::deviceLost, "device_lost"},
    {ReasonKind::notANumber, "nan"},
    {ReasonKind::damaged, "damaged"},
    {ReasonKind::internal, "internal"},
    {ReasonKind::cancelled, "cancelled"},
    {ReasonKind::impossible, "impossible"},
    {ReasonKind::budget, "budget"},
    {ReasonKind::batchEdge, "batch_edge"},
    {ReasonKind::tooSlow, "too_slow"},
    {ReasonKind::dominated, "dominated"},
    {ReasonKind::bisect, "bisect"},
    {ReasonKind::latency, "latency"},
    {ReasonKind::bound, "bound"},
    {ReasonKind::compileCost, "compile_cost"},
    {ReasonKind::quality, "quality"},
}};

} // namespace

std::string_view toString(ReasonKind kind)
{
    const auto entry = std::find_if(kReasonWords.begin(), kReasonWords.end(),
                                    [&](const auto& candidate) { return candidate.first == kind; });
    return entry == kReasonWords.end() ? "internal" : entry->second;
}

std::optional<ReasonKind> reasonKindFromString(std::string_view text)
{
    const auto entry = std::find_if(kReasonWords.begin(), kReasonWords.end(),
                                    [&](const auto& candidate) { return candidate.second == text; });
    return entry == kReasonWords.end() ? std::nullopt : std::optional(entry->first);
}

ReasonKind knownReasonKind(std::string_view text)
{
    return reasonKindFromString(text).value_or(ReasonKind::internal);
}

} // namespace apertune::model

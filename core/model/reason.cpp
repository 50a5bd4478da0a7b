// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/reason.h"

#include "core/base/enum_words.h"

namespace apertune::model {

namespace {

constexpr base::EnumWords<ReasonKind, 24> kReasonWords{{
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
    return base::wordOf(kReasonWords, kind, "internal");
}

std::optional<ReasonKind> reasonKindFromString(std::string_view text)
{
    return base::valueOf(kReasonWords, text);
}

ReasonKind knownReasonKind(std::string_view text)
{
    return reasonKindFromString(text).value_or(ReasonKind::internal);
}

} // namespace apertune::model

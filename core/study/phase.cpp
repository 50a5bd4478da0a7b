// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/phase.h"

#include "core/base/enum_words.h"

namespace apertune::study {

namespace {

constexpr base::EnumWords<Phase, 15> kPhaseWords{{
    {Phase::compile, "compile"},
    {Phase::load, "load"},
    {Phase::warmUp, "warm-up"},
    {Phase::measure, "measure"},
    {Phase::quality, "quality"},
    {Phase::bare, "bare"},
    {Phase::trace, "trace"},
    {Phase::write, "write"},
    {Phase::store, "store"},
    {Phase::ceilings, "ceilings"},
    {Phase::pair, "pair"},
    {Phase::evaluate, "evaluate"},
    {Phase::images, "images"},
    {Phase::stages, "stages"},
    {Phase::serve, "serve"},
}};

} // namespace

std::string_view toString(Phase phase)
{
    return base::wordOf(kPhaseWords, phase);
}

std::optional<Phase> phaseFromString(std::string_view word)
{
    if (word == "first" || word == "finalize")
        return Phase::warmUp;
    return base::valueOf(kPhaseWords, word);
}

} // namespace apertune::study

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/phase.h"

#include <algorithm>
#include <utility>

namespace apertune::study {

namespace {

constexpr std::array<std::pair<Phase, std::string_view>, 15> kPhaseWords{{
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
    {Phase::judge, "judge"},
    {Phase::images, "images"},
    {Phase::stages, "stages"},
    {Phase::serve, "serve"},
}};

} // namespace

std::string_view toString(Phase phase)
{
    return std::find_if(kPhaseWords.begin(), kPhaseWords.end(),
                        [phase](const auto& word) { return word.first == phase; })
        ->second;
}

std::optional<Phase> phaseFromString(std::string_view word)
{
    if (word == "first" || word == "finalize")
        return Phase::warmUp;
    const auto known = std::find_if(kPhaseWords.begin(), kPhaseWords.end(),
                                    [word](const auto& entry) { return entry.second == word; });
    return known == kPhaseWords.end() ? std::nullopt : std::optional(known->first);
}

} // namespace apertune::study

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/recorder.h"

#include <algorithm>
#include <array>
#include <utility>

namespace apertune::trace {

namespace {

constexpr std::array<std::pair<Recorder, std::string_view>, 8> kRecorderWords{{
    {Recorder::apertune, "apertune"},
    {Recorder::kineto, "kineto"},
    {Recorder::chrome, "chrome"},
    {Recorder::nsys, "nsys"},
    {Recorder::rocprofv3, "rocprofv3"},
    {Recorder::rocpd, "rocpd"},
    {Recorder::perfetto, "perfetto"},
    {Recorder::other, "other"},
}};

} // namespace

std::string_view toString(Recorder recorder)
{
    return std::find_if(kRecorderWords.begin(), kRecorderWords.end(),
                        [recorder](const auto& word) { return word.first == recorder; })
        ->second;
}

Recorder recorderOf(std::string_view source)
{
    const auto known = std::find_if(kRecorderWords.begin(), kRecorderWords.end(),
                                    [source](const auto& word) { return word.second == source; });
    return known == kRecorderWords.end() ? Recorder::other : known->first;
}

} // namespace apertune::trace

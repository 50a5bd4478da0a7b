// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/recorder.h"

#include "core/base/enum_words.h"

namespace apertune::trace {

namespace {

constexpr base::EnumWords<Recorder, 8> kRecorderWords{{
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
    return base::wordOf(kRecorderWords, recorder);
}

Recorder recorderOf(std::string_view source)
{
    return base::valueOf(kRecorderWords, source).value_or(Recorder::other);
}

} // namespace apertune::trace

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/precision.h"

namespace apertune::model {

std::string_view toString(Precision precision)
{
    switch (precision) {
    case Precision::fp32:
        return "fp32";
    case Precision::tf32:
        return "tf32";
    case Precision::bf16:
        return "bf16";
    case Precision::fp16:
        return "fp16";
    case Precision::int8:
        return "int8";
    case Precision::fp8:
        return "fp8";
    }
    return "fp32";
}

std::string_view toString(OptLevel level)
{
    switch (level) {
    case OptLevel::o0:
        return "O0";
    case OptLevel::o1:
        return "O1";
    case OptLevel::o2:
        return "O2";
    case OptLevel::o3:
        return "O3";
    }
    return "O0";
}

std::optional<Precision> precisionFromString(std::string_view text)
{
    for (Precision p : kAllPrecisions)
        if (toString(p) == text)
            return p;
    return std::nullopt;
}

std::optional<OptLevel> levelFromString(std::string_view text)
{
    for (OptLevel l : kAllLevels)
        if (toString(l) == text)
            return l;
    return std::nullopt;
}

} // namespace apertune::model

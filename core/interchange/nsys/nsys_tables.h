// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/details.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace apertune::interchange::nsys {

// The numbers and names in the tables of an nsys export. Private to this folder.

inline constexpr std::int64_t kNoStream = 0xffffffff;

/// Returns "cudaLaunchKernel_v7000" without its version. "cuMemAlloc_v2" is a name of its own and stays.
inline std::string_view withoutVersion(std::string_view name)
{
    const std::size_t at = name.rfind("_v");
    if (at == std::string_view::npos || name.size() - at < 6)
        return name;
    const bool digits = std::all_of(name.begin() + static_cast<std::ptrdiff_t>(at) + 2, name.end(),
                                    [](char c) { return c >= '0' && c <= '9'; });
    return digits ? name.substr(0, at) : name;
}

/// nsys counts CUPTI's memory kinds from 0; 7 is "unknown".
inline trace::MemoryKind memoryKind(std::int64_t number)
{
    return number >= 0 && number < 7 ? static_cast<trace::MemoryKind>(number + 1) : trace::MemoryKind::unknown;
}

inline trace::CopyDirection copyDirection(std::int64_t kind)
{
    switch (kind) {
    case 1:
    case 11: // managed memory
        return trace::CopyDirection::hostToDevice;
    case 2:
    case 12:
        return trace::CopyDirection::deviceToHost;
    case 8:
    case 13:
        return trace::CopyDirection::deviceToDevice;
    case 9:
        return trace::CopyDirection::hostToHost;
    case 10:
        return trace::CopyDirection::peerToPeer;
    default:
        return kind >= 3 && kind <= 7 ? trace::CopyDirection::array : trace::CopyDirection::unknown;
    }
}

} // namespace apertune::interchange::nsys

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace apertune::workload {

/// A picture in memory: rows from the top, pixels from the left, red, green and blue of each.
struct Image
{
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb; ///< width × height × 3
};

/// The most that either side of an image may have: a decoder's memory stays bounded whatever a file says.
inline constexpr int kLargestSide = 16384;

} // namespace apertune::workload

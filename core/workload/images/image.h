// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace apertune::workload {

/// An image in memory: rows from top to bottom, pixels from left to right, each as red, green and blue.
struct Image
{
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb; ///< width × height × 3 bytes
};

/// The longest side that an image may have. It bounds the memory of a decoder, whatever the header of a file claims.
inline constexpr int kLargestSide = 16384;

} // namespace apertune::workload

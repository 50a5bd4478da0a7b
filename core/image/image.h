// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace apertune::image {

/// A picture in memory: rows from the top, pixels from the left, red, green and blue of each.
struct Image
{
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb; ///< width × height × 3
};

using Bytes = std::vector<std::uint8_t>;

/// The most that either side of an image may have: a decoder's memory stays bounded whatever a file says.
inline constexpr int kLargestSide = 16384;

/// Decodes a JPEG with libjpeg-turbo, as it does by default (accurate DCT, smooth chroma); grey becomes RGB. Any
/// thread, several at once. Failures: corrupt (no JPEG, or one that ends early), unsupported (CMYK, too large).
base::Result<Image> decodeJpeg(std::span<const std::uint8_t> file);

/// Encodes with libjpeg-turbo, chroma subsampled 2×2 as cameras do. `quality` in 1…100.
/// Failures: invalidArgument. REQUIRES: rgb has the size that width and height say.
base::Result<Bytes> encodeJpeg(const Image& image, int quality = 85);

/// A made-up picture with what makes JPEGs of photographs cost what they cost: soft gradients, shapes with hard edges,
/// texture on several scales and a sensor's grain. Equal arguments, equal pixels on every machine.
/// REQUIRES: 1 ≤ width, height ≤ kLargestSide
Image synthetic(std::uint64_t seed, int width, int height);

} // namespace apertune::image

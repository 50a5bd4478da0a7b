// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace apertune::image {

/// A picture in memory: rows from top to bottom, pixels from left to right, each as red, green and blue.
struct Image
{
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb; ///< width × height × 3 bytes
};

using Bytes = std::vector<std::uint8_t>;

/// The longest side that an image may have. It bounds the memory of a decoder, whatever the header of a file claims.
inline constexpr int kLargestSide = 16384;

/// Decodes a JPEG with the defaults of libjpeg-turbo (accurate DCT, smooth chroma upsampling). Grey becomes RGB.
/// Thread rule: any thread, several calls at once.
/// Failures: corrupt (not a JPEG, or one that ends early), unsupported (CMYK, too large).
base::Result<Image> decodeJpeg(std::span<const std::uint8_t> file);

/// Encodes a JPEG with libjpeg-turbo and 2×2 chroma subsampling, as cameras do. `quality` is 1…100.
/// Failures: invalidArgument; internal when libjpeg fails.
/// REQUIRES: rgb holds width × height × 3 bytes.
base::Result<Bytes> encodeJpeg(const Image& image, int quality = 85);

/// Makes a picture that costs a JPEG decoder about as much as a photograph: soft gradients, shapes with hard edges,
/// texture on several scales and sensor grain. Equal arguments give equal pixels on every machine.
/// REQUIRES: 1 ≤ width, height ≤ kLargestSide
Image synthetic(std::uint64_t seed, int width, int height);

} // namespace apertune::image

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/workload/images/image.h"

#include <cstdint>
#include <span>
#include <vector>

namespace apertune::workload {

using JpegBytes = std::vector<std::uint8_t>;

/// Decodes a JPEG with the defaults of libjpeg-turbo (accurate DCT, smooth chroma upsampling). Grey becomes RGB.
/// Thread rule: any thread, several calls at once.
/// Failures: corrupt (not a JPEG, or one that ends early), unsupported (CMYK, too large).
base::Result<Image> decodeJpeg(std::span<const std::uint8_t> file);

/// Encodes a JPEG with libjpeg-turbo and 2×2 chroma subsampling, as cameras do. `quality` is 1…100.
/// Failures: invalidArgument; internal when libjpeg fails.
/// REQUIRES: rgb holds width × height × 3 bytes.
base::Result<JpegBytes> encodeJpeg(const Image& image, int quality = 85);

} // namespace apertune::workload

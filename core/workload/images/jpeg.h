// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/workload/images/image.h"

#include <cstdint>
#include <span>
#include <vector>

namespace apertune::workload {

using JpegBytes = std::vector<std::uint8_t>;

/// Decodes a JPEG with libjpeg-turbo, as it does by default (accurate DCT, smooth chroma); grey becomes RGB. Any
/// thread, several at once. Failures: corrupt (no JPEG, or one that ends early), unsupported (CMYK, too large).
base::Result<Image> decodeJpeg(std::span<const std::uint8_t> file);

/// Encodes with libjpeg-turbo, chroma subsampled 2×2 as cameras do. `quality` in 1…100.
/// Failures: invalidArgument. REQUIRES: rgb has the size that width and height say.
base::Result<JpegBytes> encodeJpeg(const Image& image, int quality = 85);

} // namespace apertune::workload

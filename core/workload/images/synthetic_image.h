// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/images/image.h"

#include <cstdint>

namespace apertune::workload {

/// Makes an image that costs a JPEG decoder about as much as a photograph: soft gradients, shapes with hard edges,
/// texture on several scales and sensor grain. Equal arguments give equal pixels on every machine.
/// REQUIRES: 1 ≤ width, height ≤ kLargestSide
Image syntheticImage(std::uint64_t seed, int width, int height);

} // namespace apertune::workload

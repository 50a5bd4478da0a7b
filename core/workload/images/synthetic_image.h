// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/images/image.h"

#include <cstdint>

namespace apertune::workload {

/// A made-up picture with what makes JPEGs of photographs cost what they cost: soft gradients, shapes with hard edges,
/// texture on several scales and a sensor's grain. Equal arguments, equal pixels on every machine.
/// REQUIRES: 1 ≤ width, height ≤ kLargestSide
Image syntheticImage(std::uint64_t seed, int width, int height);

} // namespace apertune::workload

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace apertune::model {

/// The largest share by which a later median latency of an exported trial may differ and still be as expected. A wider
/// envelope would let a real regression pass, however noisy the trial was.
inline constexpr double kMostTolerance = 0.25;

} // namespace apertune::model

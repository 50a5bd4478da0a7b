// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/sweep_context.h"

#include <optional>
#include <vector>

namespace apertune::study {

/// Measures whether devices slow each other down when they work at the same time.
///
/// Each device runs one configuration in a worker of its own: the open O0 fp32 trial with the smallest batch, or else
/// the first open trial that needs no compiling. Small batches launch many short kernels, so they suffer first from
/// busy processors. In each round every device takes one block alone, while the others wait, and one block while all
/// others run; rounds begin with one or the other by turns. The number of rounds is fixed before the first one, as many
/// as fit into the time and at most RunLimits::interferencePairs, so that no result decides when to stop.
///
/// The slowdown of a device is Hodges and Lehmann's estimate over its pairs of blocks, with its 95 % interval
/// (stats::compare()). The verdict:
///   undisturbed  the intervals of all devices end below 1 + RunLimits::mostInterference. No correction for their
///                number is needed, because all of them have to show it (intersection-union test: Berger, 1982)
///   disturbed    the interval of a device begins above it
///   cannotTell   all other cases, with fewer than stats::kIntervalSamples rounds, and when a worker failed
///
/// `most` bounds the time for opening and measuring; nullopt: no bound. Blocks the calling thread; each device has a
/// thread of its own meanwhile. What is not found: effects of heat and power, which need minutes, and of
/// configurations that press harder on the host than this one.
/// REQUIRES: at least two devices, each with an open trial.
model::Interference checkInterference(const SweepContext& context, const std::vector<model::Device>& devices,
                                      std::optional<base::Nanoseconds> most);

/// Sets verdict and sentence of the slowdowns that `result` holds, by the rules of checkInterference().
/// REQUIRES: `result` has a bound.
void setInterferenceVerdict(model::Interference& result);

} // namespace apertune::study

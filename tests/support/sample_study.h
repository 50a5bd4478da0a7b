// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

namespace apertune::test {

/// A finished study with every kind of row: a baseline, a faster winner with a flag, a switch that did not take, an
/// output with NaN, an out-of-memory batch, a compile failure, impossible precisions and a cell the budget did not
/// reach. All values are fixed, so that what is printed from it can be compared with files.
model::StudySnapshot sampleStudy();

/// The same stopped half-way: cells that wait, no recommendation.
model::StudySnapshot interruptedStudy();

/// Two devices, one thread axis, latency goal with bounds.
model::StudySnapshot twoDeviceStudy();

/// An ok trial with `n` blocks of 3 iterations around `latencyMs` per pass; intervals are ± `relative`.
model::Trial measuredTrial(int id, const model::Config& config, double latencyMs, double relative = 0.004, int n = 42);

} // namespace apertune::test

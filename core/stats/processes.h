// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/measurement.h"

#include <cstddef>
#include <vector>

namespace apertune::stats {

/// Relation between the samples of two sides. In a paired comparison, sample i of one side was taken next to sample i
/// of the other (interleaved blocks), so effects of the machine on both cancel.
enum class Pairing { independent, paired };

/// Samples of one side, one vector for each process, in the order of the processes.
using Processes = std::vector<std::vector<double>>;

/// Returns the ratio of two sides that were measured in several fresh processes.
///
/// Differences between processes (memory layout, chosen kernels) do not show in the spread of one process, so each
/// process counts once (Kalibera & Jones, "Rigorous benchmarking in reasonable time", ISMM 2013; Georges, Buytaert &
/// Eeckhout, OOPSLA 2007, 3.2).
///
///  - paired: xₖ is the median over the sample pairs of process k of ln(baseline / candidate). The interval is
///    Student's x̄ ± t(K − 1)·s/√K.
///  - independent: xₖ and yⱼ are the logarithms of the medians of the processes. The interval is Student's for two
///    samples, x̄ − ȳ ± t(K + J − 2)·s·√(1/K + 1/J). s is pooled over both sides, because the spread between processes
///    is assumed to be equal on both. So one side may have a single process.
///
/// With values that are not positive, the interval has no confidence.
/// REQUIRES: at least one side has two processes, and no process is empty.
/// REQUIRES: when paired, both sides have equally many processes, and equally many samples in each.
model::Interval ratioOfProcesses(const base::Baseline<Processes>& baseline, const base::Candidate<Processes>& candidate,
                                 Pairing pairing, double confidence = 0.95);

/// Returns whether the pairs of two or three processes may be compared as one sample: the processes differ no more than
/// their own pairs do. With so few processes, Student's t makes the interval of ratioOfProcesses() two to four times as
/// wide as it has to be where blocks vary more than processes, as they do beside other programs.
///
/// It is the preliminary test of a one-way analysis of variance of ln(baseline / candidate), at the level 0.4
/// (Bancroft, "Analysis and inference for incompletely specified models", Biometrics 20, 1964). Such a test costs
/// coverage where the true differences are just too small to be seen: at worst, intervals of 95 % hold the truth in 89
/// % of the cases for two processes and in 93 % for three, and in 95 % or more where processes do not differ
/// (tests/core/stats/processes_test.cpp simulates it).
///
/// It is false for other numbers of processes, for fewer than six pairs in all, and for values that are not positive.
/// REQUIRES: both sides have equally many processes, and equally many samples in each.
bool areProcessesAlike(const base::Baseline<Processes>& baseline, const base::Candidate<Processes>& candidate);

/// Returns the probability with which Student's distribution with `freedom` degrees of freedom exceeds t.
/// REQUIRES: t ≥ 0, freedom ≥ 1
double studentTail(double t, std::size_t freedom);

/// Returns the t that Student's distribution with `freedom` degrees of freedom exceeds with probability `tail`.
/// REQUIRES: 0 < tail < ½, freedom ≥ 1
double studentQuantile(double tail, std::size_t freedom);

/// Returns the geometric mean of values, for quantities that are skewed or are ratios. The interval is Student's on the
/// logarithms; a single value has none (confidence 0).
/// REQUIRES: `values` is not empty, and all are above 0.
model::Interval geometricMean(const std::vector<double>& values);

} // namespace apertune::stats

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace apertune::stats {

enum class StartKind { cold, warm };

/// Starts of one kind, summed up.
struct Starts
{
    model::Interval ns; ///< time from the model's files to the first answer; its confidence is 0 for a single start
    std::size_t count = 0;
};

/// Returns the time of the starts of a kind in fresh processes (Measurement::conditions); nullopt where there were
/// none. The value is the geometric mean, because times of starts are skewed; the interval is Student's t on the
/// logarithms, and each process counts once.
std::optional<Starts> startsOf(const model::Measurement& measurement, StartKind kind);

/// Returns the time in ns that Goal::maxFirst bounds: that of cold starts where some were measured, else of warm ones,
/// else load and first pass of the trial itself, with the caches as they were. nullopt: nothing was measured.
std::optional<double> firstAnswerNs(const model::Measurement& measurement);

} // namespace apertune::stats

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/measurement.h"

#include <optional>

namespace apertune::model {

// An interval as a member of a document. All numbers of the interval are multiplied by `scale`.

/// Returns {FIRST: value, "lo", "hi"}. The ends are null for an interval without confidence.
base::Json intervalJson(const char* first, const Interval& interval, double scale = 1);

/// Returns {"value", "lo", "hi", "confidence"}, for documents that are read back: the ends are always numbers.
base::Json fullIntervalJson(const Interval& interval, double scale = 1);

/// Converts nanoseconds to milliseconds; null for nullopt.
base::Json millisecondsJson(const std::optional<double>& ns);

} // namespace apertune::model

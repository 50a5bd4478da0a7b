// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/measurement.h"

#include <optional>

namespace apertune::workload {

/// Returns {"value", "lo", "hi", "confidence"}. The first three are multiplied by `scale`.
base::Json intervalJson(const model::Interval& interval, double scale);

/// Converts nanoseconds to milliseconds; null for nullopt.
base::Json optionalMs(const std::optional<double>& ns);

} // namespace apertune::workload

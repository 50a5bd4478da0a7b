// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/measurement.h"

#include <optional>

namespace apertune::workload {

/// {"value", "lo", "hi", "confidence"}; the first three are multiplied by `scale`.
base::Json intervalJson(const model::Interval& interval, double scale);

/// Nanoseconds in milliseconds; null where there are none.
base::Json optionalMs(const std::optional<double>& ns);

} // namespace apertune::workload

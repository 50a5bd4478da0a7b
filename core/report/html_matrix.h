// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/study.h"

namespace apertune::report {

/// Values of resources/report/matrix.mustache: throughput by configuration and batch, one table a device. Null when no
/// configuration is possible.
base::Json matrixValues(const model::StudySnapshot& snapshot);

} // namespace apertune::report

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/study.h"

#include <vector>

namespace apertune::report {

/// Values of resources/report/tradeoff.mustache: throughput against latency, or peak memory (model::tradeoffAxis), with
/// intervals as crosses, precisions by colour and shape, the front as a line and the recommended point ringed.
/// Null when nothing was measured.
base::Json tradeoffValues(const model::StudySnapshot& snapshot, const std::vector<model::TrialId>& front);

} // namespace apertune::report

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/study.h"
#include "core/store/store.h"

#include <functional>
#include <vector>

namespace apertune::engine {

/// Loads the studies with measured trials that are wanted, in the store's order. Failures: those of the store.
base::Result<std::vector<model::StudySnapshot>>
measuredStudies(const store::Store& store, const std::function<bool(const store::StudySummary&)>& wanted);

} // namespace apertune::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/experiment.h"
#include "core/store/sqlite_database.h"

#include <vector>

namespace apertune::store {

/// The queries about experiments. Private to core/store. Each throws store::Failure.
///
/// REQUIRES: the caller has begun a transaction.

void replaceExperiment(const Database& db, const model::Experiment& experiment);
std::vector<model::Experiment> allExperiments(const Database& db); ///< oldest first

} // namespace apertune::store

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/evaluation.h"
#include "core/model/study.h"

#include <utility>
#include <vector>

namespace apertune::report {

/// Values for the sections of resources/report/page.mustache. Null when there is nothing to show.

/// The recommended trial in figures.
base::Json cardValues(const model::StudySnapshot& snapshot);
/// The measured trials, and what was compiled for them.
base::Json trialValues(const model::StudySnapshot& snapshot);
/// The effect of each setting by itself.
base::Json effectsValues(const model::StudySnapshot& snapshot);
base::Json accuracyValues(const model::StudySnapshot& snapshot,
                          const std::vector<std::pair<model::TrialId, model::Accuracy>>& accuracies);
base::Json unmeasuredValues(const model::StudySnapshot& snapshot);
base::Json notInEffectValues(const model::StudySnapshot& snapshot);
base::Json environmentValues(const model::StudySnapshot& snapshot);
base::Json methodValues(const model::StudySnapshot& snapshot);

} // namespace apertune::report

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/finding.h"
#include "core/base/result.h"
#include "core/model/experiment.h"
#include "core/runs/verification.h"
#include "core/store/store.h"

#include <vector>

namespace apertune::runs {

/// Makes the experiment of a verification: what was predicted of a change, and what was measured. `snapshot` is the
/// study that verificationOf() read.
model::Experiment experimentOf(const model::StudySnapshot& snapshot, const advice::Finding& finding,
                               const Verification& verification);

/// Returns the experiments of verifications that the workspace holds as studies alone: those of versions that kept no
/// experiments. Their predictions are made again from their traces, by the rules of this version. A verification whose
/// trace is gone, or whose rule finds nothing any more, gets an experiment without a prediction.
base::Result<std::vector<model::Experiment>> missingExperiments(const store::Store& store);

} // namespace apertune::runs

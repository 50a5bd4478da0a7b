// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/finding.h"
#include "core/base/result.h"
#include "core/model/experiment.h"
#include "core/runs/verification.h"
#include "core/store/store.h"

#include <memory>
#include <optional>
#include <vector>

namespace apertune::advice {
class TrackRecord;
}

namespace apertune::runs {

/// The track record of a workspace: what was predicted of changes, and what their verifications measured.

/// The circumstances of a trial; empty members where the study does not know them.
model::Circumstances circumstancesOf(const model::Study& study, const model::Trial& trial);

/// Makes the experiment of a verification. `snapshot` is the study that verificationOf() read.
model::Experiment experimentOf(const model::StudySnapshot& snapshot, const advice::Finding& finding,
                               const Verification& verification);

/// Returns the experiments of verifications that the workspace holds as studies alone: those of versions that kept no
/// experiments. Their predictions are made again from their traces, by the rules of this version. A verification whose
/// trace is gone, or whose rule finds nothing any more, gets an experiment without a prediction.
base::Result<std::vector<model::Experiment>> missingExperiments(const store::Store& store);

/// Returns the track record for predictions under these circumstances; null without experiments, or when they cannot be
/// read.
std::shared_ptr<const advice::TrackRecord> trackRecord(const store::Store& store, const model::Circumstances& here);

} // namespace apertune::runs

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/track_record.h"
#include "core/model/experiment.h"
#include "core/model/study.h"
#include "core/store/store.h"

#include <memory>

namespace apertune::runs {

/// The circumstances of a trial; empty members where the study does not know them.
model::Circumstances circumstancesOf(const model::Study& study, const model::Trial& trial);

/// Returns the track record for predictions under these circumstances; null without experiments, or when they cannot be
/// read.
std::shared_ptr<const advice::TrackRecord> trackRecord(const store::Store& store, const model::Circumstances& here);

} // namespace apertune::runs

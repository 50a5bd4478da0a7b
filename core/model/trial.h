// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config.h"
#include "core/model/measurement.h"
#include "core/model/reason.h"

#include <string>
#include <string_view>
#include <vector>

namespace apertune::model {

struct TrialTag;
struct StudyTag;
using TrialId = base::StrongId<TrialTag>;
using StudyId = base::StrongId<StudyTag>;

/// States: queued -> leased -> running -> ok | failed | pruned | cancelled. Stored by value: never renumber.
/// A new supervisor puts a leased or running trial back to queued, with attempt + 1.
enum class TrialState { queued = 0, leased = 1, running = 2, ok = 3, failed = 4, pruned = 5, cancelled = 6 };

std::string_view toString(TrialState state);
bool isFinal(TrialState state);

/// One configuration on one device within a study.
struct Trial
{
    TrialId id{};
    StudyId study{};
    int ordinal = 0; ///< 1, 2, 3 … within the study, in planned order
    std::string device;
    Config config;
    std::string hash; ///< configHash(config, device)
    TrialState state = TrialState::queued;
    int attempt = 0;
    Reason reason;
    Measurement measurement; ///< meaningful when state is ok
    std::string startedUtc;
    std::string finishedUtc;
};

/// Returns null where no trial has the id.
const Trial* findTrial(const std::vector<Trial>& trials, TrialId id);

} // namespace apertune::model

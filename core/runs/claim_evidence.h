// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/claims/claim_check.h"
#include "core/store/store.h"

#include <vector>

namespace apertune::runs {

/// Collects everything in a workspace that a claim can be compared with: all studies, the newest pipeline run of each
/// trial, the ceilings of `devices`, and the models, with those of the zoo that were not imported.
/// Failures: those of the store. A study that cannot be read is left out.
base::Result<claims::ClaimEvidence> claimEvidence(const store::Store& store, const std::vector<model::Device>& devices);

/// The evidence where there is no workspace yet: what is known of the models of the zoo.
claims::ClaimEvidence claimEvidence(const std::vector<model::Device>& devices);

} // namespace apertune::runs

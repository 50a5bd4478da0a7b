// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/store/records.h"
#include "core/store/store.h"
#include "core/workload/load/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::exports {

/// A load that a trial was measured under.
struct ServedLoad
{
    workload::Scenario scenario;
    double perSecond = 0; ///< samples per second that were answered
    double latencyMs = 0; ///< the scenario's latency percentile
    std::string when;     ///< UTC
};

/// Returns the run of a server load that answered the most samples per second and is not known to have broken its
/// bound. Returns nullopt without one. Damaged documents are left out.
std::optional<ServedLoad> bestServedLoad(const std::vector<store::Scenario>& runs);

/// Returns the same of the runs that a workspace holds of a trial. Failures: those of the store.
base::Result<std::optional<ServedLoad>> bestServedLoad(const store::Store& store, model::TrialId trial);

/// Returns "The load of 2026-11-29T03:11:21Z answered 83.1 samples/s with a p99 of 82.1 ms".
std::string loadSentence(const ServedLoad& load);

/// What a caller asks of an export that answers requests.
struct ServingChoice
{
    std::optional<base::Nanoseconds> batchWait{}; ///< longest wait of a request for a full batch; nullopt: see below
    std::optional<ServedLoad> load{};             ///< the load that the trial served best
};

/// The settings of an export that answers requests.
struct ServingSettings
{
    base::Nanoseconds batchWait{}; ///< longest wait of the oldest request for a full batch
    std::string origin;            ///< a sentence that says where batchWait comes from
    int queue = 0;                 ///< requests that may wait; further ones are refused
    std::optional<ServedLoad> load{};
};

/// Returns the settings for passes of `batch` samples that take `pass`. The wait is the first of these:
///  - what the caller asks for;
///  - 0 for a batch of 1;
///  - the wait of the load that the trial served best;
///  - half of a pass.
///
/// REQUIRES: batch ≥ 1.
ServingSettings servingSettings(const ServingChoice& choice, int batch, base::Nanoseconds pass);

} // namespace apertune::exports

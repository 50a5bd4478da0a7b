// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/measuring.h"
#include "core/workload/load/serving.h"

#include <atomic>
#include <functional>
#include <vector>

namespace apertune::worker {

struct ServeRequest
{
    workload::Scenario scenario; ///< server: with its rate
    int batch = 1;               ///< what a pass of the model takes
    int passes = 1;              ///< a query, where the next comes when the last is answered
    std::size_t least = 0;       ///< queries, there
};

/// Puts a warm model under the scenario's load, on the clock. The measuring thread does nothing else: it sleeps until
/// shortly before a query comes and watches the clock for the rest. A query that comes during a pass waits for its end.
/// Times count from the begin of the load. `told` gets the part that is done, between passes.
/// Failures: those of the backend; cancelled when `stop` became true.
base::Result<std::vector<workload::Served>> serveScenario(LoadedModel& model, const ServeRequest& request,
                                                          const std::atomic<bool>& stop,
                                                          const std::function<void(double)>& told);

} // namespace apertune::worker

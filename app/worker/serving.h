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
    workload::Scenario scenario; ///< a server scenario has its rate set
    int batch = 1;               ///< samples that a pass of the model takes
    int passes = 1;              ///< passes of a query, for scenarios whose next query comes after the last answer
    std::size_t least = 0;       ///< the fewest queries in such scenarios
};

/// Puts a warm model under the scenario's load, in real time. The measuring thread does nothing else: it sleeps until
/// shortly before a query is due and reads the clock for the rest. A query that is due during a pass waits for its end.
/// Times count from the begin of the load. `onProgress` is called between passes with the completed share.
///
/// Failures: those of the backend; invalidArgument when no query is due within the duration; cancelled when `stop`
/// became true.
base::Result<std::vector<workload::Served>> serveScenario(LoadedModel& model, const ServeRequest& request,
                                                          const std::atomic<bool>& stop,
                                                          const std::function<void(double)>& onProgress);

} // namespace apertune::worker

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/workload/load/scenario.h"

#include <functional>
#include <vector>

namespace apertune::workload {

/// All times in this file count from the beginning of the run.

/// A query or a camera frame, with the time of its arrival.
struct Query
{
    base::Nanoseconds due{};
    int camera = 0;
};

/// Returns the arrivals of a run within [0, duration), sorted by time. Equal arguments give equal arrivals on every
/// machine.
/// - server: Poisson arrivals at `rate` per second.
/// - camera: the frames of all cameras. The cameras' phases are spread evenly. Frames are moved by a normal jitter of
///   less than half a period, so that they keep their order.
///
/// REQUIRES: the kind is server (rate > 0) or camera.
std::vector<Query> arrivals(const Scenario& scenario, double rate);

/// The result of a query. A query that is dropped by a newer frame or by the end of the run never starts.
struct Served
{
    Query query;
    base::Nanoseconds start{};
    base::Nanoseconds end{}; ///< end of the pass that contained it
    bool dropped = false;

    base::Nanoseconds latency() const { return end - query.due; }
    base::Nanoseconds waited() const { return start - query.due; }
};

/// Answers queries: a model on a real clock, or a simulation.
class Machine
{
public:
    virtual ~Machine() = default;
    virtual base::Nanoseconds now() = 0;
    /// Blocks until `time` or later. Returns false when the run has to end.
    virtual bool waitUntil(base::Nanoseconds time) = 0;
    /// Runs one pass of a whole batch and waits for it.
    virtual base::Status pass() = 0;
};

/// The rules that group queries into passes.
struct Policy
{
    int batch = 1;               ///< largest number of queries in a pass
    base::Nanoseconds maxWait{}; ///< longest wait of the oldest query for a full batch
    int queue = 0;               ///< frames of one camera that may wait; 0: unlimited
    /// Queries that have not started at this time are dropped, so that an overloaded run ends; 0: never.
    base::Nanoseconds until{};
};

/// Returns the policy of a scenario for a configuration with this batch. An overloaded run ends after twice its
/// duration.
Policy policyOf(const Scenario& scenario, int batch);

/// Callback after each pass. Its argument is the share of the run that is done, 0…1. Returning false stops the run.
using ServingWatch = std::function<bool(double)>;

/// Answers the queries in order, one pass at a time. Returns one entry per query, in order of arrival.
/// - A pass takes up to `batch` waiting queries.
/// - It begins when that many wait, when the oldest has waited for maxWait, or when no more will come.
/// - A frame that finds its camera's queue full drops the oldest frame in it.
///
/// Failures: those of pass(); cancelled when `watch` or waitUntil() returned false.
/// REQUIRES: `queries` is sorted by time, batch ≥ 1.
base::Result<std::vector<Served>> serve(const std::vector<Query>& queries, const Policy& policy, Machine& machine,
                                        const ServingWatch& watch);

/// Runs queries of `passes` passes one after the other until `duration` is over and at least `least` are answered.
/// Failures: those of pass(); cancelled when `watch` returned false.
base::Result<std::vector<Served>> serveOneByOne(int passes, base::Nanoseconds duration, std::size_t least,
                                                Machine& machine, const ServingWatch& watch);

} // namespace apertune::workload

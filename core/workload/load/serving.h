// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/workload/load/scenario.h"

#include <functional>
#include <vector>

namespace apertune::workload {

/// All times of this file count from the begin of the run.

/// A query, or a frame of a camera, and when it comes.
struct Query
{
    base::Nanoseconds due{};
    int camera = 0;
};

/// Poisson arrivals at `rate` a second, or the frames of all cameras: each camera at its own even phase, its frames
/// moved by a normal jitter of at most half a period, so that they keep their order. Sorted by time, within
/// [0, duration). Equal arguments give equal arrivals on every machine. REQUIRES: kind server (rate > 0) or camera.
std::vector<Query> arrivals(const Scenario& scenario, double rate);

/// What became of a query. One that a newer frame drove out of the queue, or whose turn did not come, never starts.
struct Served
{
    Query query;
    base::Nanoseconds start{};
    base::Nanoseconds end{}; ///< of the pass that it was in
    bool dropped = false;

    base::Nanoseconds latency() const { return end - query.due; }
    base::Nanoseconds waited() const { return start - query.due; }
};

/// What answers queries: a model on a clock, or a simulation of one.
class Machine
{
public:
    virtual ~Machine() = default;
    virtual base::Nanoseconds now() = 0;
    /// Returns at `time` or later. False: the run is to end.
    virtual bool waitUntil(base::Nanoseconds time) = 0;
    /// One pass of a whole batch, waited for.
    virtual base::Status pass() = 0;
};

/// How queries get into passes.
struct Policy
{
    int batch = 1;               ///< what a pass takes at most
    base::Nanoseconds maxWait{}; ///< how long the oldest waits for its batch to fill
    int queue = 0;               ///< frames of a camera that wait; 0: unlimited
    base::Nanoseconds until{};   ///< what has not begun by then is dropped: an overloaded run ends, too; 0: never
};

/// The policy of a scenario for a configuration of this batch. An overloaded run ends after twice its duration.
Policy policyOf(const Scenario& scenario, int batch);

/// Told after each pass how far the run is, 0…1. False: stop.
using ServingWatch = std::function<bool(double)>;

/// Answers the queries in order, one pass at a time: up to `batch` that wait go into a pass, which begins when that
/// many are there or the oldest has waited for maxWait (or nothing more will come). A frame that finds its camera's
/// queue full drops the oldest in it. One entry a query, in order of arrival.
/// Failures: those of pass(); cancelled when `watch` said so. REQUIRES: `queries` sorted by time, batch ≥ 1.
base::Result<std::vector<Served>> serve(const std::vector<Query>& queries, const Policy& policy, Machine& machine,
                                        const ServingWatch& watch);

/// Queries of `passes` passes one after the other until `duration` is over and there are `least` of them. Failures as
/// above.
base::Result<std::vector<Served>> serveOneByOne(int passes, base::Nanoseconds duration, std::size_t least,
                                                Machine& machine, const ServingWatch& watch);

} // namespace apertune::workload

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::workload {

/// How inference is asked for. The first four are those of MLPerf's LoadGen; it has none with frames that grow stale.
enum class ScenarioKind {
    singleStream, ///< the next query when the last is answered
    multiStream,  ///< the same with queries of several samples
    offline,      ///< everything is there at once: throughput
    server,       ///< queries at random (Poisson) times, a bound on a latency percentile
    camera,       ///< frames of N cameras at a fixed rate, each worth something until its deadline
};
std::string_view toString(ScenarioKind kind); ///< "single-stream", "multi-stream", "offline", "server", "camera"
std::optional<ScenarioKind> scenarioKindFromString(std::string_view word);
std::vector<std::string> scenarioKindWords();

/// A load to put a configuration under. Which members count depends on the kind; the others are ignored.
struct Scenario
{
    ScenarioKind kind = ScenarioKind::singleStream;
    base::Nanoseconds duration = base::fromSeconds(10); ///< of each run; longer when the percentile needs more queries
    double percentile = 0.99;                           ///< of latency, what is reported first and what `bound` is for
    std::uint64_t seed = 1;                             ///< of arrival times: equal seeds, equal arrivals

    int samples = 8; ///< multi-stream: a query

    base::Nanoseconds bound{};   ///< server: what the percentile may take; 0: `rate` must be given
    double rate = 0;             ///< server: queries a second; 0: the largest that holds is searched
    base::Nanoseconds maxWait{}; ///< server, camera: how long the oldest waits for its batch to fill

    int cameras = 1;
    double fps = 30;
    double jitter = 0.05;         ///< camera: standard deviation of a frame's arrival, in periods
    base::Nanoseconds deadline{}; ///< camera: from capture to result; 0: one period
    int queue = 1;                ///< camera: frames that wait, a camera; a newer one drops the oldest

    base::Nanoseconds framePeriod() const { return base::fromSeconds(1 / fps); }
    base::Nanoseconds frameDeadline() const { return deadline.count > 0 ? deadline : framePeriod(); }
};

/// What is usual: the 90th percentile for single-stream, the 99th for the others.
Scenario defaultScenario(ScenarioKind kind);

/// Failures: invalidArgument, with what would be right.
base::Status check(const Scenario& scenario);

/// "99", "p99", "99.9%" or "0.99" as the share 0.99. `name` is the option's or the field's and begins the sentence of a
/// failure (invalidArgument).
base::Result<double> parsePercentile(const std::string& name, const std::string& text);

/// All members, "kind" as its word. From JSON: unknown members are ignored, missing ones keep the kind's defaults.
/// Failures: corrupt.
base::Json toJson(const Scenario& scenario);
base::Result<Scenario> scenarioFromJson(const base::Json& json);

} // namespace apertune::workload

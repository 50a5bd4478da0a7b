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

/// The kinds of load. The first four follow MLPerf's LoadGen, which has no frames with a deadline.
enum class ScenarioKind {
    singleStream, ///< a query is sent when the previous one is answered
    multiStream,  ///< like singleStream, with several samples per query
    offline,      ///< all samples are available at the start: throughput
    server,       ///< queries at random (Poisson) times, with a bound on a latency percentile
    camera,       ///< frames of N cameras at a fixed rate; each has a deadline
};
std::string_view toString(ScenarioKind kind); ///< "single-stream", "multi-stream", "offline", "server", "camera"
std::optional<ScenarioKind> scenarioKindFromString(std::string_view word);
std::vector<std::string> scenarioKindWords();

/// A load for one configuration. The kind decides which members are used.
struct Scenario
{
    ScenarioKind kind = ScenarioKind::singleStream;
    /// Length of each run; longer when the percentile needs more queries.
    base::Nanoseconds duration = base::fromSeconds(10);
    double percentile = 0.99; ///< the latency percentile that is reported first and that `bound` limits
    std::uint64_t seed = 1;   ///< seed of the arrival times: equal seeds give equal arrivals

    int samples = 8; ///< multi-stream: samples per query

    base::Nanoseconds bound{};   ///< server: limit of the latency percentile; 0: `rate` has to be given
    double rate = 0;             ///< server: queries per second; 0: the largest rate that keeps the bound is searched
    base::Nanoseconds maxWait{}; ///< server, camera: longest wait of the oldest query for a full batch

    int cameras = 1;
    double fps = 30;
    double jitter = 0.05;         ///< camera: standard deviation of a frame's arrival, in frame periods
    base::Nanoseconds deadline{}; ///< camera: time from capture to result; 0: one frame period
    int queue = 1;                ///< camera: frames of one camera that may wait; a newer frame drops the oldest

    base::Nanoseconds framePeriod() const { return base::fromSeconds(1 / fps); }
    base::Nanoseconds frameDeadline() const { return deadline.count > 0 ? deadline : framePeriod(); }
};

/// Returns the usual settings: the 90th percentile for single-stream, the 99th for the others.
Scenario defaultScenario(ScenarioKind kind);

/// Failures: invalidArgument, with a hint that names valid values.
base::Status check(const Scenario& scenario);

/// Reads a percentile as a share: "99", "p99", "99%" and "0.99" all give 0.99. `name` is the option or field that
/// begins the message of a failure.
/// Failures: invalidArgument.
base::Result<double> parsePercentile(const std::string& name, const std::string& text);

/// Writes all members, the kind as its word. When JSON is read, unknown members are ignored and missing ones keep the
/// defaults of the kind.
/// Failures: corrupt.
base::Json toJson(const Scenario& scenario);
base::Result<Scenario> scenarioFromJson(const base::Json& json);

} // namespace apertune::workload

// SPDX-License-Identifier: GPL-3.0-or-later
// Results of other measuring programs: JSON, tables and logs.
#include "core/interchange/results/foreign_results.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/kit_document.h"

#include <cmath>

namespace apertune::fuzz {

void examine(std::string_view input)
{
    const auto parsed = interchange::parseForeignResults(input);
    const interchange::ForeignResults* const all = valueOf(parsed);
    if (!all)
        return;
    require(!all->results.empty(), "a file without results was accepted");
    const auto isTime = [](double ns) { return std::isfinite(ns) && ns > 0 && ns <= 1e18; };
    for (const interchange::ForeignResult& result : all->results) {
        require(!result.passes.empty() || result.median || result.mean || !result.failure.empty(),
                "a result without a time was accepted");
        for (const double pass : result.passes)
            require(isTime(pass), "a pass has no usable time");
        for (const auto& time : {result.median, result.mean, result.p90, result.p95, result.p99, result.deviceTime,
                                 result.load, result.first})
            require(!time || isTime(*time), "a statistic is no usable time");
        require(result.batch >= 0, "a batch is negative");
    }
    if (!all->kit)
        return;
    require(all->kit->trials.size() == all->results.size(), "a trial has no result");
    for (const model::Trial& trial : all->kit->trials)
        require(trial.state != model::TrialState::ok || isTime(trial.measurement.latencyNs.value),
                "a trial has no usable time");
}

std::vector<std::string> seeds()
{
    return {R"([{"startComputeMs": 1, "endComputeMs": 2, "latencyMs": 1.5}])",
            "Concurrency,Inferences/Second,Client Send,p50 latency\n1,70,220,13800\n", test::kitDocument().dump(),
            "Execution results\nlatency (ms);0.6\n", "P50 Latency: 0.1 s\nAverage inference time cost: 99 ms\n"};
}

} // namespace apertune::fuzz

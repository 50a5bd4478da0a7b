// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/load_options.h"

#include "core/base/text.h"
#include "core/sentences/sentences.h"

namespace apertune::cli {

using base::ErrorCode;
using base::Result;
using workload::Scenario;

namespace {

template <typename T>
void take(const std::optional<T>& given, T& value)
{
    if (given)
        value = *given;
}

} // namespace

Result<Scenario> scenarioOf(const LoadTexts& texts)
{
    const auto kind = workload::scenarioKindFromString(texts.kind);
    if (!kind)
        return invalidValue("--scenario", texts.kind, workload::scenarioKindWords());
    // Each scenario has defaults of its own, which the options then change.
    Scenario s = workload::defaultScenario(*kind);
    for (const auto& [option, text, value] :
         {std::tuple("--duration", &texts.duration, &s.duration), std::tuple("--max-latency", &texts.bound, &s.bound),
          std::tuple("--batch-wait", &texts.maxWait, &s.maxWait),
          std::tuple("--deadline", &texts.deadline, &s.deadline)})
        if (!text->empty()) {
            const auto time = base::parseDuration(option, *text);
            if (!time)
                return time.error();
            *value = *time;
        }
    if (!texts.percentile.empty()) {
        const auto percentile = workload::parsePercentile("--percentile", texts.percentile);
        if (!percentile)
            return percentile.error();
        s.percentile = *percentile;
    }
    if (!texts.jitter.empty()) {
        const auto jitter = base::parseShare("--jitter", texts.jitter);
        if (!jitter)
            return jitter.error();
        s.jitter = *jitter;
    }
    take(texts.rate, s.rate);
    take(texts.fps, s.fps);
    take(texts.samples, s.samples);
    take(texts.cameras, s.cameras);
    take(texts.queue, s.queue);
    take(texts.seed, s.seed);
    // The check names no option, so the message is made here.
    if (auto status = workload::check(s); !status)
        return base::plainError(ErrorCode::invalidArgument,
                                "--scenario " + texts.kind + ": " + sentences::sentence(status.error().message), {},
                                s.kind == workload::ScenarioKind::server && s.bound.count == 0 && s.rate == 0
                                    ? "Give --max-latency 20ms, and --rate to try one rate only."
                                    : sentences::sentence(status.error().hint));
    return s;
}

std::vector<CLI::Option*> addLoadOptions(CLI::App& verb, LoadTexts& texts, const std::string& group)
{
    std::vector<CLI::Option*> options{
        verb.add_option("--duration", texts.duration,
                        "Duration of each run (default: 10s; longer where the percentile needs it)")
            ->type_name("TIME"),
        verb.add_option("--percentile", texts.percentile, "Latency percentile (default: 99; 90 for single-stream)")
            ->type_name("P"),
        verb.add_option("--rate", texts.rate,
                        "Queries per second, server only (default: search the largest that holds)")
            ->type_name("N"),
        verb.add_option("--batch-wait", texts.maxWait,
                        "Longest wait of a query for its batch to fill, server and camera only")
            ->type_name("TIME"),
        verb.add_option("--samples", texts.samples, "Samples per query, multi-stream only (default: 8)")
            ->type_name("N"),
        verb.add_option("--cameras", texts.cameras, "Number of cameras, camera only (default: 1)")->type_name("N"),
        verb.add_option("--fps", texts.fps, "Frames per second of each camera, camera only (default: 30)")
            ->type_name("N"),
        verb.add_option("--jitter", texts.jitter,
                        "Jitter of arrival as a share of the period, camera only (default: 5%)")
            ->type_name("SHARE"),
        verb.add_option("--deadline", texts.deadline, "Time from frame to result, camera only (default: one period)")
            ->type_name("TIME"),
        verb.add_option("--queue", texts.queue,
                        "Frames of a camera that may wait before the oldest is dropped, camera only (default: 1)")
            ->type_name("N"),
        verb.add_option("--seed", texts.seed, "Seed of the arrival times (default: 1)")->type_name("N")};
    for (CLI::Option* option : options)
        if (!group.empty())
            option->group(group);
    return options;
}

} // namespace apertune::cli

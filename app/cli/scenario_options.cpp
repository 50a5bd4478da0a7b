// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scenario_options.h"

#include "core/base/text.h"

namespace apertune::cli {

using base::Error;
using base::ErrorCode;
using base::Result;
using scenario::Scenario;

namespace {

template <typename T>
void take(const std::optional<T>& given, T& value)
{
    if (given)
        value = *given;
}

} // namespace

Result<Scenario> scenarioOf(const ScenarioTexts& texts)
{
    const auto kind = scenario::kindFromString(texts.kind);
    if (!kind) {
        const std::string nearest = base::closestMatch(texts.kind, scenario::kindWords());
        return Error{ErrorCode::invalidArgument,
                     "--scenario: \"" + texts.kind + "\" is not a scenario.",
                     {},
                     nearest.empty() ? "Known: " + base::join(scenario::kindWords()) + "."
                                     : "Did you mean " + nearest + "?"};
    }
    Scenario s = scenario::defaults(*kind);
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
        const auto percentile = scenario::parsePercentile("--percentile", texts.percentile);
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
    if (auto status = scenario::check(s); !status)
        return Error{ErrorCode::invalidArgument,
                     "--scenario " + texts.kind + ": " + status.error().message,
                     {},
                     s.kind == scenario::Kind::server && s.bound.count == 0 && s.rate == 0
                         ? "Give --max-latency 20ms, and --rate to try one rate only."
                         : status.error().hint};
    return s;
}

std::vector<CLI::Option*> addLoadOptions(CLI::App& verb, ScenarioTexts& texts, const std::string& group)
{
    std::vector<CLI::Option*> options{
        verb.add_option("--duration", texts.duration,
                        "Of each run (default: 10s; longer where the percentile needs it)")
            ->type_name("TIME"),
        verb.add_option("--percentile", texts.percentile, "Of latency (default: 99; single-stream 90)")->type_name("P"),
        verb.add_option("--rate", texts.rate, "server: queries a second (default: search the largest that holds)")
            ->type_name("N"),
        verb.add_option("--batch-wait", texts.maxWait, "server, camera: how long a query waits for its batch to fill")
            ->type_name("TIME"),
        verb.add_option("--samples", texts.samples, "multi-stream: a query (default: 8)")->type_name("N"),
        verb.add_option("--cameras", texts.cameras, "camera: how many (default: 1)")->type_name("N"),
        verb.add_option("--fps", texts.fps, "camera: frames a second of each (default: 30)")->type_name("N"),
        verb.add_option("--jitter", texts.jitter, "camera: of arrival, in periods (default: 5%)")->type_name("SHARE"),
        verb.add_option("--deadline", texts.deadline, "camera: from frame to result (default: one period)")
            ->type_name("TIME"),
        verb.add_option("--queue", texts.queue,
                        "camera: frames that wait, of each; newer ones drop the oldest (default: 1)")
            ->type_name("N"),
        verb.add_option("--seed", texts.seed, "Of arrival times (default: 1)")->type_name("N")};
    for (CLI::Option* option : options)
        if (!group.empty())
            option->group(group);
    return options;
}

namespace {

Verb declareScenario(CLI::App& app)
{
    auto [verb, options] = declare<RunScenario>(
        app, "scenario", "Put a trial under load: what a service or a camera would see",
        "  apertune scenario best --scenario server --max-latency 50ms   the largest rate that holds p99 <= 50 ms\n"
        "  apertune scenario t12 --scenario camera --cameras 4 --fps 25 --deadline 100ms\n"
        "  apertune scenario best --scenario offline\n"
        "  apertune scenarios                                            what was run so far");
    addTrustOption(*verb, options->common);
    verb->add_option("TRIAL", options->trial, "t12, 12, best, or STUDY:best")->type_name("")->required();
    auto texts = std::make_shared<ScenarioTexts>();
    verb->add_option("--scenario", texts->kind, base::join(scenario::kindWords()))->type_name("KIND")->required();
    verb->add_option("--max-latency", texts->bound, "server: what the percentile may take")->type_name("TIME");
    addLoadOptions(*verb, *texts);
    return {verb, [options = options, texts]() -> Result<Invocation> {
                auto scenario = scenarioOf(*texts);
                if (!scenario)
                    return scenario.error();
                options->scenario = std::move(*scenario);
                return Invocation(*options);
            }};
}

Verb declareScenarios(CLI::App& app)
{
    auto [verb, options] = declare<ScenarioList>(app, "scenarios", "List what trials did under load",
                                                 "  apertune scenarios\n"
                                                 "  apertune scenarios t12 --json");
    verb->add_option("WHAT", options->trial, "A trial or a study (default: the last study)")->type_name("");
    return simpleVerb(verb, options);
}

} // namespace

std::vector<Verb> declareScenarioVerbs(CLI::App& app)
{
    return {declareScenario(app), declareScenarios(app)};
}

} // namespace apertune::cli

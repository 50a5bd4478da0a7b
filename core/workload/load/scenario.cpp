// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/load/scenario.h"

#include "core/base/enum_words.h"
#include "core/base/text.h"
#include "core/model/errors.h"
#include "core/workload/load/errors.h"

#include <nlohmann/json.hpp>

namespace apertune::workload {

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

constexpr base::EnumWords<ScenarioKind, 5> kWords{{
    {ScenarioKind::singleStream, "single-stream"},
    {ScenarioKind::multiStream, "multi-stream"},
    {ScenarioKind::offline, "offline"},
    {ScenarioKind::server, "server"},
    {ScenarioKind::camera, "camera"},
}};

Error wrongScenario(base::Message message, base::Message hint)
{
    return {ErrorCode::invalidArgument, std::move(message), {}, std::move(hint)};
}

} // namespace

std::string_view toString(ScenarioKind kind)
{
    return base::wordOf(kWords, kind);
}

std::optional<ScenarioKind> scenarioKindFromString(std::string_view word)
{
    return base::valueOf(kWords, word);
}

std::vector<std::string> scenarioKindWords()
{
    std::vector<std::string> words;
    for (const auto& [kind, word] : kWords)
        words.emplace_back(word);
    return words;
}

Scenario defaultScenario(ScenarioKind kind)
{
    Scenario scenario;
    scenario.kind = kind;
    scenario.percentile = kind == ScenarioKind::singleStream ? 0.9 : 0.99;
    return scenario;
}

base::Status check(const Scenario& s)
{
    if (s.duration.count <= 0)
        return wrongScenario(base::message<load_errors::kNoTime>(), base::message<load_errors::kGiveDuration>());
    if (!(s.percentile >= 0.5 && s.percentile < 1))
        return wrongScenario(base::message<load_errors::kPercentileRange>(),
                             base::message<load_errors::kForExamplePercentile>());
    if (s.maxWait.count < 0)
        return wrongScenario(base::message<load_errors::kNegativeWait>(), base::message<load_errors::kZeroOrMore>());
    switch (s.kind) {
    case ScenarioKind::multiStream:
        if (s.samples < 1)
            return wrongScenario(base::message<load_errors::kNoSamples>(), base::message<load_errors::kAsMlperf>());
        break;
    case ScenarioKind::server:
        if (s.bound.count < 0 || s.rate < 0 || (s.bound.count == 0 && s.rate == 0))
            return wrongScenario(base::message<load_errors::kNoBoundNorRate>(),
                                 base::message<load_errors::kRateIsSearched>());
        break;
    case ScenarioKind::camera:
        if (s.cameras < 1 || !(s.fps > 0 && s.fps <= 100'000))
            return wrongScenario(base::message<load_errors::kNoCamera>(),
                                 base::message<load_errors::kForExampleCameras>());
        if (!(s.jitter >= 0 && s.jitter <= 0.5))
            return wrongScenario(base::message<load_errors::kJitterRange>(),
                                 base::message<load_errors::kForExampleJitter>());
        if (s.queue < 1 || s.deadline.count < 0)
            return wrongScenario(base::message<load_errors::kNoQueue>(), base::message<load_errors::kNewestFrame>());
        break;
    case ScenarioKind::singleStream:
    case ScenarioKind::offline:
        break;
    }
    return {};
}

base::Result<double> parsePercentile(const std::string& name, const std::string& text)
{
    const std::string number = text.starts_with("p") ? text.substr(1) : text;
    // A plain "99" means a percentile, not a share.
    const bool plain = number.find('%') == std::string::npos && !number.starts_with("0.");
    const auto share = base::parseShare(name, plain ? number + "%" : number);
    if (!share)
        return Error{ErrorCode::invalidArgument,
                     base::message<load_errors::kNoPercentile>(name, text),
                     {},
                     base::message<load_errors::kWritePercentile>()};
    return share;
}

Json toJson(const Scenario& s)
{
    return {{"kind", toString(s.kind)},
            {"duration_ns", s.duration.count},
            {"percentile", s.percentile},
            {"seed", s.seed},
            {"samples", s.samples},
            {"bound_ns", s.bound.count},
            {"rate", s.rate},
            {"max_wait_ns", s.maxWait.count},
            {"cameras", s.cameras},
            {"fps", s.fps},
            {"jitter", s.jitter},
            {"deadline_ns", s.deadline.count},
            {"queue", s.queue}};
}

base::Result<Scenario> scenarioFromJson(const Json& json)
{
    try {
        const auto kind = scenarioKindFromString(json.at("kind").get<std::string>());
        if (!kind)
            return Error{ErrorCode::corrupt, base::message<load_errors::kUnknownKind>(), json.at("kind").dump(),
                         base::message<model::errors::kOtherVersion>()};
        Scenario s = defaultScenario(*kind);
        const auto time = [&](const char* name, base::Nanoseconds otherwise) {
            return base::Nanoseconds{json.value(name, otherwise.count)};
        };
        s.duration = time("duration_ns", s.duration);
        s.percentile = json.value("percentile", s.percentile);
        s.seed = json.value("seed", s.seed);
        s.samples = json.value("samples", s.samples);
        s.bound = time("bound_ns", s.bound);
        s.rate = json.value("rate", s.rate);
        s.maxWait = time("max_wait_ns", s.maxWait);
        s.cameras = json.value("cameras", s.cameras);
        s.fps = json.value("fps", s.fps);
        s.jitter = json.value("jitter", s.jitter);
        s.deadline = time("deadline_ns", s.deadline);
        s.queue = json.value("queue", s.queue);
        if (auto status = check(s); !status)
            return Error{ErrorCode::corrupt, status.error().message, {}, status.error().hint};
        return s;
    } catch (const Json::exception& e) {
        return Error{ErrorCode::corrupt,
                     base::message<load_errors::kUnreadable>(e.what()),
                     {},
                     base::message<model::errors::kOtherVersion>()};
    }
}

} // namespace apertune::workload

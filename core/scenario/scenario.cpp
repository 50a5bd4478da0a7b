// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.h"

#include "core/base/text.h"
#include "core/scenario/errors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace apertune::scenario {

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

constexpr std::array<std::pair<Kind, std::string_view>, 5> kWords{{
    {Kind::singleStream, "single-stream"},
    {Kind::multiStream, "multi-stream"},
    {Kind::offline, "offline"},
    {Kind::server, "server"},
    {Kind::camera, "camera"},
}};

Error wrong(base::Message message, base::Message hint)
{
    return {ErrorCode::invalidArgument, std::move(message), {}, std::move(hint)};
}

} // namespace

std::string_view toString(Kind kind)
{
    return std::find_if(kWords.begin(), kWords.end(), [&](const auto& entry) { return entry.first == kind; })->second;
}

std::optional<Kind> kindFromString(std::string_view word)
{
    for (const auto& [kind, known] : kWords)
        if (known == word)
            return kind;
    return std::nullopt;
}

std::vector<std::string> kindWords()
{
    std::vector<std::string> words;
    for (const auto& [kind, word] : kWords)
        words.emplace_back(word);
    return words;
}

Scenario defaults(Kind kind)
{
    Scenario scenario;
    scenario.kind = kind;
    scenario.percentile = kind == Kind::singleStream ? 0.9 : 0.99;
    return scenario;
}

base::Status check(const Scenario& s)
{
    if (s.duration.count <= 0)
        return wrong(base::message<errors::kNoTime>(), base::message<errors::kGiveDuration>());
    if (!(s.percentile >= 0.5 && s.percentile < 1))
        return wrong(base::message<errors::kPercentileRange>(), base::message<errors::kForExamplePercentile>());
    if (s.maxWait.count < 0)
        return wrong(base::message<errors::kNegativeWait>(), base::message<errors::kZeroOrMore>());
    switch (s.kind) {
    case Kind::multiStream:
        if (s.samples < 1)
            return wrong(base::message<errors::kNoSamples>(), base::message<errors::kAsMlperf>());
        break;
    case Kind::server:
        if (s.bound.count < 0 || s.rate < 0 || (s.bound.count == 0 && s.rate == 0))
            return wrong(base::message<errors::kNoBoundNorRate>(), base::message<errors::kRateIsSearched>());
        break;
    case Kind::camera:
        if (s.cameras < 1 || !(s.fps > 0 && s.fps <= 100'000))
            return wrong(base::message<errors::kNoCamera>(), base::message<errors::kForExampleCameras>());
        if (!(s.jitter >= 0 && s.jitter <= 0.5))
            return wrong(base::message<errors::kJitterRange>(), base::message<errors::kForExampleJitter>());
        if (s.queue < 1 || s.deadline.count < 0)
            return wrong(base::message<errors::kNoQueue>(), base::message<errors::kNewestFrame>());
        break;
    case Kind::singleStream:
    case Kind::offline:
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
                     base::message<errors::kNoPercentile>(name, text),
                     {},
                     base::message<errors::kWritePercentile>()};
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
        const auto kind = kindFromString(json.at("kind").get<std::string>());
        if (!kind)
            return Error{ErrorCode::corrupt, base::message<errors::kUnknownKind>(), json.at("kind").dump()};
        Scenario s = defaults(*kind);
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
        return Error{ErrorCode::corrupt, base::message<errors::kUnreadable>(e.what())};
    }
}

} // namespace apertune::scenario

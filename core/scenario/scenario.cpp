// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.h"

#include "core/base/text.h"

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

constexpr const char* kWhence = "The data comes from a damaged file or another version.";

Error wrong(std::string message, std::string hint)
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
        return wrong("A scenario needs time.", "Give it a duration, for example 10s.");
    if (!(s.percentile >= 0.5 && s.percentile < 1))
        return wrong("The percentile must be at least 50 and below 100.", "For example 99.");
    if (s.maxWait.count < 0)
        return wrong("A batch cannot wait a negative time to fill.", "Give 0 or more.");
    switch (s.kind) {
    case Kind::multiStream:
        if (s.samples < 1)
            return wrong("A multi-stream query has at least one sample.", "MLPerf uses 8.");
        break;
    case Kind::server:
        if (s.bound.count < 0 || s.rate < 0 || (s.bound.count == 0 && s.rate == 0))
            return wrong("A server scenario needs a latency bound, a rate, or both.",
                         "With a bound alone, the largest rate that holds is searched.");
        break;
    case Kind::camera:
        if (s.cameras < 1 || !(s.fps > 0 && s.fps <= 100'000))
            return wrong("A camera scenario needs at least one camera and frames a second above 0.",
                         "For example 4 cameras at 30.");
        if (!(s.jitter >= 0 && s.jitter <= 0.5))
            return wrong("Jitter is a part of the frame period, from 0 to 0.5.", "For example 0.05.");
        if (s.queue < 1 || s.deadline.count < 0)
            return wrong("A camera's queue holds at least one frame, and a deadline is positive.",
                         "A queue of 1 always takes the newest frame.");
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
    // "99" is a percentile as people say it, not a share.
    const bool plain = number.find('%') == std::string::npos && !number.starts_with("0.");
    const auto share = base::parseShare(name, plain ? number + "%" : number);
    if (!share)
        return Error{ErrorCode::invalidArgument,
                     name + ": \"" + text + "\" is not a percentile.",
                     {},
                     "Write for example 99 or 99.9."};
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
            return Error{ErrorCode::corrupt, "The scenario's kind is unknown.", json.at("kind").dump(), kWhence};
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
        return Error{ErrorCode::corrupt, std::string("The scenario is unreadable: ") + e.what() + ".", {}, kWhence};
    }
}

} // namespace apertune::scenario

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/results/json_results.h"

#include "core/base/text.h"
#include "core/interchange/results/benchmark_app.h"
#include "core/interchange/results/kit_trials.h"
#include "core/interchange/results/reasons.h"
#include "core/interchange/results/value_reader.h"
#include "core/stats/block_stats.h"

#include <simdjson.h>

#include <string>

namespace apertune::interchange::results {

namespace {

namespace dom = simdjson::dom;

/// The member of an object, or nullopt.
std::optional<dom::element> memberOf(dom::element of, std::string_view key)
{
    dom::object object;
    dom::element value;
    if (of.get(object) != simdjson::SUCCESS || object.at_key(key).get(value) != simdjson::SUCCESS)
        return std::nullopt;
    return value;
}

/// The elements of a list; empty for anything else.
std::vector<dom::element> listOf(std::optional<dom::element> of)
{
    std::vector<dom::element> elements;
    dom::array array;
    if (of && of->get(array) == simdjson::SUCCESS)
        for (const dom::element element : array)
            elements.push_back(element);
    return elements;
}

/// A text; a number or a truth value is written out.
std::string textOf(std::optional<dom::element> of)
{
    if (!of)
        return {};
    std::string_view text;
    if (of->get(text) == simdjson::SUCCESS)
        return std::string(text);
    if (of->is_object() || of->is_array() || of->is_null())
        return {};
    return simdjson::minify(*of);
}

/// A number, also one that is written as text.
std::optional<double> numberIn(std::optional<dom::element> of)
{
    if (!of)
        return std::nullopt;
    double value = 0;
    if (of->get(value) == simdjson::SUCCESS)
        return value;
    std::string_view text;
    return of->get(text) == simdjson::SUCCESS ? numberOf(text) : std::nullopt;
}

/// trtexec --exportTimes: a list with an object a pass.
Parsed trtexecTimes(dom::element root)
{
    const std::vector<dom::element> list = listOf(root);
    if (list.empty() || !memberOf(list.front(), "startComputeMs"))
        return std::nullopt;
    ForeignResult result;
    std::vector<double> compute;
    const bool hasLatency = memberOf(list.front(), "latencyMs").has_value();
    for (const dom::element pass : list) {
        const auto begin = numberIn(memberOf(pass, "startComputeMs"));
        const auto end = numberIn(memberOf(pass, "endComputeMs"));
        const auto onDevice = begin && end ? timeOf(*end - *begin, kMillisecond) : std::nullopt;
        if (onDevice)
            compute.push_back(*onDevice);
        if (const auto time = hasLatency ? timeOf(numberIn(memberOf(pass, "latencyMs")), kMillisecond) : onDevice)
            result.passes.push_back(*time);
    }
    if (result.passes.size() < list.size())
        result.remarks.push_back(
            base::message<reasons::kUnreadPasses>(list.size() - result.passes.size(), list.size()));
    if (!hasLatency)
        result.settings.emplace_back("times", "computation alone: the file states no latency");
    if (!compute.empty())
        result.deviceTime = stats::median(compute);
    return ForeignResults{"trtexec", {}, {std::move(result)}};
}

/// benchmark_app -report_type … -json_stats.
Parsed benchmarkApp(dom::element root)
{
    const auto results = memberOf(root, "execution_results");
    const auto setup = memberOf(root, "configuration_setup");
    if (!results || !setup)
        return std::nullopt;
    return benchmarkAppReport([&](std::initializer_list<std::string_view> keys) -> std::string {
        for (const std::string_view key : keys)
            for (const dom::element& part : {*setup, *results})
                if (std::string text = textOf(memberOf(part, key)); !text.empty())
                    return text;
        return {};
    });
}

/// The value of an NVBench summary, by its tag.
std::optional<double> summaryOf(const std::vector<dom::element>& summaries, std::string_view tag)
{
    for (const dom::element summary : summaries)
        if (textOf(memberOf(summary, "tag")) == tag)
            for (const dom::element data : listOf(memberOf(summary, "data")))
                if (textOf(memberOf(data, "name")) == "value")
                    return numberIn(memberOf(data, "value"));
    return std::nullopt;
}

Parsed nvbench(dom::element root)
{
    const auto benchmarks = memberOf(root, "benchmarks");
    const auto meta = memberOf(root, "meta");
    const auto version = meta ? memberOf(*meta, "version") : std::nullopt;
    const auto own = version ? memberOf(*version, "nvbench") : std::nullopt;
    if (!benchmarks || !own)
        return std::nullopt;
    ForeignResults all{"nvbench", textOf(memberOf(*own, "string")), {}};
    const std::vector<dom::element> devices = listOf(memberOf(root, "devices"));
    for (const dom::element benchmark : listOf(benchmarks))
        for (const dom::element state : listOf(memberOf(benchmark, "states"))) {
            ForeignResult result;
            result.name = textOf(memberOf(benchmark, "name"));
            if (const std::string stateName = textOf(memberOf(state, "name")); !stateName.empty())
                result.name += " [" + stateName + "]";
            const auto number = numberIn(memberOf(state, "device"));
            for (const dom::element device : devices)
                if (number && numberIn(memberOf(device, "id")) == number)
                    result.device = textOf(memberOf(device, "name"));
            const std::vector<dom::element> summaries = listOf(memberOf(state, "summaries"));
            result.mean = timeOf(summaryOf(summaries, "nv/cold/time/gpu/mean"), kSecond);
            result.deviceTime = result.mean;
            for (const auto& [tag, name] :
                 {std::pair{"nv/cold/sample_size", "samples"}, {"nv/cold/time/gpu/stdev/relative", "noise"}})
                if (const auto value = summaryOf(summaries, tag))
                    result.settings.emplace_back(name, base::formatSignificant(*value));
            all.results.push_back(std::move(result));
        }
    return all;
}

/// genai-perf and its successor: statistics of requests by name.
Parsed genaiPerf(dom::element root)
{
    auto latency = memberOf(root, "request_latency");
    const auto records = memberOf(root, "records");
    if (!latency && records)
        latency = memberOf(*records, "request_latency");
    const std::string unit = latency ? textOf(memberOf(*latency, "unit")) : std::string();
    if (unit != "ms" && unit != "ns" && unit != "us")
        return std::nullopt;
    const double scale = unit == "ms" ? kMillisecond : unit == "us" ? kMicrosecond : 1;
    ForeignResult result;
    if (const auto input = memberOf(root, "input_config"))
        for (const std::string_view key : {"model", "model_names"})
            for (const dom::element model : listOf(memberOf(*input, key)))
                if (result.name.empty())
                    result.name = textOf(model);
    if (const auto input = memberOf(root, "input_config"))
        result.concurrency = countOf(numberIn(memberOf(*input, "concurrency")));
    result.median = timeOf(numberIn(memberOf(*latency, "p50")), scale);
    result.mean = timeOf(numberIn(memberOf(*latency, "avg")), scale);
    result.p90 = timeOf(numberIn(memberOf(*latency, "p90")), scale);
    result.p95 = timeOf(numberIn(memberOf(*latency, "p95")), scale);
    result.p99 = timeOf(numberIn(memberOf(*latency, "p99")), scale);
    if (const auto throughput = memberOf(root, "request_throughput"))
        result.perSecond = numberIn(memberOf(*throughput, "avg"));
    return ForeignResults{"genai-perf", textOf(memberOf(root, "aiperf_version")), {std::move(result)}};
}

/// Whether a run of a command ended well. A run that a signal ended has no code.
bool endedWell(dom::element code)
{
    std::int64_t value = 0;
    return code.get(value) == simdjson::SUCCESS && value == 0;
}

/// One command that hyperfine ran. Files of older versions have no exit codes.
ForeignResult hyperfineCommand(dom::element one)
{
    ForeignResult result;
    result.name = textOf(memberOf(one, "command"));
    const std::vector<dom::element> times = listOf(memberOf(one, "times"));
    const std::vector<dom::element> codes = listOf(memberOf(one, "exit_codes"));
    const auto failed = static_cast<std::size_t>(
        std::count_if(codes.begin(), codes.end(), [](dom::element code) { return !endedWell(code); }));
    result.median = timeOf(numberIn(memberOf(one, "median")), kSecond);
    result.mean = timeOf(numberIn(memberOf(one, "mean")), kSecond);
    if (failed > 0 && failed == codes.size()) {
        result.failure = base::message<reasons::kAllRunsFailed>(failed);
        return result;
    }
    std::size_t unread = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (i < codes.size() && !endedWell(codes[i]))
            continue;
        const auto pass = timeOf(numberIn(times[i]), kSecond);
        if (pass)
            result.passes.push_back(*pass);
        unread += pass ? 0 : 1;
    }
    if (unread > 0)
        result.remarks.push_back(base::message<reasons::kUnreadPasses>(unread, times.size()));
    if (failed > 0) {
        result.remarks.push_back(base::message<reasons::kRunsFailed>(failed, codes.size()));
        // The statistics of the file are of all runs.
        if (!result.passes.empty())
            result.median = result.mean = std::nullopt;
    }
    return result;
}

Parsed hyperfine(dom::element root)
{
    const std::vector<dom::element> list = listOf(memberOf(root, "results"));
    if (list.empty() || !memberOf(list.front(), "command") ||
        !(memberOf(list.front(), "times") || memberOf(list.front(), "mean")))
        return std::nullopt;
    ForeignResults all{"hyperfine", {}, {}};
    for (const dom::element one : list)
        all.results.push_back(hyperfineCommand(one));
    return all;
}

} // namespace

Parsed fromJson(std::string_view text)
{
    dom::parser parser;
    dom::element root;
    if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS)
        return std::nullopt;
    if (textOf(memberOf(root, "schema")) == kTrialsSchema)
        return kitTrials(text);
    for (const auto& reader : {trtexecTimes, benchmarkApp, nvbench, genaiPerf, hyperfine})
        if (Parsed results = reader(root))
            return results;
    return std::nullopt;
}

} // namespace apertune::interchange::results

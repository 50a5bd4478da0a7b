// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/results/parsers.h"

#include <string>

namespace apertune::interchange::results {

namespace {

/// The text behind the last `label` up to the end of its line, without blanks around it; nullopt: no such label.
std::optional<std::string_view> behind(std::string_view text, std::string_view label)
{
    const std::size_t at = text.rfind(label);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::string_view rest = text.substr(at + label.size());
    rest = rest.substr(0, rest.find('\n'));
    const std::size_t first = rest.find_first_not_of(" \t");
    const std::size_t last = rest.find_last_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view() : rest.substr(first, last - first + 1);
}

/// The number at the beginning of a text.
std::optional<double> leadingNumber(std::optional<std::string_view> text)
{
    return text ? numberOf(text->substr(0, text->find_first_not_of("0123456789.+-eE"))) : std::nullopt;
}

/// A statistic in a line such as "min = 2.05 ms, max = 2.59 ms, median = 2.08 ms".
std::optional<double> statistic(std::optional<std::string_view> line, std::string_view name)
{
    return line ? timeOf(leadingNumber(behind(*line, std::string(name) + " = ")), kMillisecond) : std::nullopt;
}

/// The log of trtexec, whose lines begin with a time and "[I]".
std::optional<ForeignResults> trtexecLog(std::string_view text)
{
    if (text.find("=== Performance summary ===") == std::string_view::npos)
        return std::nullopt;
    const auto fact = [text](std::string_view label) {
        return std::string(behind(text, "[I] " + std::string(label)).value_or(std::string_view()));
    };
    ForeignResults all{"trtexec", {}, {}};
    // The first lines have "[… v8503]", later versions write their number out.
    if (const auto banner = behind(text, ".trtexec ["))
        if (const auto version = banner->find(" v"); version != std::string_view::npos)
            all.version = std::string(banner->substr(version + 1, banner->find(']') - version - 1));
    ForeignResult result;
    result.name = fact("Model: ");
    result.device = fact("Selected Device: ");
    result.precision = fact("Precision: ");
    const auto latency = behind(text, "[I] Latency: ");
    result.median = statistic(latency, "median");
    result.mean = statistic(latency, "mean");
    result.p90 = statistic(latency, "percentile(90%)");
    result.p95 = statistic(latency, "percentile(95%)");
    result.p99 = statistic(latency, "percentile(99%)");
    result.deviceTime = statistic(behind(text, "[I] GPU Compute Time: "), "median");
    result.perSecond = leadingNumber(behind(text, "[I] Throughput: "));
    all.results.push_back(std::move(result));
    return all;
}

/// The log of onnxruntime_perf_test. Percentiles are seconds.
std::optional<ForeignResults> onnxPerfTest(std::string_view text)
{
    const auto average = behind(text, "Average inference time cost total:");
    const auto average2 = behind(text, "Average inference time cost:");
    const auto p50 = behind(text, "P50 Latency:");
    if (!(average || average2) || !p50)
        return std::nullopt;
    ForeignResult result;
    result.median = timeOf(leadingNumber(p50), kSecond);
    result.mean = timeOf(leadingNumber(average ? average : average2), kMillisecond);
    result.p90 = timeOf(leadingNumber(behind(text, "P90 Latency:")), kSecond);
    result.p95 = timeOf(leadingNumber(behind(text, "P95 Latency:")), kSecond);
    result.p99 = timeOf(leadingNumber(behind(text, "P99 Latency:")), kSecond);
    result.load = timeOf(leadingNumber(behind(text, "Session creation time cost:")), kSecond);
    result.first = timeOf(leadingNumber(behind(text, "First inference time cost:")), kMillisecond);
    result.perSecond = leadingNumber(behind(text, "Number of inferences per second:"));
    if (const auto runs = behind(text, "Total inference requests:"))
        result.settings.emplace_back("runs", std::string(*runs));
    return ForeignResults{"onnxruntime_perf_test", {}, {std::move(result)}};
}

} // namespace

std::optional<ForeignResults> fromLog(std::string_view text)
{
    auto results = trtexecLog(text);
    return results ? results : onnxPerfTest(text);
}

} // namespace apertune::interchange::results

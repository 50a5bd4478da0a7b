// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/results/log_results.h"

#include "core/base/text.h"
#include "core/interchange/results/reasons.h"
#include "core/interchange/results/unknown_results.h"
#include "core/interchange/results/value_reader.h"

#include <string>
#include <vector>

namespace apertune::interchange::results {

namespace {

/// The text behind the last `label` up to the end of its line, without blanks around it; nullopt: no such label.
std::optional<std::string_view> behind(std::string_view text, std::string_view label)
{
    const std::size_t at = text.rfind(label);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = text.substr(at + label.size());
    return base::trimmed(rest.substr(0, rest.find('\n')));
}

/// The word at the beginning of a text, which ends at a blank or at a comma before a blank.
std::string_view firstWord(std::optional<std::string_view> text)
{
    if (!text)
        return {};
    std::string_view word = text->substr(0, text->find(' '));
    if (word.ends_with(','))
        word.remove_suffix(1);
    return word;
}

/// A statistic in a line such as "min = 2.05 ms, max = 2.59 ms, median = 2.08 ms".
std::string_view statistic(std::optional<std::string_view> line, std::string_view name)
{
    return line ? firstWord(behind(*line, std::string(name) + " = ")) : std::string_view();
}

/// The first number of each shape in a text such as "input=8x3x224x224, mask=8x1", when all are the same; else 0. Of a
/// shape with three ("min+opt+max"), the middle one is run.
int batchOfShapes(std::string_view shapes, char behindName)
{
    int batch = 0;
    for (const std::string& one : base::splitList(shapes)) {
        const std::size_t name = one.rfind(behindName);
        if (name == std::string::npos)
            return 0;
        const std::string shape = one.substr(name + 1);
        const std::vector<std::string> range = base::splitList(shape, '+');
        const std::string& run = range.size() == 3 ? range[1] : shape;
        const int first = countOf(numberOf(run.substr(0, run.find('x'))));
        if (first == 0 || (batch != 0 && batch != first))
            return 0;
        batch = first;
    }
    return batch;
}

/// The value of an option of the command line that trtexec writes into its log: "--batch=4"; empty: it was not given.
std::string_view optionOf(std::string_view command, std::string_view option)
{
    const auto value = behind(command, " --" + std::string(option) + "=");
    return value ? value->substr(0, value->find(' ')) : std::string_view();
}

bool hasOption(std::string_view command, std::string_view option)
{
    return (std::string(command) + " ").find(" --" + std::string(option) + " ") != std::string::npos;
}

/// The precisions that trtexec was allowed to use, in the words of its log.
std::string precisionsOf(std::string_view command)
{
    if (command.empty())
        return {};
    if (hasOption(command, "best"))
        return "best";
    std::string words = "FP32";
    for (const auto& [option, word] : {std::pair{"fp16", "FP16"}, {"bf16", "BF16"}, {"int8", "INT8"}, {"fp8", "FP8"}})
        if (hasOption(command, option))
            words += std::string("+") + word;
    // Without such an option the model itself decides in newer versions.
    return words == "FP32" ? std::string() : words;
}

/// One run in a log of trtexec, whose lines begin with a time and "[I]".
ForeignResult trtexecRun(std::string_view text, std::optional<base::Error>& refusal)
{
    const auto fact = [text](std::string_view label) {
        return std::string(behind(text, "[I] " + std::string(label)).value_or(std::string_view()));
    };
    const std::string_view command = behind(text, "# trtexec").value_or(std::string_view());
    ForeignResult result;
    result.name = fact("Model: ");
    if (result.name.empty())
        result.name = std::string(optionOf(command, "onnx"));
    result.device = fact("Selected Device: ");
    result.precision = fact("Precision: ");
    if (result.precision.empty())
        result.precision = precisionsOf(command);
    // "Batch: Explicit" stands where the shapes decide.
    const int implicit = countOf(numberOf(fact("Batch: ")));
    result.batch = implicit;
    for (const char* label : {"Input inference shape: ", "Input inference shape : ", "Input build shape: "})
        if (result.batch == 0)
            result.batch = batchOfShapes(fact(label), '=');
    if (result.batch == 0)
        result.batch = batchOfShapes(optionOf(command, "shapes"), ':');
    const int asked = countOf(numberOf(optionOf(command, "batch")));
    if (result.batch == 0)
        result.batch = asked;
    if (text.find("&&&& FAILED") != std::string_view::npos)
        result.failure = base::message<reasons::kToolFailed>(std::string("trtexec"));
    else if (text.find("=== Performance summary ===") == std::string_view::npos)
        result.failure = base::message<reasons::kToolStopped>(std::string("trtexec"));
    ValueReader reader("trtexec", result);
    const auto latency = behind(text, "[I] Latency: ");
    const auto time = [&](const char* name, const char* of) {
        return reader.time(name, statistic(latency, of), kMillisecond);
    };
    result.median = time("the median of the latency", "median");
    result.mean = time("the mean of the latency", "mean");
    result.p90 = time("p90 of the latency", "percentile(90%)");
    result.p95 = time("p95 of the latency", "percentile(95%)");
    result.p99 = time("p99 of the latency", "percentile(99%)");
    if (latency && statistic(latency, "median").empty())
        result.remarks.push_back(base::message<reasons::kCutLine>(std::string("Latency")));
    result.deviceTime = reader.time("the median of the GPU's time",
                                    statistic(behind(text, "[I] GPU Compute Time: "), "median"), kMillisecond);
    if (const auto line = behind(text, "[I] Throughput: ")) {
        // A query is a pass, except where the batch is implicit: there it is a sample.
        if (const auto queries = reader.number("the throughput", firstWord(line)))
            result.perSecond = *queries * (implicit > 0 ? 1 : std::max(1, result.batch));
        result.settings.emplace_back("throughput as the tool counts it", std::string(*line));
    }
    if (!refusal)
        refusal = reader.refusal();
    return result;
}

/// The runs of a log. Each begins with a line that tells the command.
std::vector<std::string_view> runsOf(std::string_view text)
{
    constexpr std::string_view kBegin = "&&&& RUNNING";
    std::vector<std::string_view> runs;
    std::size_t begin = text.find(kBegin);
    if (begin == std::string_view::npos)
        return {text};
    while (begin != std::string_view::npos) {
        const std::size_t next = text.find(kBegin, begin + kBegin.size());
        runs.push_back(text.substr(begin, next == std::string_view::npos ? next : next - begin));
        begin = next;
    }
    return runs;
}

Parsed trtexecLog(std::string_view text)
{
    const bool hasSummary = text.find("=== Performance summary ===") != std::string_view::npos;
    const bool hasFailed = text.find("&&&& FAILED TensorRT.trtexec") != std::string_view::npos;
    if (!hasSummary && !hasFailed) {
        if (text.find("&&&& RUNNING TensorRT.trtexec") == std::string_view::npos)
            return std::nullopt;
        return unknownResults(base::message<reasons::kNoSummary>());
    }
    ForeignResults all{"trtexec", {}, {}};
    // The first lines have "[… v8503]", later versions write their number out.
    if (const auto banner = behind(text, ".trtexec ["))
        if (const auto version = banner->find(" v"); version != std::string_view::npos)
            all.version = std::string(banner->substr(version + 1, banner->find(']') - version - 1));
    std::optional<base::Error> refusal;
    for (const std::string_view run : runsOf(text))
        all.results.push_back(trtexecRun(run, refusal));
    if (refusal)
        return *refusal;
    return all;
}

/// The log of onnxruntime_perf_test. Percentiles are seconds.
Parsed onnxPerfTest(std::string_view text)
{
    const auto average = behind(text, "Average inference time cost total:");
    const auto average2 = behind(text, "Average inference time cost:");
    const auto p50 = behind(text, "P50 Latency:");
    if (!(average || average2) || !p50)
        return std::nullopt;
    ForeignResult result;
    ValueReader reader("onnxruntime_perf_test", result);
    const auto percentile = [&](const std::string& name) {
        return reader.time(name, firstWord(behind(text, name + " Latency:")), kSecond);
    };
    result.median = percentile("P50");
    result.mean = reader.time("the average", firstWord(average ? average : average2), kMillisecond);
    result.p90 = percentile("P90");
    result.p95 = percentile("P95");
    result.p99 = percentile("P99");
    result.load =
        reader.time("the session's creation", firstWord(behind(text, "Session creation time cost:")), kSecond);
    result.first =
        reader.time("the first inference", firstWord(behind(text, "First inference time cost:")), kMillisecond);
    result.perSecond =
        reader.number("the inferences a second", firstWord(behind(text, "Number of inferences per second:")));
    if (const auto runs = behind(text, "Total inference requests:"))
        result.settings.emplace_back("runs", std::string(*runs));
    if (reader.refusal())
        return *reader.refusal();
    return ForeignResults{"onnxruntime_perf_test", {}, {std::move(result)}};
}

} // namespace

Parsed fromLog(std::string_view text)
{
    Parsed results = trtexecLog(text);
    return results ? std::move(results) : onnxPerfTest(text);
}

} // namespace apertune::interchange::results

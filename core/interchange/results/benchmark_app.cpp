// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/results/benchmark_app.h"

#include "core/interchange/results/value_reader.h"

#include <utility>

namespace apertune::interchange::results {

Parsed benchmarkAppReport(const ReportLookup& valueOf)
{
    ForeignResult result;
    ValueReader reader("benchmark_app", result);
    const auto ms = [&](std::string_view name, std::initializer_list<std::string_view> keys) {
        return reader.time(name, valueOf(keys), kMillisecond);
    };
    result.name = valueOf({"topology"});
    result.device = valueOf({"target_device", "target device"});
    result.precision = valueOf({"precision"});
    result.batch = countOf(numberOf(valueOf({"batch_size", "batch size"})));
    result.concurrency = countOf(numberOf(valueOf({"nireq", "number of parallel infer requests"})));
    result.median = ms("the median latency", {"latency_median", "latency (ms)", "Median latency (ms)"});
    result.mean = ms("the average latency", {"latency_avg", "latency_average", "avg latency", "Average latency (ms)"});
    result.first = ms("the first inference", {"first_inference_time", "first inference time (ms)"});
    result.load =
        ms("the compilation of the model", {"compile_model_time", "compile model time (ms)", "load network time (ms)"});
    result.perSecond = reader.number("the throughput", valueOf({"throughput"}));
    for (const std::string_view key : {"api", "API", "nireq", "number of parallel infer requests"})
        if (std::string text = valueOf({key}); !text.empty())
            result.settings.emplace_back(key, std::move(text));
    if (reader.refusal())
        return *reader.refusal();
    return ForeignResults{"benchmark_app", {}, {std::move(result)}};
}

} // namespace apertune::interchange::results

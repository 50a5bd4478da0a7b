// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/results/parsers.h"

#include <algorithm>
#include <map>
#include <string>

namespace apertune::interchange::results {

namespace {

/// The fields of a line. Quotes are not special: none of the formats uses them.
std::vector<std::string_view> fieldsOf(std::string_view line, char separator)
{
    std::vector<std::string_view> fields;
    for (std::size_t begin = 0;;) {
        const std::size_t end = line.find(separator, begin);
        fields.push_back(line.substr(begin, end == std::string_view::npos ? end : end - begin));
        if (end == std::string_view::npos)
            return fields;
        begin = end + 1;
    }
}

/// Calls `take` for each line without its end; stops when it returns false.
template <typename Take>
void forEachLine(std::string_view text, Take take)
{
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        if (!take(line) || end == std::string_view::npos)
            return;
        text.remove_prefix(end + 1);
    }
}

/// perf_analyzer -f: a header, then a row for each load. Times are microseconds.
std::optional<ForeignResults> perfAnalyzer(std::string_view text)
{
    std::vector<std::string_view> header;
    ForeignResults all{"perf_analyzer", {}, {}};
    forEachLine(text, [&](std::string_view line) {
        const std::vector<std::string_view> fields = fieldsOf(line, ',');
        if (header.empty()) {
            const bool known = std::find(fields.begin(), fields.end(), "Inferences/Second") != fields.end() &&
                               std::find(fields.begin(), fields.end(), "Client Send") != fields.end();
            if (known)
                header = fields;
            return known;
        }
        ForeignResult result;
        for (std::size_t i = 0; i < std::min(header.size(), fields.size()); ++i) {
            const std::optional<double> number = numberOf(fields[i]);
            if (header[i] == "Concurrency" || header[i] == "Request Rate")
                result.name = std::string(header[i]) + " " + std::string(fields[i]);
            else if (header[i] == "Inferences/Second")
                result.perSecond = number;
            else if (header[i] == "p50 latency")
                result.median = timeOf(number, kMicrosecond);
            else if (header[i] == "p90 latency")
                result.p90 = timeOf(number, kMicrosecond);
            else if (header[i] == "p95 latency")
                result.p95 = timeOf(number, kMicrosecond);
            else if (header[i] == "p99 latency")
                result.p99 = timeOf(number, kMicrosecond);
            else if (header[i] == "Avg latency")
                result.mean = timeOf(number, kMicrosecond);
            else if (header[i].starts_with("Server "))
                result.settings.emplace_back(std::string(header[i]) + " us", std::string(fields[i]));
        }
        all.results.push_back(std::move(result));
        return true;
    });
    return header.empty() ? std::nullopt : std::optional(std::move(all));
}

/// benchmark_app: lines of "name;value" in three sections.
std::optional<ForeignResults> benchmarkAppTable(std::string_view text)
{
    std::map<std::string, std::string, std::less<>> values;
    bool isReport = false;
    forEachLine(text, [&](std::string_view line) {
        isReport = isReport || line == "Execution results";
        const std::vector<std::string_view> fields = fieldsOf(line, ';');
        if (fields.size() == 2)
            values.insert_or_assign(std::string(fields[0]), std::string(fields[1]));
        return true;
    });
    if (!isReport || values.empty())
        return std::nullopt;
    const auto valueOf = [&values](std::initializer_list<std::string_view> names) -> std::string {
        for (const std::string_view name : names)
            if (const auto found = values.find(name); found != values.end())
                return found->second;
        return {};
    };
    const auto ms = [&](std::initializer_list<std::string_view> names) {
        return timeOf(numberOf(valueOf(names)), kMillisecond);
    };
    ForeignResult result;
    result.name = valueOf({"topology"});
    result.device = valueOf({"target device"});
    result.precision = valueOf({"precision"});
    const double batch = numberOf(valueOf({"batch size"})).value_or(0);
    result.batch = batch >= 1 && batch <= 1e6 ? static_cast<int>(batch) : 0;
    result.median = ms({"latency (ms)", "Median latency (ms)"});
    result.mean = ms({"avg latency", "Average latency (ms)"});
    result.first = ms({"first inference time (ms)"});
    result.load = ms({"compile model time (ms)", "load network time (ms)"});
    result.perSecond = numberOf(valueOf({"throughput"}));
    for (const char* name : {"API", "number of parallel infer requests"})
        if (std::string value = valueOf({name}); !value.empty())
            result.settings.emplace_back(name, std::move(value));
    return ForeignResults{"benchmark_app", {}, {std::move(result)}};
}

} // namespace

std::optional<ForeignResults> fromTable(std::string_view text)
{
    auto results = perfAnalyzer(text);
    return results ? results : benchmarkAppTable(text);
}

} // namespace apertune::interchange::results

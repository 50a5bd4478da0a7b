// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/results/table_results.h"

#include "core/base/text.h"
#include "core/interchange/results/benchmark_app.h"
#include "core/interchange/results/value_reader.h"

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
Parsed perfAnalyzer(std::string_view text, char separator)
{
    std::vector<std::string_view> header;
    ForeignResults all{"perf_analyzer", {}, {}};
    std::optional<base::Error> refusal;
    forEachLine(text, [&](std::string_view line) {
        const std::vector<std::string_view> fields = fieldsOf(line, separator);
        if (header.empty()) {
            const bool known = std::find(fields.begin(), fields.end(), "Inferences/Second") != fields.end() &&
                               std::find(fields.begin(), fields.end(), "Client Send") != fields.end();
            if (known)
                header = fields;
            return known;
        }
        if (base::trimmed(line).empty())
            return true;
        ForeignResult result;
        ValueReader reader("perf_analyzer", result);
        const auto time = [&](std::size_t i) { return reader.time(header[i], fields[i], kMicrosecond); };
        for (std::size_t i = 0; i < std::min(header.size(), fields.size()); ++i) {
            if (header[i] == "Concurrency" || header[i] == "Request Rate")
                result.name = std::string(header[i]) + " " + std::string(fields[i]);
            if (header[i] == "Concurrency")
                result.concurrency = countOf(numberOf(fields[i]));
            else if (header[i] == "Inferences/Second")
                result.perSecond = reader.number(header[i], fields[i]);
            else if (header[i] == "p50 latency")
                result.median = time(i);
            else if (header[i] == "p90 latency")
                result.p90 = time(i);
            else if (header[i] == "p95 latency")
                result.p95 = time(i);
            else if (header[i] == "p99 latency")
                result.p99 = time(i);
            else if (header[i] == "Avg latency")
                result.mean = time(i);
            else if (header[i].starts_with("Server "))
                result.settings.emplace_back(std::string(header[i]) + " us", std::string(fields[i]));
        }
        if (!refusal)
            refusal = reader.refusal();
        all.results.push_back(std::move(result));
        return true;
    });
    if (refusal)
        return *refusal;
    return header.empty() ? Parsed() : Parsed(std::move(all));
}

/// benchmark_app: lines of "name;value" in three sections.
Parsed benchmarkAppTable(std::string_view text)
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
    return benchmarkAppReport([&values](std::initializer_list<std::string_view> keys) -> std::string {
        for (const std::string_view key : keys)
            if (const auto found = values.find(key); found != values.end())
                return found->second;
        return {};
    });
}

} // namespace

Parsed fromTable(std::string_view text)
{
    for (const char separator : {',', ';', '\t'})
        if (Parsed results = perfAnalyzer(text, separator))
            return results;
    return benchmarkAppTable(text);
}

} // namespace apertune::interchange::results

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/results/foreign_results.h"

#include "core/base/errors.h"
#include "core/interchange/files/byte_source.h"
#include "core/interchange/files/errors.h"
#include "core/interchange/files/read_recording.h"
#include "core/interchange/results/errors.h"
#include "core/interchange/results/parsers.h"

#include <charconv>
#include <cmath>

namespace apertune::interchange {

namespace results {

std::optional<double> numberOf(std::string_view text)
{
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r'))
        text.remove_suffix(1);
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<double> timeOf(std::optional<double> number, double nsPerUnit)
{
    constexpr double kLongest = 1e18; // 31 years, which fits base::Nanoseconds
    if (!number || !(*number * nsPerUnit > 0) || *number * nsPerUnit > kLongest)
        return std::nullopt;
    return *number * nsPerUnit;
}

} // namespace results

namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;

bool hasTime(const ForeignResult& result)
{
    return !result.passes.empty() || result.median || result.mean;
}

} // namespace

base::Result<ForeignResults> parseForeignResults(std::string_view text)
{
    std::optional<ForeignResults> found = results::fromJson(text);
    if (!found)
        found = results::fromTable(text);
    if (!found)
        found = results::fromLog(text);
    if (!found)
        return base::Error{base::ErrorCode::corrupt,
                           base::message<results::errors::kUnknownResults>(),
                           {},
                           base::message<results::errors::kKnownTools>()};
    std::erase_if(found->results, [](const ForeignResult& result) { return !hasTime(result); });
    if (found->results.empty())
        return base::Error{base::ErrorCode::corrupt,
                           base::message<results::errors::kNoTimes>(found->tool),
                           {},
                           base::message<results::errors::kMeasureAgain>()};
    return std::move(*found);
}

base::Result<ForeignResults> readForeignResults(const std::filesystem::path& file)
{
    return files::readRecording(
        file, base::message<files::errors::kTooMuchData>(base::Bytes{static_cast<std::int64_t>(kMostBytes)}),
        base::message<base::errors::kCloseOthers>(), [](files::ByteSource& source) -> base::Result<ForeignResults> {
            std::string text;
            const auto read = files::readAll(source, text, kMostBytes, [] { return true; });
            if (!read)
                return read.error();
            return parseForeignResults(text);
        });
}

} // namespace apertune::interchange

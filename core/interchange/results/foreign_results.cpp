// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/results/foreign_results.h"

#include "core/base/errors.h"
#include "core/interchange/files/byte_source.h"
#include "core/interchange/files/errors.h"
#include "core/interchange/files/read_recording.h"
#include "core/interchange/results/errors.h"
#include "core/interchange/results/json_results.h"
#include "core/interchange/results/log_results.h"
#include "core/interchange/results/table_results.h"
#include "core/interchange/results/unknown_results.h"
#include "core/interchange/results/value_reader.h"

#include <algorithm>

namespace apertune::interchange {

namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;

bool hasTime(const ForeignResult& result)
{
    return !result.passes.empty() || result.median || result.mean;
}

} // namespace

base::Result<ForeignResults> parseForeignResults(std::string_view text)
{
    constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
    if (text.starts_with(kUtf8Mark))
        text.remove_prefix(kUtf8Mark.size());
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        return base::Error{base::ErrorCode::corrupt,
                           base::message<results::errors::kIsUtf16>(),
                           {},
                           base::message<results::errors::kConvertUtf16>()};
    results::Parsed parsed = results::fromJson(text);
    if (!parsed)
        parsed = results::fromTable(text);
    if (!parsed)
        parsed = results::fromLog(text);
    if (!parsed)
        return results::unknownResults(text);
    base::Result<ForeignResults>& found = *parsed;
    if (!found)
        return found.error();
    found->withoutTime += std::erase_if(
        found->results, [](const ForeignResult& result) { return !hasTime(result) && result.failure.empty(); });
    if (found->results.empty())
        return base::Error{base::ErrorCode::corrupt,
                           base::message<results::errors::kNoTimes>(found->tool),
                           {},
                           base::message<results::errors::kMeasureAgain>()};
    for (ForeignResult& result : found->results)
        results::remarkContradictions(result);
    return std::move(found);
}

base::Result<ForeignResults> readForeignResults(const std::filesystem::path& file)
{
    auto read = files::readRecording(
        file, base::message<files::errors::kTooMuchData>(base::Bytes{static_cast<std::int64_t>(kMostBytes)}),
        base::message<base::errors::kCloseOthers>(), [](files::ByteSource& source) -> base::Result<ForeignResults> {
            std::string text;
            const auto got = files::readAll(source, text, kMostBytes, [] { return true; });
            if (!got)
                return got.error();
            return parseForeignResults(text);
        });
    if (read || read.error().message.id != files::errors::kEmptyFile.id)
        return read;
    // Its own hint is about recordings.
    base::Error empty = read.error();
    empty.hint = base::message<results::errors::kMeasureAgain>();
    return empty;
}

} // namespace apertune::interchange

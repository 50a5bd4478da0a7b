// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/baseline.h"

#include "core/model/errors.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace apertune::model {

namespace {

constexpr std::size_t kLongestBaselineName = 64;

bool isAsciiLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isAsciiDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Whether the text is the id of a trial, a study or a trace.
bool isId(std::string_view text)
{
    for (const std::string_view prefix : {"tr", "t", "s"})
        if (text.starts_with(prefix) && text.size() > prefix.size())
            if (const std::string_view number = text.substr(prefix.size());
                std::all_of(number.begin(), number.end(), isAsciiDigit))
                return true;
    return false;
}

} // namespace

base::Status checkBaselineName(const std::string& name)
{
    const bool spelled = !name.empty() && name.size() <= kLongestBaselineName && isAsciiLetter(name.front()) &&
                         std::all_of(name.begin(), name.end(), [](char c) {
                             return isAsciiLetter(c) || isAsciiDigit(c) || c == '.' || c == '_' || c == '-';
                         });
    if (!spelled)
        return base::Error{base::ErrorCode::invalidArgument,
                           base::message<errors::kBaselineNameSpelling>(name),
                           {},
                           base::message<errors::kWriteBaselineName>(static_cast<std::int64_t>(kLongestBaselineName))};
    if (name == "best" || name == "last" || isId(name))
        return base::Error{base::ErrorCode::invalidArgument,
                           base::message<errors::kBaselineNameTaken>(name),
                           {},
                           base::message<errors::kOtherBaselineName>()};
    return {};
}

} // namespace apertune::model

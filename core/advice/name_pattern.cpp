// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/name_pattern.h"

#include "core/advice/errors.h"

#include <array>
#include <functional>
#include <regex>
#include <string_view>

namespace apertune::advice {

namespace {

// The recursion of std::regex grows with the text, and names of kernels can have many thousands of characters.
constexpr std::size_t kMostSearched = 1000;

using Matches = std::function<bool(std::string_view)>;

bool mark(const trace::Trace& trace, const std::vector<char>& occurs, const Matches& matches, std::vector<char>& marks)
{
    bool any = false;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        marks[i] = occurs[i] != 0 && matches(trace.strings[i]) ? 1 : 0;
        any = any || marks[i] != 0;
    }
    return any;
}

} // namespace

base::Result<std::vector<char>> matchingNames(const trace::Trace& trace, const std::vector<char>& occurs,
                                              const std::string& pattern)
{
    std::vector<char> marks(trace.strings.size());
    if (pattern.size() > 2 && pattern.front() == '/' && pattern.back() == '/') {
        try {
            const std::regex expression(pattern.substr(1, pattern.size() - 2));
            mark(
                trace, occurs,
                [&](std::string_view name) {
                    const std::string_view part = name.substr(0, kMostSearched);
                    return std::regex_search(part.begin(), part.end(), expression);
                },
                marks);
        } catch (const std::regex_error&) {
            return base::Error{base::ErrorCode::invalidArgument,
                               base::message<errors::kNoRegularExpression>(pattern),
                               {},
                               base::message<errors::kChangesAre>()};
        }
        return marks;
    }
    const std::string behind = "::" + pattern;
    const std::array<Matches, 3> ways{
        [&](std::string_view name) { return name == pattern; },
        [&](std::string_view name) { return name.ends_with(behind); },
        [&](std::string_view name) { return name.find(pattern) != std::string_view::npos; },
    };
    for (const Matches& way : ways)
        if (mark(trace, occurs, way, marks))
            break;
    return marks;
}

} // namespace apertune::advice

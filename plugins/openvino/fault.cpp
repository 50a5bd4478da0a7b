// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/openvino/fault.h"

#include "plugins/support/backend.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace apertune::openvino {

using plugins::Fault;

namespace {

constexpr std::size_t kLongestLine = 300;

std::string_view trimmed(std::string_view line)
{
    const auto first = line.find_first_not_of(" \t\r");
    const auto last = line.find_last_not_of(" \t\r:");
    return first == std::string_view::npos || last == std::string_view::npos ? std::string_view()
                                                                             : line.substr(first, last + 1 - first);
}

/// Returns whether a line is about OpenVINO's own code: "Exception from src/inference/…", "Check '…' failed at src/…",
/// "[ GENERAL_ERROR ]".
bool isAboutItself(std::string_view line)
{
    return line.starts_with("Exception from ") || line.starts_with("Check '") ||
           line.find(" failed at ") != std::string_view::npos || (line.starts_with('[') && line.ends_with(']'));
}

/// The line of an OpenVINO message that says what happened. Lines about OpenVINO's own sources are skipped.
std::string essentialLine(std::string_view text)
{
    std::string_view fallback;
    std::string_view found;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty())
            continue;
        fallback = line;
        if (found.empty() && !isAboutItself(line))
            found = line;
    }
    std::string line(found.empty() ? fallback : found);
    if (line.size() > kLongestLine)
        line = line.substr(0, kLongestLine) + "…";
    if (!line.empty() && line.back() == '.')
        line.pop_back();
    return line.empty() ? "no reason given" : line;
}

} // namespace

Fault faultOf(std::exception_ptr error, apertune_status otherwise, const std::string& what, const std::string& hint)
{
    try {
        std::rethrow_exception(std::move(error));
    } catch (const Fault& fault) {
        return fault;
    } catch (const std::exception& e) {
        const std::string text = e.what();
        if (text.find("bad_alloc") != std::string::npos || text.find("out of memory") != std::string::npos)
            return {APERTUNE_OUT_OF_MEMORY, "Memory ran out in OpenVINO.", "Use a smaller batch, or free memory.",
                    plugins::shortened(text)};
        return {otherwise, what + ": " + essentialLine(text) + ".", hint, plugins::shortened(text)};
    } catch (...) {
        return {APERTUNE_INTERNAL, what + ": OpenVINO threw something without a message.", "Please report it."};
    }
}

} // namespace apertune::openvino

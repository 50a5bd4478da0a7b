// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/system_files.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <cerrno>
#include <charconv>
#include <csignal>

namespace apertune::probe {

std::string readText(const std::filesystem::path& file)
{
    const auto text = base::readFile(file);
    return text ? std::string(base::trimmed(*text)) : std::string();
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return lines;
}

std::optional<std::int64_t> parseInteger(std::string_view text)
{
    text = base::trimmed(text);
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() ? std::optional(value) : std::nullopt;
}

bool isRunning(int pid)
{
    // EPERM means that the process belongs to another user.
    return ::kill(pid, 0) == 0 || errno != ESRCH;
}

} // namespace apertune::probe

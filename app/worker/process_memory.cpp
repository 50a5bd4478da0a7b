// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/process_memory.h"

#include "core/base/file_times.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

namespace apertune::worker {

namespace {

const std::int64_t kBegan = base::fileClockNow(); ///< time at which this process began

/// A line of /proc/self/status that is a number of KiB; nullopt where the kernel does not have it.
std::optional<base::Bytes> statusValue(std::string_view name)
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name))
            return base::Bytes{std::stoll(line.substr(name.size())) * 1024};
    return std::nullopt;
}

} // namespace

std::optional<base::Bytes> processPeak()
{
    return statusValue("VmHWM:");
}

std::optional<base::Bytes> residentMemory()
{
    return statusValue("VmRSS:");
}

void resetProcessPeak()
{
    std::ofstream("/proc/self/clear_refs") << "5";
}

std::vector<std::string> temporaryFoldersIn(std::string_view maps)
{
    constexpr std::string_view kRoot = "/tmp/";
    constexpr std::size_t kRandom = 6; // length of the random part of mkdtemp("/tmp/XXXXXX")
    constexpr std::string_view kPackage = "/data/aotinductor/";
    std::vector<std::string> folders;
    std::istringstream lines{std::string(maps)};
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find('/');
        if (at == std::string::npos || !line.ends_with(".so"))
            continue;
        const std::string path = line.substr(at);
        if (!path.starts_with(kRoot) || path.size() <= kRoot.size() + kRandom || path[kRoot.size() + kRandom] != '/' ||
            path.find(kPackage) == std::string::npos)
            continue;
        const std::string name = path.substr(kRoot.size(), kRandom);
        if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c); }))
            continue;
        std::string folder = std::string(kRoot) + name;
        if (std::find(folders.begin(), folders.end(), folder) == folders.end())
            folders.push_back(std::move(folder));
    }
    return folders;
}

std::vector<std::string> loadedTemporaryFolders()
{
    std::ifstream in("/proc/self/maps");
    std::ostringstream text;
    text << in.rdbuf();
    std::vector<std::string> folders = temporaryFoldersIn(text.str());
    // An older folder belongs to somebody else, even if its name has the same form.
    std::erase_if(folders, [](const std::string& folder) { return !base::isTemporaryDirSince(folder, kBegan); });
    return folders;
}

} // namespace apertune::worker

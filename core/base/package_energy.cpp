// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/package_energy.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <string>

namespace apertune::base {

namespace fs = std::filesystem;

namespace {

std::optional<std::int64_t> numberIn(int file)
{
    std::array<char, 32> text{};
    const ssize_t size = ::pread(file, text.data(), text.size(), 0);
    std::int64_t value = 0;
    if (size <= 0 || std::from_chars(text.data(), text.data() + size, value).ec != std::errc())
        return std::nullopt;
    return value;
}

/// The folders of the packages, in the order of their numbers.
std::vector<fs::path> packageFolders(const fs::path& powercap)
{
    std::vector<fs::path> folders;
    std::error_code failed;
    for (fs::directory_iterator it(powercap, failed), end; !failed && it != end; it.increment(failed)) {
        const std::string name = it->path().filename().string();
        const std::string prefix = "intel-rapl:"; // AMD's counters have the same name
        if (!name.starts_with(prefix) || name.find(':', prefix.size()) != std::string::npos)
            continue;
        std::string domain = "package"; // kernels that do not name their domains have packages alone
        std::ifstream(it->path() / "name") >> domain;
        if (domain.starts_with("package"))
            folders.push_back(it->path());
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

} // namespace

PackageEnergy::PackageEnergy(const fs::path& root)
{
    for (const fs::path& folder : packageFolders(root / "sys/class/powercap")) {
        Counter counter;
        counter.file = ::open((folder / "energy_uj").c_str(), O_RDONLY | O_CLOEXEC);
        std::ifstream(folder / "max_energy_range_uj") >> counter.range;
        m_counters.push_back(counter);
    }
    // A part of the packages is no figure of the machine, so all of them have to answer.
    const bool readable = std::all_of(m_counters.begin(), m_counters.end(),
                                      [](const Counter& c) { return c.file >= 0 && numberIn(c.file).has_value(); });
    if (!m_counters.empty())
        m_access = readable ? Access::readable : Access::forbidden;
}

PackageEnergy::~PackageEnergy()
{
    for (const Counter& counter : m_counters)
        if (counter.file >= 0)
            ::close(counter.file);
}

std::optional<std::int64_t> PackageEnergy::read()
{
    if (m_access != Access::readable)
        return std::nullopt;
    for (Counter& counter : m_counters) {
        const auto now = numberIn(counter.file);
        if (!now || (counter.last && *now < *counter.last && counter.range <= *counter.last)) {
            m_access = Access::forbidden;
            return std::nullopt;
        }
        if (counter.last)
            m_sum += *now - *counter.last + (*now < *counter.last ? counter.range : 0);
        counter.last = now;
    }
    return m_sum;
}

} // namespace apertune::base

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/cgroup.h"

#include "core/base/text.h"
#include "core/probe/system_files.h"

#include <algorithm>
#include <functional>

namespace apertune::probe {

namespace fs = std::filesystem;

namespace {

/// Limit above which memory is unlimited: version 1 writes "unlimited" as a number near the largest one.
constexpr std::int64_t kUnlimited = 1LL << 60;

template <typename T>
void tighten(std::optional<T>& limit, std::optional<T> other)
{
    // The tightest limit of all groups holds.
    if (other && (!limit || *other < *limit))
        limit = other;
}

std::optional<base::Bytes> memoryLimit(const fs::path& file)
{
    const auto bytes = parseInteger(readText(file));
    return bytes && *bytes > 0 && *bytes < kUnlimited ? std::optional(base::Bytes{*bytes}) : std::nullopt;
}

std::optional<double> cpuLimitV1(const fs::path& group)
{
    // A quota of −1 means none.
    const auto quota = parseInteger(readText(group / "cpu.cfs_quota_us"));
    const auto period = parseInteger(readText(group / "cpu.cfs_period_us"));
    if (!quota || !period || *quota <= 0 || *period <= 0)
        return std::nullopt;
    return static_cast<double>(*quota) / static_cast<double>(*period);
}

/// Calls `visit` for a group and all its parents. Inside a container the named path may exist on the host only; its
/// parent, the mount itself, is the container's own group then.
void visitUpward(const fs::path& mount, std::string_view path, const std::function<void(const fs::path&)>& visit)
{
    fs::path group = fs::path(path).relative_path().lexically_normal();
    // A path that leads out of the mount belongs to another namespace.
    if (!group.empty() && *group.begin() == "..")
        group.clear();
    for (; !group.empty() && group != "."; group = group.parent_path())
        visit(mount / group);
    visit(mount);
}

} // namespace

std::optional<double> parseCpuMax(std::string_view text)
{
    const auto blank = text.find(' ');
    if (blank == std::string_view::npos)
        return std::nullopt;
    const auto quota = parseInteger(text.substr(0, blank));
    const auto period = parseInteger(text.substr(blank + 1));
    if (!quota || !period || *quota <= 0 || *period <= 0)
        return std::nullopt;
    return static_cast<double>(*quota) / static_cast<double>(*period);
}

CgroupLimits readCgroupLimits(const fs::path& root)
{
    CgroupLimits limits;
    const fs::path mounts = root / "sys/fs/cgroup";
    const std::string groups = readText(root / "proc/self/cgroup");
    for (std::string_view line : linesOf(groups)) {
        // A line reads "4:cpu,cpuacct:/path" in version 1 and "0::/path" in version 2.
        const auto first = line.find(':');
        const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
        if (second == std::string_view::npos)
            continue;
        const std::string_view controllers = line.substr(first + 1, second - first - 1);
        const std::string_view path = line.substr(second + 1);
        if (controllers.empty())
            visitUpward(mounts, path, [&](const fs::path& group) {
                tighten(limits.cpus, parseCpuMax(readText(group / "cpu.max")));
                tighten(limits.memory, memoryLimit(group / "memory.max"));
            });
        for (const std::string& controller : base::splitList(controllers))
            // Controllers may be mounted together, as "cpu,cpuacct". Not every system links their single names to that
            // folder.
            for (const fs::path& mount : {mounts / controller, mounts / controllers})
                visitUpward(mount, path, [&](const fs::path& group) {
                    if (controller == "cpu")
                        tighten(limits.cpus, cpuLimitV1(group));
                    if (controller == "memory")
                        tighten(limits.memory, memoryLimit(group / "memory.limit_in_bytes"));
                });
    }
    return limits;
}

} // namespace apertune::probe

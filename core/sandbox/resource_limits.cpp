// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sandbox/resource_limits.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>

namespace apertune::sandbox {

namespace {

constexpr std::uint64_t kMoreProcesses = 4096;
constexpr int kPerfmon = 38; // CAP_PERFMON, which older headers lack

/// Lowers a limit; one that is lower already stays.
int lower(int resource, std::uint64_t most) noexcept
{
    rlimit limit{};
    if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0)
        return errno;
    limit.rlim_max = std::min<rlim_t>(limit.rlim_max, most);
    // The soft limit may not exceed the hard one.
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, limit.rlim_max);
    return ::setrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0 ? 0 : errno;
}

/// The tasks of the machine: the second number of the fourth field of /proc/loadavg, "3/512".
std::uint64_t tasksNow()
{
    std::ifstream file("/proc/loadavg");
    std::string one;
    std::string five;
    std::string fifteen;
    std::uint64_t running = 0;
    std::uint64_t all = 0;
    char slash = 0;
    file >> one >> five >> fifteen >> running >> slash >> all;
    return file && slash == '/' ? all : 0;
}

bool isKept(int capability, bool gpu) noexcept
{
    switch (capability) {
    // File rights stay, because files of other users in a container may be the model's. Locked memory and priorities
    // serve measurements.
    case CAP_DAC_OVERRIDE:
    case CAP_DAC_READ_SEARCH:
    case CAP_FOWNER:
    case CAP_IPC_LOCK:
    case CAP_SYS_NICE:
        return true;
    case CAP_SYS_ADMIN:
    case kPerfmon: // Newer kernels also let it read the memory of other processes.
        return gpu;
    default:
        return false;
    }
}

struct CapabilitySets
{
    __user_cap_data_struct words[2]{};
    bool read() noexcept
    {
        __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
        return ::syscall(SYS_capget, &header, words) == 0;
    }
    int write() const noexcept
    {
        __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
        return ::syscall(SYS_capset, &header, words) == 0 ? 0 : errno;
    }
};

} // namespace

ResourceLimits ResourceLimits::of(base::Bytes memory)
{
    // The limit counts the tasks of the user in the whole machine, so it lies above what runs now.
    return {static_cast<std::uint64_t>(std::max<std::int64_t>(memory.count, 0)), tasksNow() + kMoreProcesses};
}

int ResourceLimits::enforce() const noexcept
{
    // A core file would hold the model's weights.
    int failure = lower(RLIMIT_CORE, 0);
    if (failure == 0 && memory > 0)
        // RLIMIT_DATA counts private memory. RLIMIT_AS would count the files that engines map.
        failure = lower(RLIMIT_DATA, memory);
    if (failure == 0 && processes > 0)
        failure = lower(RLIMIT_NPROC, processes);
    return failure;
}

bool hasCapabilities()
{
    CapabilitySets sets;
    return sets.read() && (sets.words[0].effective != 0 || sets.words[1].effective != 0);
}

int giveUpCapabilities(bool gpu) noexcept
{
    CapabilitySets sets;
    if (!sets.read())
        return errno;
    // Root gets the rights of the bounding set back when it starts a program, so that is reduced first.
    for (int capability = 0; capability < 64; ++capability)
        if (!isKept(capability, gpu) && ::prctl(PR_CAPBSET_READ, capability) == 1 &&
            ::prctl(PR_CAPBSET_DROP, capability) != 0)
            return errno;
    for (int word = 0; word < 2; ++word)
        for (int bit = 0; bit < 32; ++bit)
            if (!isKept(word * 32 + bit, gpu)) {
                sets.words[word].effective &= ~(1U << bit);
                sets.words[word].permitted &= ~(1U << bit);
                sets.words[word].inheritable &= ~(1U << bit);
            }
    return sets.write();
}

} // namespace apertune::sandbox

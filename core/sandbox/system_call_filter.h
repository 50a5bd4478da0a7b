// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace apertune::sandbox {

/// The filter of the system calls of a child.
struct FilterRequest
{
    bool programs = false;     ///< it may start other programs and processes
    bool localSockets = false; ///< it may open sockets of the family AF_UNIX
    bool ownNumbers = false;   ///< the process is in a namespace of process numbers, in which no number is the parent's
    int parent = 0;            ///< process that must get no signal
    int parentGroup = 0;       ///< process group of the parent
    std::uint64_t passphrase = 0; ///< see SystemCallFilter
};

/// A seccomp filter. It denies what no model needs (other processes' memory, mounts, kernel modules, keys, io_uring,
/// new namespaces, sockets), leaving the process group, and signals to the parent. Without `programs` it also denies
/// new processes, signals to all others, and exec.
///
/// The exec by which the child becomes its own program has the passphrase as its unused sixth argument. The program
/// itself never knows it.
class SystemCallFilter
{
public:
    /// Whether this processor's numbers of system calls are known.
    static bool isSupported();
    explicit SystemCallFilter(const FilterRequest& request);

    /// Sets the filter in force for this process and those that it starts. It is called between fork() and exec(),
    /// after no_new_privs. Returns errno, or 0.
    int enforce() noexcept;

private:
    void deny(std::uint32_t call, int error);
    void denyArgument(std::uint32_t call, std::uint32_t value);
    void onlySelf(std::uint32_t call);
    void addCommonRules(const FilterRequest& request);
    void addRulesWithPrograms(const FilterRequest& request);
    void addRulesWithoutPrograms(const FilterRequest& request);

    std::vector<sock_filter> m_program;
    std::vector<std::size_t> m_ownNumber; ///< instructions that get the process's own number
};

} // namespace apertune::sandbox

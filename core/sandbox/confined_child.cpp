// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sandbox/confined_child.h"

#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace apertune::sandbox {

namespace {

/// Whether the daemon that shares NVIDIA GPUs between processes (MPS) may be in use. Its clients need local sockets.
bool mayShareGpu()
{
    return std::getenv("CUDA_MPS_PIPE_DIRECTORY") || ::access("/tmp/nvidia-mps", F_OK) == 0;
}

std::uint64_t randomNumber()
{
    std::uint64_t number = 0;
    if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number))
        std::abort(); // it cannot fail for so few bytes
    return number;
}

} // namespace

// Everything that needs memory or files happens here, before fork(): afterwards only calls that are safe there are
// made.
base::Result<std::shared_ptr<const ConfinedEntry>>
ConfinedEntry::create(const std::set<Layer>& layers, const Profile& profile, const std::filesystem::path& program)
{
    std::shared_ptr<ConfinedEntry> entry(new ConfinedEntry);
    entry->m_program = program;
    entry->m_gpu = profile.gpu;
    entry->m_noNewRights = layers.contains(Layer::noNewRights);
    entry->m_capabilities = layers.contains(Layer::capabilities);
    entry->m_limited = layers.contains(Layer::limits);
    entry->m_namespaces = {layers.contains(Layer::network), layers.contains(Layer::processes)};
    entry->m_ids = OwnIds::ofThisProcess();
    entry->m_limits = ResourceLimits::of(profile.memory);
    if (layers.contains(Layer::files)) {
        auto files = FileRules::create(profile, program);
        if (!files)
            return files.error();
        entry->m_files.emplace(std::move(*files));
    }
    if (layers.contains(Layer::systemCalls)) {
        entry->m_passphrase = randomNumber();
        entry->m_filter.emplace(FilterRequest{profile.programs, profile.gpu && mayShareGpu(),
                                              layers.contains(Layer::processes), ::getpid(), ::getpgrp(),
                                              entry->m_passphrase});
    }
    return std::shared_ptr<const ConfinedEntry>(std::move(entry));
}

int ConfinedEntry::enter(char* const* argv, char* const* environment) const noexcept
{
    if (const int failure = confine(); failure != 0)
        return failure;
    // The filter lets exactly this call start a program: it carries the passphrase, and the program cannot know it.
    ::syscall(SYS_execve, m_program.c_str(), argv, environment, 0L, 0L, m_passphrase);
    return errno;
}

int ConfinedEntry::confine() const noexcept
{
    // Namespaces come first, because later layers forbid the calls that make them.
    int failure = enterNamespaces(m_namespaces, m_ids);
    if (failure == 0 && m_namespaces.processes)
        failure = leaveGuardBehind();
    if (failure == 0 && m_limited)
        failure = m_limits.enforce();
    if (failure == 0 && m_capabilities)
        // Capabilities go after the namespaces, which need them for root.
        failure = giveUpCapabilities(m_gpu);
    // A change of rights may have cleared it. In a namespace of processes, the parent is the guard.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Landlock and seccomp take effect only for processes that cannot gain rights.
    if (failure == 0 && m_noNewRights && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        failure = errno;
    if (failure == 0 && m_files)
        failure = m_files->enforce();
    // The filter comes last: it forbids calls that the other layers use.
    if (failure == 0 && m_filter)
        failure = m_filter->enforce();
    return failure;
}

} // namespace apertune::sandbox

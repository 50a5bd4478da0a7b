// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sandbox/namespaces.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace apertune::sandbox {

namespace {

int writeText(const char* file, const char* text) noexcept
{
    const int fd = ::open(file, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    const auto length = static_cast<ssize_t>(std::strlen(text));
    const int failure = ::write(fd, text, static_cast<std::size_t>(length)) == length ? 0 : errno;
    ::close(fd);
    return failure;
}

/// Closes all descriptors but `kept`, so that the program's end closes its pipes.
void closeAllBut(int kept) noexcept
{
    const auto last = static_cast<unsigned>(kept);
    if (kept > 0)
        ::syscall(SYS_close_range, 0U, last - 1, 0U);
    ::syscall(SYS_close_range, last + 1, ~0U, 0U);
}

/// Waits for a child of this process. Returns its status.
int statusOf(pid_t child) noexcept
{
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/// The first process of the namespace. The kernel gives it the orphans, and spares it most signals, so it is not the
/// program itself. It writes how the program ended.
[[noreturn]] void adoptOrphans(pid_t program, int result) noexcept
{
    closeAllBut(result);
    int status = 0;
    for (;;) {
        // −1 waits for any child, so that orphans are collected too.
        const pid_t ended = ::waitpid(-1, &status, 0);
        if (ended == program || (ended < 0 && errno != EINTR))
            break;
    }
    [[maybe_unused]] const ssize_t ignored = ::write(result, &status, sizeof status);
    ::_exit(0);
}

/// Ends this process as another one ended.
[[noreturn]] void endAs(int status) noexcept
{
    if (WIFSIGNALED(status)) {
        // The end by a signal would write a second core file.
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        ::signal(WTERMSIG(status), SIG_DFL);
        ::kill(::getpid(), WTERMSIG(status));
    }
    ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

} // namespace

OwnIds OwnIds::ofThisProcess()
{
    // One id is mapped to itself, so that files keep their owner.
    const auto line = [](unsigned id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
    return {::geteuid() != 0, line(::geteuid()), line(::getegid())};
}

int enterNamespaces(const Namespaces& wanted, const OwnIds& ids) noexcept
{
    const int flags = (wanted.network ? CLONE_NEWNET : 0) | (wanted.processes ? CLONE_NEWPID : 0);
    if (flags == 0)
        return 0;
    // Only a user namespace lets other users make the rest.
    if (::unshare(flags | (ids.needed ? CLONE_NEWUSER : 0)) != 0)
        return errno;
    if (!ids.needed)
        return 0;
    // The kernel asks for the first of these before it takes the last.
    int failure = writeText("/proc/self/setgroups", "deny");
    if (failure == 0)
        failure = writeText("/proc/self/uid_map", ids.user.c_str());
    return failure != 0 ? failure : writeText("/proc/self/gid_map", ids.group.c_str());
}

int leaveGuardBehind() noexcept
{
    int result[2];
    if (::pipe2(result, O_CLOEXEC) != 0)
        return errno;
    const pid_t first = ::fork();
    if (first < 0)
        return errno;
    if (first > 0) {
        // The signals to the group are for the program, which decides itself when it ends.
        for (const int number : {SIGINT, SIGTERM, SIGHUP})
            ::signal(number, SIG_IGN);
        closeAllBut(result[0]);
        statusOf(first);
        int status = SIGKILL; // stays when the first process was killed and could not report
        [[maybe_unused]] const ssize_t ignored = ::read(result[0], &status, sizeof status);
        endAs(status);
    }
    // The first process must not outlive the guard.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const pid_t program = ::fork();
    if (program < 0)
        return errno;
    if (program > 0)
        adoptOrphans(program, result[1]);
    // The program itself knows nothing of the pipe.
    ::close(result[0]);
    ::close(result[1]);
    return 0;
}

// A test in a child shows what the kernel allows; unshare() itself cannot be undone.
int tryNamespaces(const Namespaces& wanted)
{
    const OwnIds ids = OwnIds::ofThisProcess();
    const pid_t child = ::fork();
    if (child < 0)
        return errno;
    if (child == 0) {
        int failure = enterNamespaces(wanted, ids);
        if (failure == 0 && wanted.processes) {
            const pid_t inside = ::fork(); // fails where the namespace cannot be used
            if (inside == 0)
                ::_exit(0);
            failure = inside < 0 ? errno : 0;
            if (inside > 0)
                statusOf(inside);
        }
        ::_exit(failure);
    }
    const int status = statusOf(child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

} // namespace apertune::sandbox

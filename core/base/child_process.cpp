// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/child_process.h"

#include "core/base/clock.h"
#include "core/base/errors.h"
#include "core/base/mutex.h"
#include "core/base/write_signals.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;

namespace apertune::base {

/// How the child ended. While the mutex is held, the child is not reaped, so its process id cannot be reused.
/// Code that sends a signal holds the mutex. It is a leaf lock: no other lock is taken under it.
struct ChildProcess::Ending
{
    Mutex mutex;
    std::optional<ChildExit> exit APERTUNE_GUARDED_BY(mutex);
};

namespace {

struct Pipe
{
    int read = -1;
    int write = -1;
    bool open()
    {
        int fds[2];
        // Without O_CLOEXEC, another child that starts at this moment would inherit the ends and keep the pipe open.
        if (::pipe2(fds, O_CLOEXEC) != 0)
            return false;
        read = fds[0];
        write = fds[1];
        return true;
    }
};

void closeFd(int& fd)
{
    if (fd >= 0)
        ::close(fd);
    fd = -1;
}

std::vector<std::string> mergedEnvironment(const std::map<std::string, std::optional<std::string>>& changes)
{
    std::vector<std::string> merged;
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view text(*entry);
        if (!changes.contains(std::string(text.substr(0, text.find('=')))))
            merged.emplace_back(text);
    }
    for (const auto& [name, value] : changes)
        if (value)
            merged.push_back(name + "=" + *value);
    return merged;
}

std::vector<char*> pointers(std::vector<std::string>& strings)
{
    std::vector<char*> result;
    for (std::string& s : strings)
        result.push_back(s.data());
    result.push_back(nullptr);
    return result;
}

/// Data for the child between fork and exec. The parent prepares it, because the child may not allocate there.
struct Launch
{
    char* const* argv;
    char* const* environment;
    const char* workingDir;  ///< null: the parent's
    const ChildEntry* entry; ///< null: the program is started as it is
    std::array<int, 3> streams;
};

/// Runs in the child and never returns. It calls only functions that are safe after fork() in a process with threads.
[[noreturn]] void becomeProgram(const Launch& launch, pid_t parent, int report)
{
    const auto fail = [report] {
        const int failure = errno;
        [[maybe_unused]] const ssize_t ignored = ::write(report, &failure, sizeof failure);
        ::_exit(127);
    };
    // The parent waits for the report, so the group exists before a signal can be sent to it.
    ::setpgid(0, 0);
    // When the parent died before the request above, the kernel would never send the signal.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(127);
    for (int i = 0; i < 3; ++i)
        if (const int stream = launch.streams[static_cast<std::size_t>(i)]; stream == i)
            ::fcntl(i, F_SETFD, 0); // dup2() onto the same number does nothing, so exec would still close it
        else if (::dup2(stream, i) < 0)
            fail();
    if (launch.workingDir && ::chdir(launch.workingDir) != 0)
        fail();
    // The child must not inherit a blocked SIGTERM or a write signal that this process ignores.
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        ::signal(number, SIG_DFL);
    for (const int number : kWriteSignals)
        ::signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (launch.entry)
        errno = launch.entry->enter(launch.argv, launch.environment);
    else
        ::execvpe(launch.argv[0], launch.argv, launch.environment);
    fail();
    ::_exit(127);
}

struct Launched
{
    pid_t pid = -1;
    int failure = 0; ///< errno; 0: the program runs
};

/// Like posix_spawn(), but the child dies with the thread that started it. posix_spawn() has no attribute for that.
Launched forkAndExec(const Launch& launch)
{
    Pipe report; // a successful exec closes it; after a failure the child writes errno to it
    if (!report.open())
        return {-1, errno};
    // Handlers of this process must not run in the child.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0)
        becomeProgram(launch, parent, report.write);
    int failure = pid < 0 ? errno : 0;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    closeFd(report.write);
    if (pid > 0) {
        ssize_t got = 0;
        while ((got = ::read(report.read, &failure, sizeof failure)) < 0 && errno == EINTR) {
        }
        if (got == static_cast<ssize_t>(sizeof failure))
            ::waitpid(pid, nullptr, 0);
        else
            failure = 0;
    }
    closeFd(report.read);
    return {pid, failure};
}

} // namespace

Result<ChildProcess> ChildProcess::start(const ChildCommand& command)
{
    if (command.argv.empty() || command.argv[0].empty())
        return Error{ErrorCode::invalidArgument, message<errors::kNoProgram>(), {}, message<errors::kPleaseReport>()};
    std::error_code ignored;
    if (!command.workingDir.empty() && !std::filesystem::is_directory(command.workingDir, ignored))
        return Error{ErrorCode::notFound,
                     message<errors::kNoWorkingFolder>(command.argv[0], command.workingDir.string()),
                     {},
                     message<errors::kCreateFolder>()};

    std::array<Pipe, 3> pipes;
    bool opened = true;
    for (Pipe& p : pipes)
        opened = opened && p.open();
    if (!opened) {
        const int failure = errno;
        for (Pipe& p : pipes) {
            closeFd(p.read);
            closeFd(p.write);
        }
        return Error{
            ErrorCode::io, message<errors::kNoPipes>(std::strerror(failure)), {}, message<errors::kCloseOthers>()};
    }

    std::vector<std::string> argv = command.argv;
    std::vector<std::string> environment = mergedEnvironment(command.environment);
    const std::vector<char*> words = pointers(argv);
    const std::vector<char*> variables = pointers(environment);
    const Launch launch{words.data(),
                        variables.data(),
                        command.workingDir.empty() ? nullptr : command.workingDir.c_str(),
                        command.entry.get(),
                        {pipes[0].read, pipes[1].write, pipes[2].write}};
    const auto [pid, failure] = forkAndExec(launch);
    closeFd(pipes[0].read);
    closeFd(pipes[1].write);
    closeFd(pipes[2].write);
    if (failure != 0) {
        closeFd(pipes[0].write);
        closeFd(pipes[1].read);
        closeFd(pipes[2].read);
        return Error{failure == ENOENT ? ErrorCode::notFound : ErrorCode::io,
                     message<errors::kCannotStart>(command.argv[0], std::strerror(failure)),
                     {},
                     message<errors::kCheckProgram>()};
    }

    ChildProcess child;
    child.m_pid = pid;
    child.m_stdin = pipes[0].write;
    child.m_stdout = pipes[1].read;
    child.m_stderr = pipes[2].read;
    child.m_endsGroup = command.entry != nullptr;
    for (int fd : {child.m_stdout, child.m_stderr})
        ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    return child;
}

ChildProcess::ChildProcess() : m_ending(std::make_unique<Ending>())
{
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
{
    *this = std::move(other);
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept
{
    std::swap(m_pid, other.m_pid);
    std::swap(m_stdin, other.m_stdin);
    std::swap(m_stdout, other.m_stdout);
    std::swap(m_stderr, other.m_stderr);
    std::swap(m_endsGroup, other.m_endsGroup);
    std::swap(m_ending, other.m_ending);
    return *this;
}

ChildProcess::~ChildProcess()
{
    closeAll();
    kill();
    if (m_pid <= 0)
        return;
    const Lock guard(m_ending->mutex);
    if (!m_ending->exit)
        ::waitpid(m_pid, nullptr, 0);
}

void ChildProcess::closeAll()
{
    closeFd(m_stdin);
    closeFd(m_stdout);
    closeFd(m_stderr);
}

void ChildProcess::closeStdin()
{
    closeFd(m_stdin);
}

void ChildProcess::terminate() const
{
    sendToGroup(SIGTERM);
}

void ChildProcess::kill() const
{
    sendToGroup(SIGKILL);
}

void ChildProcess::sendToGroup(int signal) const
{
    if (m_pid <= 0)
        return;
    const Lock guard(m_ending->mutex);
    if (!m_ending->exit)
        ::kill(-m_pid, signal);
}

std::optional<ChildExit> ChildProcess::poll()
{
    if (m_pid <= 0)
        return std::nullopt;
    const Lock guard(m_ending->mutex);
    siginfo_t info{};
    if (m_ending->exit || ::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid != m_pid)
        return m_ending->exit;
    // The child is not reaped yet, so its group id cannot belong to another process.
    if (info.si_code != CLD_EXITED || m_endsGroup)
        ::kill(-m_pid, SIGKILL);
    int status = 0;
    if (::waitpid(m_pid, &status, 0) == m_pid)
        m_ending->exit = WIFSIGNALED(status) ? ChildExit{0, WTERMSIG(status)} : ChildExit{WEXITSTATUS(status), 0};
    return m_ending->exit;
}

std::optional<ChildExit> ChildProcess::wait(Nanoseconds limit)
{
    const Nanoseconds deadline = monotonicNow() + limit;
    std::optional<ChildExit> exit = poll();
    while (!exit && monotonicNow() < deadline) {
        // waitid() has no time limit, so the end is polled for. 2 ms are short beside the life of any child.
        ::usleep(2000);
        exit = poll();
    }
    return exit;
}

std::string describe(const ChildExit& exit)
{
    if (exit.signal == 0)
        return "exit code " + std::to_string(exit.code);
    const char* name = ::sigabbrev_np(exit.signal);
    return "killed by SIG" + (name ? std::string(name) : std::to_string(exit.signal));
}

} // namespace apertune::base

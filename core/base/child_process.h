// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apertune::base {

/// What to start and in which surroundings. The child becomes leader of its own process group, so that
/// everything it starts can be stopped with it.
struct ChildCommand
{
    std::vector<std::string> argv;                                   ///< argv[0] is looked up in PATH
    std::map<std::string, std::optional<std::string>> environment{}; ///< changes to ours; nullopt removes
    std::filesystem::path workingDir{};                              ///< empty: ours
};

/// How a child ended.
struct ChildExit
{
    int code = 0;   ///< exit code, when signal is 0
    int signal = 0; ///< the signal that ended it, or 0
    bool clean() const { return code == 0 && signal == 0; }
};

/// A running child with pipes on its three standard streams. Owned by one thread, except that
/// terminate() and kill() may be called from any. The destructor kills the group and reaps the child. A child that
/// a signal ended takes the rest of its group along: a worker that crashed leaves no compiler running. The kernel kills
/// a child whose starting thread ends, even by SIGKILL (PR_SET_PDEATHSIG): nothing that Apertune started outlives it.
/// REQUIRES: the thread that calls start() lives for as long as the child is needed.
class ChildProcess
{
public:
    /// Failures: notFound (no such program or working folder), invalidArgument (no program named), io.
    static Result<ChildProcess> start(const ChildCommand& command);

    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ~ChildProcess();

    int pid() const { return m_pid; }
    int stdinFd() const { return m_stdin; }   ///< blocking, ours to write
    int stdoutFd() const { return m_stdout; } ///< non-blocking, ours to poll and read
    int stderrFd() const { return m_stderr; } ///< non-blocking, ours to poll and read

    void closeStdin();
    void terminate() const; ///< SIGTERM to the group
    void kill() const;      ///< SIGKILL to the group

    /// The exit, when it has ended; does not block.
    std::optional<ChildExit> poll();
    /// Waits at most `limit`; nullopt when it still runs then.
    std::optional<ChildExit> wait(Nanoseconds limit);

private:
    ChildProcess();
    void closeAll();
    void sendToGroup(int signal) const;
    int m_pid = -1;
    int m_stdin = -1;
    int m_stdout = -1;
    int m_stderr = -1;
    struct Ending;
    std::unique_ptr<Ending> m_ending; ///< null once moved from
};

/// "exit code 3" or "killed by SIGSEGV".
std::string describe(const ChildExit& exit);

} // namespace apertune::base

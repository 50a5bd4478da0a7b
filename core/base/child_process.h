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

/// The way into a program for a child that is put under restrictions first (core/sandbox).
class ChildEntry
{
public:
    virtual ~ChildEntry() = default;
    /// Called in the child between fork() and exec(), with its streams and working folder in place. Starts the program,
    /// or returns errno. It only calls functions that are safe after fork() in a process with threads.
    virtual int enter(char* const* argv, char* const* environment) const noexcept = 0;
};

/// A program to start, with its arguments and environment. The child becomes the leader of its own process group, so
/// that everything it starts can be stopped with it.
struct ChildCommand
{
    std::vector<std::string> argv;                                   ///< argv[0] is looked up in PATH
    std::map<std::string, std::optional<std::string>> environment{}; ///< changes to the parent's; nullopt removes
    std::filesystem::path workingDir{};                              ///< empty: the parent's
    std::shared_ptr<const ChildEntry> entry{};                       ///< null: the program is started as it is
};

/// How a child ended.
struct ChildExit
{
    int code = 0;   ///< exit code, when signal is 0
    int signal = 0; ///< the signal that ended it, or 0
    bool clean() const { return code == 0 && signal == 0; }
};

/// A running child with pipes on its three standard streams.
///  - One thread owns the object. terminate() and kill() may be called from any thread.
///  - The destructor kills the process group and reaps the child.
///  - When a signal ends the child, the rest of its group is killed: a crashed worker leaves no compiler running. With
///    ChildCommand::entry that holds for every end.
///  - When the thread that started the child ends, even by SIGKILL, the kernel kills the child (PR_SET_PDEATHSIG).
///
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
    int stdinFd() const { return m_stdin; }   ///< blocking, for the parent to write
    int stdoutFd() const { return m_stdout; } ///< non-blocking, for the parent to poll and read
    int stderrFd() const { return m_stderr; } ///< non-blocking, for the parent to poll and read

    void closeStdin();
    void terminate() const; ///< SIGTERM to the group
    void kill() const;      ///< SIGKILL to the group

    /// Returns how the child ended, or nullopt while it runs. It does not block.
    std::optional<ChildExit> poll();
    /// Waits at most `limit` for the end of the child. Returns nullopt when it still runs.
    std::optional<ChildExit> wait(Nanoseconds limit);

private:
    ChildProcess();
    void closeAll();
    void sendToGroup(int signal) const;
    int m_pid = -1;
    int m_stdin = -1;
    int m_stdout = -1;
    int m_stderr = -1;
    bool m_endsGroup = false; ///< the group ends with the child, however that ends
    struct Ending;
    std::unique_ptr<Ending> m_ending; ///< null once moved from
};

/// Returns a text such as "exit code 3" or "killed by SIGSEGV".
std::string describe(const ChildExit& exit);

} // namespace apertune::base

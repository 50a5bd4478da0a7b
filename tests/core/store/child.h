// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace apertune::store::test {

/// A forked copy of this process, for what a second process or an unprivileged one would do. REQUIRES: no Store is
/// open here while one is started (SQLite connections do not survive a fork).
class Child
{
public:
    /// `body` runs in the child with a descriptor to write its messages to; its result is the exit code.
    explicit Child(const std::function<int(int)>& body);
    ~Child(); ///< kills the child and waits for its end
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    int pid() const { return m_pid; }
    /// Up to and without the next newline; empty at the end.
    std::string readLine();
    void kill();
    /// Everything it still writes, then its exit code (or minus the signal).
    std::string readAll();
    int wait();

private:
    pid_t m_pid = -1;
    int m_read = -1;
    bool m_waited = false;
    int m_code = 0;
};

/// Runs `body` as a user who may not write to what root owns, and gives back what it wrote. Its exit code must be 0.
std::string runUnprivileged(const std::function<void(int)>& body);

void writeLine(int fd, const std::string& text);

} // namespace apertune::store::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/store/child.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>

namespace apertune::store::test {

Child::Child(const std::function<int(int)>& body)
{
    std::array<int, 2> fds{};
    if (::pipe(fds.data()) != 0)
        throw std::runtime_error("no pipe");
    std::fflush(nullptr);
    m_pid = ::fork();
    if (m_pid == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::close(fds[0]);
        int code = 99;
        try {
            code = body(fds[1]);
        } catch (const std::exception& e) {
            writeLine(fds[1], std::string("exception: ") + e.what());
        }
        // Nothing of the parent may run again here, not even its destructors.
        ::_exit(code);
    }
    ::close(fds[1]);
    m_read = fds[0];
}

Child::~Child()
{
    kill();
    wait();
    ::close(m_read);
}

std::string Child::readLine()
{
    std::string line;
    char c = 0;
    while (::read(m_read, &c, 1) == 1 && c != '\n')
        line += c;
    return line;
}

std::string Child::readAll()
{
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; (n = ::read(m_read, buffer.data(), buffer.size())) > 0;)
        text.append(buffer.data(), static_cast<std::size_t>(n));
    return text;
}

void Child::kill()
{
    if (!m_waited)
        ::kill(m_pid, SIGKILL);
}

int Child::wait()
{
    int status = 0;
    if (!m_waited && ::waitpid(m_pid, &status, 0) == m_pid)
        m_code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    m_waited = true;
    return m_code;
}

void writeLine(int fd, const std::string& text)
{
    const std::string line = text + "\n";
    if (::write(fd, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
        ::_exit(98);
}

std::string runUnprivileged(const std::function<void(int)>& body)
{
    Child child([&](int fd) {
        constexpr uid_t kNobody = 65534;
        if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0))
            return 97;
        body(fd);
        return 0;
    });
    std::string text = child.readAll();
    EXPECT_EQ(child.wait(), 0) << text;
    return text;
}

} // namespace apertune::store::test

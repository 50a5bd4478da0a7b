// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/run_child.h"

#include "core/base/clock.h"
#include "core/base/errors.h"
#include "core/base/text.h"

#include <poll.h>
#include <unistd.h>

#include <array>

namespace apertune::base {

namespace {

/// Appends the available bytes. Returns false at the end of the stream.
bool drain(int fd, std::string& text)
{
    std::array<char, 4096> buffer{};
    for (;;) {
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n == 0)
            return false;
        if (n < 0)
            return true;
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

} // namespace

Result<ChildResult> runChild(const std::vector<std::string>& argv, Nanoseconds limit, std::stop_token stop,
                             const std::function<void(int pid)>& watch)
{
    auto child = ChildProcess::start({argv});
    if (!child)
        return child.error();
    return finishChild(std::move(*child), argv.front(), limit, std::move(stop), watch);
}

Result<ChildResult> finishChild(ChildProcess child, const std::string& name, Nanoseconds limit, std::stop_token stop,
                                const std::function<void(int pid)>& watch)
{
    child.closeStdin();
    ChildResult result;
    const auto deadline = monotonicNow() + limit;
    bool outOpen = true;
    bool errOpen = true;
    for (;;) {
        std::array<pollfd, 2> fds{
            {{outOpen ? child.stdoutFd() : -1, POLLIN, 0}, {errOpen ? child.stderrFd() : -1, POLLIN, 0}}};
        // The time limit lets a request to stop, and the end of a child that closed its streams, be seen.
        ::poll(fds.data(), fds.size(), outOpen || errOpen ? 100 : 2);
        if (watch)
            watch(child.pid());
        // The last output may have arrived between the read and the end of the child, so read again.
        const auto exit = child.poll();
        outOpen = outOpen && drain(child.stdoutFd(), result.out);
        errOpen = errOpen && drain(child.stderrFd(), result.err);
        if (exit) {
            result.exit = *exit;
            return result;
        }
        if (stop.stop_requested())
            return Error{ErrorCode::cancelled, message<errors::kInterrupted>()};
        if (monotonicNow() > deadline)
            return Error{
                ErrorCode::timeout, message<errors::kDidNotEnd>(name, limit), {}, message<errors::kRunByHand>()};
    }
}

} // namespace apertune::base

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/child_process.h"
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/base/write_signals.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace apertune::base::test {

namespace {

ChildProcess start(const ChildCommand& command)
{
    auto child = ChildProcess::start(command);
    if (!child)
        throw std::runtime_error(sentences::describe(child.error()));
    return std::move(child).value();
}

ChildProcess shell(const std::string& script)
{
    return start({{"sh", "-c", script}});
}

/// Everything up to the end, or up to `limit` bytes.
std::string readAll(int fd, std::size_t limit = 1 << 20)
{
    std::string text;
    char buffer[512];
    pollfd wait{fd, POLLIN, 0};
    while (text.size() < limit && ::poll(&wait, 1, 120'000) > 0) {
        const ssize_t n = ::read(fd, buffer, std::min(sizeof buffer, limit - text.size()));
        if (n <= 0)
            break;
        text.append(buffer, static_cast<std::size_t>(n));
    }
    return text;
}

std::string readLine(int fd)
{
    std::string line;
    while (line.empty() || line.back() != '\n') {
        const std::string next = readAll(fd, 1);
        if (next.empty())
            break;
        line += next;
    }
    return line;
}

/// True once the process is gone; a zombie that init has not fetched yet counts as gone.
bool isGoneSoon(int pid)
{
    for (int i = 0; i < 60'000; ++i) {
        const auto status = readFile("/proc/" + std::to_string(pid) + "/stat");
        if (!status || status->empty() || status->find(") Z ") != std::string::npos)
            return true;
        ::usleep(2000);
    }
    return false;
}

constexpr Nanoseconds kLong = fromSeconds(120);

} // namespace

TEST(ChildProcessDeath, AChildDoesNotOutliveASupervisorThatIsKilled)
{
    int report[2];
    ASSERT_EQ(::pipe(report), 0);
    const pid_t supervisor = ::fork();
    ASSERT_GE(supervisor, 0);
    if (supervisor == 0) {
        const auto child = ChildProcess::start({{"sleep", "300"}});
        const int pid = child ? child->pid() : -1;
        [[maybe_unused]] const ssize_t ignored = ::write(report[1], &pid, sizeof pid);
        for (;;)
            ::pause();
    }
    int pid = -1;
    ASSERT_EQ(::read(report[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
    ASSERT_GT(pid, 0);
    EXPECT_EQ(::kill(pid, 0), 0) << "it runs";
    ::kill(supervisor, SIGKILL);
    ::waitpid(supervisor, nullptr, 0);
    EXPECT_TRUE(isGoneSoon(pid));
    ::close(report[0]);
    ::close(report[1]);
}

TEST(ChildProcesses, TalkThroughThreePipes)
{
    ChildProcess child = shell("read line; echo \"out: $line\"; echo err >&2; exit 3");
    ASSERT_EQ(::write(child.stdinFd(), "hello\n", 6), 6);
    EXPECT_EQ(readAll(child.stdoutFd()), "out: hello\n");
    EXPECT_EQ(readAll(child.stderrFd()), "err\n");
    const auto exit = child.wait(kLong);
    ASSERT_TRUE(exit.has_value());
    EXPECT_EQ(exit->code, 3);
    EXPECT_EQ(exit->signal, 0);
    EXPECT_FALSE(exit->clean());
    EXPECT_EQ(describe(*exit), "exit code 3");
    EXPECT_EQ(child.poll()->code, 3); // a second poll gives the same
}

TEST(ChildProcesses, SeeTheEndOfTheirInput)
{
    ChildProcess child = start({{"cat"}});
    ASSERT_EQ(::write(child.stdinFd(), "abc", 3), 3);
    child.closeStdin();
    EXPECT_EQ(child.stdinFd(), -1);
    EXPECT_EQ(readAll(child.stdoutFd()), "abc");
    const auto exit = child.wait(kLong);
    ASSERT_TRUE(exit.has_value());
    EXPECT_TRUE(exit->clean());
}

TEST(ChildProcesses, GetTheEnvironmentAndFolderThatWereAsked)
{
    ::setenv("APERTUNE_KEPT", "kept", 1);
    ::setenv("APERTUNE_REMOVED", "removed", 1);
    const auto folder = TemporaryDir::create("a child");
    ASSERT_TRUE(folder.ok());
    ChildCommand command{{"sh", "-c", "echo \"$APERTUNE_KEPT|${APERTUNE_REMOVED-none}|$APERTUNE_NEW|$(pwd)\""}};
    command.environment = {{"APERTUNE_REMOVED", std::nullopt}, {"APERTUNE_NEW", "a=b c"}};
    command.workingDir = folder->path();
    ChildProcess child = start(command);
    EXPECT_EQ(readAll(child.stdoutFd()), "kept|none|a=b c|" + folder->path().string() + "\n");
    ::unsetenv("APERTUNE_KEPT");
    ::unsetenv("APERTUNE_REMOVED");
}

TEST(ChildProcesses, ThatCannotStartSayWhy)
{
    const auto missing = ChildProcess::start({{"apertune-no-such-program"}});
    EXPECT_EQ(missing.error().code, ErrorCode::notFound);
    EXPECT_NE(sentences::sentence(missing.error().message).find("apertune-no-such-program"), std::string::npos);
    EXPECT_EQ(ChildProcess::start({{"/etc/passwd"}}).error().code, ErrorCode::io);
    EXPECT_EQ(ChildProcess::start({{"/tmp"}}).error().code, ErrorCode::io);
    EXPECT_EQ(ChildProcess::start({{}}).error().code, ErrorCode::invalidArgument);
    const auto folder = ChildProcess::start({{"true"}, {}, "/no/such/folder"});
    EXPECT_EQ(folder.error().code, ErrorCode::notFound);
    EXPECT_NE(sentences::sentence(folder.error().message).find("/no/such/folder"), std::string::npos)
        << sentences::describe(folder.error());
}

TEST(ChildProcesses, LeaveNoDescriptorsBehind)
{
    const auto descriptors = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                             std::filesystem::directory_iterator());
    };
    const auto before = descriptors();
    for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(start({{"true"}}).wait(kLong)->clean());
        EXPECT_FALSE(ChildProcess::start({{"apertune-no-such-program"}}).ok());
    }
    EXPECT_EQ(descriptors(), before);
    // Nor does a child inherit the pipes of another.
    const auto countInChild = [] {
        ChildProcess counting = shell("ls /proc/self/fd | wc -l");
        return readAll(counting.stdoutFd());
    };
    const std::string alone = countInChild();
    const ChildProcess other = start({{"cat"}});
    EXPECT_EQ(countInChild(), alone);
}

TEST(ChildProcesses, AreStoppedGentlyOrNot)
{
    ChildProcess polite = shell("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done");
    ASSERT_EQ(readAll(polite.stdoutFd(), 6), "ready\n");
    EXPECT_FALSE(polite.poll().has_value());
    polite.terminate();
    EXPECT_TRUE(polite.wait(kLong)->clean());
    EXPECT_EQ(readAll(polite.stdoutFd()), "bye\n");

    ChildProcess stubborn = shell("trap '' TERM; echo ready; while :; do sleep 0.01; done");
    ASSERT_EQ(readAll(stubborn.stdoutFd(), 6), "ready\n");
    stubborn.terminate();
    EXPECT_FALSE(stubborn.wait(fromMilliseconds(100)).has_value());
    stubborn.kill();
    const auto exit = stubborn.wait(kLong);
    EXPECT_EQ(exit->signal, SIGKILL);
    EXPECT_EQ(describe(*exit), "killed by SIGKILL");
    stubborn.kill(); // does nothing to a child that ended
    stubborn.terminate();
}

TEST(ChildProcesses, WaitGivesUpAtItsLimit)
{
    ChildProcess child = shell("sleep 100");
    const Nanoseconds begin = monotonicNow();
    EXPECT_FALSE(child.wait(fromMilliseconds(50)).has_value());
    EXPECT_GE((monotonicNow() - begin).milliseconds(), 50);
    EXPECT_FALSE(child.wait({}).has_value());
}

TEST(ChildProcesses, EndWithTheirOwnerAndAllThatTheyStarted)
{
    int child = 0;
    int grandchild = 0;
    {
        ChildProcess process = shell("sleep 1000 & echo $!; wait");
        child = process.pid();
        grandchild = std::stoi(readLine(process.stdoutFd()));
        EXPECT_EQ(::kill(grandchild, 0), 0);
    }
    EXPECT_TRUE(isGoneSoon(child));
    EXPECT_TRUE(isGoneSoon(grandchild));
}

TEST(ChildProcesses, ThatAreKilledByOthersTakeTheirHelpersAlong)
{
    // A worker that crashes must not leave its compiler running.
    ChildProcess process = shell("sleep 1000 & echo $!; wait");
    const int grandchild = std::stoi(readLine(process.stdoutFd()));
    ::kill(process.pid(), SIGKILL);
    ASSERT_TRUE(process.wait(kLong).has_value());
    EXPECT_TRUE(isGoneSoon(grandchild));
}

TEST(ChildProcesses, MayBeMoved)
{
    ChildProcess first = start({{"cat"}});
    const int pid = first.pid();
    ChildProcess second = std::move(first);
    EXPECT_EQ(second.pid(), pid);
    first = shell("sleep 1000");
    const int other = first.pid();
    second = std::move(first);
    EXPECT_EQ(second.pid(), other);
    first.kill();
    second.kill();
    EXPECT_EQ(second.wait(kLong)->signal, SIGKILL);
}

TEST(ChildProcesses, MayBeKilledFromAnotherThread)
{
    for (int i = 0; i < 20; ++i) {
        ChildProcess child = shell("sleep 100");
        std::jthread killer([&] { child.kill(); });
        const auto exit = child.wait(kLong);
        ASSERT_TRUE(exit.has_value());
        EXPECT_EQ(exit->signal, SIGKILL);
    }
}

TEST(ChildProcesses, DoNotInheritOurSignalSettings)
{
    // Programs that stop at a closed pipe or at a file-size limit must do so below us too, even where we go on.
    const auto before = std::signal(SIGPIPE, SIG_DFL);
    const auto beforeLimit = std::signal(SIGXFSZ, SIG_DFL);
    ignoreWriteSignals();
    sigset_t blocked;
    sigset_t old;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &old);
    ChildProcess child = start({{"sleep", "100"}});
    child.terminate();
    const auto exit = child.wait(kLong);
    ASSERT_TRUE(exit.has_value());
    EXPECT_EQ(describe(*exit), "killed by SIGTERM");
    ChildProcess piped = shell("kill -PIPE $$; echo survived");
    EXPECT_EQ(piped.wait(kLong)->signal, SIGPIPE);
    ChildProcess limited = shell("kill -XFSZ $$; echo survived");
    EXPECT_EQ(limited.wait(kLong)->signal, SIGXFSZ);
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    std::signal(SIGPIPE, before);
    std::signal(SIGXFSZ, beforeLimit);
}

} // namespace apertune::base::test

// SPDX-License-Identifier: GPL-3.0-or-later
// Each attack runs without the layers that stop it, which shows that it is real; with all of them; and with each of
// them alone, which shows that the next one holds when another is missing or was broken.
#include "core/base/files.h"
#include "core/base/run_child.h"
#include "core/base/temporary_dir.h"
#include "core/sandbox/sandbox.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>

namespace apertune::sandbox {
namespace {

using base::fromSeconds;

/// Code of a model in Python. It prints "DONE" where it has done its harm. The variables `home` (a folder that it may
/// not touch, with the file `key`), `port` (where somebody listens), `supervisor` (the process that started it) are
/// defined.
struct Attack
{
    const char* name;
    const char* code;
    std::set<Layer> stoppedBy;
    Profile profile{};
};

void PrintTo(const Attack& attack, std::ostream* out)
{
    *out << attack.name;
}

constexpr std::int64_t kMemory = 256LL << 20;

std::vector<Attack> attacks()
{
    const Profile worker;
    const Profile exporter{.programs = true};
    const Profile small{.memory = {kMemory}};
    return {
        {"WritesTheHomeFolder", "open(home + '/pwned', 'w').write('x')", {Layer::files}, worker},
        {"ReplacesAFile", "open(home + '/key', 'r+').write('AAAA')", {Layer::files}, exporter},
        {"RemovesAFile", "os.remove(home + '/key')", {Layer::files}, exporter},
        {"TruncatesAFile", "os.truncate(home + '/key', 0)", {Layer::files}, worker},
        {"LinksAFile", "os.symlink('/etc/passwd', home + '/link')", {Layer::files}, exporter},
        {"ReadsAKey", "assert open(home + '/key').read()", {Layer::files}, worker},
        {"ListsTheHomeFolder", "assert os.listdir(home)", {Layer::files}, exporter},
        {"ConnectsToAServer",
         "s = socket.socket(); s.settimeout(5); s.connect(('127.0.0.1', port))",
         {Layer::files, Layer::systemCalls, Layer::network},
         exporter},
        {"SendsADatagram",
         "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b'key', ('127.0.0.1', port))",
         {Layer::systemCalls, Layer::network},
         exporter},
        {"OpensALocalSocket", "socket.socket(socket.AF_UNIX)", {Layer::systemCalls}, worker},
        {"Forks", "pid = os.fork()\nif pid == 0: os._exit(0)\nos.waitpid(pid, 0)", {Layer::systemCalls}, worker},
        {"StartsAShell", "os.execv('/bin/sh', ['sh', '-c', 'echo DONE'])", {Layer::files, Layer::systemCalls}, worker},
        {"StartsItsLoader",
         "os.execv('/usr/bin/env', ['env', 'sh', '-c', 'echo DONE'])",
         {Layer::files, Layer::systemCalls},
         worker},
        {"AllocatesWithoutEnd", "x = bytearray(1 << 30)", {Layer::limits}, small},
        {"SignalsItsSupervisor",
         "os.kill(supervisor, 0)",
         {Layer::files, Layer::systemCalls, Layer::processes},
         exporter},
        {"SignalsItsSupervisorFromAWorker", "os.kill(supervisor, 0)", {Layer::files, Layer::systemCalls}, worker},
        {"ReadsTheEnvironmentOfItsSupervisor",
         "assert open('/proc/%d/environ' % supervisor).read()",
         // CAP_PERFMON, which root has, lets newer kernels pass over Landlock here.
         {::geteuid() == 0 ? Layer::capabilities : Layer::files},
         worker},
        {"MakesAUserNamespace", "check(libc.unshare(0x10000000))", {Layer::systemCalls}, worker},
        {"MountsAFileSystem",
         "check(libc.mount(b'none', b'/mnt', b'tmpfs', 0, None))",
         {Layer::systemCalls, Layer::capabilities, Layer::files},
         worker},
        {"TracesItsSupervisor",
         "check(libc.ptrace(0x4206, supervisor, 0, 0)); libc.ptrace(17, supervisor, 0, 0)",
         {Layer::systemCalls, Layer::files, Layer::capabilities},
         worker},
        {"SetsTheClock",
         "t = time.clock_gettime(time.CLOCK_REALTIME); time.clock_settime(time.CLOCK_REALTIME, t)",
         {Layer::systemCalls, Layer::capabilities},
         worker},
    };
}

/// Runs attacks against a home folder and a server of the test's own.
class Hostile : public ::testing::TestWithParam<Attack>
{
protected:
    void SetUp() override
    {
        if (::access("/usr/bin/python3", X_OK) != 0)
            GTEST_SKIP() << "there is no /usr/bin/python3 to run the attacks";
        m_server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        ASSERT_EQ(::bind(m_server, reinterpret_cast<sockaddr*>(&address), size), 0);
        ASSERT_EQ(::listen(m_server, 64), 0);
        ASSERT_EQ(::getsockname(m_server, reinterpret_cast<sockaddr*>(&address), &size), 0);
        m_port = ntohs(address.sin_port);
    }
    void TearDown() override
    {
        setSettings(m_before);
        if (m_server >= 0)
            ::close(m_server);
    }

    /// Whether the attack does its harm with these layers off.
    bool succeeds(const Attack& attack, const std::set<Layer>& off)
    {
        std::ofstream(m_home.path() / "key") << "secret";
        std::filesystem::remove(m_home.path() / "link");
        std::string code = "import ctypes, os, socket, time\n"
                           "libc = ctypes.CDLL(None, use_errno=True)\n"
                           "def check(result):\n"
                           "    if result != 0: raise OSError(ctypes.get_errno())\n";
        code += "home = '" + m_home.path().string() + "'\nport = " + std::to_string(m_port) +
                "\nsupervisor = " + std::to_string(::getpid()) + "\n" + attack.code + "\nprint('DONE', flush=True)\n";
        setSettings({.off = off});
        auto child = start({{"/usr/bin/python3", "-I", "-c", code}}, attack.profile);
        if (!child)
            throw std::runtime_error("not started: " + child.error().message.id);
        const auto result = base::finishChild(std::move(child->process), "python3", fromSeconds(120), {});
        if (!result)
            throw std::runtime_error("not ended: " + result.error().message.id);
        m_said = result->err;
        return result->out.find("DONE") != std::string::npos;
    }

    /// The layers of an attack that this kernel has.
    static std::set<Layer> present(const std::set<Layer>& layers)
    {
        std::set<Layer> found;
        for (const LayerState& state : layerStates())
            if (state.available && layers.contains(state.layer))
                found.insert(state.layer);
        // Older versions of Landlock know neither TCP nor signals.
        if (landlockVersion() < 6)
            found.erase(Layer::files);
        return found;
    }

    std::string m_said;

private:
    Settings m_before = settings();
    base::TemporaryDir m_home = base::TemporaryDir::create("victim").value();
    int m_server = -1;
    int m_port = 0;
};

TEST_P(Hostile, IsStoppedByEachLayerAlone)
{
    const Attack& attack = GetParam();
    const std::set<Layer> layers = present(attack.stoppedBy);
    if (layers.empty())
        GTEST_SKIP() << "this kernel lacks all layers that stop it";
    if (!succeeds(attack, attack.stoppedBy))
        GTEST_SKIP() << "the attack needs rights that nobody here has: " << m_said;
    EXPECT_FALSE(succeeds(attack, {})) << "with all layers";
    for (const Layer holds : layers) {
        std::set<Layer> off = attack.stoppedBy;
        off.erase(holds);
        EXPECT_FALSE(succeeds(attack, off)) << "with " << toString(holds) << " alone";
    }
}

INSTANTIATE_TEST_SUITE_P(Attacks, Hostile, ::testing::ValuesIn(attacks()),
                         [](const auto& tested) { return std::string(tested.param.name); });

/// Attacks that are over only when somebody ends them.
class Endless : public ::testing::Test
{
protected:
    void TearDown() override { setSettings(m_before); }

    static base::Result<ConfinedChild> startPython(const std::string& code, const Profile& profile)
    {
        return start({{"/usr/bin/python3", "-I", "-c", code}}, profile);
    }

    /// The processes whose command line has `mark`.
    static std::vector<int> alive(const std::string& mark)
    {
        std::vector<int> found;
        std::error_code code;
        for (std::filesystem::directory_iterator it("/proc", code), end; !code && it != end; it.increment(code)) {
            const auto line = base::readFile(it->path() / "cmdline"); // Processes end meanwhile.
            if (line && line->find(mark) != std::string::npos)
                found.push_back(std::stoi(it->path().filename()));
        }
        return found;
    }
    static bool end(const std::string& mark)
    {
        for (int i = 0; i < 6000; ++i) {
            if (alive(mark).empty())
                return true;
            ::usleep(10000);
        }
        return false;
    }
    static std::string mark(const char* name) { return name + std::to_string(::getpid()); }

private:
    Settings m_before = settings();
};

TEST_F(Endless, SleepingForeverEndsAtTheLimit)
{
    for (const Profile& profile : {Profile(), Profile{.programs = true}}) {
        auto child = startPython("import time\ntime.sleep(10**6)", profile);
        ASSERT_TRUE(child.ok());
        const auto result = base::finishChild(std::move(child->process), "python3", fromSeconds(0.5), {});
        EXPECT_EQ(result.error().code, base::ErrorCode::timeout);
    }
}

TEST_F(Endless, IgnoringEverySignalEndsAtTheLimit)
{
    const std::string name = mark("ignores");
    auto child = startPython("import signal, time\nfor n in range(1, 32):\n  try: signal.signal(n, signal.SIG_IGN)\n"
                             "  except OSError: pass\n'" +
                                 name + "'\ntime.sleep(10**6)",
                             {.programs = true});
    ASSERT_TRUE(child.ok());
    const auto result = base::finishChild(std::move(child->process), "python3", fromSeconds(0.5), {});
    EXPECT_EQ(result.error().code, base::ErrorCode::timeout);
    EXPECT_TRUE(end(name));
}

/// A program that leaves a daemon behind: a grandchild in a session of its own, whose parent has ended.
std::string daemonCode(const std::string& name)
{
    return "import os, time\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n    os.execv('/bin/sleep', ['" +
           name + "', '1000'])\n  os._exit(0)\nos.wait()\ntime.sleep(0.2)";
}

TEST_F(Endless, ADaemonEndsWithTheProgramByEachLayerAlone)
{
    std::vector<std::set<Layer>> cases{{}};
    for (const Layer other : {Layer::processes, Layer::systemCalls})
        if (layerStates()[static_cast<std::size_t>(other)].available)
            cases.push_back({other == Layer::processes ? Layer::systemCalls : Layer::processes});
    for (const std::set<Layer>& off : cases) {
        setSettings({.off = off});
        const std::string name = mark("daemon");
        auto child = startPython(daemonCode(name), {.programs = true});
        ASSERT_TRUE(child.ok());
        const auto result = base::finishChild(std::move(child->process), "python3", fromSeconds(120), {});
        ASSERT_TRUE(result.ok());
        EXPECT_TRUE(result->exit.clean()) << result->err;
        EXPECT_TRUE(end(name)) << (off.empty() ? "with all layers" : "without " + std::string(toString(*off.begin())));
    }
}

TEST_F(Endless, WithoutTheseLayersTheDaemonStays)
{
    setSettings({.off = {Layer::processes, Layer::systemCalls}});
    const std::string name = mark("stays");
    auto child = startPython(daemonCode(name), {.programs = true});
    ASSERT_TRUE(child.ok());
    ASSERT_TRUE(base::finishChild(std::move(child->process), "python3", fromSeconds(120), {}).ok());
    const std::vector<int> left = alive(name);
    EXPECT_FALSE(left.empty()) << "the attack is not real, so the test above shows nothing";
    for (const int pid : left)
        ::kill(pid, SIGKILL);
}

TEST_F(Endless, ForkingForeverEndsAtTheLimit)
{
    // It stops by itself at 300 processes, because root has no limit and another layer may be missing.
    const std::string name = mark("forks");
    auto child =
        startPython("import os, time\nfor i in range(300):\n  if os.fork() == 0:\n    os.execv('/bin/sleep', ['" +
                        name + "', '1000'])\ntime.sleep(1000)",
                    {.programs = true});
    ASSERT_TRUE(child.ok());
    const auto result = base::finishChild(std::move(child->process), "python3", fromSeconds(3), {});
    EXPECT_EQ(result.error().code, base::ErrorCode::timeout);
    EXPECT_TRUE(end(name));
}

} // namespace
} // namespace apertune::sandbox

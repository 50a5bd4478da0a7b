// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/run_child.h"
#include "core/base/temporary_dir.h"
#include "core/sandbox/sandbox.h"
#include "tests/support/environment_variables.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>

namespace apertune::sandbox {
namespace {

using base::fromSeconds;

bool has(const std::vector<std::string>& layers, Layer layer)
{
    return std::find(layers.begin(), layers.end(), toString(layer)) != layers.end();
}

const LayerState& stateOf(Layer layer)
{
    return layerStates()[static_cast<std::size_t>(layer)];
}

class Sandbox : public ::testing::Test
{
protected:
    void TearDown() override { setSettings(m_before); }

    static base::ChildResult run(const std::vector<std::string>& argv, const Profile& profile)
    {
        auto child = start({argv}, profile);
        if (!child)
            throw std::runtime_error("not started: " + child.error().message.id);
        auto result = base::finishChild(std::move(child->process), argv.front(), fromSeconds(120), {});
        if (!result)
            throw std::runtime_error("not ended: " + result.error().message.id);
        return std::move(*result);
    }
    static Profile withPrograms() { return {.programs = true}; }

private:
    Settings m_before = settings();
};

TEST_F(Sandbox, EveryLayerHasANameOfItsOwnAndAState)
{
    ASSERT_EQ(layerStates().size(), kLayers.size());
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < kLayers.size(); ++i) {
        EXPECT_EQ(layerStates()[i].layer, kLayers[i]);
        names.insert(toString(kLayers[i]));
        EXPECT_TRUE(layerStates()[i].available || !layerStates()[i].remark.empty())
            << toString(kLayers[i]) << " is missing without a reason";
    }
    EXPECT_EQ(names.size(), kLayers.size());
}

TEST_F(Sandbox, AChildSpeaksThroughItsPipesAndEndsAsItsProgramDoes)
{
    for (const Profile& profile : {Profile(), withPrograms()}) {
        const auto result = run({"sh", "-c", "echo out; echo err >&2; exit 7"}, profile);
        EXPECT_EQ(result.out, "out\n");
        EXPECT_EQ(result.err, "err\n");
        EXPECT_EQ(result.exit.code, 7);
        EXPECT_EQ(result.exit.signal, 0);
    }
}

TEST_F(Sandbox, ASignalThatEndsTheProgramIsSeenThroughTheGuard)
{
    for (const int number : {SIGSEGV, SIGABRT, SIGKILL, SIGTERM}) {
        const auto result = run({"sh", "-c", "kill -" + std::to_string(number) + " $$"}, withPrograms());
        EXPECT_EQ(result.exit.signal, number);
    }
}

TEST_F(Sandbox, ATerminatedProgramCanStillSayGoodBye)
{
    auto child =
        start({{"sh", "-c", "trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.05; done"}}, withPrograms());
    ASSERT_TRUE(child.ok());
    char letter = 0;
    while (::read(child->process.stdoutFd(), &letter, 1) != 1) // the first letter of "ready"
        ::usleep(1000);
    child->process.terminate();
    const auto result = base::finishChild(std::move(child->process), "sh", fromSeconds(120), {});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->exit.code, 3);
    EXPECT_NE(result->out.find("bye"), std::string::npos);
}

TEST_F(Sandbox, TheProgramBehindAGuardIsFound)
{
    auto child = start({{"sh", "-c", "echo x; exec sleep 300"}}, withPrograms());
    ASSERT_TRUE(child.ok());
    if (!child->isGuarded())
        GTEST_SKIP() << "this system lets the user make no namespace of processes";
    char letter = 0;
    while (::read(child->process.stdoutFd(), &letter, 1) != 1)
        ::usleep(1000);
    const int program = programOf(child->process.pid());
    ASSERT_GT(program, 0);
    EXPECT_NE(program, child->process.pid());
    std::string name;
    for (int i = 0; i < 1000 && name != "sleep"; ++i) {
        ::usleep(1000);
        std::ifstream("/proc/" + std::to_string(program) + "/comm") >> name;
    }
    EXPECT_EQ(name, "sleep");
    child->process.kill();
    child->process.wait(fromSeconds(60));
    EXPECT_EQ(programOf(child->process.pid()), 0);
}

TEST_F(Sandbox, WhatIsNotThereIsNotStarted)
{
    EXPECT_EQ(start({{"apertune-no-such-program"}}, {}).error().code, base::ErrorCode::notFound);
    EXPECT_EQ(start({{}}, {}).error().code, base::ErrorCode::notFound);
}

TEST_F(Sandbox, OnlyNamedFoldersAreWritten)
{
    if (!stateOf(Layer::files).available)
        GTEST_SKIP() << "no Landlock here";
    setSettings({}); // without the folders that tests may write
    const auto own = base::TemporaryDir::create("own").value();
    const auto other = base::TemporaryDir::create("other").value();
    std::ofstream(other.path() / "secret") << "secret";
    const std::string line = "echo a > " + (own.path() / "a").string() + " && mkdir " + (own.path() / "b").string() +
                             " && mv " + (own.path() / "a").string() + " " + (own.path() / "b").string() +
                             " && echo made; cat " + (other.path() / "secret").string() + "; echo b > " +
                             (other.path() / "b").string() + "; rm " + (other.path() / "secret").string();
    const auto result = run({"sh", "-c", line}, {.write = {own.path()}, .programs = true});
    EXPECT_EQ(result.out, "made\n") << result.err;
    EXPECT_TRUE(std::filesystem::exists(own.path() / "b" / "a"));
    EXPECT_TRUE(std::filesystem::exists(other.path() / "secret"));
    EXPECT_FALSE(std::filesystem::exists(other.path() / "b"));
}

TEST_F(Sandbox, AFolderToReadIsNotWritten)
{
    if (!stateOf(Layer::files).available)
        GTEST_SKIP() << "no Landlock here";
    setSettings({});
    const auto model = base::TemporaryDir::create("model").value();
    std::ofstream(model.path() / "model") << "weights";
    const auto result = run({"sh", "-c", "cat model; echo x > model; echo y > new; rm model"},
                            {.read = {model.path()}, .programs = true});
    EXPECT_EQ(result.out, "") << "the shell is in another folder";
    auto child = start({{"sh", "-c", "cat model; echo x > model; echo y > new; rm model"}, {}, model.path()},
                       {.read = {model.path()}, .programs = true});
    ASSERT_TRUE(child.ok());
    const auto there = base::finishChild(std::move(child->process), "sh", fromSeconds(120), {});
    ASSERT_TRUE(there.ok());
    EXPECT_EQ(there->out, "weights");
    EXPECT_EQ(base::readFile(model.path() / "model").value(), "weights");
    EXPECT_FALSE(std::filesystem::exists(model.path() / "new"));
}

TEST_F(Sandbox, WhatAChildWroteItCannotStart)
{
    if (!stateOf(Layer::files).available)
        GTEST_SKIP() << "no Landlock here";
    setSettings({});
    const auto own = base::TemporaryDir::create("own").value();
    const std::string program = (own.path() / "program").string();
    const auto result =
        run({"sh", "-c", "cp /bin/echo " + program + " && chmod +x " + program + " && " + program + " started"},
            {.write = {own.path()}, .programs = true});
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(std::filesystem::exists(program)) << result.err;
}

TEST_F(Sandbox, AProjectIsReadWithoutItsHiddenEntries)
{
    if (!stateOf(Layer::files).available)
        GTEST_SKIP() << "no Landlock here";
    setSettings({});
    const auto project = base::TemporaryDir::create("project").value();
    std::filesystem::create_directories(project.path() / "layers");
    std::ofstream(project.path() / "net.py") << "net\n";
    std::ofstream(project.path() / "layers" / "block.py") << "block\n";
    std::ofstream(project.path() / ".env") << "password\n";
    auto child = start({{"sh", "-c", "cat net.py layers/block.py; cat .env; ls"}, {}, project.path()},
                       {.projects = {project.path()}, .programs = true});
    ASSERT_TRUE(child.ok());
    const auto result = base::finishChild(std::move(child->process), "sh", fromSeconds(120), {});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->out, "net\nblock\nlayers\nnet.py\n") << result->err;
}

TEST_F(Sandbox, LayersThatAreOffAreNotReported)
{
    for (const Layer off : kLayers) {
        setSettings({.off = {off}});
        const auto child = start({{"true"}}, withPrograms());
        ASSERT_TRUE(child.ok()) << toString(off);
        EXPECT_EQ(has(child->layers, off), off == Layer::parentDeath) << toString(off);
        for (const Layer other : kLayers) {
            // Landlock and seccomp need the first one.
            const bool expected = stateOf(other).available && other != off &&
                                  (off != Layer::noNewRights || (other != Layer::files && other != Layer::systemCalls));
            EXPECT_EQ(has(child->layers, other), expected || other == Layer::parentDeath)
                << toString(other) << " without " << toString(off);
        }
    }
    setSettings(Settings::none());
    const auto free = start({{"true"}}, withPrograms());
    ASSERT_TRUE(free.ok());
    EXPECT_EQ(free->layers, std::vector<std::string>{"parent_death"});
}

TEST_F(Sandbox, AChildWithoutProgramsNeedsNoGuard)
{
    const auto child = start({{"true"}}, {});
    ASSERT_TRUE(child.ok());
    EXPECT_FALSE(child->isGuarded());
}

TEST_F(Sandbox, MemoryIsLimited)
{
    if (!stateOf(Layer::limits).available)
        GTEST_SKIP() << "the sanitizer needs more";
    const Profile profile{.programs = true, .memory = {256LL << 20}};
    const auto result = run({"sh", "-c", "ulimit -d; ulimit -c"}, profile);
    EXPECT_EQ(result.out, "262144\n0\n");
}

TEST_F(Sandbox, TheEnvironmentSwitchesItOff)
{
    test::EnvironmentVariables variables("APERTUNE_SANDBOX", "off");
    EXPECT_EQ(Settings::fromEnvironment().off.size(), kLayers.size() - 1);
    variables.set("APERTUNE_SANDBOX", std::nullopt);
    EXPECT_TRUE(Settings::fromEnvironment().off.empty());
    variables.set("APERTUNE_SANDBOX_READ", "/data:/more");
    EXPECT_EQ(Settings::fromEnvironment().read, (std::vector<std::filesystem::path>{"/data", "/more"}));
}

} // namespace
} // namespace apertune::sandbox

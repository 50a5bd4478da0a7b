// SPDX-License-Identifier: GPL-3.0-or-later
// Exported folders are run by a shell in the place of Python, so that their programs can be a line each.
#include "core/models/exported_program.h"
#include "core/sentences/sentences.h"
#include "core/worker/installation.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace apertune::models {
namespace {

namespace fs = std::filesystem;

using base::ErrorCode;

class ExportCheckTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        auto temporary = base::TemporaryDir::create("apertune-export-check");
        ASSERT_TRUE(temporary);
        m_temporary.emplace(std::move(*temporary));
        m_here.python = "/bin/sh";
        m_here.torchRoot = m_temporary->path();
        write("apertune-config.json", "{}");
    }

    void write(const char* name, const std::string& text) const
    {
        ASSERT_TRUE(base::writeFileAtomically(m_temporary->path() / name, text));
    }
    void writeCpp(const std::string& main) const
    {
        write("main.cpp", main);
        write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\nproject(apertune_model LANGUAGES CXX)\n"
                                "add_executable(apertune_model main.cpp)\n");
    }
    base::Result<ExportCheck> check(const ExportPhase& phase = {}, std::stop_token stop = {}) const
    {
        model::Device cpu;
        cpu.id = "cpu";
        return checkExported({m_temporary->path(), "libtorch", "TORCH_ROOT", m_lent}, cpu, m_here, phase, stop);
    }

    std::optional<base::TemporaryDir> m_temporary;
    worker::Installation m_here;
    std::string m_lent;
};

TEST_F(ExportCheckTest, TellsWhatAProgramSaidThatRuns)
{
    write("run.py", "test \"$1\" = --check && echo 'runs: cosine 1'\n");
    const auto checked = check();
    ASSERT_TRUE(checked) << sentences::sentence(checked.error().message);
    EXPECT_TRUE(checked->ran);
    EXPECT_EQ(sentences::sentence(checked->message), "runs: cosine 1");
}

TEST_F(ExportCheckTest, FailsWhereTheProgramDiesOrGivesOtherOutputs)
{
    write("run.py", "echo 'RuntimeError: could not add op to the graph' >&2; exit 2\n");
    const auto dies = check();
    ASSERT_FALSE(dies);
    EXPECT_EQ(dies.error().code, ErrorCode::modelThrew);
    EXPECT_NE(dies.error().context.find("could not add op"), std::string::npos) << dies.error().context;
    EXPECT_NE(sentences::sentence(dies.error().hint).find("--no-check"), std::string::npos);
    write("run.py", "exit 1\n");
    const auto other = check();
    ASSERT_FALSE(other);
    EXPECT_NE(sentences::sentence(other.error().message).find("other outputs"), std::string::npos)
        << sentences::sentence(other.error().message);
}

TEST_F(ExportCheckTest, LendsAProgramToAFolderThatHasNone)
{
    EXPECT_FALSE(check().value().ran) << "no program of its engine, so nothing to run";
    m_lent = "test -f \"$(dirname \"$0\")/apertune-config.json\" && echo runs\n";
    EXPECT_EQ(sentences::sentence(check().value().message), "runs");
}

TEST_F(ExportCheckTest, SaysWhatIsMissingOnThisMachineAndDoesNotFail)
{
    write("run.py", "exit 0\n");
    m_here.python.clear();
    const auto checked = check();
    ASSERT_TRUE(checked) << sentences::sentence(checked.error().message);
    EXPECT_FALSE(checked->ran);
    EXPECT_NE(sentences::sentence(checked->message).find("no Python with torch"), std::string::npos);
    fs::remove(m_temporary->path() / "run.py");
    writeCpp("int main() {}\n");
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", "/nowhere", 1);
    const auto noTools = check();
    ::setenv("PATH", path.c_str(), 1);
    ASSERT_TRUE(noTools) << sentences::sentence(noTools.error().message);
    EXPECT_FALSE(noTools->ran);
    EXPECT_NE(sentences::sentence(noTools->message).find("cmake"), std::string::npos);
}

TEST_F(ExportCheckTest, BuildsAProgramInCppFirst)
{
    writeCpp("#include <cstdio>\nint main() { std::puts(\"runs\"); }\n");
    std::vector<std::string> phases;
    const auto checked = check([&](const std::string& what) { phases.push_back(what); });
    ASSERT_TRUE(checked) << sentences::sentence(checked.error().message) << checked.error().context;
    if (!checked->ran)
        GTEST_SKIP() << sentences::sentence(checked->message);
    EXPECT_EQ(sentences::sentence(checked->message), "runs");
    ASSERT_EQ(phases.size(), 2u);
    EXPECT_TRUE(phases[0].starts_with("Building ")) << phases[0];
    EXPECT_FALSE(fs::exists(m_temporary->path() / "build")) << "it is built elsewhere";
    writeCpp("int main() { no such thing }\n");
    const auto broken = check();
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, ErrorCode::compileFailed);
}

TEST_F(ExportCheckTest, EndsWhenItIsCancelled)
{
    write("run.py", "sleep 300\n");
    std::stop_source stop;
    const auto checked = check([&](const std::string&) { stop.request_stop(); }, stop.get_token());
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, ErrorCode::cancelled);
}

} // namespace
} // namespace apertune::models

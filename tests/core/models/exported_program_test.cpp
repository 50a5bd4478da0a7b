// SPDX-License-Identifier: GPL-3.0-or-later
// Exported folders are run by a shell in the place of Python, so that their programs can be a line each.
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/models/exported_program.h"
#include "core/probe/device_probe.h"
#include "core/sentences/sentences.h"
#include "core/worker/installation.h"
#include "tests/support/environment_variables.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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
        auto temporary = base::TemporaryDir::create("export-check");
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
        return checkExported({m_temporary->path(), "libtorch", "TORCH_ROOT", m_lent}, m_cpu, m_here, phase, stop);
    }
    /// What a program says that takes so long, where 10 ms [9.8, 10.2] were measured.
    static std::string document(const std::string& verdict, double ms, double cosine = 1)
    {
        const auto interval = [](double median) {
            return base::Json{{"median", median}, {"lo", median * 0.99}, {"hi", median * 1.01}};
        };
        return base::Json{{"verdict", verdict},
                          {"measured_ms", interval(ms)},
                          {"expected_ms", {{"median", 10.0}, {"lo", 9.8}, {"hi", 10.2}}},
                          {"tolerance", 0.1},
                          {"noise_floor", 0.0},
                          {"sentinel_ms", interval(20)},
                          {"to_sentinel", interval(0.5)},
                          {"quality", {{"cosine", cosine}, {"at_least", 0.99}, {"nan_count", 0}}},
                          {"notes", base::Json::array()}}
            .dump();
    }
    /// A line of shell that says it.
    static std::string answer(const std::string& verdict, double ms, double cosine = 1)
    {
        return "echo '" + document(verdict, ms, cosine) + "'";
    }

    model::Device m_cpu = [] {
        for (const model::Device& device : probe::probeDevices())
            if (device.id == "cpu")
                return device;
        return model::Device();
    }();
    std::optional<base::TemporaryDir> m_temporary;
    worker::Installation m_here;
    std::string m_lent;
};

TEST_F(ExportCheckTest, TellsOutputsAndTimeOfAProgramThatRunsAndKeepsThem)
{
    write("run.py", "test \"$1 $2\" = '--verify --json' && " + answer("inside", 10.5));
    const auto checked = check();
    ASSERT_TRUE(checked) << sentences::sentence(checked.error().message);
    EXPECT_TRUE(checked->ran);
    EXPECT_EQ(checked->verdict, ProgramVerdict::inside);
    EXPECT_EQ(sentences::sentence(checked->message),
              "runs: cosine 1.00000 (at least 0.990000), 10.50 ms a pass, as measured (10.00 ms)");
    const base::Json record = base::Json::parse(checked->record);
    EXPECT_EQ(record["schema"], "apertune.check/1");
    EXPECT_EQ(record["to_sentinel"]["median"], 0.5);
    EXPECT_EQ(record["measured_ms"]["median"], 10.5);
}

TEST_F(ExportCheckTest, FailsWhereTheProgramIsTwiceSlowerThanTheTrial)
{
    // Twice: the second run decides, and the first leaves a file that it was there.
    write("run.py", "cd \"$(dirname \"$0\")\"; if test -f ran; then " + answer("inside", 10.1) + "; else touch ran; " +
                        answer("outside", 20) + "; fi");
    EXPECT_EQ(check().value().verdict, ProgramVerdict::inside);
    write("run.py", answer("outside", 20));
    const auto slow = check();
    if (slow && slow->verdict == ProgramVerdict::cannotTell)
        GTEST_SKIP() << "this machine is busy";
    ASSERT_FALSE(slow);
    EXPECT_EQ(slow.error().code, ErrorCode::modelThrew);
    EXPECT_NE(sentences::sentence(slow.error().message).find("20.00 ms a pass where 10.00 ms were measured"),
              std::string::npos)
        << sentences::sentence(slow.error().message);
    write("run.py", answer("outside", 5));
    EXPECT_EQ(check().value().verdict, ProgramVerdict::outside) << "faster is no fault";
}

TEST_F(ExportCheckTest, KeepsNoDriftReadingOfATimeThatSaysNothing)
{
    write("run.py", answer("cannot_tell", 11.5));
    const auto checked = check();
    ASSERT_TRUE(checked) << sentences::sentence(checked.error().message);
    EXPECT_NE(sentences::sentence(checked->message).find("cannot tell whether that is as fast: the interval includes"),
              std::string::npos)
        << sentences::sentence(checked->message);
    EXPECT_TRUE(base::Json::parse(checked->record)["sentinel_ms"].is_null());
}

TEST_F(ExportCheckTest, ComparesOnlyTheOutputsOnAnotherDevice)
{
    write("run.py", "test \"$1\" = --check && echo 'runs: cosine 1'\n");
    m_cpu.name = "a processor of another machine";
    const auto checked = check();
    ASSERT_TRUE(checked) << sentences::sentence(checked.error().message);
    EXPECT_EQ(sentences::sentence(checked->message),
              "runs: cosine 1; its time was not compared, because the trial was measured on a processor of another "
              "machine");
    EXPECT_FALSE(checked->verdict);
    write("run.py", "exit 1\n");
    EXPECT_FALSE(check());
}

TEST_F(ExportCheckTest, NamesAnAnswerThatIsDamaged)
{
    write("run.py", "echo '{\"verdict\": \"inside\"}'\n");
    const auto damaged = check();
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().code, ErrorCode::corrupt);
}

TEST_F(ExportCheckTest, FailsWhereTheProgramDiesOrGivesOtherOutputs)
{
    write("run.py", "echo 'RuntimeError: could not add op to the graph' >&2; exit 2\n");
    const auto dies = check();
    ASSERT_FALSE(dies);
    EXPECT_EQ(dies.error().code, ErrorCode::modelThrew);
    EXPECT_NE(dies.error().context.find("could not add op"), std::string::npos) << dies.error().context;
    EXPECT_NE(sentences::sentence(dies.error().hint).find("--no-check"), std::string::npos);
    write("run.py", answer("outside", 10, 0.5));
    const auto other = check();
    ASSERT_FALSE(other);
    EXPECT_NE(sentences::sentence(other.error().message).find("other outputs"), std::string::npos)
        << sentences::sentence(other.error().message);
}

TEST_F(ExportCheckTest, LendsAProgramToAFolderThatHasNone)
{
    EXPECT_FALSE(check().value().ran) << "no program of its engine, so nothing to run";
    m_lent = "test -f \"$(dirname \"$0\")/apertune-config.json\" && " + answer("inside", 10);
    EXPECT_EQ(check().value().verdict, ProgramVerdict::inside);
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
    const test::EnvironmentVariables variables("PATH", "/nowhere");
    const auto noTools = check();
    ASSERT_TRUE(noTools) << sentences::sentence(noTools.error().message);
    EXPECT_FALSE(noTools->ran);
    EXPECT_NE(sentences::sentence(noTools->message).find("cmake"), std::string::npos);
}

TEST_F(ExportCheckTest, BuildsAProgramInCppFirst)
{
    writeCpp("#include <cstdio>\nint main() { std::puts(R\"(" + document("inside", 10) + ")\"); }\n");
    std::vector<std::string> phases;
    const auto checked = check([&](const base::Message& step) { phases.push_back(sentences::sentence(step)); });
    ASSERT_TRUE(checked) << sentences::sentence(checked.error().message) << checked.error().context;
    if (!checked->ran)
        GTEST_SKIP() << sentences::sentence(checked->message);
    EXPECT_EQ(checked->verdict, ProgramVerdict::inside);
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
    const auto checked = check([&](const base::Message&) { stop.request_stop(); }, stop.get_token());
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, ErrorCode::cancelled);
}

} // namespace
} // namespace apertune::models

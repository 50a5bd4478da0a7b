// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/temporary_dir.h"
#include "core/models/exporter_process.h"
#include "core/models/making_folder.h"
#include "core/sentences/sentences.h"
#include "tests/core/models/fake_exporter.h"
#include "tests/support/environment_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <thread>

namespace apertune::models {
namespace {

using base::ErrorCode;
using ::testing::ElementsAre;
using testing::FakeExporter;
using ::testing::HasSubstr;

class Exporter : public ::testing::Test
{
protected:
    base::Result<base::Json> run(std::stop_token stop = {}, base::Nanoseconds limit = {})
    {
        ExporterRun what;
        what.arguments = {"export", "x", "--out", (fake.path() / "out").string()};
        what.limit = limit;
        what.grace = grace;
        what.memory = memory;
        return runExporter(
            fake.installation(), what,
            [this](const ExporterProgress& progress) {
                seen.push_back((progress.isLog
                                    ? "log "
                                    : std::to_string(progress.step) + "/" + std::to_string(progress.total) + " ") +
                               progress.text);
                if (onProgress)
                    onProgress();
            },
            stop);
    }
    base::Error failure(std::stop_token stop = {}, base::Nanoseconds limit = {})
    {
        const auto result = run(stop, limit);
        EXPECT_FALSE(result);
        return result ? base::Error{} : result.error();
    }

    FakeExporter fake;
    std::vector<std::string> seen;
    std::function<void()> onProgress;
    base::Nanoseconds grace = base::fromSeconds(120); ///< time between asking and killing
    base::Bytes memory{};
};

TEST_F(Exporter, ReportsStepsAndLogsAndReturnsWhatItMade)
{
    fake.script(R"(echo '{"t":"progress","step":"load","i":1,"n":7,"text":"Loading"}'
echo '{"t":"log","text":"a note"}'
echo 'to stderr' >&2
sleep 0.2
echo '{"t":"done","artifact":"/x","seconds":1.5}')");
    const auto result = run();
    ASSERT_TRUE(result) << sentences::describe(result.error());
    EXPECT_EQ((*result)["artifact"], "/x");
    EXPECT_THAT(seen, ElementsAre("1/7 Loading", "log a note", "log to stderr"));
}

TEST_F(Exporter, RunsThePackageOfThisInstallationWithoutTheWorkingFolder)
{
    fake.script(R"(echo '{"t":"done","path":"'"$PYTHONPATH"'","safe":"'"$PYTHONSAFEPATH"'"}')");
    const auto result = run();
    ASSERT_TRUE(result);
    EXPECT_EQ((*result)["path"], (fake.path() / "exporter").string());
    EXPECT_EQ((*result)["safe"], "1");
    EXPECT_THAT(fake.calls(), ElementsAre(HasSubstr("-m apertune_exporter export x --out")));
}

TEST_F(Exporter, LinesThatAreNotOfTheProtocolAreLogged)
{
    fake.script(R"(printf 'no json\n[1]\n{"t":5}\n{"t":"progress","i":"one"}\n{broken\n\377\376\n'
echo '{"t":"done"}'; printf 'no newline')");
    ASSERT_TRUE(run());
    EXPECT_THAT(seen, ElementsAre("log no json", "log [1]", "log {\"t\":5}", "0/0 ", "log {broken", "log \377\376",
                                  "log no newline"));
}

TEST_F(Exporter, EveryErrorOfItsBecomesOneOfOurs)
{
    const std::map<std::string, ErrorCode> codes{{"bad_source", ErrorCode::invalidArgument},
                                                 {"not_a_model", ErrorCode::invalidArgument},
                                                 {"unknown_architecture", ErrorCode::invalidArgument},
                                                 {"exported_program", ErrorCode::invalidArgument},
                                                 {"truncated", ErrorCode::corrupt},
                                                 {"foreign_package", ErrorCode::unsupported},
                                                 {"unsupported", ErrorCode::unsupported},
                                                 {"missing_module", ErrorCode::unsupported},
                                                 {"throws", ErrorCode::modelThrew},
                                                 {"compile_failed", ErrorCode::compileFailed},
                                                 {"io", ErrorCode::io},
                                                 {"a_later_invention", ErrorCode::invalidArgument}};
    for (const auto& [word, code] : codes) {
        fake.script(R"(echo '{"t":"error","code":")" + word +
                    R"(","message":"It is bad.","hint":"Do better."}'; exit 2)");
        const base::Error error = failure();
        EXPECT_EQ(error.code, code) << word;
        EXPECT_EQ(sentences::sentence(error.message), "It is bad.");
        EXPECT_EQ(sentences::sentence(error.hint), "Do better.");
    }
}

TEST_F(Exporter, ACrashIsToldWithItsLastWords)
{
    fake.script("echo 'Traceback: boom' >&2; kill -SEGV $$");
    const base::Error error = failure();
    EXPECT_EQ(error.code, ErrorCode::crashed);
    EXPECT_THAT(sentences::sentence(error.message), HasSubstr("killed by SIGSEGV"));
    EXPECT_THAT(error.context, HasSubstr("boom"));
}

TEST_F(Exporter, AKillHintsAtMemory)
{
    fake.script("kill -KILL $$");
    EXPECT_THAT(sentences::sentence(failure().hint), HasSubstr("out of memory"));
}

TEST_F(Exporter, AnEndWithoutAResultIsAFailureHoweverClean)
{
    fake.script("exit 0");
    EXPECT_EQ(failure().code, ErrorCode::crashed);
}

TEST_F(Exporter, AResultCountsEvenWhenTheInterpreterDiesAfterwards)
{
    fake.script(R"(echo '{"t":"done"}'; kill -SEGV $$)");
    EXPECT_TRUE(run());
}

TEST_F(Exporter, AStopRequestEndsItPolitely)
{
    fake.script(R"(trap 'echo tidied > "$OUT"; echo "{\"t\":\"cancelled\"}"; exit 130' TERM
echo '{"t":"progress","i":1,"n":1,"text":"Working"}'
while :; do sleep 0.05; done)");
    std::stop_source stop;
    onProgress = [&] { stop.request_stop(); };
    EXPECT_EQ(failure(stop.get_token()).code, ErrorCode::cancelled);
    EXPECT_TRUE(std::filesystem::exists(fake.path() / "out")) << "it had no time to tidy up";
}

TEST_F(Exporter, OneThatIgnoresTheRequestIsKilled)
{
    fake.script(R"(trap '' TERM
echo '{"t":"progress","i":1,"n":1,"text":"Working"}'
while :; do sleep 0.05; done)");
    grace = base::fromSeconds(0.3);
    std::stop_source stop;
    onProgress = [&] { stop.request_stop(); };
    const auto begin = base::monotonicNow();
    EXPECT_EQ(failure(stop.get_token()).code, ErrorCode::cancelled);
    EXPECT_LT((base::monotonicNow() - begin).seconds(), 120);
}

TEST_F(Exporter, TheLimitEndsIt)
{
    fake.script("echo working >&2; sleep 300");
    grace = base::fromSeconds(0.3);
    const base::Error error = failure({}, base::fromSeconds(5)); // it has said something by then
    EXPECT_EQ(error.code, ErrorCode::timeout);
    EXPECT_THAT(sentences::sentence(error.message), HasSubstr("5.00 s"));
    EXPECT_THAT(error.context, HasSubstr("working"));
}

TEST_F(Exporter, OneThatTakesMoreMemoryThanItMayIsStoppedAndSaysSo)
{
    // The descendant holds it: what the exporter starts counts, too.
    fake.script(R"(python3 -c 'import time
held = bytearray(200 << 20)
print("holding", flush=True)
time.sleep(300)' & wait)");
    memory = {100 << 20};
    const base::Error error = failure();
    EXPECT_EQ(error.code, ErrorCode::outOfMemory) << sentences::describe(error);
    EXPECT_THAT(sentences::sentence(error.message), HasSubstr("the limit is 100 MiB"));
    EXPECT_THAT(sentences::sentence(error.hint), HasSubstr("--import-memory"));
    EXPECT_GT(defaultMemoryLimit().count, 100 << 20);
}

TEST_F(Exporter, WhatItStartedEndsWithIt)
{
    // Its own number for the process may be that of a namespace; /proc has the number outside.
    fake.script(R"(sh -c 'read pid rest < /proc/self/stat; echo $pid > "$0"; exec sleep 300' "$OUT" &
while [ ! -s "$OUT" ]; do sleep 0.05; done; echo '{"t":"done"}')");
    ASSERT_TRUE(run());
    int pid = 0;
    std::ifstream(fake.path() / "out") >> pid;
    ASSERT_GT(pid, 0);
    // Killed, and waiting for init to reap it, or gone.
    const auto ended = [pid] {
        std::string stat;
        std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), stat);
        return stat.empty() || stat.find(") Z ") != std::string::npos;
    };
    for (int i = 0; i < 6000 && !ended(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(ended());
}

TEST_F(Exporter, WithoutPythonTheErrorSaysHowToGetIt)
{
    const auto result = runExporter({}, {}, {}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::unsupported);
    EXPECT_THAT(sentences::sentence(result.error().hint), HasSubstr("APERTUNE_PYTHON"));
}

TEST_F(Exporter, FoldersOfDeadProcessesGoAndOthersStay)
{
    // A process number above the kernel's largest belongs to nobody.
    const auto dead = fake.path() / ".importing-4194999-1";
    const auto alive = fake.path() / (".importing-" + std::to_string(::getpid()) + "-7");
    const auto other = fake.path() / "x.importing-4194999-1";
    for (const auto& folder : {dead, alive, other})
        std::filesystem::create_directories(folder / "inner");
    ASSERT_TRUE(MakingFolder::create(fake.path()));
    EXPECT_FALSE(std::filesystem::exists(dead));
    EXPECT_TRUE(std::filesystem::exists(alive));
    EXPECT_TRUE(std::filesystem::exists(other));
}

TEST_F(Exporter, AFinishedFileReplacesADamagedOne)
{
    const auto target = fake.path() / "x.pt2";
    std::ofstream(target) << "damaged";
    std::filesystem::path left;
    {
        const auto making = MakingFolder::create(fake.path());
        ASSERT_TRUE(making);
        left = making->path();
        EXPECT_FALSE(making->moveOut("x.pt2", target)) << "there is none yet";
        std::ofstream(left / "x.pt2") << "whole";
        ASSERT_TRUE(making->moveOut("x.pt2", target));
    }
    std::string text;
    std::ifstream(target) >> text;
    EXPECT_EQ(text, "whole");
    EXPECT_FALSE(std::filesystem::exists(left));
}

TEST_F(Exporter, AFileThatIsALinkOutOfTheFolderIsNotTaken)
{
    namespace fs = std::filesystem;
    const auto making = MakingFolder::create(fake.path());
    ASSERT_TRUE(making);
    fs::create_symlink("/etc/passwd", making->path() / "x.pt2");
    EXPECT_EQ(making->moveOut("x.pt2", fake.path() / "x.pt2").error().code, ErrorCode::corrupt);
    fs::create_directories(making->path() / "model" / "inputs");
    fs::create_symlink("/etc/passwd", making->path() / "model" / "inputs" / "0.bin");
    EXPECT_EQ(making->moveOut("model", fake.path() / "model").error().code, ErrorCode::corrupt);
    EXPECT_FALSE(fs::exists(fake.path() / "x.pt2"));
    EXPECT_FALSE(fs::exists(fake.path() / "model"));
}

TEST(ProjectOf, IsTheFolderOfTheRepositoryOrOfTheFile)
{
    namespace fs = std::filesystem;
    const auto dir = base::TemporaryDir::create("home").value();
    const test::EnvironmentVariables variables("HOME", dir.path().string());
    const fs::path home = fs::canonical(dir.path());
    fs::create_directories(home / "work" / "net" / ".git");
    fs::create_directories(home / "work" / "net" / "src" / "models");
    fs::create_directories(home / ".git"); // Some keep their settings so. It is no project.
    EXPECT_EQ(projectOf(home / "work" / "net" / "src" / "models" / "net.py"), home / "work" / "net");
    EXPECT_EQ(projectOf(home / "work" / "other.py"), home / "work");
    EXPECT_EQ(projectOf(home / "net.py"), home);
    EXPECT_EQ(projectOf("/usr/share/net.py"), "/usr/share");
}

} // namespace
} // namespace apertune::models

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/base/write_signals.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

namespace apertune::base::test {

namespace fs = std::filesystem;

namespace {

class Files : public ::testing::Test
{
protected:
    void SetUp() override
    {
        auto folder = TemporaryDir::create("files");
        ASSERT_TRUE(folder.ok());
        m_folder.emplace(std::move(folder).value());
    }
    fs::path at(const std::string& name) const { return m_folder->path() / name; }
    std::size_t entries() const
    {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(m_folder->path()), fs::directory_iterator()));
    }

private:
    std::optional<TemporaryDir> m_folder;
};

/// Runs in a forked copy of this process; the result is its exit code.
template <typename Body>
int inChild(Body body)
{
    const pid_t pid = ::fork();
    if (pid == 0)
        ::_exit(body());
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

TEST_F(Files, WhatWasWrittenIsRead)
{
    const std::string bytes("line\r\n\0\xff end", 12);
    ASSERT_TRUE(writeFileAtomically(at("new/folders/ä file"), bytes).ok());
    const auto read = readFile(at("new/folders/ä file"));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, bytes);
    ASSERT_TRUE(writeFileAtomically(at("empty"), "").ok());
    EXPECT_EQ(*readFile(at("empty")), "");
    const std::string large(3'000'000, 'x');
    ASSERT_TRUE(writeFileAtomically(at("large"), large).ok());
    EXPECT_EQ(*readFile(at("large")), large);
    EXPECT_FALSE(readFile("/proc/self/status")->empty()); // a file whose size is told as 0
}

TEST_F(Files, WhatCannotBeReadIsAnErrorWithAHint)
{
    for (const auto& [path, code] : {std::pair{at("missing"), ErrorCode::notFound},
                                     {at(""), ErrorCode::invalidArgument},
                                     {fs::path("/proc/self/mem"), ErrorCode::io}}) {
        const auto read = readFile(path);
        ASSERT_FALSE(read.ok()) << path;
        EXPECT_EQ(read.error().code, code) << path;
        EXPECT_NE(sentences::sentence(read.error().message).find(path.string()), std::string::npos);
        EXPECT_FALSE(read.error().hint.empty());
    }
}

TEST_F(Files, AReplacedFileIsOldOrNewAndNothingIsLeftBeside)
{
    ASSERT_TRUE(writeFileAtomically(at("f"), "old").ok());
    ASSERT_TRUE(writeFileAtomically(at("f"), "new and longer").ok());
    EXPECT_EQ(*readFile(at("f")), "new and longer");
    ASSERT_TRUE(writeFileAtomically(at("f"), "x").ok());
    EXPECT_EQ(*readFile(at("f")), "x");
    EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, WhatIsNoRegularFileIsWrittenToAndStays)
{
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    std::string got;
    std::jthread reader([&] { got = *readFile(at("pipe")); });
    EXPECT_TRUE(writeFileAtomically(at("pipe"), "through").ok());
    reader.join();
    EXPECT_EQ(got, "through");
    EXPECT_TRUE(fs::is_fifo(at("pipe")));
    EXPECT_EQ(entries(), 1u);

    const auto status = writeFileAtomically("/dev/full", "x");
    EXPECT_EQ(status.error().code, ErrorCode::io);
    EXPECT_NE(sentences::sentence(status.error().hint).find("disk space"), std::string::npos);
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Files, ASymbolicLinkStaysAndWhatItStandsForIsReplaced)
{
    fs::create_directory(at("real"));
    fs::create_symlink("real/file", at("link"));
    fs::create_symlink(at("link"), at("second"));
    for (const char* bytes : {"new", "again"}) {
        ASSERT_TRUE(writeFileAtomically(at("second"), bytes).ok());
        EXPECT_EQ(*readFile(at("real/file")), bytes);
        EXPECT_FALSE(fs::is_symlink(at("real/file")));
    }
    EXPECT_TRUE(fs::is_symlink(at("link")) && fs::is_symlink(at("second")));
    fs::create_symlink("loop", at("loop"));
    EXPECT_FALSE(writeFileAtomically(at("loop"), "x").ok());
}

TEST_F(Files, AFailedWriteKeepsTheOldFileAndLeavesNothing)
{
    ASSERT_TRUE(writeFileAtomically(at("f"), "old").ok());
    EXPECT_EQ(inChild([&] {
                  ignoreWriteSignals();
                  const rlimit limit{10'000, 10'000};
                  ::setrlimit(RLIMIT_FSIZE, &limit);
                  const auto status = writeFileAtomically(at("f"), std::string(100'000, 'n'));
                  if (status.ok())
                      return 1;
                  return status.error().code == ErrorCode::io && !status.error().hint.empty() ? 0 : 2;
              }),
              0);
    EXPECT_EQ(*readFile(at("f")), "old");
    EXPECT_EQ(entries(), 1u);

    fs::create_directory(at("folder"));
    EXPECT_EQ(writeFileAtomically(at("folder"), "x").error().code, ErrorCode::io);
    EXPECT_EQ(writeFileAtomically(at("f/below"), "x").error().code, ErrorCode::io);
    EXPECT_EQ(writeFileAtomically("/proc/apertune", "x").error().code, ErrorCode::io);
    EXPECT_EQ(entries(), 2u);
}

TEST_F(Files, WithoutPermissionNothingIsWrittenAndTheHintSaysSo)
{
    fs::create_directory(at("closed"));
    ::chmod(at("").c_str(), 0755);
    ::chmod(at("closed").c_str(), 0555);
    EXPECT_EQ(inChild([&] {
                  if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0))
                      return 3;
                  const auto status = writeFileAtomically(at("closed") / "f", "x");
                  if (status.ok())
                      return 1;
                  return sentences::sentence(status.error().hint).find("permissions") != std::string::npos ? 0 : 2;
              }),
              0);
}

TEST_F(Files, ThreadsThatWriteOneFileLeaveOneWholeContent)
{
    const auto content = [](std::size_t n) { return std::string(20'000 + n * 1000, static_cast<char>('a' + n)); };
    {
        std::vector<std::jthread> threads;
        for (std::size_t n = 0; n < 6; ++n)
            threads.emplace_back([&, n] {
                for (int i = 0; i < 30; ++i)
                    EXPECT_TRUE(writeFileAtomically(at("f"), content(n)).ok());
            });
    }
    const auto read = readFile(at("f"));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, content(static_cast<std::size_t>(read->at(0) - 'a')));
    EXPECT_EQ(entries(), 1u);
}

TEST(UserFolders, FollowTheEnvironment)
{
    EXPECT_EQ(inChild([] {
                  ::setenv("XDG_DATA_HOME", "/data", 1);
                  ::setenv("XDG_CACHE_HOME", "relative/is/ignored", 1);
                  ::setenv("HOME", "/home/me", 1);
                  if (userDataDir() != "/data/apertune" || userCacheDir() != "/home/me/.cache/apertune")
                      return 1;
                  ::unsetenv("XDG_DATA_HOME");
                  return userDataDir() == "/home/me/.local/share/apertune" ? 0 : 2;
              }),
              0);
    EXPECT_EQ(installPrefix(), fs::read_symlink("/proc/self/exe").parent_path().parent_path());
}

} // namespace apertune::base::test

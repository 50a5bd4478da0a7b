// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

namespace apertune::base {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, IsPrivateAndRemovedWithItsContent)
{
    fs::path path;
    {
        auto created = TemporaryDir::create("test");
        ASSERT_TRUE(created.ok());
        TemporaryDir folder = std::move(created).value();
        path = folder.path();
        EXPECT_EQ(path.filename().string().rfind("apertune-tmp-test-", 0), 0u);
        EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
        fs::create_directories(path / "a" / "b");
        ASSERT_TRUE(writeFileAtomically(path / "a" / "b" / "f", "x").ok());
        fs::create_symlink("/usr", path / "link"); // is removed, not followed
    }
    EXPECT_FALSE(fs::exists(path));
    EXPECT_TRUE(fs::exists("/usr"));
}

TEST(TemporaryFolder, BelongsToOneOwnerAfterAMove)
{
    auto first = TemporaryDir::create("test");
    auto second = TemporaryDir::create("test");
    ASSERT_TRUE(first.ok() && second.ok());
    EXPECT_NE(first->path(), second->path());
    const fs::path path = first->path();
    {
        const TemporaryDir moved = std::move(*first);
        EXPECT_EQ(moved.path(), path);
        EXPECT_TRUE(fs::exists(path));
    }
    EXPECT_FALSE(fs::exists(path));
    EXPECT_TRUE(fs::exists(second->path()));
}

/// The folder for temporary files is one of the test's own.
struct FoldersInTmpdir : ::testing::Test
{
    FoldersInTmpdir() { ::setenv("TMPDIR", dir.path().c_str(), 1); }
    ~FoldersInTmpdir() override { ::unsetenv("TMPDIR"); }
    TemporaryDir dir = std::move(TemporaryDir::create("test")).value();
};

TEST_F(FoldersInTmpdir, FollowTmpdir)
{
    const auto inner = TemporaryDir::create("inner");
    ASSERT_TRUE(inner.ok());
    EXPECT_EQ(inner->path().parent_path(), dir.path());
}

TEST_F(FoldersInTmpdir, AreTheSystemsOwnWhereTmpdirIsAbsent)
{
    ::setenv("TMPDIR", (dir.path() / "absent").c_str(), 1);
    const auto inner = TemporaryDir::create("inner");
    ASSERT_TRUE(inner.ok());
    EXPECT_EQ(inner->path().parent_path(), "/tmp");
}

TEST_F(FoldersInTmpdir, WhatAKilledProcessLeftIsRemovedByTheNext)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const auto left = TemporaryDir::create("left");
        if (left.ok())
            std::ofstream(left->path() / "reference") << "outputs";
        ::_exit(left.ok() ? 0 : 1); // no destructor runs, as after a kill
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
    ASSERT_FALSE(fs::is_empty(dir.path()));
    const auto next = TemporaryDir::create("next");
    ASSERT_TRUE(next.ok());
    EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), {}), 1) << "only the new one is there";
}

TEST_F(FoldersInTmpdir, WhatIsInUseStays)
{
    const auto first = TemporaryDir::create("first");
    const auto second = TemporaryDir::create("second");
    ASSERT_TRUE(first.ok() && second.ok());
    EXPECT_TRUE(fs::exists(first->path()));
    EXPECT_TRUE(fs::exists(second->path()));
}

TEST_F(FoldersInTmpdir, AFolderThatWasNeverLockedIsRemovedWhenItIsOld)
{
    fs::create_directory(dir.path() / "apertune-new-abcdef");
    fs::create_directory(dir.path() / "apertune-new-uvwxyz"); // another process may be making it
    fs::last_write_time(dir.path() / "apertune-new-abcdef", fs::file_time_type::clock::now() - std::chrono::hours(1));
    const auto next = TemporaryDir::create("next");
    ASSERT_TRUE(next.ok());
    EXPECT_FALSE(fs::exists(dir.path() / "apertune-new-abcdef"));
    EXPECT_TRUE(fs::exists(dir.path() / "apertune-new-uvwxyz"));
}

TEST_F(FoldersInTmpdir, FoldersOfOthersStay)
{
    fs::create_directory(dir.path() / "apertune-sample");
    fs::create_directory(dir.path() / "something-else");
    // A link with such a name could lead to a folder of somebody else.
    fs::create_directory_symlink(dir.path() / "something-else", dir.path() / "apertune-tmp-link-000000");
    const auto next = TemporaryDir::create("next");
    EXPECT_TRUE(fs::exists(dir.path() / "apertune-sample"));
    EXPECT_TRUE(fs::exists(dir.path() / "something-else"));
}

} // namespace
} // namespace apertune::base

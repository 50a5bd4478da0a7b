// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/scratch_folder.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace apertune::worker {
namespace {

namespace fs = std::filesystem;

struct Scratch : ::testing::Test
{
    Scratch() { ::setenv("TMPDIR", dir.path().c_str(), 1); }
    ~Scratch() override { ::unsetenv("TMPDIR"); }
    base::TemporaryDir dir = std::move(base::TemporaryDir::create("apertune-test")).value();
};

TEST_F(Scratch, ItIsRemovedAtTheEnd)
{
    fs::path path;
    {
        const auto scratch = ScratchFolder::create();
        ASSERT_TRUE(scratch.ok());
        path = scratch->path();
        EXPECT_TRUE(fs::exists(path));
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(Scratch, WhatAKilledProcessLeftIsRemovedByTheNext)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const auto scratch = ScratchFolder::create();
        if (scratch.ok())
            std::ofstream(scratch->path() / "reference") << "outputs";
        ::_exit(scratch.ok() ? 0 : 1); // as a kill would: no destructor runs
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
    ASSERT_FALSE(fs::is_empty(dir.path()));
    const auto scratch = ScratchFolder::create();
    ASSERT_TRUE(scratch.ok());
    EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), {}), 1) << "only the new one is there";
}

TEST_F(Scratch, WhatIsInUseStays)
{
    const auto first = ScratchFolder::create();
    const auto second = ScratchFolder::create();
    ASSERT_TRUE(first.ok() && second.ok());
    EXPECT_TRUE(fs::exists(first->path()));
    EXPECT_TRUE(fs::exists(second->path()));
}

TEST_F(Scratch, FoldersOfOthersStay)
{
    fs::create_directory(dir.path() / "apertune-study-being-made");
    fs::create_directory(dir.path() / "something-else");
    const auto scratch = ScratchFolder::create();
    EXPECT_TRUE(fs::exists(dir.path() / "apertune-study-being-made"));
    EXPECT_TRUE(fs::exists(dir.path() / "something-else"));
}

} // namespace
} // namespace apertune::worker

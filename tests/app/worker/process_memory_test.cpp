// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/process_memory.h"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <cstring>

namespace apertune::worker {
namespace {

TEST(ProcessMemory, ThePeakForgetsWhatWasBeforeTheReset)
{
    constexpr std::size_t kSize = 64u << 20;
    void* block = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(block, MAP_FAILED);
    std::memset(block, 1, kSize);
    const auto high = processPeak();
    ::munmap(block, kSize);
    ASSERT_TRUE(high);
    EXPECT_GE(high->count, static_cast<std::int64_t>(kSize));
    resetProcessPeak();
    const auto low = processPeak();
    ASSERT_TRUE(low);
    if (low->count >= high->count)
        GTEST_SKIP() << "this kernel does not let a process reset its peak";
    EXPECT_LT(low->count, high->count - (32 << 20));
}

TEST(ProcessMemory, OnlyFoldersAsACompiledPackageMakesThemAreNamed)
{
    const char* maps = "7f0-7f1 r-xp 00000000 08:01 1 /tmp/aB3dE6/data/aotinductor/model/cabc.wrapper.so\n"
                       "7f1-7f2 r--p 00000000 08:01 1 /tmp/aB3dE6/data/aotinductor/model/cabc.wrapper.so\n"
                       "7f2-7f3 r-xp 00000000 08:01 2 /tmp/x/lib.so\n"
                       "7f2-7f3 r-xp 00000000 08:01 2 /tmp/myvenv/lib/python3.11/site-packages/torch/lib/libc10.so\n"
                       "7f3-7f4 r-xp 00000000 08:01 3 /tmp/toolong7/lib.so\n"
                       "7f4-7f5 r-xp 00000000 08:01 4 /usr/lib/x86_64-linux-gnu/libc.so\n"
                       "7f5-7f6 rw-p 00000000 08:01 5 /tmp/qwerty/weights.bin\n"
                       "7f6-7f7 rw-p 00000000 00:00 0\n";
    EXPECT_THAT(temporaryFoldersIn(maps), ::testing::ElementsAre("/tmp/aB3dE6"));
}

TEST(ProcessMemory, AProcessThatLoadedNoPackageHasNoFolders)
{
    EXPECT_THAT(loadedTemporaryFolders(), ::testing::IsEmpty());
}

} // namespace
} // namespace apertune::worker

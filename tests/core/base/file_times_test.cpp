// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_times.h"
#include "core/base/temporary_dir.h"

#include <gtest/gtest.h>

namespace apertune::base::test {

namespace fs = std::filesystem;

TEST(TemporaryFolders, AreToldFromOthersByOwnerModeAndAge)
{
    const std::int64_t before = fileClockNow();
    const auto dir = TemporaryDir::create("test");
    ASSERT_TRUE(dir.ok());
    if (!isTemporaryDirSince(dir->path(), 0))
        GTEST_SKIP() << "this file system does not tell when a folder was made";
    EXPECT_TRUE(isTemporaryDirSince(dir->path(), before));
    EXPECT_FALSE(isTemporaryDirSince(dir->path(), fileClockNow() + 1'000'000'000)) << "it is older";
    fs::create_directory_symlink(dir->path(), dir->path() / "link");
    EXPECT_FALSE(isTemporaryDirSince(dir->path() / "link", before));
    EXPECT_FALSE(isTemporaryDirSince(dir->path() / "absent", before));
    EXPECT_FALSE(isTemporaryDirSince("/", 0)) << "open to others, or another's";
    fs::permissions(dir->path(), fs::perms::group_read, fs::perm_options::add);
    EXPECT_FALSE(isTemporaryDirSince(dir->path(), before)) << "mkdtemp() closes its folders to others";
}

} // namespace apertune::base::test

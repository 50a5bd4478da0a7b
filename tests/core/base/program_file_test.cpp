// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/program_file.h"
#include "core/base/temporary_dir.h"

#include <gtest/gtest.h>

#include <fstream>

namespace apertune::base {
namespace {

TEST(ProgramFile, IsFoundOnTheSearchPath)
{
    EXPECT_EQ(programFile("sh").filename(), "sh");
    EXPECT_TRUE(programFile("sh").is_absolute());
    EXPECT_EQ(programFile("/bin/sh"), "/bin/sh");
    EXPECT_TRUE(programFile("apertune-no-such-program").empty());
    const auto folder = TemporaryDir::create("program");
    ASSERT_TRUE(folder);
    const std::filesystem::path file = folder->path() / "net.py";
    std::ofstream(file) << "pass";
    EXPECT_TRUE(programFile(file.string()).empty()) << "it is not executable";
}

} // namespace
} // namespace apertune::base

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/machine_facts.h"
#include "core/base/temporary_dir.h"
#include "tests/support/environment_variables.h"

#include <gtest/gtest.h>
#include <sys/sysinfo.h>

#include <cstdlib>
#include <string>

namespace apertune::base::test {

namespace {

MachineMemory memoryIn(const std::string& meminfo)
{
    const auto folder = TemporaryDir::create("machine");
    if (!folder || !writeFileAtomically(folder->path() / "proc/meminfo", meminfo))
        return {{-1}, {-1}};
    return machineMemory(folder->path());
}

} // namespace

TEST(MachineFacts, HomeIsTheFolderOfTheVariable)
{
    const apertune::test::EnvironmentVariables home("HOME", "/home/someone");
    EXPECT_EQ(homeFolder(), "/home/someone");
}

TEST(MachineFacts, WithoutTheVariableThereIsNoHome)
{
    const apertune::test::EnvironmentVariables unset("HOME", std::nullopt);
    EXPECT_TRUE(homeFolder().empty());
    const apertune::test::EnvironmentVariables empty("HOME", "");
    EXPECT_TRUE(homeFolder().empty());
}

TEST(MachineFacts, MemoryAndSwapAreReadInBytes)
{
    const MachineMemory memory = memoryIn("MemTotal:       65842364 kB\nMemFree:         1024 kB\nBuffers:\n"
                                          "SwapCached:            5 kB\nSwapTotal:       8388604 kB\nSwapFree: 1 kB\n");
    EXPECT_EQ(memory.physical.count, 65842364LL * 1024);
    EXPECT_EQ(memory.swap.count, 8388604LL * 1024);
}

TEST(MachineFacts, AMachineThatTellsNothingHasNoKnownMemory)
{
    EXPECT_EQ(memoryIn("MemTotal: many kB\n").physical.count, 0);
    EXPECT_EQ(machineMemory("/a folder that does not exist").physical.count, 0);
}

TEST(MachineFacts, ThisMachineHasTheMemoryThatTheKernelReports)
{
    struct sysinfo machine = {};
    ASSERT_EQ(::sysinfo(&machine), 0);
    // The file has whole KiB.
    EXPECT_EQ(machineMemory().physical.count / 1024,
              static_cast<std::int64_t>(machine.totalram) * machine.mem_unit / 1024);
}

} // namespace apertune::base::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/cgroup.h"
#include "core/probe/cpu_probe.h"
#include "tests/core/probe/fake_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apertune::probe {
namespace {

using test::FakeSystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CpuInfoText, OfASapphireRapidsXeonHasAmx)
{
    const CpuInfo info = parseCpuInfo(FakeSystem::cpuInfo("xeon_sapphire_rapids"));
    EXPECT_EQ(info.name, "Intel Xeon Platinum 8481C CPU @ 2.70GHz");
    EXPECT_THAT(info.isa, ElementsAre("avx2", "avx_vnni", "avx512f", "avx512_vnni", "avx512_bf16", "avx512_fp16",
                                      "amx_bf16", "amx_int8"));
    EXPECT_EQ(info.clockMhz, 2703);
    EXPECT_TRUE(info.hypervisor);
    ASSERT_EQ(info.processors.size(), 4u);
    EXPECT_EQ(info.processors[3].core, 1);
}

TEST(CpuInfoText, OfAnEpycHasAvx512ButNoAmx)
{
    const CpuInfo info = parseCpuInfo(FakeSystem::cpuInfo("epyc_genoa"));
    EXPECT_EQ(info.name, "AMD EPYC 9B45 Processor");
    EXPECT_THAT(info.isa, ElementsAre("avx2", "avx512f", "avx512_vnni", "avx512_bf16"));
    EXPECT_FALSE(info.hypervisor);
}

TEST(CpuInfoText, OfAnOlderRyzenHasAvx2Only)
{
    EXPECT_THAT(parseCpuInfo(FakeSystem::cpuInfo("avx2_only")).isa, ElementsAre("avx2"));
}

TEST(CpuInfoText, OfAnArmServerIsNamedByItsNumbers)
{
    const CpuInfo info = parseCpuInfo(FakeSystem::cpuInfo("arm_neoverse_v1"));
    EXPECT_EQ(info.name, "ARM Neoverse V1");
    EXPECT_THAT(info.isa, ElementsAre("asimd", "asimddp", "sve", "bf16", "i8mm"));
    EXPECT_EQ(info.processors.size(), 2u);
    EXPECT_EQ(info.processors[0].core, -1);
    EXPECT_EQ(parseCpuInfo("CPU implementer\t: 0x61\nCPU part\t: 0x022\n").name, "ARM (implementer 0x61, part 0x022)");
}

TEST(CpuInfoText, OfNothingIsNothing)
{
    const CpuInfo info = parseCpuInfo("");
    EXPECT_EQ(info.name, "");
    EXPECT_THAT(info.isa, IsEmpty());
    EXPECT_THAT(parseCpuInfo("core id : 3\nno colon here\n:\n").processors, IsEmpty());
}

TEST(CpuProbe, CountsTheCoresBehindTheAllowedProcessors)
{
    FakeSystem system;
    system.useCpuInfo("xeon_sapphire_rapids"); // processors 0 and 2 share a core, so do 1 and 3
    system.write("proc/meminfo", "MemTotal:       16384000 kB\nMemFree: 1 kB\n");
    system.write("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3800000\n");
    const model::Device all = probeCpu(system.root(), {0, 1, 2, 3});
    EXPECT_EQ(all.id, "cpu");
    EXPECT_EQ(all.threads, 4);
    EXPECT_EQ(all.cores, 2);
    EXPECT_EQ(all.memory.count, 16384000LL * 1024);
    EXPECT_EQ(all.maxClockMhz, 3800);
    EXPECT_TRUE(all.nativeBf16());
    const model::Device one = probeCpu(system.root(), {1, 3});
    EXPECT_EQ(one.threads, 2);
    EXPECT_EQ(one.cores, 1);
}

TEST(CpuProbe, CoresOfTwoSocketsWithTheSameNumbersAreDifferent)
{
    FakeSystem system;
    system.useCpuInfo("epyc_genoa");
    EXPECT_EQ(probeCpu(system.root(), {0, 1, 2, 3}).cores, 4);
}

TEST(CpuProbe, WithoutCoreNumbersInCpuinfoTheTopologyFilesTell)
{
    FakeSystem system;
    system.useCpuInfo("arm_neoverse_v1");
    EXPECT_EQ(probeCpu(system.root(), {0, 1}).cores, 2);
    for (const char* cpu : {"cpu0", "cpu1"})
        system.write(std::string("sys/devices/system/cpu/") + cpu + "/topology/thread_siblings_list", "0-1\n");
    EXPECT_EQ(probeCpu(system.root(), {0, 1}).cores, 1);
}

TEST(CpuProbe, AContainersCpuQuotaLimitsThreadsAndCores)
{
    FakeSystem system;
    system.useCpuInfo("epyc_genoa");
    system.write("proc/self/cgroup", "0::/\n");
    system.write("sys/fs/cgroup/cpu.max", "250000 100000\n");
    const model::Device cpu = probeCpu(system.root(), {0, 1, 2, 3});
    EXPECT_EQ(cpu.threads, 2);
    EXPECT_EQ(cpu.cores, 2);
    system.write("sys/fs/cgroup/cpu.max", "50000 100000\n");
    EXPECT_EQ(probeCpu(system.root(), {0, 1}).threads, 1);
}

TEST(CpuProbe, AContainersMemoryLimitIsItsMemory)
{
    FakeSystem system;
    system.write("proc/meminfo", "MemTotal: 1000 kB\n");
    system.write("proc/self/cgroup", "0::/app\n");
    system.write("sys/fs/cgroup/app/memory.max", "512000\n");
    EXPECT_EQ(probeCpu(system.root(), {0}).memory.count, 512000);
    system.write("sys/fs/cgroup/app/memory.max", "99999999\n"); // above what the machine has
    EXPECT_EQ(probeCpu(system.root(), {0}).memory.count, 1024000);
}

TEST(CpuProbe, OnAnEmptyMachineNothingFails)
{
    const model::Device cpu = probeCpu("/nonexistent", {});
    EXPECT_EQ(cpu.id, "cpu");
    EXPECT_EQ(cpu.threads, 0);
    EXPECT_EQ(cpu.memory.count, 0);
}

TEST(CpuProbe, ThisProcessMayRunSomewhere)
{
    EXPECT_FALSE(allowedProcessors().empty());
}

TEST(Cgroup, CpuMaxIsQuotaOverPeriod)
{
    EXPECT_EQ(parseCpuMax("200000 100000"), 2.0);
    EXPECT_EQ(parseCpuMax("max 100000"), std::nullopt);
    EXPECT_EQ(parseCpuMax("200000"), std::nullopt);
    EXPECT_EQ(parseCpuMax("200000 0"), std::nullopt);
    EXPECT_EQ(parseCpuMax(""), std::nullopt);
}

TEST(Cgroup, TheTightestOfAGroupAndItsParentsCounts)
{
    FakeSystem system;
    system.write("proc/self/cgroup", "0::/slice/app\n");
    system.write("sys/fs/cgroup/slice/app/cpu.max", "max 100000");
    system.write("sys/fs/cgroup/slice/cpu.max", "150000 100000");
    system.write("sys/fs/cgroup/slice/app/memory.max", "2000");
    system.write("sys/fs/cgroup/slice/memory.max", "max");
    const CgroupLimits limits = readCgroupLimits(system.root());
    EXPECT_EQ(limits.cpus, 1.5);
    EXPECT_EQ(limits.memory, base::Bytes{2000});
}

TEST(Cgroup, VersionOneKeepsAFolderPerController)
{
    FakeSystem system;
    system.write("proc/self/cgroup", "4:memory:/docker/abc\n2:cpu,cpuacct:/docker/abc\n1:name=systemd:/\n");
    // Inside the container the named path does not exist: the mount is the group.
    system.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "4096000");
    system.write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "300000");
    system.write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000");
    const CgroupLimits limits = readCgroupLimits(system.root());
    EXPECT_EQ(limits.memory, base::Bytes{4096000});
    EXPECT_EQ(limits.cpus, 3.0);
}

TEST(Cgroup, UnlimitedIsNoLimit)
{
    FakeSystem system;
    system.write("proc/self/cgroup", "4:memory:/\n2:cpu:/\n");
    system.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
    system.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
    system.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
    EXPECT_FALSE(readCgroupLimits(system.root()).memory);
    EXPECT_FALSE(readCgroupLimits(system.root()).cpus);
}

TEST(Cgroup, APathThatLeavesTheNamespaceFallsBackToTheMount)
{
    FakeSystem system;
    system.write("proc/self/cgroup", "0::/../../other\n");
    system.write("sys/fs/cgroup/memory.max", "777");
    EXPECT_EQ(readCgroupLimits(system.root()).memory, base::Bytes{777});
}

TEST(CpuProbe, ACpuSaysWhyItsEnergyIsNotTold)
{
    FakeSystem system;
    const model::Device silent = probeCpu(system.root(), {0});
    EXPECT_FALSE(silent.noEnergy.empty());
    EXPECT_FALSE(silent.noEnergyRemedy.empty());
    system.write("sys/class/powercap/intel-rapl:0/name", "package-0\n");
    system.write("sys/class/powercap/intel-rapl:0/energy_uj", "123456\n");
    EXPECT_TRUE(probeCpu(system.root(), {0}).noEnergy.empty());
}

} // namespace
} // namespace apertune::probe

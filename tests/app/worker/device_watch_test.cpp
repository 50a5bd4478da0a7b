// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/device_watch.h"
#include "core/base/temporary_dir.h"
#include "tests/core/base/fake_nvml.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace apertune::worker {
namespace {

using base::Nanoseconds;
using base::NvmlApi;

struct GpuReadings : ::testing::Test
{
    GpuReadings() { gpu.uuid = "GPU-1"; }

    GpuReading reading() { return GpuWatch::open(&nvml.api, "GPU-1", dir.path())->read(); }

    /// A process of /proc.
    void addProcess(unsigned pid, int parent) const
    {
        std::filesystem::create_directories(dir.path() / std::to_string(pid));
        std::ofstream(dir.path() / std::to_string(pid) / "stat") << pid << " (a (b) c) S " << parent << " 1 1 0";
    }

    base::test::FakeNvml nvml;
    base::test::FakeGpu& gpu = nvml.gpus.emplace_back("Fake GPU");
    base::TemporaryDir dir = base::TemporaryDir::create("proc").value();
};

TEST_F(GpuReadings, SlowedIsHeatOrSupplyButNotThePowerCap)
{
    for (const unsigned long long reasons : {0x0, 0x1, 0x2, 0x4, 0x10, 0x100}) {
        gpu.reasons = reasons;
        EXPECT_FALSE(reading().slowed) << reasons;
    }
    for (const unsigned long long reasons : {0x8, 0x20, 0x40, 0x80, 0x44}) {
        gpu.reasons = reasons;
        EXPECT_TRUE(reading().slowed) << reasons;
    }
}

TEST_F(GpuReadings, AreNotMadeWhereThereIsNoSuchGpu)
{
    EXPECT_FALSE(GpuWatch::open(nullptr, "GPU-1"));
    EXPECT_FALSE(GpuWatch::open(&nvml.api, "GPU-2"));
    EXPECT_FALSE(GpuWatch::open(&nvml.api, ""));
    nvml.initStatus = 9;
    EXPECT_FALSE(GpuWatch::open(&nvml.api, "GPU-1"));
}

TEST_F(GpuReadings, TellWhatTheDriverTellsAndNothingElse)
{
    const GpuReading all = reading();
    EXPECT_EQ(all.clockMhz, 345);
    EXPECT_GE(all.power, 250'000);
    ASSERT_TRUE(all.energy);
    EXPECT_GE(*all.energy, 5'000'000);
    EXPECT_EQ(GpuWatch::open(&nvml.api, "GPU-1")->powerCap(), 700'000);

    nvml.api.deviceGetTotalEnergyConsumption = nullptr;
    nvml.api.deviceGetPowerUsage = nullptr;
    nvml.api.deviceGetEnforcedPowerLimit = nullptr;
    nvml.api.deviceGetCurrentClocksEventReasons = nullptr;
    const GpuReading few = reading();
    EXPECT_FALSE(few.energy);
    EXPECT_EQ(few.power, 0);
    EXPECT_FALSE(few.slowed);
    EXPECT_EQ(GpuWatch::open(&nvml.api, "GPU-1")->powerCap(), 0);
}

TEST_F(GpuReadings, CountTheProcessesOfOthers)
{
    const auto own = static_cast<unsigned>(::getpid());
    addProcess(1001, ::getppid()); // another worker of this study
    addProcess(1002, 1);
    gpu.users = {{own, 10}, {1001, 20}, {1002, 30}, {1003, NvmlApi::kUnknownMemory}};
    const GpuReading others = reading();
    EXPECT_EQ(others.otherProcesses, 2);
    EXPECT_EQ(others.otherMemory.count, 30);
    gpu.users.erase(gpu.users.begin());
    EXPECT_EQ(reading().otherProcesses, 0) << "without this process, the numbers are those of another namespace";
}

TEST_F(GpuReadings, TellTheLoadOfOthersBeforeTheModel)
{
    gpu.load = 3;
    EXPECT_EQ(GpuWatch::open(&nvml.api, "GPU-1")->otherLoad(), 3);
    gpu.load = 40;
    EXPECT_EQ(GpuWatch::open(&nvml.api, "GPU-1")->otherLoad(), 40) << "it stays";
    nvml.api.deviceGetUtilizationRates = nullptr;
    EXPECT_EQ(GpuWatch::open(&nvml.api, "GPU-1")->otherLoad(), 0);
}

GpuReading at(double second, int clock, std::int64_t milliwatts, std::optional<std::int64_t> millijoules)
{
    GpuReading reading;
    reading.at = base::fromSeconds(second);
    reading.clockMhz = clock;
    reading.power = milliwatts;
    reading.energy = millijoules;
    reading.capped = base::fromSeconds(second / 2);
    reading.heat = Nanoseconds{};
    return reading;
}

TEST(GpuSummary, SumsUpWhatPassedDuringTheBlocks)
{
    GpuSummary summary;
    summary.add(at(10, 345, 100'000, 1000), at(11, 1980, 500'000, 1500), 40);
    summary.add(at(11.5, 1980, 500'000, 1700), at(12, 1755, 500'000, 2000), 60);
    const model::GpuConditions& sums = summary.conditions();
    EXPECT_EQ(sums.clockLow, 1755) << "the clock of an idle GPU before the first block is none of a block";
    EXPECT_EQ(sums.clockHigh, 1980);
    EXPECT_EQ(sums.cappedTime, base::fromSeconds(0.75));
    ASSERT_TRUE(summary.energy());
    EXPECT_EQ(summary.energy()->total().joules, 1) << "the counter lags, so the gap between the blocks counts";
    EXPECT_EQ(summary.energy()->total().passes, 100);
    EXPECT_EQ(summary.energy()->source, model::EnergySource::gpuCounter);
}

} // namespace
} // namespace apertune::worker

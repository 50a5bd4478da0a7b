// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/device_watch.h"
#include "tests/core/base/fake_nvml.h"

#include <gtest/gtest.h>

namespace apertune::worker {
namespace {

TEST(DeviceSlowdown, IsHeatOrSupplyButNotThePowerCap)
{
    base::test::FakeNvml nvml;
    base::test::FakeGpu& gpu = nvml.gpus.emplace_back("Fake GPU");
    gpu.uuid = "GPU-1";
    const auto slowed = deviceSlowdown(&nvml.api, "GPU-1");
    ASSERT_TRUE(slowed);
    for (const unsigned long long reasons : {0x0, 0x1, 0x2, 0x4, 0x10, 0x100}) {
        gpu.reasons = reasons;
        EXPECT_FALSE(slowed()) << reasons;
    }
    for (const unsigned long long reasons : {0x8, 0x20, 0x40, 0x80, 0x44}) {
        gpu.reasons = reasons;
        EXPECT_TRUE(slowed()) << reasons;
    }
}

TEST(DeviceSlowdown, IsNotToldWhereTheDriverDoesNotKnow)
{
    EXPECT_FALSE(deviceSlowdown(nullptr, "GPU-1"));
    base::test::FakeNvml nvml;
    nvml.gpus.emplace_back("Fake GPU").uuid = "GPU-1";
    EXPECT_FALSE(deviceSlowdown(&nvml.api, "GPU-2"));
    EXPECT_FALSE(deviceSlowdown(&nvml.api, ""));
    nvml.api.deviceGetCurrentClocksEventReasons = nullptr;
    EXPECT_FALSE(deviceSlowdown(&nvml.api, "GPU-1"));
    nvml.initStatus = 9;
    EXPECT_FALSE(deviceSlowdown(&nvml.api, "GPU-1"));
}

} // namespace
} // namespace apertune::worker

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace apertune::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A driver of the tests' making behind the real function table.
struct FakeGpu
{
    std::string name;
    std::string uuid;
    unsigned long long memory = 0;
    int major = 0;
    int minor = 0;
    bool opens = true;
    std::vector<FakeGpu> instances{}; ///< not empty: split by MIG
};

struct FakeDriver
{
    int initStatus = 0;
    std::vector<FakeGpu> gpus;
};
FakeDriver* s_driver = nullptr;

int copyText(const std::string& text, char* to, unsigned size)
{
    if (text.size() + 1 > size)
        return 7; // insufficient size
    std::memcpy(to, text.c_str(), text.size() + 1);
    return 0;
}

FakeGpu& gpuOf(NvmlApi::Handle handle)
{
    return *static_cast<FakeGpu*>(handle);
}

NvmlApi fakeTable()
{
    NvmlApi api;
    api.init = [] { return s_driver->initStatus; };
    api.errorString = [](int status) { return status == 18 ? "Driver/library version mismatch" : "Unknown Error"; };
    api.systemGetDriverVersion = [](char* to, unsigned size) { return copyText("580.65.06", to, size); };
    api.deviceGetCount = [](unsigned* count) {
        *count = static_cast<unsigned>(s_driver->gpus.size());
        return 0;
    };
    api.deviceGetHandleByIndex = [](unsigned index, NvmlApi::Handle* handle) {
        *handle = &s_driver->gpus[index];
        return s_driver->gpus[index].opens ? 0 : 4;
    };
    api.deviceGetName = [](NvmlApi::Handle h, char* to, unsigned size) { return copyText(gpuOf(h).name, to, size); };
    api.deviceGetUUID = [](NvmlApi::Handle h, char* to, unsigned size) { return copyText(gpuOf(h).uuid, to, size); };
    api.deviceGetMemoryInfo = [](NvmlApi::Handle h, NvmlApi::Memory* memory) {
        memory->total = gpuOf(h).memory;
        return 0;
    };
    api.deviceGetCudaComputeCapability = [](NvmlApi::Handle h, int* major, int* minor) {
        *major = gpuOf(h).major;
        *minor = gpuOf(h).minor;
        return 0;
    };
    api.deviceGetClockInfo = [](NvmlApi::Handle, int, unsigned* mhz) {
        *mhz = 345;
        return 0;
    };
    api.deviceGetMaxClockInfo = [](NvmlApi::Handle, int kind, unsigned* mhz) {
        *mhz = kind == NvmlApi::kClockSm ? 1980 : 0;
        return 0;
    };
    api.deviceGetMigMode = [](NvmlApi::Handle h, unsigned* current, unsigned* pending) {
        *current = *pending = gpuOf(h).instances.empty() ? 0 : 1;
        return 0;
    };
    api.deviceGetMaxMigDeviceCount = [](NvmlApi::Handle, unsigned* count) {
        *count = 7;
        return 0;
    };
    api.deviceGetMigDeviceHandleByIndex = [](NvmlApi::Handle h, unsigned index, NvmlApi::Handle* instance) {
        if (index >= gpuOf(h).instances.size())
            return 6; // not found
        *instance = &gpuOf(h).instances[index];
        return 0;
    };
    return api;
}

class NvmlProbe : public testing::Test
{
protected:
    NvmlProbe()
    {
        s_driver = &driver;
        driver.gpus = {{"NVIDIA H200", "GPU-aaaa-1", 150'754'820'096, 9, 0},
                       {"NVIDIA L4", "GPU-bbbb-2", 24'000'000'000, 8, 9}};
    }
    ~NvmlProbe() override { s_driver = nullptr; }
    std::vector<std::string> uuids(const std::optional<std::string>& visible = {})
    {
        std::vector<std::string> found;
        for (const model::Device& device : probeGpus(fakeTable(), visible).devices)
            found.push_back(device.id + "=" + device.uuid);
        return found;
    }
    FakeDriver driver;
};

TEST_F(NvmlProbe, TellsEverythingAboutAGpu)
{
    const GpuProbe probe = probeGpus(fakeTable(), {});
    EXPECT_TRUE(probe.available);
    EXPECT_EQ(probe.reason, "");
    ASSERT_EQ(probe.devices.size(), 2u);
    const model::Device& gpu = probe.devices[0];
    EXPECT_EQ(gpu.id, "cuda:0");
    EXPECT_EQ(gpu.kind, model::DeviceKind::cuda);
    EXPECT_EQ(gpu.name, "NVIDIA H200");
    EXPECT_EQ(gpu.uuid, "GPU-aaaa-1");
    EXPECT_EQ(gpu.memory.count, 150'754'820'096);
    EXPECT_EQ(gpu.computeMajor, 9);
    EXPECT_EQ(gpu.computeMinor, 0);
    EXPECT_EQ(gpu.driver, "580.65.06");
    EXPECT_EQ(gpu.clockMhz, 345);
    EXPECT_EQ(gpu.maxClockMhz, 1980);
    EXPECT_TRUE(gpu.tf32());
}

TEST_F(NvmlProbe, FollowsCudaVisibleDevices)
{
    EXPECT_THAT(uuids("1"), ElementsAre("cuda:0=GPU-bbbb-2"));
    EXPECT_THAT(uuids("1,0"), ElementsAre("cuda:0=GPU-bbbb-2", "cuda:1=GPU-aaaa-1"));
    EXPECT_THAT(uuids("GPU-bbbb"), ElementsAre("cuda:0=GPU-bbbb-2"));
    EXPECT_THAT(uuids("0,9,1"), ElementsAre("cuda:0=GPU-aaaa-1")) << "CUDA stops at the first that is none";
    EXPECT_THAT(uuids("99999999999999999999"), IsEmpty());
}

TEST_F(NvmlProbe, SaysWhenTheVariableHidesEverything)
{
    for (const char* visible : {"", "-1", "none"}) {
        const GpuProbe probe = probeGpus(fakeTable(), visible);
        EXPECT_THAT(probe.devices, IsEmpty());
        EXPECT_THAT(probe.reason, HasSubstr("CUDA_VISIBLE_DEVICES"));
        EXPECT_THAT(probe.remedy, HasSubstr("Unset"));
    }
}

TEST_F(NvmlProbe, ADriverThatDoesNotAnswerIsAReasonWithARemedy)
{
    driver.initStatus = 18;
    const GpuProbe probe = probeGpus(fakeTable(), {});
    EXPECT_FALSE(probe.available);
    EXPECT_THAT(probe.reason, HasSubstr("version mismatch"));
    EXPECT_THAT(probe.remedy, HasSubstr("restart"));
    driver.initStatus = 4;
    EXPECT_THAT(probeGpus(fakeTable(), {}).remedy, HasSubstr("/dev/nvidia"));
}

TEST_F(NvmlProbe, NoGpuAndAnUnopenableOneAreToldApart)
{
    driver.gpus.resize(1);
    driver.gpus[0].opens = false;
    EXPECT_THAT(probeGpus(fakeTable(), {}).reason, HasSubstr("cannot be opened"));
    driver.gpus.clear();
    EXPECT_THAT(probeGpus(fakeTable(), {}).reason, HasSubstr("sees no GPU"));
}

TEST_F(NvmlProbe, AnUnopenableGpuKeepsTheIndicesOfTheOthers)
{
    driver.gpus[0].opens = false;
    EXPECT_THAT(uuids("1"), ElementsAre("cuda:0=GPU-bbbb-2"));
    EXPECT_THAT(uuids(), ElementsAre("cuda:0=GPU-bbbb-2"));
}

TEST_F(NvmlProbe, AGpuSplitByMigIsItsFirstInstanceUnlessAnotherIsNamed)
{
    driver.gpus[0].instances = {{"NVIDIA H200 MIG 1g.18gb", "MIG-1", 18'000'000'000, 0, 0},
                                {"NVIDIA H200 MIG 2g.35gb", "MIG-2", 35'000'000'000, 0, 0}};
    EXPECT_THAT(uuids(), ElementsAre("cuda:0=MIG-1", "cuda:1=GPU-bbbb-2"));
    EXPECT_THAT(uuids("MIG-2"), ElementsAre("cuda:0=MIG-2"));
    const model::Device instance = probeGpus(fakeTable(), "MIG-2").devices.at(0);
    EXPECT_EQ(instance.memory.count, 35'000'000'000);
    EXPECT_EQ(instance.computeMajor, 9) << "an instance has the capability of its GPU";
}

TEST_F(NvmlProbe, AnOldDriverWithoutMigFunctionsWorks)
{
    NvmlApi api = fakeTable();
    api.deviceGetMigMode = nullptr;
    api.deviceGetMaxMigDeviceCount = nullptr;
    api.deviceGetMigDeviceHandleByIndex = nullptr;
    EXPECT_EQ(probeGpus(api, {}).devices.size(), 2u);
}

TEST(NvmlLibrary, LooksAtThisMachineWithoutFailing)
{
    const GpuProbe probe = probeGpus();
    EXPECT_EQ(probe.devices.empty(), !probe.reason.empty());
}

} // namespace
} // namespace apertune::engine

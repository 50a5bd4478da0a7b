// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/foreign_gpus.h"
#include "core/probe/gpu_probe.h"
#include "core/sentences/sentences.h"
#include "tests/core/base/fake_nvml.h"
#include "tests/core/probe/fake_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apertune::probe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class GpuProbing : public ::testing::Test
{
protected:
    GpuProbing()
    {
        nvml.gpus.emplace_back("NVIDIA H200", "GPU-aaaa-1", 150'754'820'096, 9, 0);
        nvml.gpus.emplace_back("NVIDIA L4", "GPU-bbbb-2", 24'000'000'000, 8, 9);
    }
    std::vector<std::string> uuids(const std::optional<std::string>& visible = {})
    {
        std::vector<std::string> found;
        for (const model::Device& device : probeGpus(nvml.api, visible).devices)
            found.push_back(device.id + "=" + device.uuid);
        return found;
    }
    base::test::FakeNvml nvml;
};

TEST_F(GpuProbing, TellsEverythingAboutAGpu)
{
    const GpuProbe probe = probeGpus(nvml.api, {});
    EXPECT_TRUE(probe.available);
    EXPECT_EQ(sentences::sentence(probe.reason), "");
    ASSERT_EQ(probe.devices.size(), 2u);
    const model::Device& gpu = probe.devices[0];
    EXPECT_EQ(gpu.id, "cuda:0");
    EXPECT_EQ(gpu.type, model::DeviceType::nvidiaGpu());
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

TEST_F(GpuProbing, TellsWhatOthersDoWithAGpuAndWhereItIs)
{
    nvml.gpus[0].users = {{4242, 3'000'000'000}, {17, base::NvmlApi::kUnknownMemory}};
    nvml.gpus[0].load = 40;
    nvml.gpus[0].bus = 0x3b;
    const auto devices = probeGpus(nvml.api, {}).devices;
    ASSERT_TRUE(devices[0].use);
    EXPECT_EQ(devices[0].use->processes, 2);
    EXPECT_EQ(devices[0].use->load, 40);
    EXPECT_EQ(devices[0].use->memory.count, 3'000'000'000);
    EXPECT_TRUE(devices[0].use->isBusy());
    EXPECT_FALSE(devices[1].use->isBusy());
    EXPECT_EQ(devices[0].pci, "0000:3b:00.0");
    EXPECT_EQ(devices[1].pci, "");
    nvml.api.deviceGetUtilizationRates = nullptr;
    EXPECT_FALSE(probeGpus(nvml.api, {}).devices[0].use) << "unknown is not idle";
}

TEST(ForeignGpus, AreNamedUnlessAnEngineOpensThem)
{
    const test::FakeSystem system;
    system.write("sys/class/drm/card0/device/vendor", "0x10de\n");
    EXPECT_THAT(foreignGpus(system.root(), {}), IsEmpty()) << "NVIDIA's have their own sentences";
    system.write("sys/class/drm/card1/device/vendor", "0x8086\n");
    system.write("sys/class/drm/card2/device/vendor", "0x1002\n");
    std::vector<std::string> sentences;
    for (const base::Message& message : foreignGpus(system.root(), {}))
        sentences.push_back(sentences::sentence(message));
    EXPECT_THAT(sentences, ElementsAre(HasSubstr("AMD GPU"), HasSubstr("intel-opencl-icd")));
    model::Device opened;
    opened.id = "xpu:0";
    opened.type = model::typeOfDevice(opened.id);
    EXPECT_EQ(foreignGpus(system.root(), {opened}).size(), 1u);
}

TEST(ProcessorsOfNode, AreThoseThatSysfsNamesAndThisProcessMayUse)
{
    const test::FakeSystem system;
    system.write("sys/bus/pci/devices/0000:3b:00.0/local_cpulist", "4-5,8,12-15\n");
    const std::vector<int> allowed{0, 1, 4, 5, 6, 8, 13};
    EXPECT_THAT(processorsOfNode(system.root(), "0000:3b:00.0", allowed), ElementsAre(4, 5, 8, 13));
    EXPECT_THAT(processorsOfNode(system.root(), "0000:3b:00.0", {0, 1}), IsEmpty()) << "this process may use none";
    EXPECT_THAT(processorsOfNode(system.root(), "0000:4c:00.0", allowed), IsEmpty());
    EXPECT_THAT(processorsOfNode(system.root(), "", allowed), IsEmpty());
}

TEST_F(GpuProbing, TellsTheNewestCudaThatTheDriverRuns)
{
    nvml.cudaVersion = 12080;
    EXPECT_EQ(probeGpus(nvml.api, {}).cudaVersion, 12080);
    nvml.api.systemGetCudaDriverVersion = nullptr;
    EXPECT_EQ(probeGpus(nvml.api, {}).cudaVersion, 0) << "unknown";
}

TEST_F(GpuProbing, FollowsCudaVisibleDevices)
{
    EXPECT_THAT(uuids("1"), ElementsAre("cuda:0=GPU-bbbb-2"));
    EXPECT_THAT(uuids("1,0"), ElementsAre("cuda:0=GPU-bbbb-2", "cuda:1=GPU-aaaa-1"));
    EXPECT_THAT(uuids("GPU-bbbb"), ElementsAre("cuda:0=GPU-bbbb-2"));
    EXPECT_THAT(uuids("0,9,1"), ElementsAre("cuda:0=GPU-aaaa-1")) << "CUDA stops at the first that is none";
    EXPECT_THAT(uuids("99999999999999999999"), IsEmpty());
}

TEST_F(GpuProbing, SaysWhenTheVariableHidesEverything)
{
    for (const char* visible : {"", "-1", "none"}) {
        const GpuProbe probe = probeGpus(nvml.api, visible);
        EXPECT_THAT(probe.devices, IsEmpty());
        EXPECT_THAT(sentences::sentence(probe.reason), HasSubstr("CUDA_VISIBLE_DEVICES"));
        EXPECT_THAT(sentences::sentence(probe.remedy), HasSubstr("Unset"));
    }
}

TEST_F(GpuProbing, ADriverThatDoesNotAnswerIsAReasonWithARemedy)
{
    nvml.initStatus = 18;
    const GpuProbe probe = probeGpus(nvml.api, {});
    EXPECT_FALSE(probe.available);
    EXPECT_THAT(sentences::sentence(probe.reason), HasSubstr("version mismatch"));
    EXPECT_THAT(sentences::sentence(probe.remedy), HasSubstr("restart"));
    nvml.initStatus = 4;
    EXPECT_THAT(sentences::sentence(probeGpus(nvml.api, {}).remedy), HasSubstr("/dev/nvidia"));
}

TEST_F(GpuProbing, NoGpuAndAnUnopenableOneAreToldApart)
{
    nvml.gpus.pop_back();
    nvml.gpus[0].opens = false;
    EXPECT_THAT(sentences::sentence(probeGpus(nvml.api, {}).reason), HasSubstr("cannot be opened"));
    nvml.gpus.clear();
    EXPECT_THAT(sentences::sentence(probeGpus(nvml.api, {}).reason), HasSubstr("sees no GPU"));
}

TEST_F(GpuProbing, AnUnopenableGpuKeepsTheIndicesOfTheOthers)
{
    nvml.gpus[0].opens = false;
    EXPECT_THAT(uuids("1"), ElementsAre("cuda:0=GPU-bbbb-2"));
    EXPECT_THAT(uuids(), ElementsAre("cuda:0=GPU-bbbb-2"));
}

TEST_F(GpuProbing, AGpuSplitByMigIsItsFirstInstanceUnlessAnotherIsNamed)
{
    nvml.gpus[0].instances.emplace_back("NVIDIA H200 MIG 1g.18gb", "MIG-1", 18'000'000'000);
    nvml.gpus[0].instances.emplace_back("NVIDIA H200 MIG 2g.35gb", "MIG-2", 35'000'000'000);
    EXPECT_THAT(uuids(), ElementsAre("cuda:0=MIG-1", "cuda:1=GPU-bbbb-2"));
    EXPECT_THAT(uuids("MIG-2"), ElementsAre("cuda:0=MIG-2"));
    const model::Device instance = probeGpus(nvml.api, "MIG-2").devices.at(0);
    EXPECT_EQ(instance.memory.count, 35'000'000'000);
    EXPECT_EQ(instance.computeMajor, 9) << "an instance has the capability of its GPU";
}

TEST_F(GpuProbing, AnOldDriverWithoutMigFunctionsWorks)
{
    nvml.api.deviceGetMigMode = nullptr;
    nvml.api.deviceGetMaxMigDeviceCount = nullptr;
    nvml.api.deviceGetMigDeviceHandleByIndex = nullptr;
    EXPECT_EQ(probeGpus(nvml.api, {}).devices.size(), 2u);
}

TEST(GpuProbingHere, LooksAtThisMachineWithoutFailing)
{
    const GpuProbe probe = probeGpus();
    EXPECT_EQ(probe.devices.empty(), !probe.reason.empty());
}

} // namespace
} // namespace apertune::probe

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/capabilities.h"
#include "core/probe/capability_probe.h"
#include "core/probe/device_probe.h"
#include "core/probe/environment_probe.h"
#include "core/sentences/sentences.h"
#include "core/worker/local_launcher.h"
#include "tests/core/probe/fake_system.h"
#include "tests/support/environment_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apertune::probe {
namespace {

using test::FakeSystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(Environment, NamesTheOperatingSystem)
{
    EXPECT_EQ(parseOsName("NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n"),
              "Debian GNU/Linux 12 (bookworm)");
    EXPECT_EQ(parseOsName("PRETTY_NAME=Alpine\n"), "Alpine");
    EXPECT_EQ(parseOsName("ID=x\n"), "");
}

TEST(Environment, KeepsTheSettingsThatChangeResultsAndNoOthers)
{
    FakeSystem system;
    system.useCpuInfo("xeon_sapphire_rapids");
    system.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    system.write("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
    system.write("sys/devices/system/cpu/smt/active", "1\n");
    system.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    system.write("proc/self/cgroup", "0::/\n");
    system.write("sys/fs/cgroup/cpu.max", "150000 100000\n");
    EXPECT_THAT(readSettings(system.root(), {"OMP_NUM_THREADS=4", "HOME=/root", "API_TOKEN=x", "CUDA_VISIBLE_DEVICES=",
                                             "KINETO_LOG_LEVEL=5", "LD_PRELOAD=/x.so", "MYOMP_X=1"}),
                ElementsAre(Pair("cpu governor", "powersave"), Pair("cpu boost", "0"), Pair("multithreading", "1"),
                            Pair("transparent huge pages", "madvise"), Pair("cpu quota", "1.50"),
                            Pair("virtual machine", "yes"), Pair("CUDA_VISIBLE_DEVICES", ""),
                            Pair("KINETO_LOG_LEVEL", "5"), Pair("LD_PRELOAD", "/x.so"), Pair("OMP_NUM_THREADS", "4")));
}

TEST(Environment, OfAMachineThatShowsNothingIsEmpty)
{
    EXPECT_THAT(readSettings("/nonexistent", {}), IsEmpty());
    EXPECT_EQ(readLoadAverage("/nonexistent"), 0);
}

TEST(Environment, ReadsTheOneMinuteLoad)
{
    FakeSystem system;
    system.write("proc/loadavg", "3.75 2.00 1.00 5/600 12345\n");
    EXPECT_EQ(readLoadAverage(system.root()), 3.75);
}

TEST(Environment, OfThisMachineIsFilledIn)
{
    const apertune::test::EnvironmentVariables variables("OMP_NUM_THREADS", "3");
    search::BackendInfo backend;
    backend.name = "fake";
    backend.version = "1.2";
    const auto devices = probeDevices();
    const model::Environment environment = probeEnvironment(devices, {backend});
    EXPECT_NE(environment.host, "");
    EXPECT_NE(environment.kernel, "");
    EXPECT_NE(environment.apertune, "");
    EXPECT_EQ(environment.devices.size(), devices.size());
    EXPECT_THAT(environment.engines, ElementsAre(Pair("fake", "1.2")));
    EXPECT_THAT(environment.settings, ::testing::Contains(Pair("OMP_NUM_THREADS", "3")));
}

TEST(Devices, OfThisMachineBeginWithItsCpu)
{
    const auto devices = probeDevices();
    ASSERT_FALSE(devices.empty());
    EXPECT_EQ(devices[0].id, "cpu");
    EXPECT_GE(devices[0].threads, 1);
    EXPECT_GE(devices[0].threads, devices[0].cores);
    EXPECT_GT(devices[0].memory.count, 0);
}

CapabilityFacts everything()
{
    CapabilityFacts facts;
    facts.hasGpu = facts.nvml = facts.libtorch = facts.hardwarePmu = true;
    facts.energy = base::PackageEnergy::Access::readable;
    facts.perfParanoid = 2;
    facts.countersForAdminsOnly = false;
    return facts;
}

model::Capability capability(const CapabilityFacts& facts, const std::string& name)
{
    for (const model::Capability& entry : capabilitiesOf(facts))
        if (entry.name == name)
            return entry;
    ADD_FAILURE() << "no capability " << name;
    return {};
}

TEST(Capabilities, AreAllThereOnAnOpenMachineAndAlwaysTheSameEight)
{
    std::vector<std::string> names;
    for (const model::Capability& entry : capabilitiesOf(everything())) {
        EXPECT_TRUE(entry.available) << entry.name;
        EXPECT_EQ(sentences::sentence(entry.reason), "") << entry.name;
        names.push_back(entry.name);
    }
    EXPECT_THAT(names, ElementsAre("CPU timing", "GPU timing", "operators", "kernel trace", "hardware counters",
                                   "GPU telemetry", "CPU energy", "perf counters"));
    EXPECT_EQ(capabilitiesOf({}).size(), names.size());
}

TEST(Capabilities, WithoutAGpuSayWhatTheDriverSaid)
{
    CapabilityFacts facts = everything();
    facts.hasGpu = facts.nvml = false;
    facts.noGpuReason = base::foreignText("There is no NVIDIA driver.");
    facts.noGpuRemedy = base::foreignText("Install it.");
    for (const char* name : {"GPU timing", "kernel trace", "hardware counters", "GPU telemetry"}) {
        const model::Capability entry = capability(facts, name);
        EXPECT_FALSE(entry.available) << name;
        EXPECT_EQ(sentences::sentence(entry.reason), "There is no NVIDIA driver.") << name;
        EXPECT_EQ(sentences::sentence(entry.remedy), "Install it.") << name;
    }
    EXPECT_TRUE(capability(facts, "CPU timing").available);
}

TEST(Capabilities, CountersForAdministratorsOnlyNameTheDriverOption)
{
    CapabilityFacts facts = everything();
    facts.countersForAdminsOnly = true;
    EXPECT_THAT(sentences::sentence(capability(facts, "hardware counters").remedy),
                HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
    EXPECT_TRUE(capability(facts, "kernel trace").available) << "tracing needs no privilege";
    facts.isAdmin = true;
    EXPECT_TRUE(capability(facts, "hardware counters").available);
}

TEST(Capabilities, EveryObstacleToCountersHasItsWords)
{
    const auto obstacleTo = [](void (*change)(CapabilityFacts&)) {
        CapabilityFacts facts = everything();
        change(facts);
        EXPECT_TRUE(capability(facts, "kernel trace").available);
        const model::Capability counters = capability(facts, "hardware counters");
        EXPECT_FALSE(counters.available);
        return sentences::sentence(counters.reason) + " " + sentences::sentence(counters.remedy);
    };
    EXPECT_THAT(obstacleTo([](CapabilityFacts& f) { f.mig = true; }), HasSubstr("nvidia-smi -mig 0"));
    EXPECT_THAT(obstacleTo([](CapabilityFacts& f) { f.oldChip = true; }), HasSubstr("compute capability 7.5"));
    EXPECT_THAT(obstacleTo([](CapabilityFacts& f) { f.wsl = true; }), HasSubstr("Measure on Linux"));
    EXPECT_THAT(
        obstacleTo([](CapabilityFacts& f) {
            f.gpuCounters = {base::foreignText("libnvperf_host.so was not found."), base::foreignText("Add it.")};
        }),
        HasSubstr("libnvperf_host.so was not found. Add it."));
}

TEST(Capabilities, EachMissingPartHasItsReason)
{
    CapabilityFacts facts = everything();
    facts.libtorch = false;
    facts.gpuTrace = {base::foreignText("libcupti.so.13 does not load."), base::foreignText("Add it.")};
    facts.energy = base::PackageEnergy::Access::forbidden;
    facts.perfParanoid = 3;
    EXPECT_TRUE(capability(facts, "GPU timing").available);
    EXPECT_THAT(sentences::sentence(capability(facts, "kernel trace").reason), HasSubstr("libcupti.so.13"));
    EXPECT_THAT(sentences::sentence(capability(facts, "hardware counters").reason), HasSubstr("libcupti.so.13"));
    EXPECT_THAT(sentences::sentence(capability(facts, "operators").remedy), HasSubstr("APERTUNE_TORCH"));
    EXPECT_THAT(sentences::sentence(capability(facts, "CPU energy").remedy), HasSubstr("energy_uj"));
    EXPECT_THAT(sentences::sentence(capability(facts, "perf counters").remedy), HasSubstr("perf_event_paranoid=2"));
    facts.mayPerf = true;
    EXPECT_TRUE(capability(facts, "perf counters").available);
    facts.hardwarePmu = false;
    EXPECT_THAT(sentences::sentence(capability(facts, "perf counters").reason), HasSubstr("virtual machines"));
    facts.perfParanoid.reset();
    EXPECT_THAT(sentences::sentence(capability(facts, "perf counters").reason), HasSubstr("no perf events"));
    facts.energy = base::PackageEnergy::Access::missing;
    EXPECT_THAT(sentences::sentence(capability(facts, "CPU energy").reason), HasSubstr("no energy counter"));
}

TEST(Capabilities, FactsAreReadFromTheMachinesFiles)
{
    FakeSystem system;
    system.write("proc/driver/nvidia/params", "EnableMSI: 1\nRmProfilingAdminOnly: 1\n");
    system.write("proc/self/status", "Name:\tx\nCapEff:\t0000004000000000\n"); // CAP_PERFMON alone
    system.write("proc/sys/kernel/perf_event_paranoid", "4\n");
    system.write("sys/class/powercap/intel-rapl:0/energy_uj", "123456\n");
    system.write("sys/bus/event_source/devices/cpu/type", "4\n");
    const auto torch = system.root() / "env/lib/python3.11/site-packages/torch";
    const CapabilityFacts facts = gatherFacts(system.root(), torch, {});
    EXPECT_EQ(facts.countersForAdminsOnly, true);
    EXPECT_FALSE(facts.isAdmin);
    EXPECT_TRUE(facts.mayPerf);
    EXPECT_EQ(facts.perfParanoid, 4);
    EXPECT_EQ(facts.energy, base::PackageEnergy::Access::readable);
    EXPECT_TRUE(facts.hardwarePmu);
    EXPECT_FALSE(facts.wsl || facts.mig || facts.oldChip);
    EXPECT_TRUE(facts.libtorch);
    system.write("proc/version", "Linux version 5.15.90.1-microsoft-standard-WSL2\n");
    GpuProbe gpus;
    gpus.devices.resize(1);
    gpus.devices[0].uuid = "MIG-1";
    gpus.devices[0].computeMajor = 7;
    const CapabilityFacts more = gatherFacts(system.root(), torch, gpus);
    EXPECT_TRUE(more.wsl && more.mig && more.oldChip);

    const CapabilityFacts none = gatherFacts("/nonexistent", {}, {});
    EXPECT_EQ(none.countersForAdminsOnly, std::nullopt);
    EXPECT_EQ(none.energy, base::PackageEnergy::Access::missing);
    EXPECT_FALSE(none.libtorch);
}

TEST(Capabilities, ADriverThatIsTooOldForThisBuildPromisesNothingButTelemetry)
{
    GpuProbe gpus;
    gpus.available = true;
    gpus.cudaVersion = 12080;
    gpus.devices.resize(1);
    gpus.devices[0].driver = "570.86.15";
    CapabilityFacts facts = gatherFacts("/nonexistent", {}, gpus);
    for (const char* name : {"GPU timing", "kernel trace", "hardware counters"}) {
        const model::Capability entry = capability(facts, name);
        EXPECT_FALSE(entry.available) << name;
        EXPECT_EQ(sentences::sentence(entry.reason),
                  "The NVIDIA driver 570.86.15 runs CUDA 12.8; this build needs 13.0 (driver 580).");
        EXPECT_THAT(sentences::sentence(entry.remedy), HasSubstr("Update the driver to 580"));
    }
    EXPECT_TRUE(capability(facts, "GPU telemetry").available);
    for (const int newer : {13000, 13020, 0}) {
        gpus.cudaVersion = newer;
        EXPECT_EQ(sentences::sentence(gatherFacts("/nonexistent", {}, gpus).gpuUse.reason), "") << newer;
    }
}

TEST(Capabilities, OnlyWhatAWorkerHasTriedOnTheGpuIsPromised)
{
    CapabilityFacts facts = everything();
    readRecordings(base::Json::parse(R"({"recordings": [{"name": "kernel trace", "possible": true, "reason": ""},
        {"name": "hardware counters", "possible": false, "reason": "libnvperf_host.so was not found.",
         "remedy": "Add it."}]})"),
                   facts);
    EXPECT_TRUE(capability(facts, "kernel trace").available);
    EXPECT_EQ(sentences::sentence(capability(facts, "hardware counters").reason), "libnvperf_host.so was not found.");
    EXPECT_EQ(sentences::sentence(capability(facts, "hardware counters").remedy), "Add it.");
    for (const char* silent : {"{}", R"({"recordings": 1})", R"({"recordings": []})"}) {
        readRecordings(base::Json::parse(silent), facts);
        EXPECT_THAT(sentences::sentence(capability(facts, "kernel trace").reason), HasSubstr("does not report"))
            << silent;
        EXPECT_THAT(sentences::sentence(capability(facts, "hardware counters").reason), HasSubstr("does not report"))
            << silent;
    }
}

TEST(Capabilities, OfThisMachineAllHaveAReasonWhereTheyAreNotAvailable)
{
    const auto installation = worker::Installation::locate();
    const auto launcher = worker::makeLocalLauncher(installation);
    const auto capabilities = probeCapabilities(*launcher, installation, probeDevices());
    ASSERT_EQ(capabilities.size(), 8u);
    for (const model::Capability& entry : capabilities)
        EXPECT_EQ(entry.available, entry.reason.empty()) << entry.name;
}

TEST(Capabilities, AnUnreadableEnergyCounterIsForbidden)
{
    FakeSystem system;
    system.write("sys/class/powercap/intel-rapl:0/energy_uj/not_a_file", ""); // root reads any file, but no folder
    EXPECT_EQ(gatherFacts(system.root(), {}, {}).energy, base::PackageEnergy::Access::forbidden);
}

} // namespace
} // namespace apertune::probe

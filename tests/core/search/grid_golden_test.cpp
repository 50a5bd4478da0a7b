// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/grid.h"
#include "core/sentences/sentences.h"
#include "tests/core/search/machines.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

namespace apertune::search {
namespace {

using model::OptLevel;
using model::Precision;

/// One line a configuration: device, configuration and why it cannot run.
std::string text(const std::vector<PlannedConfiguration>& configurations, const std::vector<model::Device>& devices)
{
    std::string lines;
    for (const PlannedConfiguration& configuration : configurations) {
        model::DeviceType type = model::DeviceType::cpu();
        for (const model::Device& device : devices)
            if (device.id == configuration.device)
                type = device.type;
        lines += configuration.device + "  " + model::shortName(configuration.config, type, true);
        lines += configuration.impossible.empty()
                     ? ""
                     : "  [" + std::string(model::toString(configuration.impossible.kind)) + "] " +
                           sentences::sentence(configuration.impossible.message);
        lines += '\n';
    }
    return lines;
}

/// Compares the plan with NAME.txt.
void expectGolden(const std::string& name, const model::SearchSpace& space, const std::vector<model::Device>& devices,
                  const model::ModelRef& model = test::resnet(), const BackendInfo& backend = test::libtorch())
{
    const auto configurations = planGrid(space, devices, {backend}, model);
    ASSERT_TRUE(configurations) << sentences::describe(configurations.error());
    apertune::test::expectGolden(name + ".txt", text(*configurations, devices));
}

model::SearchSpace sixteenConfigurations()
{
    model::SearchSpace space;
    space.levels = {OptLevel::o0, OptLevel::o1, OptLevel::o2, OptLevel::o3};
    space.precisions = {Precision::fp32, Precision::bf16};
    space.batches = {1, 4};
    space.devices = {"cpu"};
    return space;
}

TEST(GridGolden, SixteenConfigurationsOnACpuWithAmxAllRun)
{
    expectGolden("amx_sixteen", sixteenConfigurations(), {test::amxCpu()});
}

TEST(GridGolden, SixteenConfigurationsOnACpuWithAvx2OnlyListTheBf16OnesAsImpossible)
{
    expectGolden("avx2_sixteen", sixteenConfigurations(), {test::avx2Cpu()});
}

TEST(GridGolden, DefaultsOnACpuWithAvx2Only)
{
    expectGolden("avx2_default", {}, {test::avx2Cpu()});
}

TEST(GridGolden, DefaultsOnACpuWithAmx)
{
    expectGolden("amx_default", {}, {test::amxCpu()});
}

TEST(GridGolden, DefaultsOnAnH200LeaveTheCpuOut)
{
    expectGolden("h200_default", {}, {test::amxCpu(), test::gpu()});
}

TEST(GridGolden, EveryPrecisionOnAllDevices)
{
    model::SearchSpace space;
    space.precisions.assign(model::kAllPrecisions.begin(), model::kAllPrecisions.end());
    space.levels = {OptLevel::o0, OptLevel::o2};
    space.batches = {1};
    space.devices = {"all"};
    expectGolden("all_precisions", space, {test::avx2Cpu(), test::gpu(), test::gpu("cuda:1", "Tesla T4", 7, 5)});
}

TEST(GridGolden, SingleSwitchesLaidOverTheLevelsOfACpu)
{
    model::SearchSpace space;
    space.levels = {OptLevel::o0, OptLevel::o1, OptLevel::o2, OptLevel::o3};
    space.precisions = {Precision::fp32};
    space.batches = {1};
    space.switches["onednn_graph"] = {true, false};
    space.switches["cuda_graph"] = {true, false};
    expectGolden("avx2_switches", space, {test::avx2Cpu()});
}

} // namespace
} // namespace apertune::search

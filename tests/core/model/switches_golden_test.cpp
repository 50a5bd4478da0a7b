// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/model/config.h"
#include "core/model/trial_flag.h"
#include "tests/support/golden.h"
#include "tests/support/section.h"

#include <gtest/gtest.h>

namespace apertune::model::test {

namespace {

using apertune::test::expectGolden;

std::string padded(std::string_view text, std::size_t width)
{
    std::string column(text);
    column.resize(std::max(width, column.size()), ' ');
    return column;
}

std::string levelsTable(DeviceType device)
{
    std::string table;
    for (const OptLevel level : kAllLevels)
        for (const Precision precision : kAllPrecisions) {
            table += padded(toString(level), 4) + padded(toString(precision), 6);
            for (const auto& [name, on] : expandLevel(level, precision, device))
                if (on)
                    table += " " + name;
            table += "\n";
        }
    return table;
}

/// The levels that turn the switch on with some precision: "O1, O2".
std::string levelsOf(const SwitchInfo& info)
{
    std::vector<std::string> levels;
    for (const OptLevel level : kAllLevels)
        if (info.level && std::any_of(std::begin(kAllPrecisions), std::end(kAllPrecisions),
                                      [&](Precision precision) { return info.level(level, precision); }))
            levels.emplace_back(toString(level));
    return levels.empty() ? "–" : base::join(levels);
}

} // namespace

TEST(Switches, TheCatalogueIsAsDocumented)
{
    std::string text;
    for (const SwitchInfo& info : switchCatalogue())
        text += padded(info.name, 24) + (info.knownOn(DeviceType::cpu()) ? "cpu " : "    ") +
                (info.knownOn(DeviceType::nvidiaGpu()) ? "cuda  " : "      ") + info.summary + "\n";
    expectGolden("switches.txt", text);
}

TEST(Switches, StandInTheManual)
{
    std::string text = "| switch | devices | levels | what it does |\n|---|---|---|---|\n";
    for (const SwitchInfo& info : switchCatalogue()) {
        const bool cpu = info.knownOn(DeviceType::cpu());
        const bool gpu = info.knownOn(DeviceType::nvidiaGpu());
        text += "| `" + info.name + "` | " +
                (cpu && gpu ? "CPU, GPU"
                 : cpu      ? "CPU"
                            : "GPU") +
                " | " + levelsOf(info) + " | " + info.summary + " |\n";
    }
    apertune::test::expectSection(APERTUNE_MANUAL "/reference/switches.md", "libtorch", text);
}

TEST(Switches, AndFlagsOfTrialsAreAllExplainedInTheManual)
{
    const auto page = base::readFile(APERTUNE_MANUAL "/reference/metrics.md");
    ASSERT_TRUE(page);
    for (int i = 0; i <= static_cast<int>(TrialFlag::unreadableConditions); ++i) {
        const std::string flag = "`" + std::string(toString(static_cast<TrialFlag>(i))) + "`";
        EXPECT_NE(page->find(flag), std::string::npos) << flag;
    }
}

TEST(Switches, HaveConstantsInExportedPrograms)
{
    EXPECT_EQ(switchConstant("freeze"), "kFreeze");
    EXPECT_EQ(switchConstant("channels_last"), "kChannelsLast");
    EXPECT_EQ(switchConstant("tf32"), "kTf32");
}

TEST(Switches, LevelsStandForFixedSwitches)
{
    expectGolden("levels_cpu.txt", levelsTable(DeviceType::cpu()));
    expectGolden("levels_cuda.txt", levelsTable(DeviceType::nvidiaGpu()));
}

TEST(Switches, ALevelNamesEverySwitchThatItsDeviceKnows)
{
    for (const DeviceType device : {DeviceType::cpu(), DeviceType::nvidiaGpu()})
        for (const OptLevel level : kAllLevels)
            for (const Precision precision : kAllPrecisions) {
                const SwitchMap switches = expandLevel(level, precision, device);
                std::size_t known = 0;
                for (const SwitchInfo& info : switchCatalogue()) {
                    const bool knows = info.knownOn(device);
                    EXPECT_EQ(switches.contains(info.name), knows) << info.name;
                    known += knows;
                }
                EXPECT_EQ(switches.size(), known);
            }
}

TEST(Switches, LevelsWithoutAPrecisionTakeTheirDefault)
{
    Device plain;
    Device amx;
    amx.isa = {"amx_bf16"};
    Device turing;
    turing.type = DeviceType::nvidiaGpu();
    turing.computeMajor = 7;
    Device hopper = turing;
    hopper.computeMajor = 9;
    std::string text;
    for (const auto& [name, device] :
         {std::pair{"avx2", plain}, {"amx", amx}, {"turing", turing}, {"hopper", hopper}}) {
        text += name;
        for (const OptLevel level : kAllLevels)
            text += " " + std::string(toString(defaultPrecision(level, device)));
        text += "\n";
    }
    EXPECT_EQ(text, "avx2 fp32 fp32 fp32 fp32\n"
                    "amx fp32 fp32 bf16 bf16\n"
                    "turing fp32 fp32 fp16 fp16\n"
                    "hopper fp32 tf32 fp16 fp16\n");
}

} // namespace apertune::model::test

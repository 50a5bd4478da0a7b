// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config.h"
#include "core/model/configuration_names.h"
#include "core/model/study.h"

#include <gtest/gtest.h>

#include <set>

namespace apertune::model::test {

TEST(Configs, AreShortlyNamed)
{
    Config config = makeConfig(OptLevel::o2, Precision::bf16, 4, 8, DeviceType::cpu());
    EXPECT_EQ(shortName(config, DeviceType::cpu()), "O2 bf16 b4");
    EXPECT_EQ(shortName(config, DeviceType::cpu(), true), "O2 bf16 b4 th8");
    config.switches["channels_last"] = false;
    config.switches["optimize_for_inference"] = true;
    EXPECT_EQ(shortName(config, DeviceType::cpu()), "O2 bf16 b4 −channels_last +optimize_for_inference");
    const Config gpu = makeConfig(OptLevel::o3, Precision::tf32, 16, 0, DeviceType::nvidiaGpu());
    EXPECT_EQ(shortName(gpu, DeviceType::nvidiaGpu(), true), "O3 tf32 b16"); // 0 threads are no axis
    config = makeConfig(OptLevel::o0, Precision::fp32, 1, 0, DeviceType::cpu());
    config.switches["of_another_backend"] = false; // off and unknown: nothing to tell
    EXPECT_EQ(shortName(config, DeviceType::cpu()), "O0 fp32 b1");
}

TEST(Config, IsNamedByTheSwitchesThatTellAnEnginesConfigurationsApart)
{
    const auto configuration = [](int id, int batch, bool pinned) {
        Trial trial;
        trial.id = TrialId{id};
        trial.device = "cpu";
        trial.config.backend = "engine";
        trial.config.level = OptLevel::o1;
        trial.config.batch = batch;
        trial.config.switches = {{"graph_basic", true}, {"pinning", pinned}};
        return trial;
    };
    StudySnapshot snapshot;
    snapshot.trials = {configuration(1, 1, false), configuration(2, 4, false)};
    EXPECT_EQ(switchMarks(snapshot.trials[0].config, DeviceType::cpu()), (std::vector<std::string>{"+graph_basic"}));
    const CommonSwitches alike(snapshot);
    EXPECT_TRUE(switchMarks(snapshot.trials[0].config, DeviceType::cpu(), alike.of(snapshot.trials[0])).empty());

    snapshot.trials.push_back(configuration(3, 1, true));
    const CommonSwitches different(snapshot);
    const Trial& pinned = snapshot.trials[2];
    EXPECT_EQ(shortName(pinned.config, DeviceType::cpu(), false, different.of(pinned)), "engine O1 fp32 b1 +pinning");
    // LibTorch's levels are known: what was set beside one is told, though every configuration has it.
    Trial own = configuration(4, 1, true);
    own.config = makeConfig(OptLevel::o0, Precision::fp32, 1, 2, DeviceType::cpu());
    own.config.switches["channels_last"] = true;
    snapshot.trials = {own};
    EXPECT_EQ(shortName(own.config, DeviceType::cpu(), false, CommonSwitches(snapshot).of(own)),
              "O0 fp32 b1 +channels_last");
}

TEST(Configs, KnowWhatIsOn)
{
    const Config config = makeConfig(OptLevel::o1, Precision::fp32, 1, 0, DeviceType::cpu());
    EXPECT_TRUE(config.isOn("freeze"));
    EXPECT_FALSE(config.isOn("aoti"));
    EXPECT_FALSE(config.isOn("no such switch"));
    EXPECT_EQ(config, makeConfig(OptLevel::o1, Precision::fp32, 1, 0, DeviceType::cpu()));
    EXPECT_NE(config, makeConfig(OptLevel::o1, Precision::fp32, 2, 0, DeviceType::cpu()));
}

TEST(Configs, KeepTheirHashes)
{
    // Workspaces hold these. A change makes finished trials unknown to a resumed study: never change them.
    EXPECT_EQ(configHash(makeConfig(OptLevel::o0, Precision::fp32, 1, 4, DeviceType::cpu()), "cpu"),
              "28a8ee79068c55c0ffc0dda4b6b862af580e6407f8383ba926dc367311de4561");
    EXPECT_EQ(configHash(makeConfig(OptLevel::o3, Precision::fp16, 32, 0, DeviceType::nvidiaGpu()), "cuda:0"),
              "bf6f22b1558bcca4229f947318483cd0b1916c55bb0d316ad864b7753c6fc47b");
    EXPECT_EQ(groupKey(makeConfig(OptLevel::o3, Precision::fp16, 32, 0, DeviceType::nvidiaGpu()), "cuda:0"),
              "76e7730789dc3d1d5776390927510d661a8f128e4532cc3affe2c1c65966123d");
}

TEST(Configs, ThatDifferInAnythingHashApart)
{
    const Config config = makeConfig(OptLevel::o1, Precision::fp32, 1, 4, DeviceType::cpu());
    std::set<std::string> hashes{configHash(config, "cpu"), configHash(config, "cuda:0")};
    std::vector<Config> others(7, config);
    others[0].backend = "fake";
    others[1].level = OptLevel::o2;
    others[2].precision = Precision::bf16;
    others[3].batch = 2;
    others[4].threads = 5;
    others[5].switches["freeze"] = false;
    others[6].switches["other"] = false;
    for (const Config& other : others)
        hashes.insert(configHash(other, "cpu"));
    EXPECT_EQ(hashes.size(), 2 + others.size());
}

TEST(Configs, AreApartByHowInt8WasCalibrated)
{
    const Config config = makeConfig(OptLevel::o1, Precision::int8, 1, 4, DeviceType::cpu());
    std::vector<Config> others(4, config);
    others[0].quantization = Quantization{};
    others[1].quantization = Quantization{"/photos", 64, {}};
    others[2].quantization = Quantization{"", 32, {}};
    others[3].quantization = Quantization{"", 64, {"stem"}};
    std::set<std::string> hashes{configHash(config, "cpu")};
    for (const Config& other : others)
        hashes.insert(configHash(other, "cpu"));
    EXPECT_EQ(hashes.size(), 5U);
    EXPECT_EQ(shortName(others[2], DeviceType::cpu()), "O1 int8 b1");
    EXPECT_EQ(shortName(others[3], DeviceType::cpu()), "O1 int8−1 b1");
}

TEST(Configs, OfOneGroupDifferInTheBatchOnly)
{
    const Config config = makeConfig(OptLevel::o1, Precision::fp32, 1, 4, DeviceType::cpu());
    Config other = config;
    other.batch = 64;
    EXPECT_EQ(groupKey(config, "cpu"), groupKey(other, "cpu"));
    EXPECT_NE(groupKey(config, "cpu"), groupKey(config, "cuda:0"));
    other.threads = 5;
    EXPECT_NE(groupKey(config, "cpu"), groupKey(other, "cpu"));
}

TEST(ConfigurationNames, NameThreadsWhereTheTrialsOfADeviceDiffer)
{
    const auto trial = [](int threads, const char* device) {
        Trial t;
        t.device = device;
        t.config = makeConfig(OptLevel::o2, Precision::fp32, 1, threads, typeOfDevice(device));
        return t;
    };
    std::vector<Trial> trials{trial(2, "cpu"), trial(0, "cuda:0")};
    EXPECT_EQ(ConfigurationNames(trials).of(trials[0]), "O2 fp32 b1") << "devices differ in any case";
    trials.push_back(trial(1, "cpu"));
    EXPECT_EQ(ConfigurationNames(trials).of(trials[0]), "O2 fp32 b1 th2");
    EXPECT_EQ(ConfigurationNames(trials).of(trials[1]), "O2 fp32 b1");
    trials.push_back(trial(2, "cpu"));
    EXPECT_EQ(ConfigurationNames(trials).of(trials[0]), "O2 fp32 b1") << "most have as many";
    EXPECT_EQ(ConfigurationNames(trials).of(trials[2]), "O2 fp32 b1 th1");
    EXPECT_EQ(ConfigurationNames(trials).of(trial(3, "cpu")), "O2 fp32 b1 th3") << "added later";
    EXPECT_EQ(ConfigurationNames().of(trials[0]), "O2 fp32 b1");
}

} // namespace apertune::model::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/effects.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace apertune::comparison {
namespace {

using model::Config;
using model::DeviceType;
using model::OptLevel;
using model::Precision;
using test::measuredTrial;

/// Trials of one device without other settings than those that are named.
struct Study
{
    void add(OptLevel level, Precision precision, int batch, double latencyMs, const std::string& extra = {})
    {
        Config config = model::makeConfig(level, precision, batch, 2, DeviceType::cpu());
        if (!extra.empty())
            config.switches[extra] = true;
        snapshot.trials.push_back(measuredTrial(static_cast<int>(snapshot.trials.size()) + 1, config, latencyMs));
        snapshot.trials.back().device = "cpu";
    }
    std::vector<SettingEffect> effects() const { return settingEffects(snapshot); }
    static const SettingEffect* find(const std::vector<SettingEffect>& effects, const std::string& setting,
                                     const std::string& to)
    {
        const auto found = std::find_if(effects.begin(), effects.end(), [&](const SettingEffect& e) {
            return e.setting.name() == setting && e.to == to;
        });
        return found == effects.end() ? nullptr : &*found;
    }
    model::StudySnapshot snapshot;
};

TEST(SettingEffects, OnlyConfigurationsThatDifferInOneSettingArePairs)
{
    Study study;
    study.add(OptLevel::o0, Precision::fp32, 1, 40);
    study.add(OptLevel::o0, Precision::fp32, 4, 120);
    study.add(OptLevel::o1, Precision::fp32, 1, 20);
    study.add(OptLevel::o2, Precision::bf16, 1, 5); // differs from all in two settings or more
    const auto effects = study.effects();
    ASSERT_EQ(effects.size(), 2u);
    EXPECT_EQ(effects[0].setting.name(), "level") << "the largest first";
    EXPECT_NEAR(effects[0].speedup.value, 2, 0.05);
    const SettingEffect* batch = Study::find(effects, "batch", "4");
    ASSERT_TRUE(batch);
    EXPECT_NEAR(batch->speedup.value, 40.0 * 4 / 120, 0.03) << "per sample";
    EXPECT_GT(batch->speedup.confidence, 0.9);
}

TEST(SettingEffects, QuantizedTrialsAreAnEffectOfThePrecision)
{
    Study study;
    study.add(OptLevel::o1, Precision::fp32, 1, 10);
    study.add(OptLevel::o1, Precision::int8, 1, 5);
    study.snapshot.trials.back().config.quantization = model::Quantization{};
    ASSERT_EQ(study.effects().size(), 1u);
    EXPECT_EQ(study.effects()[0].to, "int8");
    EXPECT_NEAR(study.effects()[0].speedup.value, 2, 0.05);
    study.add(OptLevel::o1, Precision::int8, 1, 6);
    study.snapshot.trials.back().config.quantization = model::Quantization{{}, 64, {"fc"}};
    const std::vector<SettingEffect> effects = study.effects();
    ASSERT_EQ(effects.size(), 1u) << "two quantizations are no pair of one setting";
    EXPECT_EQ(effects[0].pairs.size(), 2u);
}

TEST(SettingEffects, EnergyAndStartsAreComparedWithTheirIntervals)
{
    Study study;
    study.add(OptLevel::o0, Precision::fp32, 1, 40);
    study.add(OptLevel::o1, Precision::fp32, 1, 20);
    EXPECT_FALSE(study.effects()[0].energy) << "no trial tells it";
    const std::array<double, 2> joules{0.8, 0.5};
    for (std::size_t i = 0; i < 2; ++i) {
        model::Conditions& conditions = study.snapshot.trials[i].measurement.conditions;
        conditions.energy = model::Energy{model::EnergySource::packages, 1, {}, 0};
        for (const double spread : {0.99, 1.0, 1.01, 1.0})
            conditions.energy->stretches.push_back({joules[i] * 10 * spread, 10, base::fromSeconds(0.3)});
        for (const double ms : {100.0, 104.0})
            conditions.starts.push_back({base::fromMilliseconds(ms * (i + 1)), base::fromMilliseconds(1), i == 0});
    }
    const auto effects = study.effects();
    ASSERT_TRUE(effects[0].energy);
    EXPECT_NEAR(effects[0].energy->value, 0.5 / 0.8, 1e-9);
    EXPECT_EQ(effects[0].energy->confidence, 0.95);
    EXPECT_LT(effects[0].energy->hi, 1);
    EXPECT_FALSE(effects[0].start) << "cold starts of one and warm ones of the other are no pair";
    for (model::Start& start : study.snapshot.trials[0].measurement.conditions.starts)
        start.cold = false;
    ASSERT_TRUE(study.effects()[0].start);
    EXPECT_NEAR(study.effects()[0].start->value, 2, 0.02);
    const base::Json document = effectsDocument(study.snapshot, study.effects());
    EXPECT_NEAR(document["effects"][0]["energy"].get<double>(), 0.625, 1e-9);
    EXPECT_TRUE(document["effects"][0]["energy_lo"].is_number());
    EXPECT_TRUE(document["effects"][0]["pairs"][0]["first_answer"].is_number());
    EXPECT_NE(effectsText(study.snapshot, study.effects(), 0).find("Energy"), std::string::npos);
}

TEST(SettingEffects, AnEffectThatTurnsWithTheBatchSaysWhere)
{
    Study study;
    for (const int batch : {1, 2, 4, 8}) {
        study.add(OptLevel::o2, Precision::fp32, batch, 10.0 * batch);
        study.add(OptLevel::o2, Precision::bf16, batch, batch == 1 ? 15.0 : 5.0 * batch);
    }
    const auto effects = study.effects();
    const SettingEffect* bf16 = Study::find(effects, "precision", "bf16");
    ASSERT_TRUE(bf16);
    EXPECT_EQ(bf16->pairs.size(), 4u);
    EXPECT_TRUE(bf16->depends);
    EXPECT_LT(bf16->speedup.lo, 1) << "the spread between the pairs is part of the interval";
    EXPECT_EQ(bf16->pairs.back().from->config.batch, 1);
    const std::string text = effectsText(study.snapshot, effects, 0);
    EXPECT_NE(text.find("0.667× from O2 fp32 b1"), std::string::npos) << text;
}

TEST(SettingEffects, EqualEffectsHaveANarrowMeanAndDependOnNothing)
{
    Study study;
    for (const int batch : {1, 2, 4, 8}) {
        study.add(OptLevel::o0, Precision::fp32, batch, 10.0 * batch);
        study.add(OptLevel::o0, Precision::fp32, batch, 8.0 * batch, "channels_last");
    }
    const auto effects = study.effects();
    const SettingEffect* layout = Study::find(effects, "channels_last", "on");
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->from, "off");
    EXPECT_FALSE(layout->depends);
    EXPECT_NEAR(layout->speedup.value, 1.25, 0.02);
    EXPECT_LT(layout->speedup.hi - layout->speedup.lo, 0.1);
}

TEST(SettingEffects, TwoPairsAreNoLessCertainThanTheWorseOfThem)
{
    Study study;
    for (const int batch : {1, 2}) {
        study.add(OptLevel::o0, Precision::fp32, batch, 10.0 * batch);
        study.add(OptLevel::o0, Precision::fp32, batch, 8.0 * batch, "channels_last");
    }
    const auto effects = study.effects();
    const SettingEffect* layout = Study::find(effects, "channels_last", "on");
    ASSERT_TRUE(layout);
    ASSERT_EQ(layout->pairs.size(), 2u);
    const model::Interval& first = layout->pairs[0].effect.ratio;
    const model::Interval& second = layout->pairs[1].effect.ratio;
    EXPECT_GE(layout->speedup.lo, std::min(first.lo, second.lo));
    EXPECT_LE(layout->speedup.hi, std::max(first.hi, second.hi));
    EXPECT_NEAR(layout->speedup.value, 1.25, 0.02);
}

TEST(SettingEffects, TrialsOfTwoDevicesAreNoPairs)
{
    Study study;
    study.add(OptLevel::o0, Precision::fp32, 1, 40);
    study.add(OptLevel::o1, Precision::fp32, 1, 20);
    study.snapshot.trials.back().device = "cuda:0";
    EXPECT_TRUE(study.effects().empty());
    EXPECT_NE(effectsText(study.snapshot, {}, 0).find("No two measured configurations"), std::string::npos);
}

TEST(SettingEffects, TheDocumentHasThePairs)
{
    const model::StudySnapshot snapshot = test::sampleStudy();
    const base::Json document = effectsDocument(snapshot, settingEffects(snapshot));
    EXPECT_EQ(document["schema"], "apertune.effects/1");
    ASSERT_FALSE(document["effects"].empty());
    EXPECT_FALSE(document["effects"][0]["pairs"].empty());
}

} // namespace
} // namespace apertune::comparison

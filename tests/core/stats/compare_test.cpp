// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/compare.h"
#include "core/stats/detect.h"
#include "tests/core/stats/samples.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace apertune::stats {
namespace {

Effect compared(const std::vector<double>& baseline, const std::vector<double>& candidate,
                const CompareOptions& options = {})
{
    const std::span<const double> b(baseline);
    const std::span<const double> c(candidate);
    return compare({b}, {c}, options);
}

/// Blocks as a busy machine gives them: skewed noise, drift over the run, and 5 % of blocks up to 60 % too long.
class Machine
{
public:
    explicit Machine(std::uint64_t seed) : m_random(seed), m_noise(seed * 2 + 1) {}

    /// Both sides, interleaved, so that drift and the state of the machine meet both.
    std::pair<std::vector<double>, std::vector<double>> pair(std::size_t n, double slowdown)
    {
        auto a = m_noise.draw(n, 100, 0.01, 0.3, true);
        auto b = m_noise.draw(n, 100 * slowdown, 0.01, 0.3, true);
        const double drift = 0.03 * (2 * uniform() - 1);
        for (std::size_t i = 0; i < n; ++i)
            for (auto* side : {&a, &b}) {
                (*side)[i] *= 1 + drift * static_cast<double>(i) / static_cast<double>(n);
                if (uniform() < 0.05)
                    (*side)[i] *= 1 + 0.6 * uniform();
            }
        return {a, b};
    }

private:
    double uniform() { return static_cast<double>(m_random() >> 11) * 0x1p-53; }
    std::mt19937_64 m_random;
    test::SampleSource m_noise;
};

struct Tally
{
    int faster = 0, slower = 0;
};

Tally runMany(int times, double slowdown, Pairing pairing)
{
    CompareOptions options;
    options.pairing = pairing;
    Tally tally;
    for (int i = 0; i < times; ++i) {
        Machine machine(static_cast<std::uint64_t>(i) + 1);
        const auto [a, b] = machine.pair(60, slowdown);
        const Verdict verdict = compared(a, b, options).verdict;
        tally.faster += verdict == Verdict::faster;
        tally.slower += verdict == Verdict::slower;
    }
    return tally;
}

TEST(Compare, AThousandComparisonsOfIdenticalCodeAreHardlyEverCalledDifferent)
{
    for (const Pairing pairing : {Pairing::paired, Pairing::independent}) {
        const Tally tally = runMany(1000, 1.0, pairing);
        EXPECT_LE(tally.faster + tally.slower, 10) << (pairing == Pairing::paired ? "paired" : "independent");
    }
}

TEST(Compare, ASlowdownOfThreePercentIsFoundAndNeverTakenForASpeedup)
{
    for (const Pairing pairing : {Pairing::paired, Pairing::independent}) {
        const Tally tally = runMany(1000, 1.03, pairing);
        EXPECT_GE(tally.slower, 950) << (pairing == Pairing::paired ? "paired" : "independent");
        EXPECT_EQ(tally.faster, 0);
    }
}

TEST(Compare, PairsCancelWhatTheMachineDidToBoth)
{
    test::SampleSource source(5);
    const auto state = source.draw(40, 1, 0.3); // the machine is up to twice as slow at times
    auto a = source.draw(40, 100, 0.005);
    auto b = source.draw(40, 96, 0.005);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] *= state[i];
        b[i] *= state[i];
    }
    EXPECT_EQ(compared(a, b).verdict, Verdict::cannotTell);
    const Effect paired = compared(a, b, {.pairing = Pairing::paired});
    EXPECT_EQ(paired.verdict, Verdict::faster);
    EXPECT_EQ(paired.samples, 40u);
    EXPECT_NEAR(paired.ratio.value, 100.0 / 96, 0.005);
}

TEST(Compare, HodgesLehmannAgreesWithATextbookTable)
{
    // Walsh averages of logs 1…6 lie between 1 and 6; at n = 6 the 95 % interval is their range (T of 0 alone).
    std::vector<double> a, b(6, 1.0);
    for (int i = 1; i <= 6; ++i)
        a.push_back(std::exp(i));
    const Effect e = compared(a, b, {.pairing = Pairing::paired});
    EXPECT_NEAR(std::log(e.ratio.value), 3.5, 1e-9);
    EXPECT_NEAR(std::log(e.ratio.lo), 1, 1e-9);
    EXPECT_NEAR(std::log(e.ratio.hi), 6, 1e-9);
    EXPECT_EQ(e.ratio.confidence, 0.95);
    EXPECT_NEAR(e.p, 1.0 / 32, 1e-9) << "no clearer than all signs alike";
    a.pop_back();
    EXPECT_EQ(compared(a, b, {.pairing = Pairing::paired}).ratio.confidence, 0) << "five pairs allow no interval";
}

TEST(Compare, NamesNoEffectBelowTheNoiseFloor)
{
    test::SampleSource source(7);
    const auto a = source.draw(60, 100, 0.004);
    const auto b = source.draw(60, 104, 0.004);
    EXPECT_EQ(compared(a, b).verdict, Verdict::slower);
    EXPECT_EQ(compared(a, b, {.noiseFloor = 0.06}).verdict, Verdict::cannotTell) << "hidden, but not the same";
    const auto c = source.draw(60, 100, 0.004);
    EXPECT_EQ(compared(a, c, {.noiseFloor = 0.06}).verdict, Verdict::same);
}

TEST(CorrectForMany, HoldsTheChanceOfAnyWrongVerdict)
{
    // 60 identical configurations, no indifference, 100 studies: uncorrected nearly every study names one.
    int plain = 0, corrected = 0;
    for (std::uint64_t study = 0; study < 100; ++study) {
        test::SampleSource source(1000 + study);
        std::vector<Effect> configurations;
        for (int i = 0; i < 60; ++i)
            configurations.push_back(compared(source.draw(20, 100, 0.02), source.draw(20, 100, 0.02),
                                              {.pairing = Pairing::paired, .indifference = 0}));
        const auto named = [&] {
            return std::any_of(configurations.begin(), configurations.end(), [](const Effect& e) {
                return e.verdict == Verdict::faster || e.verdict == Verdict::slower;
            });
        };
        plain += named();
        correctForMany(configurations);
        corrected += named();
    }
    EXPECT_GE(plain, 80);
    EXPECT_LE(corrected, 10);
}

TEST(CorrectForMany, KeepsWhatIsClear)
{
    test::SampleSource source(11);
    std::vector<Effect> configurations;
    for (int i = 0; i < 40; ++i)
        configurations.push_back(compared(source.draw(30, 100, 0.01), source.draw(30, i == 7 ? 110 : 100, 0.01)));
    correctForMany(configurations);
    EXPECT_EQ(configurations[7].verdict, Verdict::slower);
}

model::Trial measuredBeside(double latency, double driftReading, double uncertainty,
                            const std::string& identity = "same")
{
    model::Trial trial;
    trial.state = model::TrialState::ok;
    for (int i = 0; i < 30; ++i) {
        model::Block block;
        block.iterations = 1;
        block.wall = {static_cast<std::int64_t>(latency * (1 + 0.001 * (i % 5 - 2)))};
        trial.measurement.blocks.push_back(block);
    }
    trial.measurement.conditions.driftReading = model::DriftReading{identity, driftReading, uncertainty, 1};
    return trial;
}

TEST(CompareTrials, TakesOutWhatTheMachineItselfChanged)
{
    const model::Trial before = measuredBeside(1e6, 5e6, 0.002);
    const model::Trial after = measuredBeside(1.1e6, 5.5e6, 0.002);
    const auto effect = effectBetween({before}, {after});
    EXPECT_NEAR(effect->machine, 1.1, 1e-9);
    EXPECT_NEAR(effect->ratio.value, 1, 0.001);
    EXPECT_EQ(effect->verdict, Verdict::same);
    EXPECT_LT(effect->ratio.lo, 0.998) << "the drift reading's uncertainty is in it";

    const model::Trial slower = measuredBeside(1.2e6, 5e6, 0.002);
    EXPECT_EQ(effectBetween({before}, {slower})->verdict, Verdict::slower);
    EXPECT_EQ(effectBetween({before}, {slower})->machine, 1);
}

TEST(CompareTrials, LeavesAChangeAloneThatTheDriftMonitorCannotShow)
{
    const model::Trial before = measuredBeside(1e6, 5e6, 0.08);
    const model::Trial after = measuredBeside(1.1e6, 5.5e6, 0.08);
    EXPECT_EQ(effectBetween({before}, {after})->machine, 1) << "10 % of 11 % uncertainty";
    const model::Trial other = measuredBeside(1.1e6, 5.5e6, 0.002, "another");
    EXPECT_EQ(effectBetween({measuredBeside(1e6, 5e6, 0.002)}, {other})->machine, 1);
    CompareOptions floored;
    floored.noiseFloor = 0.2;
    EXPECT_EQ(
        effectBetween({measuredBeside(1e6, 5e6, 0.002)}, {measuredBeside(1.1e6, 5.5e6, 0.002)}, true, floored)->machine,
        1);
}

TEST(NoiseFloor, IsWhatNearlyAllComparisonsStayBelow)
{
    EXPECT_EQ(noiseFloor({}).comparisons, 0u);
    const std::vector<double> few{1.004, 0.98, 1.01};
    const double squares = std::pow(std::log(1.004), 2) + std::pow(std::log(0.98), 2) + std::pow(std::log(1.01), 2);
    EXPECT_NEAR(noiseFloor(few).effect, std::exp(3.1824 * std::sqrt(squares / 3)) - 1, 1e-5) << "of few, a bound";
    std::vector<double> many;
    for (int i = 1; i <= 20; ++i)
        many.push_back(1 + i * 0.001);
    double sum = 0;
    for (const double ratio : many)
        sum += std::log(ratio) * std::log(ratio);
    EXPECT_NEAR(noiseFloor(many).effect, std::exp(2.8453 * std::sqrt(sum / 20)) - 1, 1e-5) << "99 % of enough";
    many.push_back(1.5);
    EXPECT_NEAR(noiseFloor(many).effect, 0.5, 1e-12) << "never below the largest";
}

TEST(NoiseFloor, OfOneRunSeesItsDrift)
{
    model::Trial trial;
    for (int i = 0; i < 20; ++i)
        trial.measurement.blocks.push_back({10, base::fromMilliseconds(i < 10 ? 100 : 104)});
    const model::Trial* const one[] = {&trial};
    EXPECT_NEAR(noiseFloorWithin(one).effect, 0.04, 1e-9);
    trial.measurement.blocks.resize(11);
    EXPECT_EQ(noiseFloorWithin(one).comparisons, 0u);
}

TEST(Trend, IsFoundWherePlantedAndNowhereElse)
{
    int quiet = 0, planted = 0;
    for (std::uint64_t i = 0; i < 500; ++i) {
        test::SampleSource source(i + 1);
        auto series = source.draw(40, 100, 0.01, 0, true);
        quiet += trend(series).found;
        for (std::size_t k = 0; k < series.size(); ++k)
            series[k] *= 1 + 0.04 * static_cast<double>(k) / 39;
        planted += trend(series).found;
    }
    EXPECT_LE(quiet, 5);
    EXPECT_GE(planted, 475);
    EXPECT_FALSE(trend(std::vector<double>{1, 2, 3, 4, 5, 6, 7}).found) << "seven samples prove nothing";
    EXPECT_FALSE(trend(std::vector<double>(30, 5.0)).found);
}

TEST(Drifted, SeesAStep)
{
    test::SampleSource source(3);
    auto series = source.draw(45, 100, 0.005);
    EXPECT_FALSE(drifted(series));
    for (std::size_t k = 20; k < series.size(); ++k)
        series[k] *= 1.05;
    EXPECT_TRUE(drifted(series));
}

TEST(Modes, AreTwoWherePlantedAndNowhereElse)
{
    int quiet = 0, heavy = 0, planted = 0;
    for (std::uint64_t i = 0; i < 500; ++i) {
        test::SampleSource source(i + 1);
        auto series = source.draw(60, 100, 0.01);
        quiet += modes(series).two;
        Machine machine(i + 1);
        heavy += modes(machine.pair(60, 1).first).two;
        for (std::size_t k = 0; k < series.size(); ++k)
            if (k * 7 % 10 < 4)
                series[k] *= 1.08;
        const Modes found = modes(series);
        planted += found.two && std::abs(found.high / found.low - 1.08) < 0.02;
    }
    EXPECT_LE(quiet, 5);
    EXPECT_LE(heavy, 15);
    EXPECT_GE(planted, 475);
}

TEST(Modes, OfAsManySamplesAsAnImportHasAreFound)
{
    // A search of the split that begins anew at each sample takes minutes for as many.
    std::vector<double> series;
    for (int i = 0; i < 300'000; ++i)
        series.push_back((i % 2 ? 1e6 : 2e6) * (1 + 1e-4 * (i % 97)));
    const Modes found = modes(series);
    EXPECT_TRUE(found.two);
    EXPECT_NEAR(found.high / found.low, 2, 0.02);
}

} // namespace
} // namespace apertune::stats

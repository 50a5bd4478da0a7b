// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/remeasure.h"
#include "core/sentences/sentences.h"
#include "core/study/drift_monitor.h"
#include "core/study/noise_run.h"
#include "tests/core/study/study_fixture.h"

#include <nlohmann/json.hpp>

namespace apertune::study {
namespace {

using base::Json;
using model::OptLevel;
using model::Trial;

/// The fake backend waits by the clock, so that ratios are near one also where other programs run; how near depends on
/// them, so they are only bounded.
struct Noise : testing::StudyFixture
{
    ConfigurationRequest configurationRequest()
    {
        return {artifact.path(),
                model::TaskType::classification,
                worker::testing::configuration(),
                worker::testing::cpu(),
                {},
                {}};
    }
    auto measured(int pairs, const Json& script)
    {
        artifact.write(script);
        NoisePlan plan;
        plan.pairs = pairs;
        plan.blocks = 6;
        return measureNoise(*launcher, configurationRequest(), plan, limits, stop.get_token(),
                            [this](Phase phase, const base::Message& figure) {
                                EXPECT_EQ(phase, Phase::pair);
                                pairTexts.push_back(sentences::sentence(figure));
                            });
    }
    std::vector<std::string> pairTexts;
};

TEST_F(Noise, IsTheRatioOfOneConfigurationToItselfInFreshProcesses)
{
    const auto result = measured(3, {{"latency_ms", 20}});
    ASSERT_TRUE(result);
    const std::vector<double>* ratios = &*result;
    ASSERT_EQ(ratios->size(), 3u);
    for (const double ratio : *ratios)
        EXPECT_NEAR(std::log(ratio), 0, std::log(5.0));
    EXPECT_EQ(pairTexts, (std::vector<std::string>{"1 of 3", "2 of 3", "3 of 3"}));
}

TEST_F(Noise, SeesWhatProcessesDifferBy)
{
    const auto result = measured(6, {{"latency_ms", 2}, {"process_noise", 0.3}});
    ASSERT_TRUE(result);
    const std::vector<double>* ratios = &*result;
    EXPECT_TRUE(std::any_of(ratios->begin(), ratios->end(), [](double r) { return std::abs(std::log(r)) > 0.03; }))
        << "six sessions whose speeds are spread by 30 %";
}

TEST_F(Noise, KeepsTheRatiosThatWereThereWhenAConfigurationFails)
{
    const auto none = measured(2, {{"faults", {{{"at", "open"}, {"do", "throw"}}}}});
    ASSERT_TRUE(!none);
    EXPECT_EQ(none.error().reason.kind, model::ReasonKind::modelThrew);
    stop.request_stop();
    const auto stopped = measured(2, Json::object());
    ASSERT_TRUE(!stopped);
    EXPECT_TRUE(stopped.error().cancelled);
}

TEST_F(Noise, ACertificateIsOfItsMachineAndProtocol)
{
    ASSERT_TRUE(store.addNoise({"here", "quick", "m", {1.10, 1.02}, ""}));
    EXPECT_FALSE(noiseCertificate(store, "elsewhere", "quick")->has_value());
    const auto other = noiseCertificate(store, "here", "normal");
    ASSERT_TRUE(other->has_value()) << "of another protocol is better than none";
    EXPECT_EQ((*other)->protocol, "quick");
    ASSERT_TRUE(store.addNoise({"here", "normal", "m", {0.99, 1.01, 1.005}, "2026-11-21T10:00:00Z"}));
    const auto own = noiseCertificate(store, "here", "normal");
    EXPECT_EQ((*own)->protocol, "normal");
    EXPECT_EQ((*own)->comparisons, 3);
    const double squares = std::pow(std::log(0.99), 2) + std::pow(std::log(1.01), 2) + std::pow(std::log(1.005), 2);
    EXPECT_NEAR((*own)->effect, std::expm1(3.1824 * std::sqrt(squares / 3)), 1e-5) << "three are few";
    EXPECT_EQ((*own)->measuredUtc, "2026-11-21T10:00:00Z");
}

TEST_F(Noise, AStudyOnAMachineWithoutACertificateMeasuresSome)
{
    limits.confirmMost = base::fromSeconds(240);
    limits.confirmProcesses = 2;
    limits.maxBlocks = 10;
    limits.noisePairs = 2;
    request.space.batches = {1};
    ASSERT_EQ(run({{"latency_ms", 20}, {"levels", {{"O1", 0.5}, {"O2", 0.1}}}}), base::Outcome::done);
    // The environment of the fixture has no devices, so the runner's own one names the machine.
    const std::string machine = model::machineKey({}, devices.front());
    const auto known = store.noise(machine);
    ASSERT_TRUE(known.ok());
    ASSERT_EQ(known->size(), 1u);
    EXPECT_EQ(known->front().ratios.size(), 2u);
    EXPECT_EQ(known->front().protocol, "normal");
    EXPECT_EQ(known->front().configuration, "scripted O2 fp32 b1");

    ASSERT_TRUE(store.addNoise({machine, "normal", "m", std::vector<double>(20, 1.0), ""}));
    ASSERT_EQ(run({{"latency_ms", 20}, {"levels", {{"O1", 0.5}, {"O2", 0.1}}}}), base::Outcome::done);
    EXPECT_EQ(store.noise(machine)->front().ratios.size(), 22u) << "enough are known";
}

TEST_F(Noise, AStudysSnapshotCarriesTheCertificatesOfItsDevices)
{
    environment.host = "lab";
    environment.devices = devices;
    ASSERT_EQ(run({}), base::Outcome::done);
    EXPECT_EQ(study().noiseFloor(), 0);
    const std::vector<double> ratios(20, 1.01);
    ASSERT_TRUE(store.addNoise({model::machineKey(environment, devices.front()), "normal", "m", ratios, ""}));
    const auto snapshot = study();
    ASSERT_EQ(snapshot.noise.size(), 1u);
    EXPECT_NEAR(snapshot.noiseFloor(), stats::noiseFloor(ratios).effect, 1e-12);
}

struct DriftMonitorOfAStudy : Noise
{
    DriftMonitorOfAStudy()
    {
        // A GPU's drift reading is opened afresh for each reading, so a script that changes meanwhile is a machine that
        // does.
        devices = {testing::gpu("cuda:0", "one GPU")};
        request.space.devices = {"cuda:0"};
        request.space.batches = {1, 2, 4, 8};
        limits.driftReadingEvery = 3;
    }
};

TEST_F(DriftMonitorOfAStudy, TellsOfEachTrialHowFastTheMachineWas)
{
    ASSERT_EQ(run({{"latency_ms", 1}}), base::Outcome::done);
    const auto snapshot = study();
    int noted = 0;
    std::set<std::string> identities;
    for (const Trial& trial : snapshot.trials)
        if (const auto& driftReading = trial.measurement.conditions.driftReading) {
            ++noted;
            identities.insert(driftReading->identity);
            EXPECT_GT(driftReading->latencyNs, 1e6);
        }
    EXPECT_EQ(noted, 11) << "all but the one that became it";
    EXPECT_EQ(identities.size(), 1u);
}

TEST_F(DriftMonitorOfAStudy, FlagsTrialsOfAMachineThatGotSlower)
{
    int finished = 0;
    onEvent = [&](const StudyEvent& event) {
        if (event.kind == StudyEvent::Kind::trialFinished && ++finished == 6)
            artifact.write({{"latency_ms", 60}});
    };
    ASSERT_EQ(run({{"latency_ms", 1}}), base::Outcome::done);
    const auto snapshot = study();
    const Trial& last =
        *std::max_element(snapshot.trials.begin(), snapshot.trials.end(), [](const Trial& a, const Trial& b) {
            return a.measurement.conditions.driftReading && b.measurement.conditions.driftReading
                       ? a.measurement.conditions.driftReading->change < b.measurement.conditions.driftReading->change
                       : !a.measurement.conditions.driftReading;
        });
    EXPECT_GT(last.measurement.conditions.driftReading->change, 2);
    EXPECT_TRUE(hasFlag(last, model::TrialFlag::machineDrift));
}

TEST_F(DriftMonitorOfAStudy, ThatFailsIsGivenUpAndTheStudyGoesOn)
{
    bool broken = false;
    onEvent = [&](const StudyEvent& event) {
        if (event.kind == StudyEvent::Kind::trialFinished && !std::exchange(broken, true))
            artifact.write({{"faults", {{{"at", "run"}, {"do", "throw"}, {"n", 1}, {"once", "struck"}}}}});
    };
    ASSERT_EQ(run({{"latency_ms", 1}}), base::Outcome::done);
    const auto snapshot = study();
    EXPECT_EQ(count(snapshot, model::TrialState::ok), 12);
    EXPECT_TRUE(std::any_of(events.begin(), events.end(), [](const StudyEvent& e) {
        return sentences::sentence(e.message).find("Drift monitoring stopped") != std::string::npos;
    }));
}

TEST_F(Noise, DriftReadingsAreEqualOnlyWhereEverythingIs)
{
    model::Study a;
    a.environment.engines = {{"torch", "2.11"}};
    model::Study b = a;
    const auto identity = [&](const model::Study& s) {
        return driftIdentity(s, worker::testing::cpu(), worker::testing::configuration());
    };
    EXPECT_EQ(identity(a), identity(b));
    b.environment.engines[0].second = "2.12";
    EXPECT_NE(identity(a), identity(b)) << "another engine may be what changed";
    b = a;
    b.model.contentHash = "other";
    EXPECT_NE(identity(a), identity(b)) << "or the model";
    b = a;
    b.environment.host = "elsewhere";
    EXPECT_NE(identity(a), identity(b));
}

struct Remeasuring : Noise
{
    base::Result<runs::Remeasured> again(OptLevel level)
    {
        const auto snapshot = study();
        return runs::remeasureTrial({*launcher, compiler, devices, limits}, snapshot, find(snapshot, level, 1), {},
                                    stop.get_token());
    }
};

TEST_F(Remeasuring, AFinishedTrialTakesTurnsWithTheDriftMonitor)
{
    request.space.batches = {1};
    limits.maxBlocks = 12;
    limits.trialMost = base::fromSeconds(600);
    const Json script{{"latency_ms", 40}, {"levels", {{"O1", 0.25}}}};
    ASSERT_EQ(run(script), base::Outcome::done);
    const auto result = again(OptLevel::o1);
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    EXPECT_EQ(result->now.blocks.size(), 12u);
    ASSERT_TRUE(result->toReference);
    EXPECT_NEAR(result->toReference->value, 0.25, 0.2);
    EXPECT_LE(result->toReference->lo, result->toReference->value);
    EXPECT_GE(result->toReference->hi, result->toReference->value);
    EXPECT_EQ(result->effect.samples, std::min<std::size_t>(12, study().trials[1].measurement.blocks.size()));
    const auto itself = again(OptLevel::o0);
    ASSERT_TRUE(itself.ok());
    EXPECT_FALSE(itself->reference) << "it would be compared with itself";

    artifact.write({{"latency_ms", 80}});
    const auto slower = again(OptLevel::o1);
    ASSERT_TRUE(slower.ok());
    EXPECT_LT(slower->effect.ratio.value, 0.5);
    EXPECT_EQ(slower->effect.verdict, stats::Verdict::slower);
}

TEST_F(Remeasuring, AClockBelowTheOneOfThenIsSaid)
{
    request.space.batches = {1};
    limits.maxBlocks = 12;
    limits.trialMost = base::fromSeconds(600);
    ASSERT_EQ(run({{"latency_ms", 2}}), base::Outcome::done);
    auto snapshot = study();
    snapshot.study.environment.devices = devices;
    Trial trial = find(snapshot, OptLevel::o1, 1);
    for (model::Block& block : trial.measurement.blocks)
        block.clock *= 4;
    trial.measurement.conditions.clockHigh *= 4;
    const auto again = [&] {
        return runs::remeasureTrial({*launcher, compiler, devices, limits}, snapshot, trial, {}, stop.get_token());
    };
    const auto slower = again();
    ASSERT_TRUE(slower.ok());
    EXPECT_THAT(slower->now.flags, ::testing::Contains(model::TrialFlag::throttled));
    ASSERT_TRUE(slower->clock);
    EXPECT_LT(*slower->clock, 0.9);
    for (model::Device& device : snapshot.study.environment.devices)
        device.name = "another processor";
    const auto elsewhere = again();
    ASSERT_TRUE(elsewhere.ok());
    EXPECT_LT(elsewhere->now.conditions.throttled, slower->now.conditions.throttled) << "its clock tells nothing here";
}

TEST_F(Remeasuring, ATrialWithoutAMeasurementIsRefusedAndAFailureComesBack)
{
    request.space.batches = {1};
    ASSERT_EQ(run({{"faults", {{{"at", "run"}, {"do", "throw"}, {"when", {{"level", "O1"}}}}}}}), base::Outcome::done);
    EXPECT_EQ(again(OptLevel::o1).error().code, base::ErrorCode::invalidArgument);
    artifact.write({{"faults", {{{"at", "run"}, {"do", "oom"}}}}});
    EXPECT_EQ(again(OptLevel::o2).error().code, base::ErrorCode::outOfMemory);
}

} // namespace
} // namespace apertune::study

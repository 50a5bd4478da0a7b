// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/search/algorithm.h"
#include "core/sentences/sentences.h"
#include "core/study/trial_tracker.h"
#include "core/text/format.h"
#include "core/worker/launcher.h"
#include "core/worker/local_launcher.h"
#include "tests/core/study/study_fixture.h"

namespace apertune::study {
namespace {

using base::fromMilliseconds;
using base::fromSeconds;
using base::Json;
using base::Outcome;
using model::OptLevel;
using model::Precision;
using model::StudyState;
using model::Trial;
using model::TrialState;
using ::testing::HasSubstr;

using Study = testing::StudyFixture;

Json fault(const std::string& at, const std::string& act, Json when = Json::object(), int n = 1)
{
    return {{"at", at}, {"do", act}, {"when", std::move(when)}, {"n", n}};
}

TEST_F(Study, EveryConfigurationIsAccountedFor)
{
    request.space.precisions = {Precision::fp32, Precision::bf16, Precision::fp16};
    ASSERT_EQ(run({{"latency_ms", 20}, {"levels", {{"O1", 0.5}, {"O2", 0.1}}}}), Outcome::done)
        << sentences::sentence(lastError.message);
    const auto snapshot = study();
    EXPECT_EQ(snapshot.study.state, StudyState::finished);
    EXPECT_EQ(snapshot.trials.size(), 18u);
    EXPECT_EQ(count(snapshot, TrialState::ok), 12);
    EXPECT_EQ(count(snapshot, TrialState::pruned, model::ReasonKind::impossible), 6)
        << "this CPU would only emulate fp16";
    for (const Trial& trial : snapshot.trials) {
        if (trial.state != TrialState::ok)
            continue;
        EXPECT_GT(trial.measurement.latencyNs.value, 1e5);
        EXPECT_GT(trial.measurement.first.count, 0);
        EXPECT_GT(trial.measurement.load.count, 0);
        EXPECT_GE(trial.measurement.blocks.size(), 1u);
        EXPECT_TRUE(trial.measurement.memory.processPeak);
        EXPECT_FALSE(trial.measurement.applied.empty());
        EXPECT_FALSE(trial.startedUtc.empty());
        EXPECT_FALSE(trial.finishedUtc.empty());
        ASSERT_TRUE(trial.measurement.quality);
        EXPECT_NEAR(trial.measurement.quality->cosine, 1, 1e-6);
        EXPECT_EQ(trial.measurement.quality->top1Agreement, 1.0);
    }
    ASSERT_TRUE(snapshot.leading());
    EXPECT_EQ(snapshot.find(snapshot.leading()->trial)->config.level, OptLevel::o2);
}

TEST_F(Study, EventsTellTheStoryInOrder)
{
    std::map<model::TrialId, std::string> told;
    onEvent = [&](const StudyEvent& event) {
        if (event.trial)
            told[event.trial->id] = event.configuration;
    };
    ASSERT_EQ(run({{"latency_ms", 0.2}}), Outcome::done);
    const auto snapshot = study();
    const text::ConfigurationNames names(snapshot);
    ASSERT_EQ(told.size(), snapshot.trials.size());
    for (const auto& [id, name] : told)
        EXPECT_EQ(name, names.shortName(*snapshot.find(id))) << "as the table names it";
    ASSERT_GE(events.size(), 3u);
    EXPECT_EQ(events.front().kind, StudyEvent::Kind::studyStarted);
    EXPECT_EQ(events.back().kind, StudyEvent::Kind::studyFinished);
    int done = 0;
    int finished = 0;
    for (const StudyEvent& event : events) {
        EXPECT_GE(event.done, done);
        done = event.done;
        EXPECT_EQ(event.total, 6);
        finished += event.kind == StudyEvent::Kind::trialFinished;
        ASSERT_TRUE(event.etaLow && event.etaHigh) << "from the start";
        EXPECT_LE(*event.etaLow, *event.etaHigh);
        EXPECT_TRUE(event.etaHigh->count > 0 || event.done == event.total);
    }
    EXPECT_EQ(finished, 6);
    EXPECT_EQ(done, 6);
}

TEST_F(Study, APlanHasNoSideEffects)
{
    testing::FakeCompiler fake;
    compiler = &fake;
    request.space.levels = {OptLevel::o0, OptLevel::o3};
    request.budget = fromSeconds(60);
    const auto plan = runner().plan(request);
    ASSERT_TRUE(plan.ok());
    EXPECT_EQ(plan->configurations.size(), 4u);
    EXPECT_EQ(plan->runnable, 4);
    EXPECT_EQ(plan->compiles, 2);
    EXPECT_LE(plan->estimateLow, plan->estimateHigh);
    EXPECT_GT(plan->estimateLow.count, 0);
    EXPECT_TRUE(store.studies()->empty());
    EXPECT_EQ(fake.calls, 0);
}

TEST_F(Study, ALargeSweepIsARaceUnlessEveryConfigurationIsAskedFor)
{
    request.space.batches = {1, 2, 4, 8, 16, 32}; // 18 configurations
    request.budget = fromSeconds(60);
    const auto searchOf = [&] { return runner().plan(request).value().search; };
    EXPECT_EQ(searchOf(), search::Algorithm::racing);
    request.budget = {};
    EXPECT_EQ(searchOf(), search::Algorithm::grid);
    request.space.search = search::Algorithm::random;
    EXPECT_EQ(searchOf(), search::Algorithm::random);
    request.space.search.reset();
    request.space.batches = {1, 2};
    request.budget = fromSeconds(60);
    EXPECT_EQ(searchOf(), search::Algorithm::grid);
    ASSERT_EQ(run({}), Outcome::done);
    EXPECT_EQ(study().study.space.search, search::Algorithm::grid) << "what it was, not what was asked for";
}

TEST_F(Study, AnImpossibleRequestIsRefusedWithAHint)
{
    request.space.devices = {"cuda:9"};
    EXPECT_EQ(run({}), Outcome::failed);
    EXPECT_EQ(lastError.code, base::ErrorCode::invalidArgument);
    EXPECT_FALSE(lastError.hint.empty());
    EXPECT_TRUE(store.studies()->empty());
}

TEST_F(Study, OutOfMemoryPrunesTheLargerBatchesOfItsGroup)
{
    request.space.levels = {OptLevel::o0, OptLevel::o1};
    request.space.batches = {1, 2, 4, 8};
    ASSERT_EQ(run({{"memory", {{"base", 10}, {"per_sample", 10}, {"limit", 35}}}}), Outcome::done);
    const auto snapshot = study();
    for (const OptLevel level : {OptLevel::o0, OptLevel::o1}) {
        EXPECT_EQ(find(snapshot, level, 2).state, TrialState::ok);
        EXPECT_EQ(find(snapshot, level, 4).state, TrialState::failed);
        EXPECT_EQ(find(snapshot, level, 4).reason.kind, model::ReasonKind::outOfMemory);
        EXPECT_EQ(find(snapshot, level, 8).state, TrialState::pruned);
        EXPECT_EQ(find(snapshot, level, 8).reason.kind, model::ReasonKind::batchEdge);
    }
}

TEST_F(Study, ACrashIsRetriedOnceAndThenARow)
{
    ASSERT_EQ(run({{"faults", {fault("run", "crash", {{"level", "O1"}, {"batch", 1}}, 4)}}}), Outcome::done);
    const auto snapshot = study();
    const Trial& crashed = find(snapshot, OptLevel::o1, 1);
    EXPECT_EQ(crashed.state, TrialState::failed);
    EXPECT_EQ(crashed.reason.kind, model::ReasonKind::crash);
    EXPECT_THAT(sentences::sentence(crashed.reason.message), HasSubstr("SIGSEGV"));
    EXPECT_EQ(crashed.attempt, 1);
    EXPECT_EQ(find(snapshot, OptLevel::o1, 2).state, TrialState::ok) << "the group goes on in a fresh worker";
    EXPECT_EQ(count(snapshot, TrialState::ok), 5);
}

TEST_F(Study, ACrashThatDoesNotComeBackCostsNothing)
{
    Json once = fault("run", "abort", {{"level", "O1"}, {"batch", 1}});
    once["once"] = "struck";
    ASSERT_EQ(run({{"faults", {once}}}), Outcome::done);
    const auto snapshot = study();
    EXPECT_EQ(count(snapshot, TrialState::ok), 6);
    EXPECT_EQ(find(snapshot, OptLevel::o1, 1).attempt, 1);
}

TEST_F(Study, AHangingModelIsARowAndTheSweepGoesOn)
{
    limits.first = fromSeconds(10);
    ASSERT_EQ(run({{"faults", {fault("run", "hang", {{"level", "O1"}, {"batch", 1}})}}}), Outcome::done);
    const auto snapshot = study();
    EXPECT_EQ(find(snapshot, OptLevel::o1, 1).reason.kind, model::ReasonKind::timeout);
    EXPECT_EQ(count(snapshot, TrialState::ok), 5);
}

TEST_F(Study, AFrozenWorkerIsARowAndTheSweepGoesOn)
{
    limits.worker.silence = fromSeconds(10);
    ASSERT_EQ(run({{"faults", {fault("run", "freeze", {{"level", "O1"}, {"batch", 1}})}}}), Outcome::done);
    const auto snapshot = study();
    EXPECT_EQ(find(snapshot, OptLevel::o1, 1).reason.kind, model::ReasonKind::hang);
    EXPECT_EQ(count(snapshot, TrialState::ok), 5);
}

TEST_F(Study, PrintsOfAModelDoNoHarm)
{
    ASSERT_EQ(run({{"faults", {fault("open", "print"), fault("run", "print", {}, 5), fault("outputs", "print")}}}),
              Outcome::done);
    EXPECT_EQ(count(study(), TrialState::ok), 6);
}

TEST_F(Study, WhatABackendRefusesIsARowWithItsReason)
{
    ASSERT_EQ(run({{"faults",
                    {fault("open", "unsupported", {{"level", "O1"}, {"batch", 1}}),
                     fault("open", "bad_input", {{"level", "O1"}, {"batch", 2}}),
                     fault("run", "throw", {{"level", "O2"}, {"batch", 1}}),
                     fault("synchronize", "device_lost", {{"level", "O2"}, {"batch", 2}}, 6)}}}),
              Outcome::done);
    const auto snapshot = study();
    EXPECT_EQ(find(snapshot, OptLevel::o1, 1).reason.kind, model::ReasonKind::unsupported);
    EXPECT_EQ(find(snapshot, OptLevel::o1, 2).reason.kind, model::ReasonKind::badInput);
    EXPECT_EQ(find(snapshot, OptLevel::o2, 1).reason.kind, model::ReasonKind::modelThrew);
    EXPECT_EQ(find(snapshot, OptLevel::o2, 2).reason.kind, model::ReasonKind::deviceLost);
    EXPECT_EQ(count(snapshot, TrialState::ok), 2);
    for (const Trial& trial : snapshot.trials)
        EXPECT_EQ(sentences::sentence(trial.reason.message).empty(), trial.state == TrialState::ok);
}

TEST_F(Study, AnOutputWithNanFailsAndIsNeverRecommended)
{
    ASSERT_EQ(run({{"levels", {{"O2", 0.1}}}, {"faults", {fault("run", "nan", {{"level", "O2"}}, 3)}}}), Outcome::done);
    const auto snapshot = study();
    for (const int batch : {1, 2}) {
        const Trial& trial = find(snapshot, OptLevel::o2, batch);
        EXPECT_EQ(trial.state, TrialState::failed);
        EXPECT_EQ(trial.reason.kind, model::ReasonKind::notANumber);
        EXPECT_GT(trial.measurement.latencyNs.value, 0) << "what was measured stays visible";
    }
    ASSERT_TRUE(snapshot.leading());
    EXPECT_NE(snapshot.find(snapshot.leading()->trial)->config.level, OptLevel::o2);
}

/// A pass of each configuration takes the batch times 40 ms, so that larger batches gain nothing.
void expectTheBatchesEnd(const model::StudySnapshot& snapshot)
{
    int largest = 0;
    int planned = 0;
    for (const Trial& trial : snapshot.trials) {
        planned = std::max(planned, trial.config.batch);
        if (trial.state == TrialState::ok)
            largest = std::max(largest, trial.config.batch);
        else {
            EXPECT_THAT(trial.reason.kind, ::testing::AnyOf(model::ReasonKind::dominated, model::ReasonKind::latency,
                                                            model::ReasonKind::bound, model::ReasonKind::budget));
        }
    }
    EXPECT_GE(planned, 1024) << "nothing but the memory bounds what is planned";
    EXPECT_GE(largest, 2);
    EXPECT_LE(largest, 64) << "it gained nothing";
    EXPECT_TRUE(snapshot.leading());
}

TEST_F(Study, AutomaticBatchesEndWhereThroughputNoLongerGrows)
{
    request.space.levels = {OptLevel::o0, OptLevel::o2};
    request.space.batches = {model::SearchSpace::kAutoBatch};
    request.space.search = search::Algorithm::grid;
    limits.trialMost = base::fromSeconds(2); // enough blocks for an interval, which a recommendation needs
    ASSERT_EQ(run({{"latency_ms", 0}, {"per_sample_ms", 40}, {"levels", {{"O2", 0.5}}}}), Outcome::done);
    expectTheBatchesEnd(study());
}

TEST_F(Study, ASearchLooksAtNoAutomaticBatchFarBeyondTheEndOfGrowth)
{
    request.space.levels = {OptLevel::o0, OptLevel::o2};
    request.space.batches = {model::SearchSpace::kAutoBatch};
    request.space.search = search::Algorithm::racing;
    ASSERT_EQ(run({{"latency_ms", 0}, {"per_sample_ms", 40}, {"levels", {{"O2", 0.5}}}}), Outcome::done);
    expectTheBatchesEnd(study());
}

TEST_F(Study, AutomaticBatchesEndAtTheMemoryThatIsAllowed)
{
    request.space.levels = {OptLevel::o0};
    request.space.batches = {model::SearchSpace::kAutoBatch};
    request.space.search = search::Algorithm::grid;
    request.model.parameters = 0;
    request.model.inputs = {{"image", "float32", {1, 1 << 20}, 0}}; // 2 MiB a sample at least
    request.goal.maxMemory = base::Bytes{8 << 20};
    const auto plan = runner().plan(request);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->largestBatch, 4);
}

TEST_F(Study, AModelOfTilesIsComparedWithTheWholeAndNotWithItself)
{
    request.model.files["base"] = "base/model.ts.pt";
    const base::Json whole = {{"precisions", {{"fp32", {{"factor", 1}, {"error", 0.4}}}}}};
    ASSERT_TRUE(base::writeFileAtomically(artifact.path() / "base" / "fake.json", whole.dump()));
    ASSERT_EQ(run({}), Outcome::done);
    const model::StudySnapshot snapshot = study();
    for (const model::Trial& trial : snapshot.trials) {
        ASSERT_EQ(trial.state, TrialState::ok);
        ASSERT_TRUE(trial.measurement.quality);
        EXPECT_LT(trial.measurement.quality->cosine, 0.99)
            << "also of the plain fp32 configuration: the seams are its own";
        EXPECT_TRUE(hasFlag(trial, model::TrialFlag::belowQualityBound));
    }
    EXPECT_FALSE(snapshot.leading()) << "none keeps the bound";
}

TEST_F(Study, DevicesThatShareTheHostAreMeasuredOneAfterTheOther)
{
    model::Device npu;
    npu.id = "npu:0";
    npu.type = model::typeOfDevice(npu.id);
    devices.push_back(npu);
    request.space.levels = {OptLevel::o0};
    request.space.devices = {"cpu", "npu:0"};
    std::vector<std::string> order;
    onEvent = [&](const StudyEvent& event) {
        if (event.trial && (order.empty() || order.back() != event.trial->device))
            order.push_back(event.trial->device);
    };
    ASSERT_EQ(run({{"latency_ms", 2}}), Outcome::done);
    EXPECT_THAT(order, ::testing::ElementsAre("cpu", "npu:0"));
    for (const Trial& trial : study().trials) {
        EXPECT_EQ(trial.state, TrialState::ok);
        EXPECT_EQ(trial.measurement.memory.peakOn(model::typeOfDevice(trial.device)),
                  trial.measurement.memory.processPeak)
            << "an NPU works in the memory of the host";
        EXPECT_EQ(trial.config.threads, trial.device == "cpu" ? 1 : 0) << "threads are an axis of CPUs";
    }
}

TEST_F(Study, QualityIsMeasuredAgainstTheReferenceOfTheSameBatch)
{
    request.space.levels = {OptLevel::o0, OptLevel::o2};
    request.space.precisions = {Precision::fp32, Precision::bf16};
    request.goal.minQuality = 0.999;
    ASSERT_EQ(run({{"precisions", {{"bf16", {{"factor", 0.3}, {"error", 0.4}}}}}}), Outcome::done);
    const auto snapshot = study();
    for (const int batch : {1, 2}) {
        const Trial& trial = find(snapshot, OptLevel::o2, batch, Precision::bf16);
        ASSERT_TRUE(trial.measurement.quality);
        EXPECT_LT(trial.measurement.quality->cosine, 0.99);
        EXPECT_NEAR(trial.measurement.quality->maxAbs, 0.4, 0.05);
        EXPECT_EQ(trial.measurement.quality->samples, 4 * batch);
    }
    ASSERT_TRUE(snapshot.leading());
    EXPECT_EQ(snapshot.find(snapshot.leading()->trial)->config.precision, Precision::fp32)
        << "the fastest is not good enough";
}

TEST_F(Study, AStudyBoundsTheErrorByTheTaskOfItsModelUnlessTheGoalNamesABound)
{
    request.space.levels = {OptLevel::o0};
    ASSERT_EQ(run({{"latency_ms", 0.3}}), Outcome::done);
    EXPECT_EQ(study().study.goal.maxRelError, model::defaultMaxRelError(request.model));
    request.goal.maxRelError = 0.01;
    ASSERT_EQ(run({{"latency_ms", 0.3}}), Outcome::done);
    EXPECT_EQ(study().study.goal.maxRelError, 0.01);
}

TEST_F(Study, AReferenceIsMadeWhenNoConfigurationOfTheStudyIsOne)
{
    request.space.levels = {OptLevel::o2};
    ASSERT_EQ(run({{"latency_ms", 0.3}}), Outcome::done);
    const auto snapshot = study();
    for (const int batch : {1, 2})
        EXPECT_TRUE(find(snapshot, OptLevel::o2, batch).measurement.quality);
}

TEST_F(Study, WithoutAReferenceThereIsNoQualityAndNoRecommendation)
{
    ASSERT_EQ(run({{"faults", {fault("outputs", "throw", {{"level", "O0"}})}}}), Outcome::done);
    const auto snapshot = study();
    EXPECT_EQ(find(snapshot, OptLevel::o0, 1).reason.kind, model::ReasonKind::modelThrew);
    const Trial& trial = find(snapshot, OptLevel::o2, 1);
    EXPECT_EQ(trial.state, TrialState::ok);
    EXPECT_FALSE(trial.measurement.quality);
    EXPECT_TRUE(hasFlag(trial, model::TrialFlag::qualityUnavailable));
    EXPECT_FALSE(snapshot.leading());
}

TEST_F(Study, OutputsOfAnotherShapeAreLeftOutOfQuality)
{
    request.space.precisions = {Precision::fp32, Precision::bf16};
    std::vector<std::string> messages;
    onEvent = [&](const StudyEvent& event) {
        if (event.kind == StudyEvent::Kind::message)
            messages.push_back(sentences::sentence(event.message));
    };
    ASSERT_EQ(run({{"detections", true}}), Outcome::done);
    EXPECT_TRUE(find(study(), OptLevel::o2, 1, Precision::bf16).measurement.quality);
    EXPECT_THAT(messages, ::testing::Contains(HasSubstr("boxes")));
}

TEST_F(Study, WhenNothingCanBeMeasuredThereIsNoRecommendation)
{
    ASSERT_EQ(run({{"faults", {fault("open", "bad_input")}}}), Outcome::done);
    const auto snapshot = study();
    EXPECT_EQ(count(snapshot, TrialState::failed, model::ReasonKind::badInput), 6);
    EXPECT_FALSE(snapshot.leading());
    EXPECT_EQ(snapshot.study.state, StudyState::finished);
}

TEST_F(Study, AWorkerThatCannotStartIsARowForEachConfiguration)
{
    worker::Installation broken = worker::testing::thisBuild();
    broken.worker = "/nonexistent/apertune-worker";
    launcher = worker::makeLocalLauncher(broken);
    ASSERT_EQ(run({}), Outcome::done);
    EXPECT_EQ(count(study(), TrialState::failed, model::ReasonKind::internal), 6);
}

TEST_F(Study, TheBudgetLooksAtEveryGroupBeforeItRunsOut)
{
    request.space.batches = {1, 2, 4, 8, 16, 32, 64, 128};
    request.space.search = search::Algorithm::grid; // a race looks at every group anyway
    request.budget = fromSeconds(12);
    // Loading 24 configurations takes twice the budget however idle the machine is, one of each group a fourth of it.
    ASSERT_EQ(run({{"latency_ms", 2}, {"load_ms", 1000}}), Outcome::done);
    const auto snapshot = study();
    EXPECT_GT(count(snapshot, TrialState::pruned, model::ReasonKind::budget), 0);
    for (const OptLevel level : {OptLevel::o0, OptLevel::o1, OptLevel::o2})
        EXPECT_EQ(find(snapshot, level, 1).state, TrialState::ok);
    EXPECT_EQ(count(snapshot, TrialState::ok) + count(snapshot, TrialState::pruned), 24);
    EXPECT_TRUE(snapshot.leading());
}

TEST_F(Study, ABudgetThatIsTooSmallStillMeasuresTheBaseline)
{
    request.budget = fromMilliseconds(1);
    ASSERT_EQ(run({}), Outcome::done);
    const auto snapshot = study();
    EXPECT_EQ(find(snapshot, OptLevel::o0, 1).state, TrialState::ok);
    EXPECT_EQ(count(snapshot, TrialState::pruned, model::ReasonKind::budget), 5);
}

TEST_F(Study, AConfigurationFarSlowerThanTheBaselineIsGivenUpToSaveTheBudget)
{
    request.budget = fromSeconds(300);
    const Json script{{"latency_ms", 20}, {"levels", {{"O1", 3}, {"O2", 40}}}};
    ASSERT_EQ(run(script), Outcome::done);
    for (const int batch : {1, 2}) {
        EXPECT_EQ(find(study(), OptLevel::o1, batch).state, TrialState::ok) << "three times slower is worth a number";
        const Trial slow = find(study(), OptLevel::o2, batch);
        EXPECT_EQ(slow.state, TrialState::pruned);
        EXPECT_EQ(slow.reason.kind, model::ReasonKind::tooSlow);
        EXPECT_NE(sentences::sentence(slow.reason.message).find("times as long as O0 fp32 takes"), std::string::npos)
            << sentences::sentence(slow.reason.message);
    }
}

TEST_F(Study, NothingIsGivenUpWithoutABudgetOrForMemory)
{
    const Json script{{"latency_ms", 1}, {"levels", {{"O2", 10}}}};
    ASSERT_EQ(run(script), Outcome::done);
    EXPECT_EQ(count(study(), TrialState::ok), 6);

    request.budget = fromSeconds(300);
    request.goal.objective = model::Objective::memory;
    ASSERT_EQ(run(script), Outcome::done);
    EXPECT_EQ(count(study(), TrialState::ok), 6);
}

TEST_F(Study, OfTheEnergyIsNotBegunWhereNothingTellsIt)
{
    request.goal.objective = model::Objective::energy;
    devices.front().noEnergy = base::foreignText("It has no counter.");
    EXPECT_EQ(run({{"latency_ms", 1}}), Outcome::failed);
    EXPECT_EQ(lastError.code, base::ErrorCode::unsupported);
    EXPECT_NE(sentences::sentence(lastError.message).find("It has no counter."), std::string::npos);
    EXPECT_FALSE(runner().studyId()) << "nothing is stored";
}

TEST_F(Study, OfTheEnergyMeasuresEveryConfiguration)
{
    request.goal.objective = model::Objective::energy;
    request.space.search = search::Algorithm::racing;
    EXPECT_EQ(run({{"latency_ms", 1}}), Outcome::failed);
    EXPECT_EQ(lastError.code, base::ErrorCode::invalidArgument);
    request.space.search.reset();
    request.budget = fromSeconds(300);
    ASSERT_EQ(run({{"latency_ms", 1}, {"levels", {{"O2", 10}}}}), Outcome::done);
    EXPECT_EQ(study().study.space.search, search::Algorithm::grid);
    EXPECT_EQ(count(study(), TrialState::ok), 6) << "a slow one may need the least";
}

TEST_F(Study, CompilingIsMeasuredAndDoesNotSpendTheBudget)
{
    testing::FakeCompiler fake;
    fake.takes = fromSeconds(12); // the first compile alone would leave nothing of the budget
    compiler = &fake;
    onEvent = [&](const StudyEvent& event) {
        if (event.kind == StudyEvent::Kind::trialFinished && event.trial->config.level == OptLevel::o3)
            fake.takes = {};
    };
    request.space.levels = {OptLevel::o0, OptLevel::o3};
    request.budget = fromSeconds(11.5);
    ASSERT_EQ(run({{"latency_ms", 2}}), Outcome::done);
    const auto snapshot = study();
    EXPECT_EQ(fake.calls, 2);
    for (const int batch : {1, 2}) {
        const Trial& trial = find(snapshot, OptLevel::o3, batch);
        EXPECT_EQ(trial.state, TrialState::ok) << sentences::sentence(trial.reason.message);
        ASSERT_TRUE(trial.measurement.compile);
        EXPECT_DOUBLE_EQ(trial.measurement.compile->seconds(), 17);
    }
    EXPECT_FALSE(find(snapshot, OptLevel::o0, 1).measurement.compile);
}

TEST_F(Study, ABudgetOfWallTimeStopsACompilationThatDoesNotFinishInIt)
{
    testing::FakeCompiler fake;
    fake.takes = fromSeconds(3600);
    compiler = &fake;
    request.space.levels = {OptLevel::o0, OptLevel::o3};
    request.budget = fromSeconds(5);
    request.budgetKind = model::BudgetKind::wall;
    ASSERT_EQ(run({{"latency_ms", 2}}), Outcome::done);
    const auto snapshot = study();
    EXPECT_GE(count(snapshot, TrialState::ok), 1);
    for (const int batch : {1, 2}) {
        const Trial& trial = find(snapshot, OptLevel::o3, batch);
        EXPECT_EQ(trial.state, TrialState::pruned) << sentences::sentence(trial.reason.message);
        EXPECT_THAT(trial.reason.kind, ::testing::AnyOf(model::ReasonKind::budget, model::ReasonKind::compileCost));
    }
    EXPECT_EQ(snapshot.study.budgetKind, model::BudgetKind::wall) << "it is stored";
}

TEST_F(Study, ACompilationThatCannotFinishIsNotBegunUntilTheRestOfTheBudgetHasTime)
{
    testing::FakeCompiler fake;
    compiler = &fake;
    request.space.levels = {OptLevel::o0, OptLevel::o2, OptLevel::o3};
    request.space.batches = {1};
    request.space.search = search::Algorithm::grid;
    request.budget = fromSeconds(400);
    request.budgetKind = model::BudgetKind::wall;
    // All but 20 s are for the confirmation, which takes a few. A compilation is expected to take 30 s.
    limits.confirmMost = fromSeconds(400);
    limits.confirmShare = 0.95;
    limits.confirmProcesses = 2;
    bool leftOut = false;
    onEvent = [&](const StudyEvent& event) {
        leftOut = leftOut || (event.trial && event.trial->config.level == OptLevel::o3 &&
                              event.trial->state == TrialState::pruned && fake.calls == 0);
    };
    ASSERT_EQ(run({{"latency_ms", 4}, {"levels", {{"O2", 0.4}}}}), Outcome::done);
    EXPECT_TRUE(leftOut) << "it does not fit before the confirmation";
    const auto snapshot = study();
    EXPECT_EQ(find(snapshot, OptLevel::o3, 1).state, TrialState::ok)
        << sentences::sentence(find(snapshot, OptLevel::o3, 1).reason.message);
    EXPECT_EQ(fake.calls.load(), 1);
    EXPECT_TRUE(std::any_of(events.begin(), events.end(), [](const StudyEvent& event) {
        return sentences::sentence(event.message).find("of the budget are left. Measuring the nearest") !=
               std::string::npos;
    }));
}

TEST_F(Study, AFirstConversionThatIsLongerThanTheBudgetIsOfUse)
{
    testing::FakeCompiler fake;
    fake.converts = true;
    fake.takes = fromSeconds(3);
    compiler = &fake;
    request.space.levels = {OptLevel::o0};
    request.space.batches = {1};
    request.budget = fromSeconds(1);
    request.budgetKind = model::BudgetKind::wall;
    limits.firstTrial = fromSeconds(60);
    ASSERT_EQ(run({{"latency_ms", 2}}), Outcome::done);
    EXPECT_EQ(find(study(), OptLevel::o0, 1).state, TrialState::ok) << "its trial has its own time";
}

TEST_F(Study, WhereTheFirstConversionFailsTheOthersHaveTheBudget)
{
    testing::FakeCompiler fake;
    fake.converts = true;
    fake.failsAtBatch = 1;
    compiler = &fake;
    request.space.levels = {OptLevel::o0};
    request.budget = fromSeconds(5);
    request.budgetKind = model::BudgetKind::wall;
    onEvent = [&](const StudyEvent& event) {
        if (event.kind == StudyEvent::Kind::trialFinished)
            fake.takes = fromSeconds(3600);
    };
    ASSERT_EQ(run({{"latency_ms", 2}}), Outcome::done);
    EXPECT_EQ(find(study(), OptLevel::o0, 1).reason.kind, model::ReasonKind::compileFailed);
    EXPECT_EQ(find(study(), OptLevel::o0, 2).state, TrialState::pruned);
    EXPECT_EQ(find(study(), OptLevel::o0, 2).reason.kind, model::ReasonKind::budget);
}

TEST_F(Study, AFailedCompileIsARowWithTheCompilersWords)
{
    testing::FakeCompiler fake;
    fake.failsAtBatch = 1;
    compiler = &fake;
    request.space.levels = {OptLevel::o0, OptLevel::o3};
    ASSERT_EQ(run({}), Outcome::done);
    const auto snapshot = study();
    const Trial& trial = find(snapshot, OptLevel::o3, 1);
    EXPECT_EQ(trial.state, TrialState::failed);
    EXPECT_EQ(trial.reason.kind, model::ReasonKind::compileFailed);
    EXPECT_THAT(trial.reason.detail, HasSubstr("no such thing"));
    EXPECT_EQ(find(snapshot, OptLevel::o3, 2).state, TrialState::ok);
}

TEST_F(Study, SwitchesInConflictAreRefusedBeforeAWorkerIsAsked)
{
    class NoWorkers : public worker::Launcher
    {
    public:
        base::Result<worker::LaunchedWorker> launch(const worker::LaunchRequest&) override
        {
            ADD_FAILURE() << "a worker is started";
            return base::plainError(base::ErrorCode::internal, "There is no worker.");
        }
    };
    launcher = std::make_unique<NoWorkers>();
    request.space.levels = {OptLevel::o0};
    request.space.switches = {{"onednn_graph", {true}}, {"optimize_for_inference", {true}}};
    ASSERT_EQ(run({}), Outcome::done);
    EXPECT_EQ(count(study(), TrialState::pruned, model::ReasonKind::impossible), 2);
    EXPECT_EQ(study().trials.size(), 2u);
}

TEST_F(Study, WithoutACompilerCompiledConfigurationsAreImpossible)
{
    request.space.levels = {OptLevel::o0, OptLevel::o3};
    ASSERT_EQ(run({}), Outcome::done);
    EXPECT_EQ(count(study(), TrialState::pruned, model::ReasonKind::impossible), 2);
}

/// A study of two GPUs, and how many devices worked at once.
struct TwoGpus : testing::StudyFixture
{
    TwoGpus()
    {
        devices = {worker::testing::cpu(), testing::gpu("cuda:0", "one GPU"), testing::gpu("cuda:1", "another GPU")};
        request.space.devices = {"cuda:0", "cuda:1"};
        request.space.levels = {OptLevel::o0, OptLevel::o1};
        request.space.batches = {1};
        // Passes that a busy machine does not stretch by percents, and blocks of one pass.
        script = {{"latency_ms", 100}, {"noise", 0.002}, {"load_ms", 500}};
        limits.trialMost = fromMilliseconds(800);
        limits.interferencePairs = 8;
        limits.mostInterference = 0.5; // other programs disturb the passes by less than this
        onEvent = [this](const StudyEvent& event) {
            if (event.kind == StudyEvent::Kind::trialStarted)
                running.insert(event.trial->device);
            besideTheCpu = besideTheCpu || (running.contains("cpu") && running.size() > 1);
            if (event.kind == StudyEvent::Kind::trialFinished)
                running.erase(event.trial->device);
            most = std::max(most, running.size());
        };
    }

    bool wasSaid(const std::string& text) const
    {
        return std::any_of(events.begin(), events.end(), [&](const StudyEvent& event) {
            return event.kind == StudyEvent::Kind::message &&
                   sentences::sentence(event.message).find(text) != std::string::npos;
        });
    }

    Json script;
    std::set<std::string> running{};
    std::size_t most = 0;
    bool besideTheCpu = false;
};

TEST_F(TwoGpus, AreMeasuredSideBySideWhereTheyDoNotDisturbEachOtherAndTheCpuAlone)
{
    request.space.devices = {"all"};
    ASSERT_EQ(run(script), Outcome::done);
    const auto snapshot = study();
    EXPECT_EQ(count(snapshot, TrialState::ok), 6);
    const auto& found = snapshot.study.interference;
    ASSERT_TRUE(found) << "the workspace keeps the verdict";
    EXPECT_EQ(found->verdict, model::InterferenceVerdict::undisturbed) << sentences::sentence(found->text);
    ASSERT_EQ(found->slowdowns.size(), 2u);
    for (const auto& slowdown : found->slowdowns) {
        EXPECT_EQ(slowdown.pairs, limits.interferencePairs);
        EXPECT_LE(slowdown.ratio.hi, 1 + found->bound);
        EXPECT_EQ(slowdown.config.level, OptLevel::o0);
    }
    EXPECT_EQ(most, 2u);
    EXPECT_FALSE(besideTheCpu);
    EXPECT_TRUE(wasSaid("cuda:0, cuda:1 are measured side by side"));
    for (const Trial& trial : snapshot.trials)
        EXPECT_EQ(trial.measurement.deviceNs.has_value(), trial.device != "cpu");
}

TEST_F(TwoGpus, FollowEachOtherWhereTheyDisturbEachOther)
{
    script["exclusive"] = "bus"; // one of them waits for the other
    ASSERT_EQ(run(script), Outcome::done);
    const auto snapshot = study();
    const auto& found = snapshot.study.interference;
    ASSERT_TRUE(found);
    EXPECT_NE(found->verdict, model::InterferenceVerdict::undisturbed) << sentences::sentence(found->text);
    EXPECT_EQ(most, 1u);
    EXPECT_EQ(count(snapshot, TrialState::ok), 4);
    EXPECT_TRUE(wasSaid("are measured one after the other"));
}

TEST_F(TwoGpus, FollowEachOtherWhereTheTimesAreTooUnsteadyToTell)
{
    script["noise"] = 0.2;
    limits.mostInterference = 0.02;
    ASSERT_EQ(run(script), Outcome::done);
    ASSERT_TRUE(study().study.interference);
    EXPECT_EQ(study().study.interference->verdict, model::InterferenceVerdict::cannotTell);
    EXPECT_EQ(most, 1u);
    EXPECT_TRUE(wasSaid("the check could not tell whether they slow each other down"));
}

TEST_F(TwoGpus, FollowEachOtherWhereTheBudgetIsTooShortToTell)
{
    request.budget = fromSeconds(2); // the check has 0.3 s of it, and a model loads for 0.5 s
    ASSERT_EQ(run(script), Outcome::done);
    ASSERT_TRUE(study().study.interference);
    EXPECT_EQ(study().study.interference->verdict, model::InterferenceVerdict::cannotTell);
    EXPECT_THAT(study().study.interference->slowdowns, ::testing::IsEmpty());
    EXPECT_EQ(most, 1u);
    EXPECT_TRUE(wasSaid("The budget is too short for it."));
}

TEST_F(TwoGpus, FollowEachOtherWhereTheCheckFails)
{
    // The first worker of cuda:0 is that of the check.
    script["faults"] = {{{"at", "open"}, {"do", "crash"}, {"n", 1}, {"once", "crashed"}}};
    ASSERT_EQ(run(script), Outcome::done);
    const auto snapshot = study();
    ASSERT_TRUE(snapshot.study.interference);
    EXPECT_EQ(snapshot.study.interference->verdict, model::InterferenceVerdict::cannotTell);
    EXPECT_EQ(most, 1u);
    EXPECT_EQ(count(snapshot, TrialState::ok), 4) << "the sweep does not suffer from it";
    EXPECT_TRUE(wasSaid("it was not measured whether they slow each other down"));
}

TEST_F(TwoGpus, AllWorkersOfAStudyWaitAsItsEnvironmentSays)
{
    class Watched : public worker::Launcher
    {
    public:
        base::Result<worker::LaunchedWorker> launch(const worker::LaunchRequest& asked) override
        {
            ++started;
            waitOtherwise += !asked.passiveWaits;
            return m_launcher->launch(asked);
        }
        std::atomic<int> started = 0;
        std::atomic<int> waitOtherwise = 0;

    private:
        std::unique_ptr<worker::Launcher> m_launcher = worker::makeLocalLauncher(worker::testing::thisBuild());
    };
    environment.settings.emplace_back(model::kWaitPolicy, model::kPassiveWaits);
    script = {{"latency_ms", 20}, {"levels", {{"O1", 0.2}}}};
    launcher = std::make_unique<Watched>();
    const auto& watched = static_cast<const Watched&>(*launcher);
    request.space.devices = {"all"};
    limits.confirmMost = fromSeconds(60);
    limits.noisePairs = 1;
    limits.driftReadingEvery = 2;
    ASSERT_EQ(run(script), Outcome::done);
    EXPECT_TRUE(study().study.interference);
    EXPECT_TRUE(wasSaid("Confirming"));
    EXPECT_GT(watched.started, 10);
    EXPECT_EQ(watched.waitOtherwise, 0);
}

/// A compiler that tells whether it is at work.
struct WatchedCompiler final : testing::FakeCompiler
{
    base::Result<Package> get(const model::ModelRef& model, const model::Config& config, const model::Device& device,
                              const models::ExporterObserver& observer, std::stop_token stop) override
    {
        working = true;
        auto package = FakeCompiler::get(model, config, device, observer, std::move(stop));
        working = false;
        return package;
    }
    std::atomic<bool> working = false;
};

TEST_F(TwoGpus, ThatWorkSideBySideDoNotMeasureWhileOneOfThemCompiles)
{
    WatchedCompiler slow;
    slow.takes = fromMilliseconds(700);
    compiler = &slow;
    request.space.levels = {OptLevel::o0, OptLevel::o1, OptLevel::o3};
    int meanwhile = 0;
    onEvent = [&](const StudyEvent& event) {
        meanwhile += slow.working && event.kind == StudyEvent::Kind::trialPhase && event.phase == Phase::measure;
    };
    ASSERT_EQ(run(script), Outcome::done);
    ASSERT_EQ(study().study.interference->verdict, model::InterferenceVerdict::undisturbed);
    EXPECT_EQ(slow.calls.load(), 2);
    EXPECT_EQ(meanwhile, 0);
}

TEST_F(TwoGpus, ThatFollowEachOtherShareTheTimeThatPasses)
{
    limits.interferencePairs = 0;
    request.space.levels = {OptLevel::o0};
    request.space.batches = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    request.budget = fromSeconds(30);
    request.budgetKind = model::BudgetKind::wall;
    limits.trialLeast = limits.trialMost = fromSeconds(2);
    limits.minTime = fromSeconds(2);
    ASSERT_EQ(run(script), Outcome::done);
    std::map<std::string, int> measured;
    for (const Trial& trial : study().trials)
        measured[trial.device] += trial.state == TrialState::ok;
    EXPECT_GE(measured["cuda:1"], 3) << "the first one left time for the second";
    EXPECT_LT(measured["cuda:0"], 12);
}

TEST_F(Study, APercentileThatIsBoundedIsMeasuredUntilItIsKnown)
{
    request.goal.maxPercentiles[90] = fromSeconds(5);
    limits.trialMost = fromSeconds(0.005); // a few passes a trial
    limits.trialLeast = limits.trialMost;
    limits.maxBlocks = 10;
    ASSERT_EQ(run({{"latency_ms", 1}, {"levels", {{"O1", 0.8}, {"O2", 0.4}}}}), Outcome::done);
    const auto snapshot = study();
    ASSERT_TRUE(snapshot.leading());
    const Trial& winner = *snapshot.find(snapshot.leading()->trial);
    EXPECT_TRUE(winner.measurement.p90Ns);
    EXPECT_GE(winner.measurement.iterations.size(), 29u);
    std::int64_t passes = 0;
    for (const model::Block& block : winner.measurement.blocks)
        passes += block.iterations;
    EXPECT_EQ(static_cast<std::size_t>(passes), winner.measurement.iterations.size()) << "of the same passes";
    EXPECT_LT(std::count_if(snapshot.trials.begin(), snapshot.trials.end(),
                            [](const Trial& trial) { return trial.measurement.p90Ns.has_value(); }),
              6)
        << "only as many as it takes";
}

TEST_F(Study, NoTrialIsRecommendedWhosePercentileBreaksTheBound)
{
    request.goal.maxPercentiles[99] = base::Nanoseconds{1000};
    ASSERT_EQ(run({{"latency_ms", 1}}), Outcome::done);
    EXPECT_FALSE(study().leading());
    EXPECT_EQ(count(study(), TrialState::ok), 6);
}

TEST_F(Study, ABudgetThatTheSweepWouldSpendAloneStillConfirmsTheWinner)
{
    request.space.batches = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    request.space.search = search::Algorithm::grid;
    request.budget = fromSeconds(30);
    limits.trialLeast = fromSeconds(1); // 36 trials would take more than the budget
    limits.trialMost = fromSeconds(1);
    limits.minTime = fromSeconds(1);
    limits.maxBlocks = 1000;
    limits.confirmMost = fromSeconds(30);
    limits.confirmShare = 0; // only what the trials show that it takes
    ASSERT_EQ(run({{"latency_ms", 5}, {"levels", {{"O1", 0.5}, {"O2", 0.1}}}}), Outcome::done);
    const auto snapshot = study();
    EXPECT_GT(count(snapshot, TrialState::pruned, model::ReasonKind::budget), 0);
    // On a machine so busy that what was kept does not do, the study says so instead of taking more than its budget.
    if (std::any_of(events.begin(), events.end(), [](const StudyEvent& event) {
            return sentences::sentence(event.message).find("The confirmation ") == 0;
        }))
        GTEST_SKIP() << "The machine is too busy to confirm within the budget.";
    ASSERT_TRUE(snapshot.recommended && snapshot.recommended->against);
    EXPECT_TRUE(hasFlag(*snapshot.find(snapshot.recommended->trial), model::TrialFlag::confirmed));
    EXPECT_TRUE(hasFlag(*snapshot.find(snapshot.recommended->against), model::TrialFlag::confirmed));
}

TEST_F(Study, LongPassesOfTheFirstTrialLeaveTimeForOthers)
{
    request.space.levels = {OptLevel::o0, OptLevel::o2};
    request.space.batches = {1};
    request.budget = fromSeconds(12);
    request.budgetKind = model::BudgetKind::wall;
    limits.trialMost = fromSeconds(15);
    ASSERT_EQ(run({{"latency_ms", 1000}, {"levels", {{"O2", 0.01}}}}), Outcome::done);
    const auto snapshot = study();
    const Trial& first = find(snapshot, OptLevel::o0, 1);
    ASSERT_EQ(first.state, TrialState::ok);
    EXPECT_LT(first.measurement.blocks.size(), 6u) << "six would take half of the time";
}

TEST_F(Study, WhatStillRunsWhenTheTimeIsOverIsGivenUp)
{
    request.space.levels = {OptLevel::o0, OptLevel::o2};
    request.space.batches = {1};
    request.budget = fromSeconds(3);
    request.budgetKind = model::BudgetKind::wall;
    limits.worker.silence = fromSeconds(20);
    const Json fault{{"at", "run"}, {"do", "hang"}, {"when", {{"level", "O2"}}}};
    ASSERT_EQ(run({{"latency_ms", 1}, {"faults", {fault}}}), Outcome::done);
    const auto snapshot = study();
    EXPECT_EQ(find(snapshot, OptLevel::o0, 1).state, TrialState::ok) << "the first one runs in any case";
    const Trial& hung = find(snapshot, OptLevel::o2, 1);
    EXPECT_EQ(hung.state, TrialState::pruned) << "and not failed after the longest silence";
    EXPECT_EQ(hung.reason.kind, model::ReasonKind::budget);
}

TEST_F(Study, AFirstTrialThatDoesNotEndIsGivenUpToo)
{
    request.space.levels = {OptLevel::o0, OptLevel::o2};
    request.space.batches = {1, 2};
    request.budget = fromSeconds(1);
    request.budgetKind = model::BudgetKind::wall;
    limits.firstTrial = fromSeconds(2);
    limits.worker.silence = fromSeconds(600);
    const Json fault{{"at", "run"}, {"do", "hang"}};
    ASSERT_EQ(run({{"latency_ms", 1}, {"faults", {fault}}}), Outcome::done);
    const auto snapshot = study();
    EXPECT_EQ(count(snapshot, TrialState::pruned, model::ReasonKind::budget), 4) << "and no other one is begun";
}

TEST_F(Study, WhatIsReservedIsLeftToTheConfirmationAlone)
{
    artifact.write({});
    TrialTracker tracker(store, {1}, base::RateUnit::images, {}, {}, fromSeconds(100), model::BudgetKind::measuring, {},
                         fromSeconds(20));
    EXPECT_EQ(tracker.budgetLeft("cpu"), fromSeconds(80));
    tracker.spend("cpu", fromSeconds(70), {});
    tracker.spend("cuda:0", fromSeconds(30), {});
    EXPECT_EQ(tracker.budgetLeft("cpu"), fromSeconds(10));
    tracker.reserve("cpu", fromSeconds(35));
    EXPECT_EQ(tracker.budgetLeft("cpu"), fromSeconds(-5)) << "no further trial is begun";
    EXPECT_EQ(tracker.budgetLeft("cuda:0"), fromSeconds(50));
    EXPECT_EQ(tracker.wholeBudgetLeft(), fromSeconds(30)) << "the confirmation ends with the budget";
    tracker.spend("cpu", fromSeconds(60), {});
    EXPECT_EQ(tracker.wholeBudgetLeft(), fromSeconds(0));
}

TEST_F(Study, TheWinnerIsConfirmedAgainstItsBaseline)
{
    limits.confirmMost = fromSeconds(60);
    limits.confirmProcesses = 3;
    limits.maxBlocks = 15;
    ASSERT_EQ(run({{"latency_ms", 20}, {"levels", {{"O1", 0.5}, {"O2", 0.1}}}}), Outcome::done);
    const auto snapshot = study();
    ASSERT_TRUE(snapshot.recommended);
    const Trial& winner = *snapshot.find(snapshot.recommended->trial);
    const Trial& baseline = *snapshot.find(snapshot.recommended->against);
    EXPECT_EQ(winner.config.level, OptLevel::o2);
    EXPECT_EQ(baseline.config.level, OptLevel::o0);
    for (const Trial* trial : {&winner, &baseline}) {
        EXPECT_TRUE(hasFlag(*trial, model::TrialFlag::confirmed));
        EXPECT_EQ(trial->measurement.blocks.size(), 15u);
        EXPECT_TRUE(trial->measurement.quality) << "the rest of the measurement stays";
    }
    EXPECT_FALSE(hasFlag(find(snapshot, OptLevel::o1, 1), model::TrialFlag::confirmed));
    EXPECT_GT(snapshot.recommended->speedup.value, 1.3);
    EXPECT_GT(snapshot.recommended->speedup.confidence, 0);
}

TEST_F(Study, ATrialThatWinsOnlyAfterTheConfirmationIsConfirmedToo)
{
    limits.confirmMost = fromSeconds(60);
    limits.confirmProcesses = 2;
    limits.maxBlocks = 15;
    // O2 at batch 2 wins the sweep, O1 is next, and both are slow when they are looked at again: then batch 1 is ahead.
    const Json first{{"latency_ms", 40}, {"levels", {{"O1", 0.25}, {"O2", 0.2}}}};
    int confirmations = 0;
    onEvent = [&](const StudyEvent& event) {
        if (sentences::sentence(event.message).find("Confirming") != std::string::npos && ++confirmations == 1)
            artifact.write({{"latency_ms", 40}, {"levels", {{"O1", 2.0}, {"O2", 2.0}}}});
    };
    ASSERT_EQ(run(first), Outcome::done);
    const auto snapshot = study();
    ASSERT_TRUE(snapshot.recommended);
    const Trial& winner = *snapshot.find(snapshot.recommended->trial);
    EXPECT_TRUE(hasFlag(winner, model::TrialFlag::confirmed));
    EXPECT_GE(confirmations, 2);
}

TEST_F(Study, AConfirmationThatFailsLeavesTheStudyAsItWas)
{
    limits.confirmMost = fromSeconds(60);
    // The sweep opens each configuration once; the confirmation opens the winner a second time.
    Json script{{"levels", {{"O2", 0.4}}}};
    bool confirming = false;
    onEvent = [&](const StudyEvent& event) {
        if (sentences::sentence(event.message).find("Confirming") != std::string::npos && (confirming = true))
            artifact.write({{"faults", {fault("run", "crash")}}});
    };
    ASSERT_EQ(run(script), Outcome::done);
    EXPECT_TRUE(confirming);
    const auto snapshot = study();
    EXPECT_EQ(count(snapshot, TrialState::ok), 6);
    for (const Trial& trial : snapshot.trials)
        EXPECT_FALSE(hasFlag(trial, model::TrialFlag::confirmed));
    EXPECT_EQ(snapshot.study.state, StudyState::finished);
}

} // namespace
} // namespace apertune::study

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "tests/core/store/sample_values.h"

#include <cmath>
#include <cstdio>
#include <limits>

namespace apertune::store::test {

using model::TrialState;

namespace {
class StoreRoundTrip : public StoreTest
{
};

std::vector<model::TrialId> starred(const Store& store)
{
    std::vector<model::TrialId> trials;
    for (const model::Baseline& baseline : *store.baselines())
        trials.push_back(baseline.trial);
    return trials;
}

TEST_F(StoreRoundTrip, KeepsComparisonsOfAMachineWithItself)
{
    Store store = open();
    EXPECT_TRUE(store.noise("host: cpu")->empty());
    ASSERT_OK(store.addNoise({"host: cpu", "normal", "resnet50 O0", {1.01, 0.99}, "2026-11-20T10:00:00Z"}));
    ASSERT_OK(store.addNoise({"host: cpu", "quick", "resnet50 O0", {1.1}, "2026-11-20T11:00:00Z"}));
    ASSERT_OK(store.addNoise({"host: cpu", "normal", "vit O0", {1.02}, "2026-11-21T10:00:00Z"}));
    ASSERT_OK(store.addNoise({"host: gpu", "normal", "vit O0", {1.5}, ""}));
    const auto kept = open(OpenMode::readOnly).noise("host: cpu");
    ASSERT_OK(kept);
    ASSERT_EQ(kept->size(), 2u);
    EXPECT_EQ((*kept)[0].protocol, "normal");
    EXPECT_EQ((*kept)[0].ratios, (std::vector<double>{1.02, 0.99, 1.01})) << "the newest first";
    EXPECT_EQ((*kept)[0].measuredUtc, "2026-11-21T10:00:00Z");
    EXPECT_EQ((*kept)[0].configuration, "vit O0");
    EXPECT_EQ((*kept)[1].ratios, std::vector<double>{1.1});
    EXPECT_EQ((*store.noise("host: cpu", 2))[0].ratios, (std::vector<double>{1.02, 0.99}));
    EXPECT_FALSE((*store.noise("host: gpu"))[0].measuredUtc.empty());
}

} // namespace

TEST_F(StoreRoundTrip, AStudyComesBackWithEveryField)
{
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(6);
    {
        Store store = open();
        ASSERT_OK(store.createStudy(study, trials));
    }
    EXPECT_TRUE(study.id);
    EXPECT_EQ(study.uuid.size(), 36u);
    const auto stored = open().study(study.id);
    ASSERT_OK(stored);
    expectEqual(*stored, study);
    EXPECT_EQ(stored->environment.devices.at(1).clockMhz, 1980);
    EXPECT_EQ(stored->environment.settings.size(), 3u);
}

TEST_F(StoreRoundTrip, ATrialComesBackWithEveryField)
{
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(3);
    trials[2].state = TrialState::pruned;
    trials[2].reason = {model::ReasonKind::impossible, base::foreignText("The device has no tf32."),
                        "detail\nof two lines"};
    Store store = open();
    ASSERT_OK(store.createStudy(study, trials));
    EXPECT_EQ(trials[1].ordinal, 2);
    EXPECT_EQ(trials[1].study, study.id);
    EXPECT_EQ(trials[1].hash, model::configHash(trials[1].config, trials[1].device));

    trials[1].measurement = sampleMeasurement();
    trials[1].startedUtc = "2026-11-21T14:03:00Z";
    trials[1].finishedUtc = "2026-11-21T14:03:09Z";
    finish(store, trials[1]);
    for (const model::Trial& trial : trials) {
        const auto stored = store.trial(trial.id);
        ASSERT_OK(stored);
        expectEqual(*stored, trial);
    }
    const auto listed = open(OpenMode::readOnly).trials(study.id);
    ASSERT_OK(listed);
    ASSERT_EQ(listed->size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        expectEqual((*listed)[i], trials[i]);
}

TEST_F(StoreRoundTrip, ValuesThatAreNoNumbersOrNoTextStayWhatTheyAre)
{
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(1);
    Store store = open();
    ASSERT_OK(store.createStudy(study, trials));
    model::Measurement& m = trials[0].measurement;
    m.quality = model::Quality{std::nan(""), std::numeric_limits<double>::infinity(), 0, 10, {}, {}, 1};
    m.latencyNs = {std::nan(""), -0.0, std::numeric_limits<double>::denorm_min(), 0};
    m.iterations = {{0}, {std::numeric_limits<std::int64_t>::max()}, {std::numeric_limits<std::int64_t>::min()}, {-1}};
    trials[0].reason.detail = std::string("a log \xfe with\0 everything", 24);
    finish(store, trials[0]);
    const auto stored = store.trial(trials[0].id);
    ASSERT_OK(stored);
    EXPECT_TRUE(std::isnan(stored->measurement.quality->cosine));
    EXPECT_TRUE(std::isinf(stored->measurement.quality->maxAbs));
    EXPECT_FALSE(stored->measurement.quality->top1Agreement.has_value());
    EXPECT_TRUE(std::isnan(stored->measurement.latencyNs.value));
    EXPECT_EQ(stored->measurement.latencyNs.hi, std::numeric_limits<double>::denorm_min());
    EXPECT_EQ(stored->measurement.iterations, m.iterations);
    EXPECT_EQ(stored->reason.detail, trials[0].reason.detail);
}

TEST_F(StoreRoundTrip, ListingWithoutSamplesLeavesThemOut)
{
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(2);
    Store store = open();
    ASSERT_OK(store.createStudy(study, trials));
    trials[0].measurement = sampleMeasurement();
    finish(store, trials[0]);
    const auto listed = store.trials(study.id, false);
    ASSERT_OK(listed);
    EXPECT_TRUE(listed->at(0).measurement.blocks.empty());
    EXPECT_TRUE(listed->at(0).measurement.iterations.empty());
    EXPECT_EQ(listed->at(0).measurement.p90Ns, trials[0].measurement.p90Ns);
}

TEST_F(StoreRoundTrip, ASnapshotHoldsStudyAndTrials)
{
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(5);
    Store store = open();
    ASSERT_OK(store.createStudy(study, trials));
    trials[4].measurement = sampleMeasurement();
    finish(store, trials[4]);
    const auto snapshot = loadSnapshot(store, study.id);
    ASSERT_OK(snapshot);
    expectEqual(snapshot->study, study);
    ASSERT_EQ(snapshot->trials.size(), 5u);
    expectEqual(snapshot->trials[4].measurement, trials[4].measurement);
    EXPECT_FALSE(snapshot->recommended.has_value());
}

TEST_F(StoreRoundTrip, RatesInTheReasonsOfASnapshotHaveTheUnitOfItsModel)
{
    Store store = open();
    for (const auto& [task, unit] : {std::pair(model::TaskType::classification, base::RateUnit::images),
                                     std::pair(model::TaskType::other, base::RateUnit::samples)}) {
        model::Study study = sampleStudy();
        study.model.taskType = task;
        std::vector<model::Trial> trials = sampleTrials(1);
        ASSERT_OK(store.createStudy(study, trials));
        trials[0].reason.message = {"search.ceiling", {{"ceiling", base::SamplesPerSecond{17}}}};
        ASSERT_OK(store.transition(trials[0], TrialState::pruned));
        const auto snapshot = loadSnapshot(store, study.id);
        ASSERT_OK(snapshot);
        EXPECT_EQ(snapshot->trials[0].reason.message.arguments[0].value,
                  base::Argument::Value(base::SamplesPerSecond{17, unit}))
            << toString(task);
    }
}

TEST_F(StoreRoundTrip, StudiesAreListedNewestFirstWithTheirCounts)
{
    Store store = open();
    ASSERT_OK(store.lastStudy());
    EXPECT_FALSE(store.lastStudy()->has_value());
    model::Study first = sampleStudy("resnet50");
    std::vector<model::Trial> trials = sampleTrials(5);
    ASSERT_OK(store.createStudy(first, trials));
    finish(store, trials[0], TrialState::ok);
    finish(store, trials[1], TrialState::failed);
    ASSERT_OK(store.transition(trials[2], TrialState::pruned));
    ASSERT_OK(store.transition(trials[3], TrialState::leased));
    model::Study second = sampleStudy("vit_b_16");
    second.name.clear();
    second.createdUtc.clear();
    std::vector<model::Trial> none;
    ASSERT_OK(store.createStudy(second, none));
    EXPECT_EQ(second.name, "vit_b_16 · study 2");
    EXPECT_EQ(store.study(second.id)->name, second.name);
    EXPECT_EQ(second.createdUtc.size(), 20u);

    const auto list = store.studies();
    ASSERT_OK(list);
    ASSERT_EQ(list->size(), 2u);
    EXPECT_EQ(list->at(0).modelName, "vit_b_16");
    EXPECT_EQ(list->at(0).trials, 0);
    EXPECT_EQ(list->at(0).remaining, 0);
    EXPECT_EQ(list->at(1).uuid, first.uuid);
    EXPECT_EQ(list->at(1).name, first.name);
    EXPECT_EQ(list->at(1).createdUtc, first.createdUtc);
    EXPECT_EQ(list->at(1).trials, 5);
    EXPECT_EQ(list->at(1).ok, 1);
    EXPECT_EQ(list->at(1).failed, 1);
    EXPECT_EQ(list->at(1).remaining, 2);
    EXPECT_EQ(store.lastStudy()->value(), second.id);
}

TEST_F(StoreRoundTrip, AnExperimentIsTheLastStudyOnlyWhereNothingElseIs)
{
    Store store = open();
    std::vector<model::Trial> none;
    model::Study verification = sampleStudy();
    verification.purpose = model::StudyPurpose::verification;
    ASSERT_OK(store.createStudy(verification, none));
    EXPECT_EQ(store.lastStudy()->value(), verification.id);
    model::Study tuned = sampleStudy();
    ASSERT_OK(store.createStudy(tuned, none));
    for (const auto purpose :
         {model::StudyPurpose::verification, model::StudyPurpose::claim, model::StudyPurpose::memory}) {
        model::Study experiment = sampleStudy();
        experiment.purpose = purpose;
        ASSERT_OK(store.createStudy(experiment, none));
        EXPECT_EQ(store.study(experiment.id)->purpose, purpose);
        EXPECT_EQ(store.studies()->front().purpose, purpose);
        EXPECT_EQ(store.lastStudy()->value(), tuned.id);
    }
}

TEST_F(StoreRoundTrip, AModelReplacesTheOneOfItsNameAndOldStudiesKeepTheirs)
{
    Store store = open();
    ASSERT_OK(store.putModel(sampleModel("resnet50")));
    ASSERT_OK(store.putModel(sampleModel("a_model")));
    model::Study study = sampleStudy("resnet50");
    std::vector<model::Trial> trials;
    ASSERT_OK(store.createStudy(study, trials));

    model::ModelRef newer = sampleModel("resnet50");
    newer.contentHash = "decaf";
    ASSERT_OK(store.putModel(newer));
    const auto models = store.models();
    ASSERT_OK(models);
    ASSERT_EQ(models->size(), 2u);
    expectEqual(models->at(0), sampleModel("a_model"));
    expectEqual(models->at(1), newer);
    expectEqual(**store.findModel("resnet50"), newer);
    expectEqual(store.study(study.id)->model, study.model);

    // Back to the first: the same row serves the study and the list.
    ASSERT_OK(store.putModel(sampleModel("resnet50")));
    expectEqual(**store.findModel("resnet50"), sampleModel("resnet50"));
    ASSERT_OK(store.deleteModel("resnet50"));
    EXPECT_FALSE(store.findModel("resnet50")->has_value());
    expectEqual(store.study(study.id)->model, study.model);
    EXPECT_EQ(store.deleteModel("resnet50").error().code, base::ErrorCode::notFound);
    EXPECT_EQ(store.putModel({}).error().code, base::ErrorCode::invalidArgument);
}

TEST_F(StoreRoundTrip, ArtifactsAreKeptByKeyAndReplaced)
{
    Store store = open();
    EXPECT_FALSE(store.artifact("k")->has_value());
    ASSERT_OK(store.putArtifact({"k", "aoti", "", base::fromSeconds(3), {}, "no compiler"}));
    EXPECT_EQ(store.artifact("k")->value().error, "no compiler");
    const Artifact good{"k", "aoti", "/cache/a b.pt2", base::fromSeconds(81), {123'456}, ""};
    ASSERT_OK(store.putArtifact(good));
    const auto found = store.artifact("k");
    ASSERT_OK(found);
    ASSERT_TRUE(found->has_value());
    EXPECT_EQ((*found)->key, good.key);
    EXPECT_EQ((*found)->kind, good.kind);
    EXPECT_EQ((*found)->path, good.path);
    EXPECT_EQ((*found)->compile, good.compile);
    EXPECT_EQ((*found)->size, good.size);
    EXPECT_EQ((*found)->error, "");
    EXPECT_EQ(store.putArtifact({}).error().code, base::ErrorCode::invalidArgument);
}

TEST_F(StoreRoundTrip, BaselinesAreStarredAndUnstarred)
{
    Store store = open();
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(3);
    ASSERT_OK(store.createStudy(study, trials));
    ASSERT_OK(store.setBaseline(trials[2].id, true));
    ASSERT_OK(store.setBaseline(trials[0].id, true));
    ASSERT_OK(store.setBaseline(trials[0].id, true));
    EXPECT_EQ(starred(store), (std::vector{trials[0].id, trials[2].id}));
    ASSERT_OK(store.setBaseline(trials[2].id, false));
    ASSERT_OK(store.setBaseline(trials[2].id, false));
    EXPECT_EQ(starred(store), std::vector{trials[0].id});
    EXPECT_EQ(store.setBaseline({999}, true).error().code, base::ErrorCode::notFound);
}

TEST_F(StoreRoundTrip, ABaselineHasANameThatNoOtherHas)
{
    Store store = open();
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(3);
    ASSERT_OK(store.createStudy(study, trials));
    const auto names = [&store] {
        std::vector<std::string> all;
        for (const model::Baseline& baseline : *store.baselines())
            all.push_back(baseline.name);
        return all;
    };
    ASSERT_OK(store.nameBaseline(trials[1].id, "release-1.2"));
    EXPECT_EQ(starred(store), std::vector{trials[1].id}) << "a name stars the trial";
    EXPECT_FALSE(store.baselines()->at(0).starredUtc.empty());
    ASSERT_OK(store.nameBaseline(trials[1].id, "release-1.2"));
    EXPECT_EQ(store.nameBaseline(trials[2].id, "release-1.2").error().code, base::ErrorCode::invalidArgument);
    EXPECT_EQ(names(), std::vector<std::string>{"release-1.2"}) << "a refused name changes nothing";
    ASSERT_OK(store.nameBaseline(trials[2].id, "release-1.2", true));
    EXPECT_EQ(names(), (std::vector<std::string>{"", "release-1.2"})) << "the other one stays starred";
    ASSERT_OK(store.setBaseline(trials[2].id, true));
    EXPECT_EQ(names(), (std::vector<std::string>{"", "release-1.2"})) << "a second star keeps the name";
    ASSERT_OK(store.nameBaseline(trials[2].id, "nightly"));
    EXPECT_EQ(names(), (std::vector<std::string>{"", "nightly"}));
    ASSERT_OK(store.nameBaseline(trials[2].id, ""));
    EXPECT_EQ(names(), (std::vector<std::string>{"", ""})) << "trials without a name do not exclude each other";
    ASSERT_OK(store.nameBaseline(trials[0].id, "old"));
    ASSERT_OK(store.setBaseline(trials[0].id, false));
    ASSERT_OK(store.nameBaseline(trials[1].id, "old"));
    EXPECT_EQ(store.nameBaseline({999}, "x").error().code, base::ErrorCode::notFound);
    EXPECT_EQ(store.nameBaseline(trials[0].id, "t12").error().code, base::ErrorCode::invalidArgument);
}

TEST_F(StoreRoundTrip, TenThousandTrialsAreStoredAndListed)
{
    Store store = open();
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(10'000);
    const auto begin = base::monotonicNow();
    ASSERT_OK(store.createStudy(study, trials));
    const auto inserted = base::monotonicNow();
    for (std::size_t i = 0; i < trials.size(); i += 10) {
        trials[i].measurement = sampleMeasurement(20, 100);
        finish(store, trials[i]);
    }
    const auto finished = base::monotonicNow();
    const auto listed = store.trials(study.id, false);
    const auto read = base::monotonicNow();
    const auto full = store.trials(study.id, true);
    const auto readFull = base::monotonicNow();
    std::printf("[  timing  ] 10,000 trials: insert %.0f ms, list %.0f ms, list with samples %.0f ms; "
                "1,000 results of 3 transactions each %.0f ms\n",
                (inserted - begin).milliseconds(), (read - finished).milliseconds(), (readFull - read).milliseconds(),
                (finished - inserted).milliseconds());
    ASSERT_OK(listed);
    ASSERT_OK(full);
    ASSERT_EQ(full->size(), trials.size());
    for (std::size_t i = 0; i < trials.size(); i += 997)
        EXPECT_EQ(full->at(i).config, trials[i].config);
    EXPECT_EQ(full->at(9990).measurement.blocks.size(), 20u);
    EXPECT_TRUE(full->at(9991).measurement.blocks.empty());
}

TEST_F(StoreRoundTrip, CeilingsAreKeptOncePerDeviceAndReplacedTogether)
{
    model::Device cpu;
    cpu.name = "A processor";
    cpu.cores = 2;
    cpu.threads = 4;
    model::Device gpu = cpu;
    gpu.uuid = "GPU-1";
    Store store = open();
    EXPECT_FALSE(store.ceilings(cpu)->has_value());
    model::DeviceCeilings measured{model::ceilingKey(cpu), "libtorch", "2026-11-21T14:02:11Z", {}};
    measured.rates.push_back({"fp32", {200e9, 190e9, 205e9, 0.95}, 25, "matrix product 1024 x 1024 x 1024, 2 threads"});
    measured.rates.push_back({"copy", {20e9, 19e9, 21e9, 0}, 3, "copies of 512 MiB"});
    ASSERT_OK(store.putCeilings(measured));
    const auto kept = open(OpenMode::readOnly).ceilings(cpu);
    ASSERT_OK(kept);
    ASSERT_TRUE(kept->has_value());
    EXPECT_EQ((*kept)->backend, "libtorch");
    EXPECT_EQ((*kept)->measuredUtc, "2026-11-21T14:02:11Z");
    ASSERT_EQ((*kept)->rates.size(), 2u);
    const model::Ceiling& first = (*kept)->rates[0];
    EXPECT_EQ(first.quantity, "fp32");
    EXPECT_EQ(first.rate.value, 200e9);
    EXPECT_EQ(first.rate.lo, 190e9);
    EXPECT_EQ(first.rate.hi, 205e9);
    EXPECT_EQ(first.rate.confidence, 0.95);
    EXPECT_EQ(first.samples, 25);
    EXPECT_EQ(first.how, measured.rates[0].how);
    EXPECT_EQ((*kept)->find("copy")->rate.confidence, 0);
    EXPECT_EQ((*kept)->find("bf16"), nullptr);
    EXPECT_FALSE(store.ceilings(gpu)->has_value()) << "of another device";

    measured.rates.pop_back();
    ASSERT_OK(store.putCeilings(measured));
    EXPECT_EQ((*store.ceilings(cpu))->rates.size(), 1u);
    measured.rates.clear();
    EXPECT_EQ(store.putCeilings(measured).error().code, base::ErrorCode::invalidArgument);
    cpu.cores = 1;
    EXPECT_FALSE(store.ceilings(cpu)->has_value()) << "fewer cores reach less";
}

} // namespace apertune::store::test

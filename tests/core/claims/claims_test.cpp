// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/claim_check.h"
#include "core/claims/claim_plan.h"
#include "core/claims/claims_report.h"
#include "core/model/usable_interval.h"
#include "core/report/html.h"
#include "core/sentences/sentences.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace apertune::claims {
namespace {

using model::Config;
using model::DeviceType;
using model::OptLevel;
using model::Precision;
using test::measuredTrial;

model::Device processor(const std::string& name = "Test CPU")
{
    model::Device device;
    device.id = "cpu";
    device.name = name;
    device.cores = 2;
    device.threads = 2;
    return device;
}

/// Studies of one processor as evidence.
struct Workspace
{
    model::StudySnapshot& study(const std::string& source, model::TaskType task = model::TaskType::classification)
    {
        model::StudySnapshot& snapshot = snapshots.emplace_back();
        snapshot.study.id = model::StudyId{static_cast<std::int64_t>(snapshots.size())};
        snapshot.study.model.name = source;
        snapshot.study.model.source = source;
        snapshot.study.model.taskType = task;
        snapshot.study.environment.devices = {processor()};
        return snapshot;
    }
    void add(model::StudySnapshot& snapshot, OptLevel level, Precision precision, int batch, double latencyMs,
             std::int64_t peak = 0, const std::string& extra = {})
    {
        Config config = model::makeConfig(level, precision, batch, 2, DeviceType::cpu());
        if (!extra.empty())
            config.switches[extra] = true;
        snapshot.trials.push_back(measuredTrial(++trials, config, latencyMs));
        snapshot.trials.back().study = snapshot.study.id;
        snapshot.trials.back().device = "cpu";
        if (peak > 0)
            snapshot.trials.back().measurement.memory.allocatorPeak = base::Bytes{peak};
    }
    ClaimEvidence evidence() const
    {
        ClaimEvidence all;
        for (const model::StudySnapshot& snapshot : snapshots)
            all.studies.push_back(std::make_shared<const model::StudySnapshot>(snapshot));
        all.devices = {processor()};
        all.models = models;
        return all;
    }
    std::vector<ClaimCheck> checks() const { return checkClaims(evidence()); }

    std::vector<model::StudySnapshot> snapshots;
    std::vector<model::ModelRef> models{};
    int trials = 0;
};

const ClaimCheck& claimOf(const std::vector<ClaimCheck>& checks, const std::string& id)
{
    return *std::find_if(checks.begin(), checks.end(), [&id](const ClaimCheck& c) { return c.claim->id == id; });
}

TEST(Claims, EveryClaimHasASourceASentenceAndFiguresOrAReason)
{
    std::set<std::string> ids;
    for (const Claim& claim : publishedClaims()) {
        EXPECT_TRUE(ids.insert(claim.id).second) << claim.id << " is there twice";
        EXPECT_FALSE(claim.guide.empty() || claim.section.empty() || claim.topic.empty()) << claim.id;
        EXPECT_TRUE(claim.says.ends_with('.')) << claim.id;
        ASSERT_FALSE(claim.figures.empty()) << claim.id;
        for (const ClaimFigure& figure : claim.figures) {
            if (figure.barrier != ClaimBarrier::none)
                continue;
            EXPECT_TRUE(figure.low || figure.high) << claim.id;
            EXPECT_TRUE(!figure.low || !figure.high || *figure.low <= *figure.high) << claim.id;
            EXPECT_TRUE(!figure.example.empty() || !figure.fromModel.empty() ||
                        figure.quantity == ClaimQuantity::pinned)
                << claim.id << " names nothing to measure with";
            EXPECT_TRUE(figure.example.empty() || !figure.where.tasks.empty() ||
                        figure.acceptsModel(figure.example, {}))
                << claim.id << " does not accept its own example";
        }
    }
    EXPECT_EQ(publishedClaims().size(), 61u);
}

TEST(Claims, ASpeedUpWithinTheClaimedRangeAgreesAndOneBesideItDisagrees)
{
    Workspace workspace;
    model::StudySnapshot& resnet = workspace.study("torchvision:resnet50");
    workspace.add(resnet, OptLevel::o0, Precision::fp32, 1, 40);
    workspace.add(resnet, OptLevel::o0, Precision::fp32, 1, 40 / 1.12, 0, "channels_last");
    workspace.add(resnet, OptLevel::o1, Precision::fp32, 1, 20);
    const auto checks = workspace.checks();
    const FigureCheck& layout = claimOf(checks, "channels-last").figures.front();
    EXPECT_EQ(layout.state, ClaimState::agrees) << claimMeasuredText(layout);
    EXPECT_EQ(layout.pairs.size(), 1u);
    EXPECT_EQ(claimOf(checks, "conv-bn-relu-fusion").state, ClaimState::disagrees) << "twice as fast is no 15 to 20 %";
}

TEST(Claims, AnIntervalThatHoldsTheClaimAndNoEffectCannotTell)
{
    Workspace workspace;
    // Two models on which the level does opposite things: their mean has a wide interval.
    for (const auto& [source, factor] :
         {std::pair("torchvision:resnet18", 1.5), std::pair("torchvision:resnet50", 0.9)}) {
        model::StudySnapshot& study = workspace.study(source);
        workspace.add(study, OptLevel::o0, Precision::fp32, 1, 40);
        workspace.add(study, OptLevel::o1, Precision::fp32, 1, 40 / factor);
    }
    const auto checks = workspace.checks();
    const ClaimCheck& fusion = claimOf(checks, "kernel-fusion");
    EXPECT_EQ(fusion.state, ClaimState::cannotTell) << claimMeasuredText(fusion.figures.front());
    EXPECT_FALSE(fusion.figures.front().reason.empty());
    EXPECT_EQ(fusion.figures.front().pairs.size(), 2u);
}

TEST(Claims, AWideIntervalBesideTheClaimedRangeDisagrees)
{
    Workspace workspace;
    int model = 18;
    for (const double factor : {3, 8, 3, 8}) {
        model::StudySnapshot& study = workspace.study("torchvision:resnet" + std::to_string(model++));
        workspace.add(study, OptLevel::o0, Precision::fp32, 1, 40);
        workspace.add(study, OptLevel::o1, Precision::fp32, 1, 40 / factor);
    }
    const auto checks = workspace.checks();
    const FigureCheck& fusion = claimOf(checks, "conv-bn-relu-fusion").figures.front();
    ASSERT_TRUE(model::isTooWide(fusion.measured)) << fusion.measured.lo << " to " << fusion.measured.hi;
    EXPECT_EQ(fusion.state, ClaimState::disagrees) << "all of it lies above 20 %";
    EXPECT_NE(claimMeasuredText(fusion).find("× to "), std::string::npos) << claimMeasuredText(fusion);
}

TEST(Claims, WhatCannotBeToldHasNoValueInTheDocument)
{
    Workspace workspace;
    for (const auto& [source, factor] :
         {std::pair("torchvision:resnet18", 1.5), std::pair("torchvision:resnet50", 0.9)}) {
        model::StudySnapshot& study = workspace.study(source);
        workspace.add(study, OptLevel::o0, Precision::fp32, 1, 40);
        workspace.add(study, OptLevel::o1, Precision::fp32, 1, 40 / factor);
    }
    workspace.add(workspace.snapshots.back(), OptLevel::o0, Precision::fp32, 1, 40 / 1.12, 0, "channels_last");
    int told = 0, untold = 0;
    const base::Json document = claimsDocument(workspace.checks());
    for (const auto& claim : document["claims"])
        for (const auto& figure : claim["figures"]) {
            if (figure["measured"].is_null())
                continue;
            const bool cannotTell = figure["state"] == "cannot_tell";
            EXPECT_EQ(figure["measured"]["value"].is_null(), cannotTell) << claim["id"];
            ++(cannotTell ? untold : told);
        }
    EXPECT_GT(told, 0);
    EXPECT_GT(untold, 0);
}

TEST(Claims, PeaksOfMemoryTakeThreePairs)
{
    Workspace workspace;
    model::StudySnapshot& study = workspace.study("torchvision:resnet50");
    for (const int batch : {1, 2}) {
        workspace.add(study, OptLevel::o0, Precision::fp32, batch, 10.0 * batch, 100'000'000 * batch);
        workspace.add(study, OptLevel::o0, Precision::bf16, batch, 5.0 * batch, 51'000'000 * batch);
    }
    ClaimEvidence evidence = workspace.evidence();
    evidence.devices.front().isa = {"avx512_bf16"};
    EXPECT_EQ(claimOf(checkClaims(evidence), "half-precision-memory").state, ClaimState::cannotTell);
    workspace.add(study, OptLevel::o0, Precision::fp32, 4, 40, 400'000'000);
    workspace.add(study, OptLevel::o0, Precision::bf16, 4, 20, 205'000'000);
    evidence = workspace.evidence();
    evidence.devices.front().isa = {"avx512_bf16"};
    EXPECT_EQ(claimOf(checkClaims(evidence), "half-precision-memory").state, ClaimState::agrees);
}

TEST(Claims, AModelIsComparedWithItsVariantInEqualConfigurations)
{
    Workspace workspace;
    model::StudySnapshot& large = workspace.study("torchvision:resnet50@448");
    workspace.add(large, OptLevel::o0, Precision::fp32, 1, 160);
    workspace.add(large, OptLevel::o1, Precision::fp32, 1, 80); // the other study has no O1
    model::StudySnapshot& small = workspace.study("torchvision:resnet50");
    workspace.add(small, OptLevel::o0, Precision::fp32, 1, 40);
    const auto checks = workspace.checks();
    const FigureCheck& resolution = claimOf(checks, "half-resolution").figures.front();
    EXPECT_EQ(resolution.state, ClaimState::disagrees) << "a quarter, not a half";
    EXPECT_NEAR(resolution.measured.value, 4, 0.1);
    EXPECT_EQ(resolution.pairs.size(), 1u);
}

TEST(Claims, TrialsOfAnotherMachineAreNoEvidence)
{
    Workspace workspace;
    model::StudySnapshot& study = workspace.study("torchvision:resnet50");
    workspace.add(study, OptLevel::o0, Precision::fp32, 1, 40);
    workspace.add(study, OptLevel::o1, Precision::fp32, 1, 20);
    ClaimEvidence evidence = workspace.evidence();
    evidence.devices = {processor("Another CPU")};
    EXPECT_EQ(claimOf(checkClaims(evidence), "kernel-fusion").state, ClaimState::notMeasured);
}

TEST(Claims, WhatAMachineCannotMeasureHasItsReason)
{
    const auto checks = Workspace().checks();
    const auto reason = [&checks](const std::string& id) {
        const ClaimCheck& check = claimOf(checks, id);
        EXPECT_EQ(check.state, ClaimState::cannotMeasure) << id;
        return sentences::sentence(check.figures.front().reason);
    };
    EXPECT_NE(reason("checkpointing").find("training"), std::string::npos);
    EXPECT_NE(reason("cuda-graphs").find("needs a GPU"), std::string::npos);
    EXPECT_NE(reason("resnet50-on-a100").find("A100"), std::string::npos);
    EXPECT_NE(reason("half-precision-memory").find("bf16"), std::string::npos) << "the processor has no bf16";
    EXPECT_NE(reason("half-of-the-processors").find("two threads a core"), std::string::npos);
    for (const ClaimCheck& check : checks)
        for (const FigureCheck& figure : check.figures)
            EXPECT_EQ(figure.state == ClaimState::cannotMeasure, !figure.reason.empty()) << check.claim->id;
}

TEST(Claims, AConfigurationThatDidNotRunIsTheReason)
{
    Workspace workspace;
    model::StudySnapshot& study = workspace.study("torchvision:resnet50");
    workspace.add(study, OptLevel::o0, Precision::fp32, 1, 40);
    workspace.add(study, OptLevel::o1, Precision::fp32, 1, 40);
    study.trials.back().state = model::TrialState::failed;
    study.trials.back().reason.kind = model::ReasonKind::crash;
    study.trials.back().reason.message = base::foreignText("The worker died.");
    const auto checks = workspace.checks();
    const ClaimCheck& fusion = claimOf(checks, "kernel-fusion");
    EXPECT_EQ(fusion.state, ClaimState::cannotMeasure);
    EXPECT_NE(sentences::sentence(fusion.figures.front().reason).find("The worker died."), std::string::npos);
    const ClaimPlan plan = planClaims(checks, {processor()}, {});
    EXPECT_TRUE(std::any_of(plan.studies.begin(), plan.studies.end(), [](const ClaimStudy& planned) {
        return std::count(planned.claims.begin(), planned.claims.end(), "kernel-fusion") > 0;
    })) << "it may run now";
    study.trials.erase(study.trials.begin());
    EXPECT_EQ(claimOf(workspace.checks(), "kernel-fusion").state, ClaimState::notMeasured)
        << "a level alone is no change of the level";
}

TEST(Claims, FactsOfAModelAreCounted)
{
    Workspace workspace;
    model::ModelRef& model = workspace.models.emplace_back();
    model.name = "vit";
    model.source = "torchvision:vit_b_16";
    model.parameters = 86'567'656;
    model.layers = {{"conv_proj", "Conv2d", 0, 115'605'504, {1, 768, 14, 14}}};
    const auto checks = workspace.checks();
    EXPECT_EQ(claimOf(checks, "vit-patches").state, ClaimState::agrees);
    EXPECT_EQ(claimMeasuredText(claimOf(checks, "vit-patches").figures.front()), "196");
    EXPECT_EQ(claimOf(checks, "model-sizes").figures[2].state, ClaimState::agrees);
    EXPECT_EQ(claimOf(checks, "model-sizes").state, ClaimState::partlyMeasured) << "three models are missing";
    EXPECT_NE(claimCounts(checks).find("agree as far as they are measured"), std::string::npos);
    EXPECT_EQ(claimsDocument(checks)["counts"]["partly_measured"], 1);
}

TEST(Claims, ThePlanJoinsStudiesThatDifferInTheBatchesAlone)
{
    const Workspace workspace;
    const ClaimPlan plan = planClaims(workspace.checks(), {processor()}, {});
    const auto batches = std::find_if(plan.studies.begin(), plan.studies.end(), [](const ClaimStudy& study) {
        return std::count(study.claims.begin(), study.claims.end(), "batches-of-eight") > 0;
    });
    ASSERT_NE(batches, plan.studies.end());
    EXPECT_EQ(batches->space.batches, (std::vector{1, 4, 8, 16}));
    EXPECT_EQ(batches->configurations(), 4u);
    for (const ClaimStudy& study : plan.studies)
        EXPECT_EQ(study.space.devices, std::vector<std::string>{"cpu"});
    EXPECT_FALSE(plan.pipelines.empty());
}

TEST(Claims, ThePlanOfANamedModelHasWhatThatModelLacks)
{
    Workspace workspace;
    model::ModelRef model;
    model.name = "mobilenet_v2";
    model.source = "torchvision:mobilenet_v2";
    model.taskType = model::TaskType::classification;
    const auto claimsOf = [&] {
        std::set<std::string> ids;
        for (const ClaimStudy& study : planClaims(workspace.checks(), {processor()}, {model}).studies) {
            EXPECT_EQ(study.model, "mobilenet_v2");
            ids.insert(study.claims.begin(), study.claims.end());
        }
        return ids;
    };
    EXPECT_TRUE(claimsOf().contains("channels-last"));
    EXPECT_FALSE(claimsOf().contains("conv-bn-relu-fusion")) << "that is about ResNets";
    model::StudySnapshot& study = workspace.study(model.source);
    study.study.model.name = model.name;
    workspace.add(study, OptLevel::o0, Precision::fp32, 1, 40);
    workspace.add(study, OptLevel::o1, Precision::fp32, 1, 20);
    EXPECT_FALSE(claimsOf().contains("kernel-fusion")) << "measured with this model";
}

TEST(Claims, TableSheetAndDocumentSayTheSame)
{
    Workspace workspace;
    model::StudySnapshot& study = workspace.study("torchvision:resnet50");
    workspace.add(study, OptLevel::o0, Precision::fp32, 1, 40);
    workspace.add(study, OptLevel::o1, Precision::fp32, 1, 20);
    const auto checks = workspace.checks();
    const ClaimCheck& fusion = claimOf(checks, "conv-bn-relu-fusion");
    const std::string measured = claimMeasuredText(fusion.figures.front());
    EXPECT_NE(claimsText(checks, 100).find(measured), std::string::npos);
    const std::string sheet = claimSheet(fusion, 100);
    EXPECT_NE(sheet.find(measured), std::string::npos);
    EXPECT_NE(sheet.find("1.15× to 1.2×"), std::string::npos) << sheet;
    EXPECT_NE(sheet.find("t1 t2"), std::string::npos) << sheet;
    const base::Json document = claimsDocument(checks);
    EXPECT_EQ(document["schema"], "apertune.claims/1");
    EXPECT_EQ(document["claims"].size(), publishedClaims().size());
    std::size_t sum = 0;
    for (const auto& [state, count] : document["counts"].items())
        sum += count.get<std::size_t>();
    EXPECT_EQ(sum, publishedClaims().size());
    const std::string html = report::htmlReport(study);
    EXPECT_NE(html.find("Claims of guides"), std::string::npos);
    EXPECT_NE(html.find(fusion.claim->says), std::string::npos);
}

} // namespace
} // namespace apertune::claims

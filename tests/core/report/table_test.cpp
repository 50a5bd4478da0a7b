// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/break_even.h"
#include "core/report/documents.h"
#include "core/report/recommendation.h"
#include "core/report/study_table.h"
#include "core/report/trial_sheet.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "core/text/text_table.h"
#include "tests/support/golden.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace apertune::report {
namespace {

using apertune::test::expectGolden;

TEST(StudyTable, ShowsEveryConfigurationMeasuredOrNot)
{
    expectGolden("table.txt", studyTable(test::sampleStudy()));
}

TEST(StudyTable, OfAnInterruptedStudySaysHowToGoOn)
{
    expectGolden("table_interrupted.txt", studyTable(test::interruptedStudy()));
}

TEST(StudyTable, NamesDevicesAndThreadsWhenTheyDiffer)
{
    expectGolden("table_devices.txt", studyTable(test::twoDeviceStudy()));
}

TEST(StudyTable, NamesTheEngineOnceWhereThereAreSeveral)
{
    auto study = test::sampleStudy();
    EXPECT_EQ(studyTable(study).find("Engine"), std::string::npos);
    study.trials[3].config.backend = "openvino";
    const std::string table = studyTable(study);
    EXPECT_NE(table.find("Engine"), std::string::npos);
    EXPECT_NE(table.find("libtorch"), std::string::npos);
    EXPECT_EQ(table.find("openvino"), table.rfind("openvino")) << "the configuration repeats it:\n" << table;
}

TEST(StudyTable, OfSeveralMachinesHasAColumnForThem)
{
    auto study = test::sampleStudy();
    EXPECT_EQ(studyTable(study).find("Machine"), std::string::npos);
    study.trials[3].measurement.conditions.machine = "faster CPU, 8 cores, 16 threads";
    EXPECT_NE(studyTable(study).find("Machine"), std::string::npos);
    EXPECT_NE(studyTable(study).find("faster CPU, 8 cores, 16 threads"), std::string::npos) << studyTable(study);
    EXPECT_NE(trialSheet(study, study.trials[3]).find("on faster CPU, 8 cores, 16 threads"), std::string::npos);
    EXPECT_EQ(trialDocument(study.trials[3])["machine"], "faster CPU, 8 cores, 16 threads");
    EXPECT_FALSE(trialDocument(study.trials[0]).contains("machine"));
}

TEST(StudyTable, KeepsToTheWidthOfTheTerminal)
{
    for (const int width : {60, 80, 100}) {
        std::istringstream lines(studyTable(test::sampleStudy(), width));
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(text::displayWidth(line), width) << line;
    }
}

TEST(RecommendationSentence, OfSeveralMachinesSaysThatTheShortlistHasTheBestOfEach)
{
    auto s = test::sampleStudy();
    s.shortlist = {*s.recommended, {{13}, {1, 1, 1, 0}, {}}};
    s.recommended.reset();
    for (model::Trial& trial : s.trials)
        if (trial.id == model::TrialId{13})
            trial.measurement.conditions.machine = "faster CPU, 8 cores, 16 threads";
    EXPECT_EQ(recommendationSentence(s),
              "No recommendation: machines of several classes measured the trials, and the times of one class say "
              "nothing about another. The shortlist has the best trial of each class. `apertune tune --resume s3 "
              "--budget 2m` confirms them.");
    EXPECT_EQ(shortlistLines(s),
              (std::vector<std::string>{
                  "t14  O2 fp32 batch 4: 1.55× [1.53, 1.57] as fast as O0 fp32 batch 4; measured on " +
                      model::machineOf(s.study, *s.find({14})),
                  "t13  O1 fp32 batch 1: there is no O0 fp32 to compare it with; measured on faster CPU, 8 cores, "
                  "16 threads"}));
}

TEST(RecommendationSentence, GivesValueIntervalSampleAndBaseline)
{
    EXPECT_EQ(recommendationSentence(test::sampleStudy()),
              "23.67 img/s ± 0.6 % (n = 42): O2 fp32 batch 4, 1.55× [1.53, 1.57] as fast as O0 fp32 batch 4. "
              "Runner-up: O1 fp32 batch 1 (t13). Lead over it: 1.36× [1.33, 1.39].");
}

TEST(RecommendationSentence, CountsImagesOnlyOfAModelThatTakesThem)
{
    model::StudySnapshot study = test::sampleStudy();
    study.study.model.taskType = model::TaskType::other;
    EXPECT_EQ(recommendationSentence(study).find("23.67 samples/s ± 0.6 %"), 0u) << recommendationSentence(study);
}

TEST(RecommendationSentence, NamesWhatIsBestInFurtherObjectives)
{
    auto s = test::sampleStudy();
    model::Recommendation other;
    other.trial = s.trials[2].id;
    ASSERT_NE(other.trial, s.recommended->trial);
    s.also = {{model::Objective::memory, other},
              {model::Objective::latency, s.recommended},
              {model::Objective::throughput, std::nullopt}};
    const std::string text = recommendationSentence(s);
    EXPECT_NE(text.find("Smallest memory: " + text::ConfigurationNames(s).longName(s.trials[2]) + " (" +
                        text::toText(other.trial) + "), "),
              std::string::npos)
        << text;
    EXPECT_TRUE(text.ends_with("Lowest latency: the same.")) << text;
    EXPECT_EQ(studyDocument(s)["also_best"]["memory"]["trial"], text::toText(other.trial));
}

TEST(StudyTable, NamesTheFirstOfManyConfigurationsThatWereNotMeasured)
{
    auto s = test::sampleStudy();
    model::Trial left = s.trials[0];
    left.state = model::TrialState::pruned;
    left.measurement = {};
    left.reason = {model::ReasonKind::bisect, base::foreignText("Fewer layers in float are enough.")};
    for (int i = 0; i < 20; ++i) {
        left.id = model::TrialId{100 + i};
        s.trials.push_back(left);
    }
    const std::string text = studyTable(s, 0);
    EXPECT_NE(text.find("pruned ×20"), std::string::npos) << text;
    EXPECT_NE(text.find("t110"), std::string::npos);
    EXPECT_EQ(text.find("t111"), std::string::npos);
    EXPECT_NE(text.find("and 9 more"), std::string::npos);
}

TEST(RecommendationSentence, DoesNotCallAClearRatioWithoutAVerdictNoDifference)
{
    auto s = test::sampleStudy();
    s.recommended->verdict = model::Verdict::cannotTell;
    s.recommended->speedup = {3, 2.3, 3.8, 0.95};
    const std::string text = recommendationSentence(s);
    EXPECT_NE(text.find(", 3.0× [2.3, 3.8] as fast as O0 fp32 batch 4, but not for certain."), std::string::npos)
        << text;
}

TEST(RecommendationSentence, NamesWhatTheWinnerDoesNotDifferFrom)
{
    auto s = test::sampleStudy();
    s.recommended->verdict = model::Verdict::cannotTell;
    s.recommended->speedup = {1.02, 0.98, 1.06, 0.95};
    s.recommended->runnerUp = model::Margin{{13}, {1.01, 0.97, 1.05, 0.95}, model::Verdict::cannotTell};
    const std::string text = recommendationSentence(s);
    EXPECT_NE(text.find("No difference found from O0 fp32 batch 4: 1.02× [0.98, 1.06]. No difference found from the "
                        "runner-up O1 fp32 batch 1 (t13): 1.01× [0.97, 1.05]."),
              std::string::npos)
        << text;
    s.recommended->runnerUp->over = {12};
    EXPECT_EQ(recommendationSentence(s).find("runner-up"), std::string::npos) << "the baseline was named already";
}

TEST(RecommendationSentence, SpeaksOfLatencyWhenThatIsTheGoal)
{
    EXPECT_EQ(
        recommendationSentence(test::twoDeviceStudy()),
        "0.812 ms ± 0.1 % (n = 120): cuda:0 O3 fp16 batch 1, 5.05× [5.03, 5.07] as fast as cuda:0 O0 fp32 batch 1.");
}

TEST(RecommendationSentence, AdmitsThatASampleIsTooSmall)
{
    auto s = test::sampleStudy();
    s.trials[3] = test::measuredTrial(14, s.trials[3].config, 169.0, 0.02, 3);
    s.trials[3].measurement.throughput.confidence = 0;
    EXPECT_NE(recommendationSentence(s).find("(n = 3, no interval)"), std::string::npos);
}

TEST(RecommendationSentence, SaysWhyThereIsNone)
{
    auto s = test::sampleStudy();
    s.recommended.reset();
    s.study.goal.maxLatency = base::fromMilliseconds(20);
    EXPECT_EQ(recommendationSentence(s),
              "No recommendation: no measured configuration of 5 keeps to the goal (median latency "
              "at most 20.0 ms, cosine at least 0.9900); 1 gives NaN or infinite values.");
    s.trials.erase(s.trials.begin(), s.trials.begin() + 5);
    EXPECT_EQ(recommendationSentence(s), "No recommendation: no configuration of 5 could be measured.");
    s.trials[0].reason = {model::ReasonKind::notANumber};
    s.trials[1].reason = {model::ReasonKind::notANumber};
    EXPECT_EQ(recommendationSentence(s),
              "No recommendation: no configuration of 5 could be measured; 2 give NaN or infinite values.");
}

TEST(RecommendationSentence, DoesNotCallTheModelAsLoadedBestWhereNothingCouldBeCompared)
{
    auto s = test::sampleStudy();
    s.recommended->trial = s.trials[0].id;
    s.recommended->against = {};
    std::erase_if(s.trials,
                  [](const model::Trial& t) { return t.measurement.quality && t.measurement.quality->nanCount > 0; });
    EXPECT_NE(recommendationSentence(s).find("the model as loaded: no measured configuration is clearly better."),
              std::string::npos)
        << recommendationSentence(s);
    s.trials[1].measurement.quality.reset();
    s.trials[2].measurement.quality.reset();
    EXPECT_NE(recommendationSentence(s).find("the model as loaded; the outputs of 2 others could not be compared"),
              std::string::npos)
        << recommendationSentence(s);
}

TEST(RecommendationSentence, ShowsNoRatioThatTheSamplesDoNotSupport)
{
    auto s = test::sampleStudy();
    s.recommended->speedup = {461, 0, 7e15, 0};
    s.recommended->verdict = model::Verdict::cannotTell;
    s.recommended->runnerUp = model::Margin{{13}, {9, 0, 7e15, 0}, model::Verdict::cannotTell};
    const std::string text = recommendationSentence(s);
    EXPECT_NE(text.find("O2 fp32 batch 4. Cannot tell how it compares with O0 fp32 batch 4: their times vary too "
                        "much. "),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("Too little was measured to compare it with the runner-up O1 fp32 batch 1 (t13)."),
              std::string::npos)
        << text;
    for (const char* number : {"461", "×", "[", "000"})
        EXPECT_EQ(text.find(number), std::string::npos) << text;
}

TEST(RecommendationSentence, SaysPlainlyThatItIsUnconfirmed)
{
    auto s = test::sampleStudy();
    EXPECT_EQ(recommendationSentence(s).find("nconfirmed"), std::string::npos);
    for (model::Trial& trial : s.trials)
        trial.measurement.confirmation = 0;
    EXPECT_NE(recommendationSentence(s).find("Unconfirmed: it was not measured in turns with O0 fp32 batch 4"),
              std::string::npos);
    s.study.state = model::StudyState::interrupted;
    EXPECT_NE(recommendationSentence(s).find("`apertune tune --resume s3` continues and confirms it."),
              std::string::npos)
        << recommendationSentence(s);
    s.workspace = "my file";
    EXPECT_NE(recommendationSentence(s).find("`apertune tune --resume s3 --store 'my file'` continues"),
              std::string::npos)
        << recommendationSentence(s);
}

TEST(RecommendationSentence, OffersAShortlistWhereNothingWasConfirmed)
{
    auto s = test::sampleStudy();
    for (model::Trial& trial : s.trials)
        trial.measurement.confirmation = 0;
    s.shortlist = {*s.recommended, {{13}, {1.1, 0.2, 9, 0.95}, {12}}};
    s.recommended.reset();
    EXPECT_EQ(answerOf(s), Answer::shortlist);
    EXPECT_TRUE(canBeSurer(s));
    EXPECT_EQ(recommendationSentence(s),
              "No recommendation: the budget was spent. The best trials were not measured in turns, so other load on "
              "the machine may explain their differences. `apertune tune --resume s3 --budget 2m` confirms them.");
    EXPECT_EQ(shortlistLines(s),
              (std::vector<std::string>{"t14  O2 fp32 batch 4: 1.55× [1.53, 1.57] as fast as O0 fp32 batch 4",
                                        "t13  O1 fp32 batch 1: too few passes to compare it with O0 fp32 batch 4"}));
    const base::Json document = studyDocument(s);
    EXPECT_TRUE(document["recommended"].is_null());
    EXPECT_EQ(document["shortlist"]["candidates"][0]["trial"], "t14");
    EXPECT_EQ(document["shortlist"]["candidates"][0]["speedup"]["value"], 1.55);
    EXPECT_EQ(document["shortlist"]["command"], "apertune tune --resume s3 --budget 2m");

    s.study.state = model::StudyState::interrupted;
    s.workspace = "my file";
    EXPECT_EQ(confirmCommand(s), "apertune tune --resume s3 --store 'my file'");
    EXPECT_EQ(recommendationSentence(s).find("No recommendation: the study was interrupted. "), 0u);
    s.study.state = model::StudyState::running;
    EXPECT_EQ(confirmCommand(s), "");
    EXPECT_TRUE(studyDocument(s)["shortlist"]["command"].is_null());
    EXPECT_TRUE(studyDocument(test::sampleStudy())["shortlist"].is_null());
}

TEST(RecommendationSentence, SaysThatOneConfigurationIsNoChoice)
{
    auto s = test::sampleStudy();
    s.shortlist = {{s.trials[0].id, {1, 1, 1, 0}, {}}};
    s.recommended.reset();
    for (std::size_t i = 1; i < s.trials.size(); ++i)
        if (s.trials[i].state == model::TrialState::ok)
            s.trials[i].state = model::TrialState::cancelled;
    EXPECT_EQ(recommendationSentence(s),
              "No recommendation: the budget was spent. Only 1 configuration of 10 was measured. Measure longer: "
              "`apertune tune --resume s3 --budget 2m`.");
    EXPECT_TRUE(shortlistLines(s)[0].ends_with(": the model as loaded")) << shortlistLines(s)[0];
}

TEST(RecommendationSentence, TellsABaselineThatNothingBeatFromOneThatNothingWasComparedWith)
{
    auto s = test::sampleStudy();
    s.recommended = model::Recommendation{};
    s.recommended->trial = s.trials[0].id;
    std::erase_if(s.trials,
                  [](const model::Trial& t) { return t.measurement.quality && t.measurement.quality->nanCount > 0; });
    EXPECT_EQ(answerOf(s), Answer::asLoaded);
    EXPECT_NE(recommendationSentence(s).find("the model as loaded: no measured configuration is clearly better."),
              std::string::npos);
    for (std::size_t i = 1; i < s.trials.size(); ++i)
        s.trials[i].state = model::TrialState::pruned;
    EXPECT_EQ(answerOf(s), Answer::asLoaded);
    EXPECT_NE(recommendationSentence(s).find("the model as loaded: nothing else was measured, so what optimizing gains "
                                             "is not known."),
              std::string::npos)
        << recommendationSentence(s);
    EXPECT_EQ(answerOf(test::sampleStudy()), Answer::better);
    s.recommended.reset();
    EXPECT_EQ(answerOf(s), Answer::nothing);
}

TEST(RecommendationSentence, SaysThatNothingHasAnInterval)
{
    auto s = test::sampleStudy();
    s.recommended.reset();
    for (model::Trial& trial : s.trials)
        trial.measurement.latencyNs.confidence = 0;
    EXPECT_TRUE(lacksIntervals(s));
    EXPECT_EQ(recommendationSentence(s),
              "No recommendation: no measured configuration of 5 has enough passes for an interval; 1 gives NaN or "
              "infinite values. Measure longer: `apertune tune --resume s3 --budget 2m`.");
}

TEST(TrialSheet, ShowsTheMeasurementAndWhatTookEffect)
{
    const auto s = test::sampleStudy();
    expectGolden("trial.txt", trialSheet(s, s.trials[2]));
}

TEST(TrialSheet, OfAFailedTrialShowsReasonAndLog)
{
    auto s = test::sampleStudy();
    s.trials[6].reason.detail = "g++: internal compiler error";
    expectGolden("trial_failed.txt", trialSheet(s, s.trials[6]));
}

TEST(Format, GroupsThousandsFromFourDigitsOn)
{
    EXPECT_EQ(text::formatGrouped(999.5, 1), "999.5");
    EXPECT_EQ(text::formatGrouped(1234567.25, 2), "1\u00A0234\u00A0567.25");
    EXPECT_EQ(text::formatGrouped(-1234, 0), "-1\u00A0234");
    EXPECT_EQ(text::formatGrouped(-123, 0), "-123");
}

TEST(Format, ShowsAsManyDecimalsAsTheIntervalSupports)
{
    EXPECT_EQ(text::formatPlusMinus({56.132, 55.908, 56.356, 0.95}), "56.13 ± 0.22");
    EXPECT_EQ(text::formatPlusMinus({2914, 2883, 2945, 0.95}), "2\u00A0914 ± 31");
    EXPECT_EQ(text::formatPlusMinus({7.5121, 7.5079, 7.5163, 0.95}), "7.512 ± 0.004");
    EXPECT_EQ(text::formatSlowdown(1.254, "then"), "1.25 times slower than then");
    EXPECT_EQ(text::formatSlowdown(0.2, "then"), "5.00 times faster than then");
    EXPECT_EQ(text::formatSlowdown(1.0001, "then"), "as fast as then");
    EXPECT_EQ(text::formatSlowdown(0.9999, "then"), "as fast as then");
    EXPECT_EQ(text::formatPlusMinus({0.02812, 0.0278, 0.0284, 0.95}), "0.02812 ± 0.00030");
    EXPECT_EQ(text::formatPlusMinus({46.4, 31.1, 71.0, 0.95}), "46 [31, 71]");
    EXPECT_EQ(text::formatPlusMinus({46.4, 9.1, 171.0, 0.95}), "46.40 ± ?") << "it tells nothing";
    EXPECT_EQ(text::formatRatio({46.4, 9.1, 171.0, 0.95}), "cannot tell");
    EXPECT_EQ(text::formatPlusMinus({100, 99, 130, 0.95}), "100 [99, 130]") << "it reaches far to one side alone";
    EXPECT_EQ(text::formatPlusMinus({784.5, 784.5, 784.5, 0}), "784.5 ± ?");
    EXPECT_EQ(text::formatPlusMinus({0, 0, 0, 0.95}), "0");
    EXPECT_EQ(text::formatCertainty({100, 99, 102, 0.95}, 42), "± 1.5 % (n = 42)");
    EXPECT_EQ(text::formatCertainty({100, 6, 1798, 0.95}, 7), "(n = 7, too noisy for an interval)");
    EXPECT_EQ(text::formatCertainty({100, 40, 150, 0.95}, 7), "[-60 %, +50 %] (n = 7)");
    EXPECT_EQ(text::formatCertainty({100, 99, 130, 0.95}, 7), "[-1 %, +30 %] (n = 7)");
    EXPECT_EQ(text::formatCertainty({100, 100, 100, 0}, 3), "(n = 3, no interval)");
}

TEST(BreakEven, SaysAfterHowManyPassesCompilingIsWonBack)
{
    model::StudySnapshot s = test::sampleStudy();
    model::Config plain;
    plain.level = model::OptLevel::o1;
    model::Config compiled = plain;
    compiled.level = model::OptLevel::o3;
    s.trials = {test::measuredTrial(1, plain, 10, 31), test::measuredTrial(2, compiled, 8, 31)};
    for (model::Trial& trial : s.trials) {
        const double ms = trial.measurement.latencyNs.value;
        trial.measurement.latencyNs = {ms, ms - 0.1e6, ms + 0.1e6, 0.95};
        trial.device = "cpu";
    }
    EXPECT_TRUE(sentences::sentence(comparison::breakEvenMessage(s, s.trials[1])).empty()) << "nothing was compiled";
    s.trials[1].measurement.compile = base::fromSeconds(20);
    const auto won = comparison::breakEven(s, s.trials[1]);
    ASSERT_TRUE(won);
    EXPECT_EQ(won->against, s.trials[0].id);
    EXPECT_NEAR(won->passes, 10'000, 1e-6);
    EXPECT_NEAR(won->lo, 20 / 2.2e-3, 1e-6);
    EXPECT_NEAR(won->hi.value(), 20 / 1.8e-3, 1e-6);
    EXPECT_NE(sentences::sentence(comparison::breakEvenMessage(s, s.trials[1]))
                  .find("pays off after 10\u00A0000 passes [9\u00A0100, 12\u00A0000] against O1 fp32"),
              std::string::npos)
        << sentences::sentence(comparison::breakEvenMessage(s, s.trials[1]));
    s.trials[1].measurement.latencyNs = {9.9e6, 9.8e6, 10.0e6, 0.95};
    EXPECT_TRUE(sentences::sentence(comparison::breakEvenMessage(s, s.trials[1])).starts_with("may never pay off"));
    s.trials[1].measurement.latencyNs = {12e6, 11e6, 13e6, 0.95};
    EXPECT_TRUE(sentences::sentence(comparison::breakEvenMessage(s, s.trials[1])).starts_with("never pays off"));
    s.trials[0].config.batch = 4;
    EXPECT_FALSE(comparison::breakEven(s, s.trials[1])) << "another batch";
}

} // namespace
} // namespace apertune::report

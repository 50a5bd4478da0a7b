// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress.h"
#include "app/cli/terminal.h"

#include <gtest/gtest.h>

namespace apertune::cli {
namespace {

using Kind = study::StudyEvent::Kind;

model::Trial leftOut(const char* why)
{
    model::Trial trial;
    trial.device = "cpu";
    trial.state = model::TrialState::pruned;
    trial.reason = {model::ReasonKind::bisect, base::foreignText(why)};
    return trial;
}

TEST(Progress, ConfigurationsThatAreLeftOutInARowForOneReasonAreOneLine)
{
    Terminal terminal(false, false);
    Progress progress(terminal);
    study::StudyEvent event;
    event.total = 9;
    event.configuration = "O2 fp32 b1";
    ::testing::internal::CaptureStderr();
    for (const char* why : {"A.", "A.", "A.", "B.", "A."}) {
        event.kind = Kind::trialFinished;
        ++event.done;
        const model::Trial trial = leftOut(why);
        event.trial = &trial;
        progress(event);
    }
    event.kind = Kind::message;
    event.message = base::foreignText("Then.");
    progress(event);
    for (int i = 0; i < 2; ++i) {
        event.kind = Kind::trialFinished;
        ++event.done;
        const model::Trial trial = leftOut("A.");
        event.trial = &trial;
        progress(event);
    }
    event.kind = Kind::studyFinished;
    progress(event);
    const auto text = [](const char* why) {
        const model::Trial trial = leftOut(why);
        study::StudyEvent finished;
        finished.trial = &trial;
        finished.configuration = "O2 fp32 b1";
        return finishedText(finished);
    };
    const std::string a = text("A.");
    const std::string b = text("B.");
    EXPECT_EQ(a, "cpu O2 fp32 b1: pruned, bisect: A.") << "named as the event names it";
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "[1/9] " + a + "\n[3/9] and 2 more: bisect: A.\n[4/9] " + b +
                                                            "\n[5/9] " + a + "\nThen.\n[6/9] " + a +
                                                            "\n[7/9] and 1 more: bisect: A.\n");
}

TEST(Progress, TheStatusLineMovesWhileAConfigurationRuns)
{
    const auto at = [](double seconds) { return base::fromSeconds(seconds); };
    LiveLine line{"[ 3/15]", "cpu O2 bf16 b1  measure", at(100), at(110), at(5), at(70)};
    EXPECT_EQ(liveText(line, at(112)), "[ 3/15] 12 s, about 3 s – 1 min 08 s left  cpu O2 bf16 b1  measure");
    EXPECT_EQ(liveText(line, at(113)), "[ 3/15] 13 s, about 2 s – 1 min 07 s left  cpu O2 bf16 b1  measure");
    EXPECT_EQ(liveText(line, at(190)), "[ 3/15] 1 min 30 s, about 0 s left  cpu O2 bf16 b1  measure")
        << "an estimate that was too short does not become negative";
}

} // namespace
} // namespace apertune::cli

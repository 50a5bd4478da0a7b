// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html.h"
#include "core/report/plot_axis.h"
#include "core/workload/stages/pipeline_run.h"
#include "tests/support/golden.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace apertune::report {
namespace {

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++n;
    return n;
}

/// The first element that is closed wrongly or never, "" when the page is well-formed.
std::string firstUnbalanced(const std::string& html)
{
    static const std::set<std::string> kVoid{"meta", "!DOCTYPE"};
    std::vector<std::string> open;
    for (auto at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
        const auto end = html.find('>', at);
        if (end == std::string::npos)
            return "a tag that does not end";
        const bool closing = html[at + 1] == '/';
        const auto from = at + (closing ? 2 : 1);
        const std::string name = html.substr(from, html.find_first_of(" >/\n", from) - from);
        if (kVoid.contains(name) || html[end - 1] == '/')
            continue;
        if (!closing) {
            open.push_back(name);
        } else {
            if (open.empty() || open.back() != name)
                return name + " inside " + (open.empty() ? std::string("nothing") : open.back());
            open.pop_back();
        }
    }
    return open.empty() ? std::string() : open.back();
}

/// The section with that heading, "" when the page has none.
std::string section(const std::string& html, const std::string& heading)
{
    const auto from = html.find("<h2>" + heading + "</h2>");
    return from == std::string::npos ? std::string() : html.substr(from, html.find("</section>", from) - from);
}

/// Headings and elements without their text: what the page consists of.
std::string outline(const std::string& html)
{
    std::string out;
    for (const std::string tag : {"<h1>", "<h2>", "<h3>", "<dt>"})
        for (auto at = html.find(tag); at != std::string::npos; at = html.find(tag, at + 1)) {
            const auto from = at + tag.size();
            out += tag + " " + html.substr(from, html.find('<', from) - from) + "\n";
        }
    return out;
}

const std::vector<model::TrialId> kFront{{15}, {14}};

TEST(HtmlReport, HasEverySection)
{
    apertune::test::expectGolden("report_outline.txt", outline(htmlReport(test::sampleStudy(), kFront)));
}

TEST(HtmlReport, TellsWhatACompetingProgramCosts)
{
    const model::StudySnapshot study = test::sampleStudy();
    EXPECT_EQ(section(htmlReport(study), "Beside another program"), "") << "nothing was measured";
    const model::Trial& best = *study.find(study.recommended->trial);
    model::Config single = best.config;
    single.threads = 1;
    const model::Interval one{1, 1, 1, 0.95};
    const model::Robustness robustness{
        2,
        {{best.config, best.id, {20e6, 19e6, 21e6, 0.95}, {60e6, 58e6, 62e6, 0.95}, {3, 2.9, 3.1, 0.95}, one},
         {single, {}, {30e6, 29e6, 31e6, 0.95}, {33e6, 1e6, 900e6, 0.95}, {9, 0.1, 30, 0.95}, {1.8, 1.7, 1.9, 0.95}}}};
    const std::string html = htmlReport(study, {}, {}, {}, robustness);
    EXPECT_EQ(firstUnbalanced(html), "");
    const std::string told = section(html, "Beside another program");
    for (const char* part : {"on 2 processors", "<td class=\"n\">60.00</td>", "3.0× [2.9, 3.1]", "cannot tell",
                             "th1 is 1.80× [1.70, 1.90] as fast beside it"})
        EXPECT_NE(told.find(part), std::string::npos) << part << "\n" << told;
}

TEST(HtmlReport, IsWellFormed)
{
    EXPECT_EQ(firstUnbalanced(htmlReport(test::sampleStudy(), kFront)), "");
    EXPECT_EQ(firstUnbalanced(htmlReport(test::interruptedStudy())), "");
    EXPECT_EQ(firstUnbalanced(htmlReport(test::twoDeviceStudy())), "");
    EXPECT_EQ(firstUnbalanced(htmlReport(model::StudySnapshot{})), "");
    EXPECT_EQ(firstUnbalanced("<p><b></p></b>"), "p inside b") << "the check itself can fail";
}

TEST(HtmlReport, NamesTheMachineOfATrialWhereItIsAnother)
{
    auto study = test::sampleStudy();
    EXPECT_EQ(htmlReport(study).find(" on faster CPU"), std::string::npos);
    study.trials[3].measurement.conditions.machine = "faster CPU, 8 cores, 16 threads";
    EXPECT_NE(htmlReport(study).find(" on faster CPU, 8 cores, 16 threads"), std::string::npos);
}

TEST(HtmlReport, NeedsNothingFromOutside)
{
    const std::string html = htmlReport(test::sampleStudy(), kFront);
    for (const char* reference : {"http:", "https:", "src=", "href=", "url(", "@import", "<script", "<link"})
        EXPECT_EQ(html.find(reference), std::string::npos) << reference;
}

TEST(HtmlReport, ABrowserIsToldToLoadAndRunNothing)
{
    const std::string html = htmlReport(test::sampleStudy(), kFront);
    const auto policy = html.find("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    ASSERT_NE(policy, std::string::npos);
    EXPECT_LT(policy, html.find("<style")) << "it holds for what follows it";
    EXPECT_LT(policy, html.find("<title"));
}

TEST(HtmlReport, NamesEveryTrial)
{
    const auto study = test::sampleStudy();
    const std::string html = htmlReport(study, kFront);
    for (const model::Trial& trial : study.trials)
        EXPECT_NE(html.find("t" + std::to_string(trial.id.value)), std::string::npos) << trial.id.value;
}

TEST(HtmlReport, TextFromAStudyCannotBecomeMarkup)
{
    auto study = test::sampleStudy();
    study.study.name = "<script>alert(1)</script>";
    study.study.environment.host = "\"><b>";
    study.study.commandLine = "apertune tune 'a&b'";
    study.trials[5].reason.message = base::foreignText("</dd><i>{{uuid}}");
    study.study.environment.settings = {{"<k>", "<v>"}};
    const std::string html = htmlReport(study, kFront);
    for (const char* markup : {"<script", "\"><b>", "</dd><i>", "<k>", "<v>"})
        EXPECT_EQ(html.find(markup), std::string::npos) << markup;
    EXPECT_NE(html.find("{{uuid}}"), std::string::npos) << "a value is no template";
    EXPECT_NE(html.find("a&amp;b"), std::string::npos);
    EXPECT_EQ(firstUnbalanced(html), "");
}

TEST(HtmlReport, ShowsWhatTrialsAreWorthOnLabelledPictures)
{
    const auto study = test::sampleStudy();
    const auto share = [](double value) { return model::Interval{value, value - 0.01, value + 0.01, 0.95}; };
    const model::Accuracy evaluated{"/data/<val>", 40, 1, {{"top1", share(0.7), share(0.75), share(-0.05)}}};
    const std::string html = htmlReport(study, kFront, {}, {{study.trials[0].id, evaluated}, {{999}, evaluated}});
    EXPECT_NE(html.find("Accuracy on labelled images"), std::string::npos);
    EXPECT_NE(html.find("40 labelled images of &lt;val&gt;, 1 could not be read"), std::string::npos);
    EXPECT_NE(html.find("70.0 % [69.0, 71.0]"), std::string::npos);
    EXPECT_NE(html.find("-5.00 % ["), std::string::npos);
    EXPECT_EQ(html.find("t999"), std::string::npos) << "a trial of another study";
    EXPECT_EQ(firstUnbalanced(html), "");
    EXPECT_EQ(htmlReport(study, kFront).find("labelled images"), std::string::npos);
}

TEST(HtmlReport, ShowsRunsFromImageToAnswer)
{
    const auto study = test::sampleStudy();
    workload::PipelineRun run;
    run.source = "<images>";
    for (auto& stage : run.summary.stages)
        stage.perImageNs = {1e6, 0.9e6, 1.1e6, 0.95};
    run.modelOnlyNs = {3e6, 2.9e6, 3.1e6, 0.95};
    const std::string html = htmlReport(study, kFront, {{study.trials[0].id, run}, {{999}, run}});
    const std::string shown = section(html, "From image to answer");
    EXPECT_EQ(count(shown, "<h3>"), 1u) << "a run of another study is left out";
    EXPECT_EQ(count(shown, "<rect"), 7u) << "six stages and the model alone";
    EXPECT_NE(shown.find("<rect x=\"150.00\" y=\"0\" width=\"150.00\""), std::string::npos) << shown;
    EXPECT_NE(shown.find("&lt;images&gt;"), std::string::npos);
    EXPECT_EQ(firstUnbalanced(html), "");
}

TEST(TradeOffPlot, DrawsAPointWithItsIntervalsForEveryMeasuredTrial)
{
    const std::string svg = section(htmlReport(test::sampleStudy(), kFront), "Trade-off: throughput against latency");
    EXPECT_EQ(count(svg, "<title>"), 5u);
    EXPECT_EQ(count(svg, "class=\"interval\""), 10u);
    EXPECT_EQ(count(svg, "<path class=\"front\""), 1u);
    EXPECT_EQ(count(svg, "class=\"ring\""), 2u) << "the point and the legend";
    EXPECT_EQ(htmlReport(test::sampleStudy()).find("<path"), std::string::npos);
}

TEST(TradeOffPlot, IsLeftOutWhenNothingWasMeasured)
{
    auto study = test::sampleStudy();
    study.trials.erase(study.trials.begin(), study.trials.begin() + 5);
    study.recommended.reset();
    EXPECT_EQ(htmlReport(study).find("Trade-off"), std::string::npos);
}

TEST(ThroughputMatrix, HasARowAFamilyAndAWordForWhatIsMissing)
{
    const std::string heading = "Throughput by configuration and batch, img/s";
    const std::string table = section(htmlReport(test::sampleStudy()), heading);
    EXPECT_EQ(count(table, "<tr>"), 1u + 5u) << table;
    EXPECT_NE(table.find(">oom<"), std::string::npos);
    EXPECT_NE(table.find(">compile_failed<"), std::string::npos);
    EXPECT_EQ(table.find("bf16"), std::string::npos) << "what is impossible stands in its own list";
    EXPECT_EQ(count(section(htmlReport(test::twoDeviceStudy()), heading), "<table"), 2u);
}

TEST(PlotAxis, LinearEndsAtARoundNumberWithEvenTicks)
{
    const PlotAxis axis = PlotAxis::linear(23.8);
    EXPECT_DOUBLE_EQ(axis.end(), 25);
    ASSERT_EQ(axis.ticks().size(), 6u);
    EXPECT_EQ(axis.ticks()[1].label, "5");
    EXPECT_DOUBLE_EQ(axis.position(12.5), 0.5);
    EXPECT_DOUBLE_EQ(axis.position(1000), 1);
    EXPECT_DOUBLE_EQ(PlotAxis::linear(0).end(), 1) << "nothing measured must not divide by zero";
    EXPECT_EQ(PlotAxis::linear(2914).ticks().back().label, "3\u00A0000");
}

TEST(PlotAxis, LogarithmicHasAReadableNumberOfTicksOverAnySpan)
{
    for (const double hi : {1.01, 1.5, 4.0, 30.0, 1000.0, 1e6}) {
        const PlotAxis axis = PlotAxis::logarithmic(1, hi);
        EXPECT_GE(axis.ticks().size(), 3u) << hi;
        EXPECT_LE(axis.ticks().size(), 9u) << hi;
        std::set<std::string> labels;
        for (const PlotAxis::Tick& tick : axis.ticks())
            labels.insert(tick.label);
        EXPECT_EQ(labels.size(), axis.ticks().size()) << "labels repeat over " << hi;
    }
    const PlotAxis axis = PlotAxis::logarithmic(1, 100);
    EXPECT_NEAR(axis.position(10), 0.5, 1e-9);
}

} // namespace
} // namespace apertune::report

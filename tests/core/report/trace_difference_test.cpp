// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trace_difference.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace apertune::report {
namespace {

using analysis::DifferenceKind;
using analysis::DifferencePart;

constexpr double kMs = 1e6;

model::Interval around(double ms, double half)
{
    return {ms * kMs, (ms - half) * kMs, (ms + half) * kMs, 0.95};
}

DifferencePart part(DifferenceKind kind, double a, double b)
{
    DifferencePart p;
    p.kind = kind;
    p.timeA = around(a, 0.1);
    p.timeB = around(b, 0.1);
    p.change = around(b - a, 0.2);
    p.places = 1;
    return p;
}

/// 30 ms against 22 ms: a convolution of another kernel, a normalisation that is gone, and a wait for the host.
NamedDifference sample()
{
    auto trace = std::make_shared<trace::Trace>();
    trace->strings.insert(trace->strings.end(), {"void conv<float>(float*)", "it's_a_norm"});
    NamedDifference named;
    named.a = {"tr3", "resnet O0", 3, trace};
    named.b = {"tr4", "resnet O1 <b>", 4, trace};
    analysis::TraceDifference& d = named.difference;
    d.a.onDevice = d.b.onDevice = true;
    d.a.iterations = d.b.iterations = 20;
    d.a.source = d.b.source = analysis::IterationSource::profilerStep;
    d.a.time = around(30, 0.3);
    d.b.time = around(22, 0.2);
    d.change = around(-8, 0.4);
    d.matchedShare = 0.9;
    d.parts = {part(DifferenceKind::replaced, 20, 14), part(DifferenceKind::removed, 4, 0),
               part(DifferenceKind::idle, 6, 8)};
    d.parts[0].a = {{"conv", analysis::OpClass::convolution, 3, {1}, trace::EventKind::kernel}};
    d.parts[0].b = {{"conv_tensor_core", analysis::OpClass::convolution, 3, {1}, trace::EventKind::kernel}};
    d.parts[0].opClass = analysis::OpClass::convolution;
    d.parts[0].origin = "aten::conv2d";
    d.parts[1].a = {{"norm", analysis::OpClass::normalization, 1, {2}, trace::EventKind::kernel}};
    d.parts[1].opClass = analysis::OpClass::normalization;
    d.parts[2].cause = analysis::IdleCause::launchGap;
    return named;
}

TEST(TraceDifferenceReport, TheStepsOfTheTextLeadFromAToB)
{
    const std::string text = traceDifferenceText(sample(), 20, 0);
    EXPECT_NE(text.find("22.00 ± 0.20 ms in B and 30.00 ± 0.30 ms in A: −8.00 [−8.40, −7.60] ms (−26.7 %)"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("convolution: replaced   −6.00 [−6.20, −5.80]"), std::string::npos) << text;
    EXPECT_NE(text.find("conv ×3 → conv_tensor_core ×3"), std::string::npos) << text;
    EXPECT_NE(text.find("idle: launch gap"), std::string::npos) << text;
    EXPECT_LT(text.find("convolution: replaced"), text.find("normalization: removed")) << "largest first";
}

TEST(TraceDifferenceReport, RowsThatAreLeftOutAreAddedUp)
{
    const std::string text = traceDifferenceText(sample(), 1, 0);
    EXPECT_NE(text.find("2 more (--rows)"), std::string::npos) << text;
    EXPECT_NE(text.find("together −2"), std::string::npos) << text;
}

TEST(TraceDifferenceReport, TheDocumentClosesAndHasTheQueries)
{
    const base::Json document = traceDifferenceDocument(sample());
    double sum = 0;
    for (const base::Json& p : document["parts"])
        sum += p["change_ms"]["value"].get<double>();
    EXPECT_NEAR(sum + document["rest_ms"].get<double>(), document["change_ms"]["value"].get<double>(), 1e-9);
    EXPECT_EQ(document["parts"][1]["query_a"],
              "SELECT start_ns, duration_ns, name FROM kernel WHERE trace_id = 3 AND name IN ('it''s_a_norm')");
    EXPECT_TRUE(document["parts"][1]["query_b"].is_null());
    EXPECT_EQ(document["parts"][2]["cause"], "launch_gap");
}

TEST(TraceDifferenceReport, WithoutAnIntervalNoEndsAreShown)
{
    NamedDifference named = sample();
    named.difference.change.confidence = 0;
    EXPECT_NE(traceDifferenceText(named, 20, 0).find("no interval, so chance may explain it"), std::string::npos);
    EXPECT_TRUE(traceDifferenceDocument(named)["change_ms"]["lo"].is_null());
}

TEST(TraceDifferenceReport, CsvHasALineForEachPart)
{
    const std::string csv = traceDifferenceCsv(sample());
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
    EXPECT_NE(csv.find("replaced,convolution,,aten::conv2d,1,conv ×3,conv_tensor_core ×3,20,14,-6,"), std::string::npos)
        << csv;
}

TEST(TraceDifferenceReport, HtmlEscapesNamesAndDrawsEachStep)
{
    const std::string html = traceDifferenceHtml(sample());
    EXPECT_NE(html.find("resnet O1 &lt;b&gt;"), std::string::npos);
    EXPECT_EQ(html.find("resnet O1 <b>"), std::string::npos);
    std::size_t bars = 0;
    for (auto at = html.find("class=\"track\""); at != std::string::npos; at = html.find("class=\"track\"", at + 1))
        ++bars;
    EXPECT_EQ(bars, 5u) << "A, three steps, B";
}

TEST(TraceDifferenceReport, ATraceWithoutWorkIsRefused)
{
    const NamedDifference named = sample();
    const auto compared = compareTraces(named.a, 0, named.b, 0);
    ASSERT_FALSE(compared);
    EXPECT_EQ(sentences::sentence(compared.error().message), "tr3 holds neither kernels nor operators.");
}

} // namespace
} // namespace apertune::report

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/trace_difference.h"
#include "core/comparison/trace_difference_document.h"
#include "core/comparison/trace_difference_text.h"
#include "core/report/trace_difference_html.h"
#include "core/sentences/sentences.h"
#include "tests/core/analysis/small_trace.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace apertune::comparison {
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
    const std::string text = traceDifferenceText(std::vector{sample()}, 20, 0);
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
    const std::string text = traceDifferenceText(std::vector{sample()}, 1, 0);
    EXPECT_NE(text.find("2 more (--rows)"), std::string::npos) << text;
    EXPECT_NE(text.find("together −2"), std::string::npos) << text;
}

TEST(TraceDifferenceReport, TheDocumentClosesAndHasTheQueries)
{
    const base::Json document = traceDifferenceDocument(std::vector{sample()});
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
    EXPECT_NE(traceDifferenceText(std::vector{named}, 20, 0).find("no interval and the difference may be chance"),
              std::string::npos);
    EXPECT_TRUE(traceDifferenceDocument(std::vector{named})["change_ms"]["lo"].is_null());
}

TEST(TraceDifferenceReport, CsvHasALineForEachPart)
{
    const std::string csv = traceDifferenceCsv(std::vector{sample()});
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
    EXPECT_NE(csv.find("replaced,convolution,,aten::conv2d,1,conv ×3,conv_tensor_core ×3,20,14,-6,"), std::string::npos)
        << csv;
}

TEST(TraceDifferenceReport, HtmlEscapesNamesAndDrawsEachStep)
{
    const std::string html = report::traceDifferenceHtml(std::vector{sample()});
    EXPECT_NE(html.find("resnet O1 &lt;b&gt;"), std::string::npos);
    EXPECT_EQ(html.find("resnet O1 <b>"), std::string::npos);
    std::size_t bars = 0;
    for (auto at = html.find("class=\"track\""); at != std::string::npos; at = html.find("class=\"track\"", at + 1))
        ++bars;
    EXPECT_EQ(bars, 5u) << "A, three steps, B";
}

TEST(TraceDifferenceReport, TheResidualIsTold)
{
    NamedDifference named = sample();
    EXPECT_EQ(traceDifferenceDocument(std::vector{named})["residual_ms"], 0);
    named.difference.parts[2].cause = analysis::IdleCause::unknown;
    const base::Json document = traceDifferenceDocument(std::vector{named});
    EXPECT_NEAR(document["residual_ms"].get<double>(), 2, 1e-9);
    EXPECT_NEAR(document["residual_share"].get<double>(), 0.25, 1e-9);
    EXPECT_NE(traceDifferenceText(std::vector{named}, 20, 0).find("Residual: +2.000 ms (25.0 % of the difference)"),
              std::string::npos)
        << traceDifferenceText(std::vector{named}, 20, 0);
}

TEST(TraceDifferenceReport, TheDifferenceWithoutRecordingIsToldBesideIt)
{
    NamedDifference named = sample();
    EXPECT_TRUE(traceDifferenceDocument(std::vector{named})["without_recording"].is_null());
    for (const auto& [name, ms] : {std::pair(&named.a, 29.0), std::pair(&named.b, 21.5)}) {
        auto trace = std::make_shared<trace::Trace>(*name->trace);
        trace->cost.emplace();
        trace->cost->bareNs = around(ms, 0.1);
        name->trace = trace;
    }
    const base::Json bare = traceDifferenceDocument(std::vector{named})["without_recording"];
    EXPECT_NEAR(bare["change_ms"]["value"].get<double>(), -7.5, 1e-9);
    EXPECT_NEAR(bare["recording_ms"]["value"].get<double>(), -0.5, 1e-9);
}

TEST(TraceDifferenceReport, SeveralTracesHaveAColumnEach)
{
    NamedDifference third = sample();
    third.b.name = "tr5";
    third.difference.parts.erase(third.difference.parts.begin() + 1); // without the normalisation
    const std::vector<NamedDifference> both{sample(), third};
    const std::string text = traceDifferenceText(both, 20, 0);
    EXPECT_NE(text.find("C: tr5"), std::string::npos) << text;
    EXPECT_NE(text.find("normalization: removed"), std::string::npos);
    EXPECT_NE(text.find("–"), std::string::npos) << "a step that one of them lacks";
    const base::Json document = traceDifferenceDocument(both);
    EXPECT_EQ(document["schema"], "apertune.trace-comparisons/1");
    EXPECT_EQ(document["baseline"], "tr3");
    EXPECT_EQ(document["comparisons"][1]["b"]["trace"], "tr5");
    const std::string csv = traceDifferenceCsv(both);
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6);
    EXPECT_NE(csv.find("tr3,tr5,replaced"), std::string::npos) << csv;
    EXPECT_NE(report::traceDifferenceHtml(both).find("tr3 against tr4, tr5"), std::string::npos);
}

TEST(TraceDifferenceReport, LayersAndAllocationsAreInEachForm)
{
    NamedDifference named = sample();
    analysis::DifferenceLayer layer;
    layer.position = 1;
    layer.shapes = "1×64×8×8, 64×64×3×3";
    layer.a = named.difference.parts[0].a;
    layer.b = named.difference.parts[0].b;
    layer.timeA = around(20, 0.1);
    layer.timeB = around(14, 0.1);
    layer.change = around(-6, 0.2);
    named.difference.layers = {layer, layer};
    named.difference.layers[1].position = 2;
    analysis::AllocationDifference& allocations = named.difference.allocations;
    allocations.a = {true, 2048, false, {3, 2048}, {{"aten::conv2d", {3, 2048}}}};
    allocations.b = {true, 1024, false, {1, 1024}, {{"", {1, 1024}}}};
    const std::string text = traceDifferenceText(std::vector{named}, 20, 0);
    EXPECT_NE(text.find("1×64×8×8, 64×64×3×3  conv ×3 → conv_tensor_core ×3"), std::string::npos) << text;
    EXPECT_NE(text.find("Peak of the tensors: A 2.00 KiB, B 1.00 KiB"), std::string::npos) << text;
    const base::Json document = traceDifferenceDocument(std::vector{named});
    EXPECT_EQ(document["layers"][1]["position"], 2);
    EXPECT_EQ(document["layers"][0]["query_a"],
              "SELECT start_ns, duration_ns, name FROM kernel WHERE trace_id = 3 AND name IN ('void "
              "conv<float>(float*)')");
    EXPECT_EQ(document["allocations"]["a"]["peak_bytes"], 2048);
    EXPECT_TRUE(document["allocations"]["operators"][1]["operator"].is_null() ||
                document["allocations"]["operators"][0]["operator"].is_null());
    const std::string html = report::traceDifferenceHtml(std::vector{named});
    EXPECT_NE(html.find("64×64×3×3"), std::string::npos);
    EXPECT_NE(html.find("outside of operators"), std::string::npos);
    EXPECT_NE(html.find("<summary>SQL</summary>"), std::string::npos);
}

TEST(TraceDifferenceReport, ATraceWithoutWorkIsRefused)
{
    const NamedDifference named = sample();
    const auto compared = compareTraces(named.a, 0, named.b, 0);
    ASSERT_FALSE(compared);
    EXPECT_EQ(sentences::sentence(compared.error().message), "tr3 holds neither kernels nor operators.");
}

TEST(TraceDifferences, ARecordingThatLacksItsKernelsIsRefused)
{
    analysis::testing::SmallTrace whole;
    analysis::testing::SmallTrace lost;
    for (std::uint32_t i = 1; i <= 20; ++i) {
        const std::int64_t start = 100 * i;
        for (analysis::testing::SmallTrace* t : {&whole, &lost}) {
            t->op("aten::conv2d", start, start + 60);
            t->call("cudaLaunchKernel", start + 10, start + 15, i);
        }
        whole.kernel("conv", start + 20, start + 60, i);
    }
    const TraceName a{"tr1", "whole", 1, std::make_shared<const trace::Trace>(whole.finish())};
    const TraceName b{"tr2", "lost", 2, std::make_shared<const trace::Trace>(lost.finish())};
    EXPECT_TRUE(compareTraces(a, 1, a, 1));
    const auto refused = compareTraces(a, 1, b, 1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, base::ErrorCode::unsupported);
    EXPECT_EQ(sentences::sentence(refused.error().message), "tr2 holds launches of kernels, but not the kernels.");
}

} // namespace
} // namespace apertune::comparison

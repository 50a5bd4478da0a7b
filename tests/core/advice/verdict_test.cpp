// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/documents.h"
#include "core/advice/verdict.h"
#include "core/sentences/sentences.h"
#include "core/trace/trace_builder.h"
#include "host_trace.h"
#include "planted_traces.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>

namespace apertune::advice {
namespace {

using sentences::sentence;
using testing::HostTrace;
using testing::kSeed;
using testing::Plant;
using testing::Planted;

/// Seeds nobody tuned to; APERTUNE_PLANT_SEED tries others.
std::uint64_t firstSeed()
{
    const char* const text = std::getenv("APERTUNE_PLANT_SEED");
    return text ? std::strtoull(text, nullptr, 10) : 8'675'309;
}

/// True when the verdict names the planted cause, and its rule is the first finding or part of it.
bool isNamedFirst(const Planted& planted, const FindingReport& j)
{
    const bool word = planted.words.empty() || std::find(planted.words.begin(), planted.words.end(),
                                                         toString(j.verdict.kind)) != planted.words.end();
    const bool rule =
        planted.rule.empty() || std::any_of(j.findings.begin(), j.findings.end(), [&](const Finding& f) {
            return f.rule == planted.rule && (&f == &j.findings.front() || f.partOf == j.findings.front().rule);
        });
    return word && rule;
}

std::string rulesOf(const FindingReport& j)
{
    std::string text;
    for (const Finding& f : j.findings)
        text += (text.empty() ? "" : " ") + f.rule;
    return text;
}

/// Columns of zeros are no columns in a trace that comes from a workspace; `all`: nor are the others.
trace::Trace withoutColumns(trace::Trace trace, bool all)
{
    for (trace::Series& series : trace.series) {
        const auto drop = [all](auto& column) {
            if (all || std::all_of(column.begin(), column.end(), [](auto value) { return value == 0; }))
                column.clear();
        };
        drop(series.events.correlation);
        drop(series.events.link);
        drop(series.events.detail);
        drop(series.events.value);
        drop(series.events.address);
    }
    return trace;
}

TEST(Verdict, IsTheSameWithoutColumnsOfZeros)
{
    for (const Plant plant : testing::allPlants()) {
        const Planted planted = testing::plantedTrace(plant, kSeed);
        const trace::Trace stored = withoutColumns(planted.trace, false);
        const FindingReport before = reportFindings(Facts(planted.trace, planted.context));
        const FindingReport after = reportFindings(Facts(stored, planted.context));
        EXPECT_EQ(before.verdict.sentence, after.verdict.sentence) << planted.name;
        EXPECT_EQ(rulesOf(before), rulesOf(after)) << planted.name;
        const trace::Trace bare = withoutColumns(planted.trace, true);
        EXPECT_FALSE(reportFindings(Facts(bare, planted.context)).verdict.sentence.empty()) << planted.name;
    }
}

TEST(Verdict, NamesThePlantedCauseFirstInNearlyEveryTrace)
{
    constexpr int kEach = 6;
    std::map<std::string, std::map<std::string, int>> confusion;
    int named = 0, all = 0;
    for (const Plant plant : testing::allPlants())
        for (int i = 0; i < kEach; ++i) {
            const std::uint64_t seed = firstSeed() + static_cast<std::uint64_t>(i);
            const Planted planted = testing::plantedTrace(plant, seed);
            const Facts facts(planted.trace, planted.context);
            const FindingReport j = reportFindings(facts);
            ++all;
            ++confusion[planted.name][std::string(toString(j.verdict.kind))];
            const bool ok = isNamedFirst(planted, j);
            named += ok ? 1 : 0;
            if (!ok)
                std::cout << "not named first: " << planted.name << ", seed " << seed << ": "
                          << sentence(j.verdict.sentence) << " [" << rulesOf(j) << "]\n";
        }
    std::cout << "\nplanted cause -> verdicts\n";
    for (const auto& [name, words] : confusion) {
        std::cout << "  " << std::left << std::setw(24) << name;
        for (const auto& [word, count] : words)
            std::cout << " " << word << " " << count;
        std::cout << "\n";
    }
    std::cout << named << " of " << all << " named first\n";
    ASSERT_GE(all, 40);
    EXPECT_GE(named, 0.95 * all);
}

TEST(Verdict, CopiesFromPageableMemoryAreToBePinnedFirst)
{
    for (std::uint64_t seed = firstSeed(); seed < firstSeed() + 6; ++seed) {
        const testing::Planted planted = testing::plantedTrace(Plant::pageableInput, seed);
        const Verdict verdict = reportFindings(Facts(planted.trace, planted.context)).verdict;
        ASSERT_FALSE(verdict.knobs.empty());
        EXPECT_NE(sentences::sentence(verdict.knobs.front().text).find("pinned"), std::string::npos)
            << sentences::sentence(verdict.knobs.front().text);
    }
}

TEST(Verdict, SaysWhatTheHostWasBusyWith)
{
    trace::TraceBuilder builder;
    const auto thread = builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
    const auto stream = builder.track({.type = trace::TrackType::stream, .device = 0, .stream = 7});
    const auto add = [&](trace::TrackId track, trace::EventKind kind, const std::string& name, std::int64_t from,
                         std::int64_t to, std::uint32_t correlation = 0) {
        trace::Event e;
        e.start = {from};
        e.duration = {to - from};
        e.name = builder.intern(name);
        e.correlation = correlation;
        builder.add(track, kind, e);
    };
    std::int64_t now = 0;
    std::uint32_t correlation = 0;
    for (int pass = 0; pass < 12; ++pass) {
        const std::int64_t began = now;
        // The loader calls something itself, and another operator takes a little time behind it.
        add(thread, trace::EventKind::operatorCall, "enumerate(DataLoader)#Iter.__next__", now, now + 4'000'000);
        add(thread, trace::EventKind::operatorCall, "aten::stack", now + 100'000, now + 3'000'000);
        add(thread, trace::EventKind::operatorCall, "aten::normal_", now + 4'100'000, now + 4'500'000);
        now += 4'600'000;
        for (int k = 0; k < 8; ++k, now += 10'000) {
            add(thread, trace::EventKind::runtimeCall, "cudaLaunchKernel", now, now + 5'000, ++correlation);
            add(stream, trace::EventKind::kernel, "ampere_sgemm_128x64_tn", began + 4'610'000 + k * 500'000,
                began + 5'109'000 + k * 500'000, correlation);
        }
        add(thread, trace::EventKind::runtimeCall, "cudaStreamSynchronize", now, began + 8'610'000);
        now = began + 8'611'000;
        add(thread, trace::EventKind::range, "ProfilerStep#" + std::to_string(pass), began, now);
    }
    const trace::Trace trace = builder.finish();
    const FindingReport j = reportFindings(Facts(trace, {}));
    EXPECT_EQ(j.verdict.kind, VerdictKind::hostBound) << sentence(j.verdict.sentence);
    EXPECT_NE(sentence(j.verdict.sentence).find("mostly in enumerate(DataLoader)#Iter.__next__ (46"), std::string::npos)
        << sentence(j.verdict.sentence);
    EXPECT_NE(sentences::sentence(j.verdict.knobs.front().text).find("num_workers"), std::string::npos)
        << sentences::sentence(j.verdict.knobs.front().text);
    ASSERT_NE(rulesOf(j).find("device-idle"), std::string::npos);
    for (const Finding& f : j.findings)
        if (f.rule == "device-idle") {
            EXPECT_NE(sentence(f.text).find("enumerate(DataLoader)"), std::string::npos) << sentence(f.text);
        }
}

TEST(Facts, OfAChosenRangeAreThoseOfTheRangeAlone)
{
    const Planted planted = testing::plantedTrace(Plant::pageableInput, firstSeed());
    const Facts whole(planted.trace, planted.context);
    ASSERT_TRUE(whole.iterations.found());
    EXPECT_FALSE(whole.chosen);
    const trace::TimeRange all = whole.window;
    const Facts same(whole, all);
    EXPECT_EQ(same.causes, whole.causes) << "the same range gives the same figures";
    EXPECT_EQ(same.steady, whole.steady);
    EXPECT_EQ(same.transfers.rows.size(), whole.transfers.rows.size());

    const trace::TimeRange two{whole.steady[2].start, whole.steady[3].end};
    const Facts part(whole, two);
    EXPECT_TRUE(part.chosen);
    EXPECT_TRUE(part.byIteration());
    EXPECT_EQ(part.steady.size(), 2u);
    EXPECT_EQ(part.window, two);
    EXPECT_EQ(&part.index, &whole.index) << "what is the same for every range is shared";
    std::int64_t total = 0;
    for (const std::int64_t time : part.causes)
        total += time;
    EXPECT_EQ(total, two.length());
    EXPECT_LT(part.sums.count, whole.sums.count / 2);

    const Facts within(whole, {two.start, two.start + whole.steady[2].length() / 2});
    EXPECT_FALSE(within.byIteration());
    EXPECT_NE(sentence(reportFindings(within).verdict.sentence).find("of"), std::string::npos);
}

TEST(Verdict, NamesNothingOnBalancedTraces)
{
    for (const Plant plant : {Plant::none, Plant::cpuNone})
        for (int i = 0; i < 20; ++i) {
            const std::uint64_t seed = firstSeed() + 1000 + static_cast<std::uint64_t>(i);
            const Planted planted = testing::plantedTrace(plant, seed);
            const Facts facts(planted.trace, planted.context);
            const FindingReport j = reportFindings(facts);
            EXPECT_EQ(j.verdict.kind, VerdictKind::balanced)
                << planted.name << " seed " << seed << ": " << sentence(j.verdict.sentence);
            EXPECT_TRUE(j.findings.empty()) << planted.name << " seed " << seed << ": " << rulesOf(j) << ": "
                                            << sentences::sentence(j.findings.front().text);
            EXPECT_TRUE(j.verdict.knobs.empty());
        }
}

TEST(Verdict, AbstainsWithoutAnyWork)
{
    const trace::Trace empty = trace::TraceBuilder().finish();
    const Facts facts(empty, {});
    const FindingReport j = reportFindings(facts);
    EXPECT_EQ(j.verdict.kind, VerdictKind::abstained);
    EXPECT_FALSE(j.verdict.needs.empty());
    EXPECT_TRUE(j.findings.empty());
}

TEST(Verdict, AbstainsWhenKernelsWereLaunchedAndNotRecorded)
{
    const testing::Planted planted = testing::plantedTrace(Plant::tinyKernels, kSeed);
    trace::Trace blind = planted.trace;
    std::erase_if(blind.series, [](const trace::Series& s) { return trace::isDeviceWork(s.kind); });
    const Facts facts(blind, {});
    const FindingReport j = reportFindings(facts);
    EXPECT_EQ(j.verdict.kind, VerdictKind::abstained);
    EXPECT_NE(sentence(j.verdict.sentence).find("record kernels"), std::string::npos) << sentence(j.verdict.sentence);
}

TEST(Verdict, AbstainsWhenKernelsWereLost)
{
    const testing::Planted planted = testing::plantedTrace(Plant::tinyKernels, kSeed);
    trace::Trace lossy = planted.trace;
    lossy.losses.push_back(
        {{0}, trace::EventKind::kernel, 1000, trace::LossSeverity::error, base::foreignText("buffers were full")});
    const Facts facts(lossy, {});
    EXPECT_EQ(reportFindings(facts).verdict.kind, VerdictKind::abstained);
}

TEST(Verdict, PartsAddUpToTheWindow)
{
    for (const Plant plant : testing::allPlants()) {
        const testing::Planted planted = testing::plantedTrace(plant, kSeed);
        const Facts facts(planted.trace, planted.context);
        std::int64_t total = 0;
        for (const std::int64_t part : facts.causes) {
            EXPECT_GE(part, 0);
            total += part;
        }
        EXPECT_NEAR(static_cast<double>(total), static_cast<double>(facts.window.length()),
                    0.005 * static_cast<double>(facts.window.length()))
            << planted.name;
    }
}

TEST(Verdict, CodeThatReportsNoOperatorsIsNotTakenForOverhead)
{
    HostTrace t;
    for (std::int64_t at = 0; at < 20'000; at += 1000) {
        t.op("forward", at, at + 990);
        t.op("aten::relu_", at + 10, at + 50);
        t.op("aten::add_", at + 700, at + 740);
    }
    const trace::Trace trace = t.finish();
    const Facts facts(trace, {});
    EXPECT_NEAR(facts.share(Cause::other), 0.9, 0.02);
    const FindingReport j = reportFindings(facts);
    EXPECT_EQ(j.verdict.kind, VerdictKind::abstained);
    EXPECT_NE(sentence(j.verdict.sentence).find("fused"), std::string::npos) << sentence(j.verdict.sentence);
}

TEST(Verdict, AnOperatorThatAllocatesItsResultStillDoesTheWork)
{
    HostTrace t;
    for (std::int64_t at = 0; at < 20'000; at += 1000) {
        t.op("aten::conv2d", at, at + 900);
        t.op("aten::mkldnn_convolution", at + 3, at + 895);
        t.op("aten::empty", at + 5, at + 7);
        t.op("aten::relu_", at + 905, at + 995);
    }
    const trace::Trace trace = t.finish();
    const Facts facts(trace, {});
    EXPECT_NEAR(facts.share(Cause::compute), 0.89, 0.01);
    EXPECT_EQ(reportFindings(facts).verdict.kind, VerdictKind::computeBound);
}

TEST(Verdict, DocumentsHoldWhatTheSchemaSays)
{
    const testing::Planted planted = testing::plantedTrace(Plant::tinyKernels, kSeed);
    const Facts facts(planted.trace, planted.context);
    const FindingReport j = reportFindings(facts);
    const base::Json verdict = verdictDocument(j.verdict);
    EXPECT_EQ(verdict["word"], "launch-bound");
    EXPECT_EQ(verdict["knobs"][0]["switch"], "cuda_graph");
    EXPECT_GT(verdict["parts"][0]["share"].get<double>(), 0.3);
    EXPECT_EQ(rulesDocument(j.rules).size(), rules().size());
    ASSERT_FALSE(findingsDocument(j.findings).empty());
    EXPECT_TRUE(findingsDocument(j.findings)[0]["gain"].contains("lo"));
}

/// Twelve marked passes of products by kernels of one name, launched by operators whose inputs have these types.
trace::Trace products(const std::string& kernel, const std::string& types)
{
    trace::TraceBuilder builder;
    const auto thread = builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
    const auto stream = builder.track({.type = trace::TrackType::stream, .device = 0, .stream = 7});
    std::uint32_t correlation = 0;
    const auto add = [&](trace::TrackId track, trace::EventKind kind, const std::string& name, std::int64_t from,
                         std::int64_t to, std::uint32_t detail = 0) {
        trace::Event e;
        e.start = {from};
        e.duration = {to - from};
        e.name = builder.intern(name);
        e.detail = detail;
        e.correlation = kind == trace::EventKind::operatorCall || kind == trace::EventKind::range ? 0 : correlation;
        builder.add(track, kind, e);
    };
    const std::uint32_t detail =
        types.empty() ? 0 : builder.detail(trace::OperatorDetail{{}, builder.intern(types), {}, -1});
    std::int64_t now = 0;
    for (int pass = 0; pass < 12; ++pass) {
        const std::int64_t began = now;
        for (int k = 0; k < 8; ++k, now += 500'000) {
            ++correlation;
            add(thread, trace::EventKind::operatorCall, "aten::addmm", now, now + 9'000, detail);
            add(thread, trace::EventKind::runtimeCall, "cudaLaunchKernel", now + 2'000, now + 7'000);
            add(stream, trace::EventKind::kernel, kernel, now + 8'000, now + 500'000);
        }
        add(thread, trace::EventKind::range, "ProfilerStep#" + std::to_string(pass), began, now);
    }
    trace::Trace trace = builder.finish();
    trace.source = "kineto";
    return trace;
}

std::string advised(const FindingReport& j)
{
    std::string text;
    for (const Knob& knob : j.verdict.knobs)
        text += knob.switchName + " " + sentence(knob.text) + "\n";
    for (const Finding& f : j.findings)
        text += f.knob.switchName + " " + sentence(f.knob.text) + "\n";
    return text;
}

TEST(Verdict, FewerBitsAreAdvisedOnlyWhereTheRecordingSaysThatThereAreMore)
{
    const std::string unnamed = "triton_tem_fused_addmm_3";
    struct Product
    {
        std::string kernel;
        std::string types;
        bool fewerBits;
        bool tf32;
        bool unknown;
    };
    const Product cases[] = {
        {"ampere_sgemm_128x64_tn", "", true, true, false},
        {"cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4", "[\"float\", \"float\"]", true, false, false},
        {"cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64", "", false, false, false},
        {"bmm_MxE4m3_MxE2m1MxE4m3_Fp32_t128x8x512", "", false, false, false},
        {unnamed, "[\"c10::Half\", \"c10::Half\"]", false, false, false},
        {unnamed, "[\"float\", \"float\"]", true, true, false},
        {unnamed, "", false, false, true},
    };
    for (const Product& c : cases) {
        const trace::Trace trace = products(c.kernel, c.types);
        const FindingReport j = reportFindings(Facts(trace, {}));
        ASSERT_EQ(j.verdict.kind, VerdictKind::computeBound) << sentence(j.verdict.sentence);
        const std::string text = advised(j);
        EXPECT_EQ(text.find("bf16") != std::string::npos, c.fewerBits) << c.kernel << c.types << ": " << text;
        EXPECT_EQ(text.find("tf32") != std::string::npos, c.tf32) << c.kernel << c.types << ": " << text;
        const bool isNoted = std::any_of(j.verdict.needs.begin(), j.verdict.needs.end(), [](const base::Message& need) {
            return sentence(need).find("computes in is not recorded") != std::string::npos;
        });
        EXPECT_EQ(isNoted, c.unknown) << c.kernel << c.types;
    }
}

TEST(Verdict, ATrialThatRunsIn16BitsIsNotAdvised16Bits)
{
    for (const char* const kernel : {"triton_tem_fused_addmm_3", "nvjet_tst_128x64_64x6_4x1_v_bz_TNT"}) {
        const trace::Trace trace = products(kernel, "");
        Context context;
        context.config =
            model::makeConfig(model::OptLevel::o0, model::Precision::bf16, 1, 0, model::DeviceType::nvidiaGpu());
        const std::string text = advised(reportFindings(Facts(trace, context)));
        EXPECT_EQ(text.find("16"), std::string::npos) << text;
        EXPECT_EQ(text.find("tf32"), std::string::npos) << text;
        context.config->precision = model::Precision::fp32;
        const bool unnamed = kernel[0] == 't'; // then the trial tells
        EXPECT_EQ(advised(reportFindings(Facts(trace, context))).find("16") != std::string::npos, unnamed) << kernel;
    }
}

TEST(Rules, ArithmeticIn64BitsIsNamedByItsRecordedTypes)
{
    const trace::Trace trace = products("triton_tem_fused_addmm_3", "[\"double\", \"double\"]");
    const FindingReport j = reportFindings(Facts(trace, {}));
    ASSERT_FALSE(j.findings.empty());
    EXPECT_EQ(j.findings.front().rule, "wide-arithmetic");
    EXPECT_NE(sentences::sentence(j.findings.front().text).find("64 bits"), std::string::npos)
        << sentences::sentence(j.findings.front().text);
}

TEST(Verdict, EachRestsOnAFindingOfItsKindOrSaysThatNothingToActOnWasRecorded)
{
    int backed = 0;
    for (const Plant plant : testing::allPlants())
        for (std::uint64_t seed = firstSeed(); seed < firstSeed() + 3; ++seed) {
            const Planted planted = testing::plantedTrace(plant, seed);
            const FindingReport j = reportFindings(Facts(planted.trace, planted.context));
            if (j.verdict.kind == VerdictKind::abstained || j.verdict.kind == VerdictKind::balanced)
                continue;
            const std::string_view word = toString(j.verdict.kind);
            const auto isOf = [&](Cause cause) {
                return j.verdict.kind == VerdictKind::warmingUp ? cause == Cause::firstCalls
                                                                : word.starts_with(toString(cause));
            };
            const bool found =
                std::any_of(j.findings.begin(), j.findings.end(), [&](const Finding& f) { return isOf(f.cause); });
            backed += found ? 1 : 0;
            const bool isUnbacked =
                sentence(j.verdict.sentence).find("Nothing to act on was recorded") != std::string::npos ||
                sentence(j.verdict.sentence).find("No rule found where it comes from") != std::string::npos;
            EXPECT_NE(found, isUnbacked) << planted.name << " " << rulesOf(j) << ": " << sentence(j.verdict.sentence);
            const bool largest = isOf(j.verdict.parts.front().cause);
            const bool explains = sentence(j.verdict.sentence).find("arger part") != std::string::npos ||
                                  sentence(j.verdict.sentence).find("not the largest part") != std::string::npos;
            EXPECT_NE(largest, explains) << planted.name << ": " << sentence(j.verdict.sentence);
        }
    EXPECT_GT(backed, 50);
}

TEST(Verdict, WaitingForAnotherRankInACollectiveIsNotBoundByTransfers)
{
    for (std::uint64_t seed = firstSeed(); seed < firstSeed() + 3; ++seed) {
        const Planted planted = testing::plantedTrace(Plant::collectives, seed);
        const FindingReport j = reportFindings(Facts(planted.trace, planted.context));
        EXPECT_EQ(toString(j.verdict.kind), "communication-bound") << sentence(j.verdict.sentence);
        EXPECT_NE(sentence(j.verdict.sentence).find("waiting for another rank: one rank cannot tell"),
                  std::string::npos)
            << sentence(j.verdict.sentence);
        ASSERT_FALSE(j.verdict.knobs.empty());
        EXPECT_NE(sentences::sentence(j.verdict.knobs.front().text).find("Record all ranks first"), std::string::npos);
    }
}

TEST(Facts, CommunicationThatComputationHidesCostsNothing)
{
    trace::TraceBuilder builder;
    const auto compute = builder.track({.type = trace::TrackType::stream, .device = 0, .stream = 7});
    const auto network = builder.track({.type = trace::TrackType::stream, .device = 0, .stream = 20});
    const auto add = [&](trace::TrackId track, const char* name, std::int64_t from, std::int64_t to) {
        trace::Event e;
        e.start = {from * 1000};
        e.duration = {(to - from) * 1000};
        e.name = builder.intern(name);
        builder.add(track, trace::EventKind::kernel, e);
    };
    for (std::int64_t at = 0; at < 20'000; at += 1000) {
        add(compute, "ampere_sgemm_128x64_tn", at, at + 700);
        add(network, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(int)", at + 100, at + 1000);
    }
    const trace::Trace trace = builder.finish();
    const Facts facts(trace, {});
    EXPECT_NEAR(facts.share(Cause::communication), 0.3, 0.01);
    EXPECT_NEAR(facts.share(Cause::compute), 0.7, 0.01);
    EXPECT_EQ(facts.causes[static_cast<std::size_t>(Cause::transfer)], 0);
}

} // namespace
} // namespace apertune::advice

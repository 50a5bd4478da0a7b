// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/documents.h"
#include "core/advice/verdict.h"
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

bool isNamed(const Planted& planted, const Judgement& j)
{
    const bool word = planted.words.empty() || std::find(planted.words.begin(), planted.words.end(),
                                                         toString(j.verdict.word)) != planted.words.end();
    const bool rule = planted.rule.empty() || std::any_of(j.findings.begin(), j.findings.end(),
                                                          [&](const Finding& f) { return f.rule == planted.rule; });
    return word && rule;
}

std::string rulesOf(const Judgement& j)
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
        const Judgement before = judgeTrace(Facts(planted.trace, planted.context));
        const Judgement after = judgeTrace(Facts(stored, planted.context));
        EXPECT_EQ(before.verdict.sentence, after.verdict.sentence) << planted.name;
        EXPECT_EQ(rulesOf(before), rulesOf(after)) << planted.name;
        const trace::Trace bare = withoutColumns(planted.trace, true);
        EXPECT_FALSE(judgeTrace(Facts(bare, planted.context)).verdict.sentence.empty()) << planted.name;
    }
}

TEST(Verdict, NamesThePlantedCauseInNearlyEveryTrace)
{
    constexpr int kEach = 6;
    std::map<std::string, std::map<std::string, int>> confusion;
    int named = 0, all = 0;
    for (const Plant plant : testing::allPlants())
        for (int i = 0; i < kEach; ++i) {
            const std::uint64_t seed = firstSeed() + static_cast<std::uint64_t>(i);
            const Planted planted = testing::plantedTrace(plant, seed);
            const Facts facts(planted.trace, planted.context);
            const Judgement j = judgeTrace(facts);
            ++all;
            ++confusion[planted.name][std::string(toString(j.verdict.word))];
            const bool ok = isNamed(planted, j);
            named += ok ? 1 : 0;
            if (!ok)
                std::cout << "not named: " << planted.name << ", seed " << seed << ": " << j.verdict.sentence << " ["
                          << rulesOf(j) << "]\n";
        }
    std::cout << "\nplanted cause -> verdicts\n";
    for (const auto& [name, words] : confusion) {
        std::cout << "  " << std::left << std::setw(24) << name;
        for (const auto& [word, count] : words)
            std::cout << " " << word << " " << count;
        std::cout << "\n";
    }
    std::cout << named << " of " << all << " named\n";
    ASSERT_GE(all, 40);
    EXPECT_GE(named, 0.95 * all);
}

TEST(Verdict, CopiesFromPageableMemoryAreToBePinnedFirst)
{
    for (std::uint64_t seed = firstSeed(); seed < firstSeed() + 6; ++seed) {
        const testing::Planted planted = testing::plantedTrace(Plant::pageableInput, seed);
        const Verdict verdict = judgeTrace(Facts(planted.trace, planted.context)).verdict;
        ASSERT_FALSE(verdict.knobs.empty());
        EXPECT_NE(verdict.knobs.front().text.find("pinned"), std::string::npos) << verdict.knobs.front().text;
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
    const Judgement j = judgeTrace(Facts(trace, {}));
    EXPECT_EQ(j.verdict.word, Word::hostBound) << j.verdict.sentence;
    EXPECT_NE(j.verdict.sentence.find("mostly in enumerate(DataLoader)#Iter.__next__ (46"), std::string::npos)
        << j.verdict.sentence;
    EXPECT_NE(j.verdict.knobs.front().text.find("num_workers"), std::string::npos) << j.verdict.knobs.front().text;
    ASSERT_NE(rulesOf(j).find("R1"), std::string::npos);
    for (const Finding& f : j.findings)
        if (f.rule == "R1") {
            EXPECT_NE(f.text.find("enumerate(DataLoader)"), std::string::npos) << f.text;
        }
}

TEST(Facts, OfAChosenRangeAreThoseOfTheRangeAlone)
{
    const Planted planted = testing::plantedTrace(Plant::pageableInput, firstSeed());
    const Facts whole(planted.trace, planted.context);
    ASSERT_TRUE(whole.iterations.found());
    EXPECT_FALSE(whole.chosen);
    const analysis::Interval all = whole.window;
    const Facts same(whole, all);
    EXPECT_EQ(same.causes, whole.causes) << "the same range gives the same figures";
    EXPECT_EQ(same.steady, whole.steady);
    EXPECT_EQ(same.transfers.rows.size(), whole.transfers.rows.size());

    const analysis::Interval two{whole.steady[2].start, whole.steady[3].end};
    const Facts part(whole, two);
    EXPECT_TRUE(part.chosen);
    EXPECT_TRUE(part.byIteration());
    EXPECT_EQ(part.steady.size(), 2u);
    EXPECT_EQ(part.window, two);
    EXPECT_EQ(&part.index, &whole.index) << "what is the same for every range is shared";
    std::int64_t told = 0;
    for (const std::int64_t time : part.causes)
        told += time;
    EXPECT_EQ(told, two.length());
    EXPECT_LT(part.sums.count, whole.sums.count / 2);

    const Facts within(whole, {two.start, two.start + whole.steady[2].length() / 2});
    EXPECT_FALSE(within.byIteration());
    EXPECT_NE(judgeTrace(within).verdict.sentence.find("of"), std::string::npos);
}

TEST(Verdict, NamesNothingOnBalancedTraces)
{
    for (const Plant plant : {Plant::none, Plant::cpuNone})
        for (int i = 0; i < 20; ++i) {
            const std::uint64_t seed = firstSeed() + 1000 + static_cast<std::uint64_t>(i);
            const Planted planted = testing::plantedTrace(plant, seed);
            const Facts facts(planted.trace, planted.context);
            const Judgement j = judgeTrace(facts);
            EXPECT_EQ(j.verdict.word, Word::balanced) << planted.name << " seed " << seed << ": " << j.verdict.sentence;
            EXPECT_TRUE(j.findings.empty())
                << planted.name << " seed " << seed << ": " << rulesOf(j) << ": " << j.findings.front().text;
            EXPECT_TRUE(j.verdict.knobs.empty());
        }
}

TEST(Verdict, AbstainsWithoutAnyWork)
{
    const trace::Trace empty = trace::TraceBuilder().finish();
    const Facts facts(empty, {});
    const Judgement j = judgeTrace(facts);
    EXPECT_EQ(j.verdict.word, Word::abstained);
    EXPECT_FALSE(j.verdict.needs.empty());
    EXPECT_TRUE(j.findings.empty());
}

TEST(Verdict, AbstainsWhenKernelsWereLaunchedAndNotRecorded)
{
    const testing::Planted planted = testing::plantedTrace(Plant::tinyKernels, kSeed);
    trace::Trace blind = planted.trace;
    std::erase_if(blind.series, [](const trace::Series& s) { return trace::isDeviceWork(s.kind); });
    const Facts facts(blind, {});
    const Judgement j = judgeTrace(facts);
    EXPECT_EQ(j.verdict.word, Word::abstained);
    EXPECT_NE(j.verdict.sentence.find("record kernels"), std::string::npos) << j.verdict.sentence;
}

TEST(Verdict, AbstainsWhenKernelsWereLost)
{
    const testing::Planted planted = testing::plantedTrace(Plant::tinyKernels, kSeed);
    trace::Trace lossy = planted.trace;
    lossy.losses.push_back({{0}, trace::EventKind::kernel, 1000, trace::Severity::error, "buffers were full"});
    const Facts facts(lossy, {});
    EXPECT_EQ(judgeTrace(facts).verdict.word, Word::abstained);
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
    const Judgement j = judgeTrace(facts);
    EXPECT_EQ(j.verdict.word, Word::abstained);
    EXPECT_NE(j.verdict.sentence.find("fused"), std::string::npos) << j.verdict.sentence;
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
    EXPECT_EQ(judgeTrace(facts).verdict.word, Word::computeBound);
}

TEST(Verdict, DocumentsHoldWhatTheSchemaSays)
{
    const testing::Planted planted = testing::plantedTrace(Plant::tinyKernels, kSeed);
    const Facts facts(planted.trace, planted.context);
    const Judgement j = judgeTrace(facts);
    const base::Json verdict = verdictDocument(j.verdict);
    EXPECT_EQ(verdict["word"], "launch-bound");
    EXPECT_EQ(verdict["knobs"][0]["switch"], "cuda_graph");
    EXPECT_GT(verdict["parts"][0]["share"].get<double>(), 0.3);
    EXPECT_EQ(rulesDocument(j.rules).size(), rules().size());
    ASSERT_FALSE(findingsDocument(j.findings).empty());
    EXPECT_TRUE(findingsDocument(j.findings)[0]["gain"].contains("lo"));
}

} // namespace
} // namespace apertune::advice

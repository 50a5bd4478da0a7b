// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/ranks.h"
#include "core/sentences/sentences.h"
#include "small_trace.h"

#include <gtest/gtest.h>

#include <memory>

namespace apertune::analysis {
namespace {

using testing::SmallTrace;

constexpr const char* kAllReduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)";
constexpr const char* kSendRecv = "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)";

/// A rank with its index, which refers to the trace.
struct Rank
{
    Rank(std::int64_t rank, trace::Trace of) : number(rank), trace(std::move(of)), index(trace) {}
    RankTrace view() const { return {number, &index, {0, 1'000'000}}; }

    std::int64_t number;
    trace::Trace trace;
    TraceIndex index;
};

/// A rank that computes until `arrives` (µs), then takes part in two collectives that end at 500 and 900. Its clock is
/// `clock` µs ahead.
std::unique_ptr<Rank> rankThatArrives(std::int64_t rank, std::int64_t arrives, std::int64_t again,
                                      std::int64_t clock = 0)
{
    SmallTrace t;
    t.kernel("gemm", clock + 0, clock + arrives);
    t.kernel(kAllReduce, clock + arrives, clock + 500);
    t.kernel("relu", clock + 500, clock + again);
    t.kernel(kSendRecv, clock + again, clock + 900);
    return std::make_unique<Rank>(rank, t.finish());
}

base::Result<RankComparison> compared(const std::vector<std::unique_ptr<Rank>>& ranks)
{
    std::vector<RankTrace> views;
    for (const auto& rank : ranks)
        views.push_back(rank->view());
    return compareRanks(std::move(views));
}

TEST(Ranks, TheOneThatArrivesLastIsWaitedFor)
{
    std::vector<std::unique_ptr<Rank>> ranks;
    ranks.push_back(rankThatArrives(2, 480, 700));
    ranks.push_back(rankThatArrives(0, 100, 700));
    ranks.push_back(rankThatArrives(1, 200, 860));
    const auto result = compared(ranks);
    ASSERT_TRUE(result);
    ASSERT_EQ(result->ranks.size(), 3U);
    EXPECT_EQ(result->ranks[0].rank, 0) << "sorted";
    EXPECT_EQ(result->ranks[0].waiting, (480 - 100 + 860 - 700) * 1000);
    EXPECT_EQ(result->ranks[0].transferring, (20 + 40) * 1000);
    EXPECT_EQ(result->ranks[0].computing, (100 + 200) * 1000);
    EXPECT_EQ(result->ranks[2].lastAt, 1);
    EXPECT_EQ(result->ranks[2].delaying, (380 + 280) * 1000);
    EXPECT_EQ(result->ranks[1].delaying, (160 + 160) * 1000);
    ASSERT_EQ(result->collectives.size(), 2U);
    EXPECT_EQ(result->collectives[0].kind, "AllReduce");
    EXPECT_EQ(result->collectives[1].kind, "SendRecv");
    EXPECT_EQ(result->collectives[0].last, 2U);
    EXPECT_EQ(result->straggler, 2U) << "660 of 980 µs are for it";
    EXPECT_EQ(result->lateStarts, 0);
}

TEST(Ranks, ClocksThatDifferAreAlignedByTheEndsOfCollectives)
{
    std::vector<std::unique_ptr<Rank>> ranks;
    ranks.push_back(rankThatArrives(0, 100, 700));
    ranks.push_back(rankThatArrives(1, 300, 750, 40));
    const auto result = compared(ranks);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->ranks[1].clockOffset, 40'000);
    EXPECT_EQ(result->clockError, 0);
    EXPECT_EQ(result->ranks[0].waiting, (200 + 50) * 1000);
    EXPECT_EQ(result->ranks[1].waiting, 0);
}

TEST(Ranks, WhereNobodyIsLateThereIsNoStraggler)
{
    std::vector<std::unique_ptr<Rank>> ranks;
    ranks.push_back(rankThatArrives(0, 400, 702));
    ranks.push_back(rankThatArrives(1, 402, 700));
    const auto result = compared(ranks);
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->straggler);
}

TEST(Ranks, WhoIsMissingMayBeWhoIsWaitedFor)
{
    std::vector<std::unique_ptr<Rank>> ranks;
    ranks.push_back(rankThatArrives(0, 100, 700));
    ranks.push_back(rankThatArrives(1, 400, 700));
    std::vector<RankTrace> views{ranks[0]->view(), ranks[1]->view()};
    for (RankTrace& view : views)
        view.worldSize = 4;
    const auto result = compareRanks(views);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->missing, 2);
    EXPECT_FALSE(result->straggler);
    views[1].worldSize = 2;
    EXPECT_FALSE(compareRanks(views)) << "ranks of two jobs";
}

TEST(Ranks, AStepThatBeganLateIsToldApart)
{
    std::vector<std::unique_ptr<Rank>> ranks;
    ranks.push_back(rankThatArrives(0, 100, 700));
    ranks.push_back(rankThatArrives(1, 400, 700));
    std::vector<RankTrace> views{ranks[0]->view(), ranks[1]->view()};
    views[1].step.start = 250'000;
    const auto result = compareRanks(views);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->ranks[1].lateStart, 250'000);
    EXPECT_EQ(result->lateStarts, 250'000) << "of 300 µs of waiting";
}

TEST(Ranks, WhereTheEndsDifferNobodyIsBlamed)
{
    std::vector<std::unique_ptr<Rank>> ranks;
    ranks.push_back(rankThatArrives(0, 100, 700));
    SmallTrace t; // a rank of another group: its collectives end at other times
    t.kernel("gemm", 0, 50);
    t.kernel(kAllReduce, 50, 250);
    t.kernel(kSendRecv, 300, 880);
    ranks.push_back(std::make_unique<Rank>(1, t.finish()));
    const auto result = compared(ranks);
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->endsAgree());
    EXPECT_FALSE(result->straggler);
}

TEST(Ranks, OfDifferentJobsAreRefused)
{
    const auto why = [](const std::vector<std::unique_ptr<Rank>>& ranks) {
        const auto result = compared(ranks);
        return result ? std::string() : sentences::sentence(result.error().message);
    };
    std::vector<std::unique_ptr<Rank>> ranks;
    ranks.push_back(rankThatArrives(0, 100, 700));
    EXPECT_EQ(why(ranks), "There are fewer than two ranks to compare.");
    SmallTrace fewer;
    fewer.kernel(kAllReduce, 0, 10);
    ranks.push_back(std::make_unique<Rank>(1, fewer.finish()));
    EXPECT_EQ(why(ranks), "Rank 0 ran 2 collectives and rank 1 ran 1.");
    SmallTrace other;
    other.kernel(kAllReduce, 0, 10);
    other.kernel(kAllReduce, 20, 30);
    ranks.back() = std::make_unique<Rank>(1, other.finish());
    EXPECT_EQ(why(ranks), "Collective 2 is SendRecv at rank 0 and AllReduce at rank 1.");
    ranks.back() = rankThatArrives(0, 200, 700);
    EXPECT_EQ(why(ranks), "Two of the traces are of rank 0.");
    ranks.clear();
    for (const std::int64_t rank : {0, 1}) {
        SmallTrace none;
        none.kernel("gemm", 0, 10);
        ranks.push_back(std::make_unique<Rank>(rank, none.finish()));
    }
    EXPECT_EQ(why(ranks), "The traces have no collectives of NCCL or RCCL in their steps.");
}

} // namespace
} // namespace apertune::analysis

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/search/batch_edge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace apertune::search {
namespace {

using ::testing::ElementsAre;

constexpr std::int64_t kMiB = 1 << 20;

/// A scripted configuration: peaks by batch, and the memory at which it is killed.
struct Scripted
{
    std::function<std::int64_t(int)> peak;
    std::optional<std::int64_t> killedAbove{}; ///< nullopt: nothing kills it
    bool tellsPeaks = true;
};

/// Runs the search to its end and returns the batches that it tried.
std::vector<int> run(BatchEdge& edge, const Scripted& scripted)
{
    std::vector<int> tried;
    while (const auto batch = edge.next()) {
        tried.push_back(*batch);
        if (tried.size() > 100) {
            ADD_FAILURE() << "it does not end";
            break;
        }
        const std::int64_t peak = scripted.peak(*batch);
        if (scripted.killedAbove && peak > *scripted.killedAbove)
            edge.tell(*batch, BatchEdge::Answer::outOfMemory);
        else
            edge.tell(*batch, BatchEdge::Answer::fits,
                      scripted.tellsPeaks ? std::optional(base::Bytes{peak}) : std::nullopt);
    }
    return tried;
}

/// The largest batch before the first that is above the limit.
int trueEdge(const std::function<std::int64_t(int)>& peak, std::int64_t limit)
{
    int batch = 0;
    while (peak(batch + 1) <= limit)
        ++batch;
    return batch;
}

TEST(BatchEdge, DoublesAndThenGoesToWhereTheLineMeetsTheLimit)
{
    BatchEdge edge(base::Bytes{1000 * kMiB});
    const auto tried = run(edge, {[](int batch) { return (100 + 80 * batch) * kMiB; }});
    EXPECT_THAT(tried, ElementsAre(1, 2, 4, 8, 11));
    EXPECT_EQ(edge.edge(), 11);
    EXPECT_EQ(edge.beyond(), 12);
    EXPECT_EQ(edge.predicted(12)->count, 1060 * kMiB) << "6 % above the limit, so it was not tried";
}

TEST(BatchEdge, BisectsWhereOnlyRunningOutOfMemoryTells)
{
    BatchEdge edge({});
    const auto tried = run(edge, {[](int batch) { return batch * kMiB; }, 11 * kMiB, false});
    EXPECT_THAT(tried, ElementsAre(1, 2, 4, 8, 16, 12, 10, 11));
    EXPECT_EQ(edge.edge(), 11);
    EXPECT_FALSE(edge.predicted(12));
}

TEST(BatchEdge, HasNoEndOfItsOwn)
{
    BatchEdge edge({});
    int largest = 0;
    while (const auto batch = edge.next()) {
        largest = *batch;
        edge.tell(*batch, BatchEdge::Answer::fits, base::Bytes{*batch});
    }
    EXPECT_EQ(largest, 1 << 30) << "the next one is no int";
    EXPECT_TRUE(edge.isDoubling());
}

TEST(BatchEdge, ABatchThatTheModelRefusesDoesNotEndItAndTwoInARowDo)
{
    BatchEdge edge(base::Bytes{100 * kMiB});
    edge.tell(1, BatchEdge::Answer::unknown);
    EXPECT_EQ(edge.next(), 2);
    edge.tell(2, BatchEdge::Answer::fits, base::Bytes{20 * kMiB});
    edge.tell(4, BatchEdge::Answer::unknown);
    EXPECT_EQ(edge.next(), 8);
    edge.tell(8, BatchEdge::Answer::unknown);
    EXPECT_FALSE(edge.next());
    EXPECT_TRUE(edge.isDoubling());
}

TEST(BatchEdge, EndsAtOnceWhereNotEvenOneSampleFits)
{
    BatchEdge edge(base::Bytes{10 * kMiB});
    EXPECT_THAT(run(edge, {[](int batch) { return (20 + batch) * kMiB; }}), ElementsAre(1));
    EXPECT_EQ(edge.edge(), 0);
    EXPECT_EQ(edge.beyond(), 1);
}

/// Random models: a constant, growth with the batch, allocations in steps and a workspace that larger batches need.
TEST(BatchEdge, FindsTheEdgeOfRandomModelsInFewTrials)
{
    base::Random random(7);
    int exact = 0;
    int cases = 0;
    std::size_t most = 0;
    for (int i = 0; i < 1000; ++i) {
        const auto below = [&](std::int64_t n) {
            return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
        };
        const std::int64_t constant = (50 + below(2000)) * kMiB;
        const std::int64_t sample = (1 + below(200)) * kMiB / 2;
        const std::int64_t step = (i % 3 == 0 ? 20 : i % 3 == 1 ? 2 : 0) * kMiB;
        const std::int64_t workspace = below(64) * kMiB;
        const int workspaceFrom = static_cast<int>(1 + below(64));
        const auto peak = [=](int batch) {
            const std::int64_t exactly = constant + sample * batch + (batch >= workspaceFrom ? workspace : 0);
            return step > 0 ? (exactly + step - 1) / step * step : exactly;
        };
        const std::int64_t limit = constant + sample * (1 + below(500)) + below(sample);
        const bool kills = i % 2 == 0;
        BatchEdge edge(base::Bytes{limit});
        const auto tried = run(edge, {peak, kills ? std::optional(limit) : std::nullopt, i % 10 != 0 || !kills});
        most = std::max(most, tried.size());
        ++cases;
        exact += edge.edge() == trueEdge(peak, limit) ? 1 : 0;
    }
    EXPECT_GE(exact, cases * 95 / 100);
    EXPECT_LE(most, 28u) << "twice the bits of the largest edge, and the steps by the line";
    RecordProperty("exact", exact);
}

} // namespace
} // namespace apertune::search

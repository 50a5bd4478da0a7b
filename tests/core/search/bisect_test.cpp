// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/algorithm.h"
#include "core/search/searcher.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>

#include <vector>

namespace apertune::search {
namespace {

struct Bisection
{
    std::vector<std::size_t> asked; ///< layers in float of each int8 configuration, in the order of the questions
    std::size_t others = 0;
    SearchOutcome outcome;
};

/// A float configuration and a chain of `layers` + 1 int8 configurations, of which those with `enough` layers in float
/// and more are good. They are planned in no particular order.
Bisection bisect(std::size_t layers, std::size_t enough, base::Nanoseconds budget = {})
{
    SearchTask task;
    task.measuring = budget;
    for (std::size_t i = 0; i <= layers; ++i) {
        task.groups.push_back({"int8", {}, {}, (i * 7 + 3) % (layers + 1), {}});
        task.configurations.push_back({i, 1});
    }
    task.groups.push_back({"fp32", {}, {}, {}, {}});
    task.configurations.push_back({layers + 1, 1});
    Bisection seen;
    const auto searcher = makeSearcher(Algorithm::bisect, task, 1);
    while (const auto probe = searcher->next()) {
        const auto floatLayerCount = task.groups[probe->configuration].floatLayerCount;
        ProbeResult result;
        result.measuring = base::fromSeconds(1);
        result.passNs = {1e6 + static_cast<double>(floatLayerCount.value_or(99)) * 1e4};
        if (!floatLayerCount)
            ++seen.others;
        else
            seen.asked.push_back(*floatLayerCount);
        if (floatLayerCount && *floatLayerCount < enough) {
            result.end = ProbeResult::End::failed;
            result.reason = {model::ReasonKind::quality, base::foreignText("Too little.")};
        }
        searcher->tell(result);
    }
    seen.outcome = searcher->outcome();
    return seen;
}

TEST(Bisect, FindsTheFewestLayersThatHaveToStayInFloatForEveryPlace)
{
    // 7 and the number of configurations must have no common factor
    for (const std::size_t layers : {1, 2, 11, 63})
        for (std::size_t enough = 0; enough <= layers; ++enough) {
            const Bisection seen = bisect(layers, enough);
            EXPECT_EQ(seen.others, 1u);
            ASSERT_TRUE(seen.outcome.winner);
            EXPECT_EQ((*seen.outcome.winner * 7 + 3) % (layers + 1), enough);
            EXPECT_LE(seen.asked.size(), 14u);
        }
}

TEST(Bisect, LooksNearTheBeginningFirst)
{
    EXPECT_EQ(bisect(63, 0).asked, (std::vector<std::size_t>{0}));
    EXPECT_EQ(bisect(63, 5).asked, (std::vector<std::size_t>{0, 1, 3, 7, 5, 4}));
}

TEST(Bisect, WhatIsLeftSaysWhyAndWhatIsNeverGoodIsNoWinner)
{
    const Bisection seen = bisect(11, 4);
    for (std::size_t i = 0; i <= 11; ++i)
        if (const ConfigurationOutcome& configurationOutcome = seen.outcome.configurations[i];
            configurationOutcome.state == ConfigurationOutcome::State::pruned) {
            EXPECT_EQ(configurationOutcome.reason.kind, model::ReasonKind::bisect);
            EXPECT_EQ(sentences::sentence(configurationOutcome.reason.message).starts_with("Fewer"),
                      (i * 7 + 3) % 12 > 4);
        }
    const Bisection none = bisect(11, 99);
    EXPECT_EQ(none.asked.back(), 11u);
    ASSERT_TRUE(none.outcome.winner);
    EXPECT_EQ(*none.outcome.winner, 12u) << "the float configuration is all there is";
}

TEST(Bisect, ABudgetThatIsSpentEndsIt)
{
    const Bisection seen = bisect(63, 40, base::fromSeconds(3));
    EXPECT_EQ(seen.others + seen.asked.size(), 3u);
    EXPECT_EQ(seen.outcome.configurations[50].reason.kind, model::ReasonKind::budget);
}

} // namespace
} // namespace apertune::search

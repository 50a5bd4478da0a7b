// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "core/study/interference_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apertune::study {
namespace {

using model::Interference;
using model::InterferenceVerdict;
using ::testing::HasSubstr;

Interference decided(std::vector<model::Interval> ratios)
{
    Interference result;
    result.bound = 0.02;
    int number = 0;
    for (const model::Interval& ratio : ratios)
        result.slowdowns.push_back({"cuda:" + std::to_string(number++), {}, ratio, 12});
    setInterferenceVerdict(result);
    return result;
}

TEST(InterferenceCheck, DevicesAreUndisturbedWhereEveryIntervalEndsBelowTheBound)
{
    const auto result = decided({{1.002, 0.995, 1.01, 0.95}, {1.0, 0.99, 1.019, 0.95}});
    EXPECT_EQ(result.verdict, InterferenceVerdict::undisturbed);
    EXPECT_THAT(sentences::sentence(result.text), HasSubstr("cuda:0, cuda:1 are measured side by side"));
}

TEST(InterferenceCheck, OneDeviceThatIsSurelySlowerIsEnoughForDisturbed)
{
    const auto result = decided({{1.002, 0.995, 1.01, 0.95}, {1.4, 1.03, 1.9, 0.95}});
    EXPECT_EQ(result.verdict, InterferenceVerdict::disturbed);
    EXPECT_THAT(sentences::sentence(result.text),
                HasSubstr("one after the other, because they slow each other down by more than"));
}

TEST(InterferenceCheck, AnIntervalThatHoldsTheBoundDoesNotTell)
{
    EXPECT_EQ(decided({{1.002, 0.995, 1.01, 0.95}, {1.4, 1.01, 1.9, 0.95}}).verdict, InterferenceVerdict::cannotTell);
    EXPECT_EQ(decided({{1.5, 1.5, 1.5, 0}, {1.0, 1.0, 1.0, 0}}).verdict, InterferenceVerdict::cannotTell)
        << "too few rounds for an interval";
}

} // namespace
} // namespace apertune::study

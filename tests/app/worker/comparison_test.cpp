// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/comparison.h"
#include "tests/app/worker/tensors.h"
#include "tests/app/worker/texts_of.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace apertune::worker {
namespace {

using ::testing::ElementsAre;
using testing::floats;
using testing::handedOver;
using ::testing::HasSubstr;
using testing::integers;
using testing::textsOf;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Comparison compared(const KeptSet& candidate, const KeptSet& reference, bool classification = false)
{
    Comparison comparison(classification ? model::TaskType::classification : model::TaskType::other);
    comparison.addSet(handedOver(candidate), reference, 1);
    return comparison;
}

TEST(Comparison, EqualOutputsAgreeCompletely)
{
    const KeptSet set{floats("y", {1, 3}, {1, -2, 3})};
    const auto quality = compared(set, set).quality();
    ASSERT_TRUE(quality);
    EXPECT_DOUBLE_EQ(quality->cosine, 1);
    EXPECT_EQ(quality->maxAbs, 0);
    EXPECT_EQ(quality->maxRel, 0);
    EXPECT_EQ(quality->nanCount, 0);
    EXPECT_EQ(quality->samples, 1);
    EXPECT_FALSE(quality->top1Agreement) << "not a classification";
}

TEST(Comparison, FiguresFollowTheirDefinitions)
{
    const auto quality = compared({floats("y", {3}, {1, 2, 2})}, {floats("y", {3}, {1, 2, 4})}).quality();
    ASSERT_TRUE(quality);
    EXPECT_NEAR(quality->cosine, 13.0 / (3.0 * std::sqrt(21.0)), 1e-12);
    EXPECT_DOUBLE_EQ(quality->maxAbs, 2);
    EXPECT_DOUBLE_EQ(quality->maxRel, 0.5);
}

TEST(Comparison, TheWorstOutputOfTheWorstSetStands)
{
    const KeptSet same{floats("a", {2}, {1, 0}), floats("b", {2}, {1, 0})};
    const KeptSet turned{floats("a", {2}, {1, 0}), floats("b", {2}, {0, 1})};
    Comparison comparison(model::TaskType::other);
    comparison.addSet(handedOver(same), same, 4);
    comparison.addSet(handedOver(turned), same, 4);
    comparison.addSet(handedOver(same), same, 4);
    EXPECT_DOUBLE_EQ(comparison.quality()->cosine, 0);
    EXPECT_EQ(comparison.quality()->samples, 12);
}

TEST(Comparison, ZeroVectorsAgreeWithEachOtherAndWithNothingElse)
{
    const KeptSet zero{floats("y", {2}, {0, 0})};
    const KeptSet one{floats("y", {2}, {0, 1})};
    EXPECT_DOUBLE_EQ(compared(zero, zero).quality()->cosine, 1);
    EXPECT_DOUBLE_EQ(compared(one, zero).quality()->cosine, 0);
    EXPECT_DOUBLE_EQ(compared(zero, one).quality()->cosine, 0);
    EXPECT_DOUBLE_EQ(compared(one, zero).quality()->maxRel, 1) << "and stays finite";
}

TEST(Comparison, AConstantVectorIsComparedLikeAnyOther)
{
    EXPECT_NEAR(compared({floats("y", {3}, {5, 5, 5})}, {floats("y", {3}, {5, 5, 5})}).quality()->cosine, 1, 1e-12);
}

TEST(Comparison, ANanCountsWhereverItIsAndAnInfWhereTheReferenceHasAnother)
{
    const auto quality = compared({floats("y", {6}, {kNan, kInf, kNan, kInf, -kInf, 4})},
                                  {floats("y", {6}, {1, 2, kNan, kInf, kInf, 4})})
                             .quality();
    ASSERT_TRUE(quality);
    EXPECT_EQ(quality->nanCount, 4) << "all but the Inf that the reference has too";
    EXPECT_DOUBLE_EQ(quality->cosine, 1) << "of what is finite on both sides";
    EXPECT_TRUE(std::isfinite(quality->maxAbs));
}

TEST(Comparison, AValueWhereTheReferenceHasNoneIsADifference)
{
    for (const float none : {kNan, kInf, -kInf}) {
        const auto quality = compared({floats("y", {2}, {1, 4})}, {floats("y", {2}, {none, 4})}).quality();
        ASSERT_TRUE(quality);
        EXPECT_DOUBLE_EQ(quality->cosine, 0) << none;
        EXPECT_TRUE(std::isinf(quality->maxAbs)) << none;
        EXPECT_EQ(quality->nanCount, 0) << none;
    }
}

TEST(Comparison, AModelThatGivesNothingButNanAgreesInNothing)
{
    const KeptSet set{floats("y", {1, 6}, {kNan, kNan, kNan, kNan, kNan, kNan})};
    const auto quality = compared(set, set, true).quality();
    ASSERT_TRUE(quality);
    EXPECT_EQ(quality->nanCount, 6);
    EXPECT_DOUBLE_EQ(quality->cosine, 0);
    EXPECT_DOUBLE_EQ(quality->top1Agreement.value(), 0);
    EXPECT_DOUBLE_EQ(quality->top5Agreement.value(), 0);
}

TEST(Comparison, NothingButNanIsNoAgreement)
{
    EXPECT_DOUBLE_EQ(compared({floats("y", {2}, {kNan, kNan})}, {floats("y", {2}, {1, 2})}).quality()->cosine, 0);
}

TEST(Comparison, AnEmptyOutputAgrees)
{
    EXPECT_DOUBLE_EQ(compared({floats("boxes", {0, 4}, {})}, {floats("boxes", {0, 4}, {})}).quality()->cosine, 1);
}

TEST(Comparison, TopOneIsTheShareOfEqualArgMax)
{
    const KeptSet reference{floats("y", {2, 3}, {0, 1, 2, 5, 1, 1})};
    const KeptSet candidate{floats("y", {2, 3}, {0, 3, 2, 5, 1, 1})};
    const auto quality = compared(candidate, reference, true).quality();
    EXPECT_DOUBLE_EQ(quality->top1Agreement.value(), 0.5);
    EXPECT_FALSE(quality->top5Agreement) << "three classes are always among five";
}

TEST(Comparison, TopFiveAsksForTheReferencesBestAmongFive)
{
    const KeptSet reference{floats("y", {2, 7}, {9, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0})};
    const KeptSet candidate{floats("y", {2, 7}, {3, 4, 5, 6, 7, 0, 0, 3, 4, 5, 6, 7, 8, 0})};
    const auto quality = compared(candidate, reference, true).quality();
    EXPECT_DOUBLE_EQ(quality->top1Agreement.value(), 0);
    EXPECT_DOUBLE_EQ(quality->top5Agreement.value(), 0.5);
}

TEST(Comparison, ANanNeverCountsAsTheBestClass)
{
    const KeptSet reference{floats("y", {1, 6}, {0, 9, 0, 0, 0, 0})};
    const KeptSet candidate{floats("y", {1, 6}, {0, kNan, 1, 0, 0, 0})};
    const auto quality = compared(candidate, reference, true).quality();
    EXPECT_DOUBLE_EQ(quality->top1Agreement.value(), 0);
    EXPECT_DOUBLE_EQ(quality->top5Agreement.value(), 0);
}

TEST(Comparison, OutputsOfAnotherShapeAreLeftOutAndNamed)
{
    const auto comparison = compared({floats("scores", {2}, {1, 2}), floats("boxes", {1, 4}, {1, 2, 3, kNan})},
                                     {floats("scores", {2}, {1, 2}), floats("boxes", {2, 2}, {1, 2, 3, 4})});
    ASSERT_TRUE(comparison.quality());
    EXPECT_DOUBLE_EQ(comparison.quality()->cosine, 1);
    EXPECT_EQ(comparison.quality()->nanCount, 1) << "a NaN counts even where nothing can be compared";
    EXPECT_THAT(textsOf(comparison.notes()), ElementsAre(HasSubstr("boxes")));
}

TEST(Comparison, NothingComparableIsNoQuality)
{
    EXPECT_FALSE(compared({floats("y", {3}, {1, 2, 3})}, {floats("y", {2}, {1, 2})}).quality());
    EXPECT_FALSE(compared({}, {}).quality());
}

TEST(Comparison, IntegersTakeNoPartButAreTold)
{
    const auto comparison = compared({floats("y", {1}, {1}), integers("labels", {4}, {1, 2, 3, 9})},
                                     {floats("y", {1}, {1}), integers("labels", {4}, {1, 2, 3, 4})});
    EXPECT_DOUBLE_EQ(comparison.quality()->cosine, 1);
    EXPECT_THAT(textsOf(comparison.notes()), ElementsAre(HasSubstr("75.00 % of 4")));
}

TEST(Comparison, WhereAllOutputsAreIntegersTheShareOfEqualOnesIsTheQuality)
{
    Comparison comparison(model::TaskType::other);
    const KeptSet reference{integers("mask", {1, 4}, {1, 2, 3, 4})};
    comparison.addSet(handedOver({integers("mask", {1, 4}, {1, 2, 3, 9})}), reference, 2);
    comparison.addSet(handedOver(reference), reference, 2);
    const auto quality = comparison.quality();
    ASSERT_TRUE(quality);
    EXPECT_DOUBLE_EQ(quality->cosine, 7.0 / 8);
    EXPECT_DOUBLE_EQ(quality->maxAbs, 5);
    EXPECT_DOUBLE_EQ(quality->maxRel, 1.25);
    EXPECT_EQ(quality->samples, 4);
}

TEST(Comparison, WithoutAReferenceOnlyNanIsLookedFor)
{
    Comparison comparison(model::TaskType::classification);
    comparison.addSet(handedOver({floats("y", {3}, {1, kNan, kInf})}));
    EXPECT_EQ(comparison.nanCount(), 2);
    EXPECT_FALSE(comparison.quality());
}

} // namespace
} // namespace apertune::worker

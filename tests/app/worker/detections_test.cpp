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
using ::testing::IsEmpty;
using testing::textsOf;

struct Found
{
    std::vector<float> box;
    float score = 0;
    std::int64_t label = 1;
};

/// One image's detections as a model gives them that says nothing of the rest.
KeptSet listed(const std::vector<Found>& found)
{
    const auto n = static_cast<std::int64_t>(found.size());
    KeptSet set{floats("boxes", {n, 4}, {}), floats("scores", {n}, {}), integers("labels", {n}, {})};
    for (const Found& one : found) {
        set[0].floats.insert(set[0].floats.end(), one.box.begin(), one.box.end());
        set[1].floats.push_back(one.score);
        set[2].integers.push_back(one.label);
    }
    return set;
}

const Found kDog{{10, 10, 50, 40}, 0.9F, 1};
const Found kCat{{60, 20, 90, 80}, 0.8F, 2};
const Found kBird{{5, 60, 25, 90}, 0.3F, 3};

Found moved(Found found, float by)
{
    found.box[0] += by;
    found.box[2] += by;
    return found;
}

Found scored(Found found, float score)
{
    found.score = score;
    return found;
}

Comparison compareSets(const KeptSet& candidate, const KeptSet& reference,
                       model::TaskType task = model::TaskType::detection)
{
    Comparison comparison(task);
    comparison.addSet(handedOver(candidate), reference, 1);
    return comparison;
}

TEST(Detections, ThatSwapRanksAreEqual)
{
    // Two scores that lie so close that rounding decides which is the first.
    const auto comparison =
        compareSets(listed({scored(kCat, 0.9F), kDog, kBird}), listed({kDog, scored(kCat, 0.9F), kBird}));
    const auto quality = comparison.quality();
    ASSERT_TRUE(quality);
    EXPECT_NEAR(quality->cosine, 1, 1e-12);
    EXPECT_EQ(quality->maxAbs, 0);
    EXPECT_EQ(quality->samples, 1);
    EXPECT_THAT(textsOf(comparison.notes()),
                ElementsAre(HasSubstr("3 of the reference's 3 found, and 0 that it has not")));
}

TEST(Detections, OneThatIsMissingCounts)
{
    const auto comparison = compareSets(listed({kDog, kBird}), listed({kDog, kCat, kBird}));
    const auto quality = comparison.quality();
    ASSERT_TRUE(quality) << "another number of rows is no reason to look away";
    // The missing detection is compared with zeros, so the cosine follows from the boxes that are there.
    const double dog = 10 * 10 + 10 * 10 + 50 * 50 + 40 * 40;
    const double cat = 60 * 60 + 20 * 20 + 90 * 90 + 80 * 80;
    const double bird = 5 * 5 + 60 * 60 + 25 * 25 + 90 * 90;
    EXPECT_NEAR(quality->cosine, std::sqrt((dog + bird) / (dog + cat + bird)), 1e-9);
    EXPECT_EQ(quality->maxAbs, 90);
    EXPECT_THAT(textsOf(comparison.notes()),
                ElementsAre(HasSubstr("2 of the reference's 3 found, and 0 that it has not")));
}

TEST(Detections, OneThatTheReferenceHasNotCounts)
{
    const auto comparison = compareSets(listed({kDog, kCat, kBird}), listed({kDog, kCat}));
    EXPECT_LT(comparison.quality()->cosine, 0.99);
    EXPECT_THAT(textsOf(comparison.notes()),
                ElementsAre(HasSubstr("2 of the reference's 2 found, and 1 that it has not")));
    EXPECT_DOUBLE_EQ(compareSets(listed({kDog}), listed({})).quality()->cosine, 0);
    EXPECT_DOUBLE_EQ(compareSets(listed({}), listed({kDog})).quality()->cosine, 0);
    EXPECT_DOUBLE_EQ(compareSets(listed({}), listed({})).quality()->cosine, 1);
}

TEST(Detections, ABoxThatMovedCountsAndTheMoreTheFurther)
{
    const auto quality = [](float by) {
        return *compareSets(listed({moved(kDog, by), kCat}), listed({kDog, kCat})).quality();
    };
    const auto little = quality(2);
    EXPECT_EQ(little.maxAbs, 2);
    EXPECT_LT(little.cosine, 1 - 1e-6);
    EXPECT_LT(quality(10).cosine, little.cosine);
    const auto away = quality(30); // overlaps by a seventh: not the same any more
    EXPECT_LT(away.cosine, 0.95);
    EXPECT_EQ(away.maxAbs, 80);
}

TEST(Detections, OfAnotherLabelAreOthers)
{
    Found wolf = kDog;
    wolf.label = 7;
    const auto comparison = compareSets(listed({wolf, kCat}), listed({kDog, kCat}));
    EXPECT_LT(comparison.quality()->cosine, 0.95);
    EXPECT_THAT(textsOf(comparison.notes()),
                ElementsAre(HasSubstr("1 of the reference's 2 found, and 1 that it has not")));
}

TEST(Detections, EachIsMatchedOnceTheBestScoreFirst)
{
    const auto comparison = compareSets(listed({kDog, scored(moved(kDog, 1), 0.5F)}), listed({kDog}));
    EXPECT_EQ(comparison.quality()->maxAbs, 51) << "the second stands against zeros, not the first";
    EXPECT_THAT(textsOf(comparison.notes()),
                ElementsAre(HasSubstr("1 of the reference's 1 found, and 1 that it has not")));
}

TEST(Detections, ThatAreAPointAreStillThemselves)
{
    const Found point{{4, 4, 4, 4}, 0.5F, 1};
    EXPECT_DOUBLE_EQ(compareSets(listed({kDog, point}), listed({kDog, point})).quality()->maxAbs, 0);
}

/// Two images with room for three detections each, of which the count says how many there are.
KeptSet padded(const std::vector<Found>& first, const std::vector<Found>& second, float rest = 0)
{
    KeptSet set{
        floats("boxes", {2, 3, 4}, {}), floats("scores", {2, 3}, {}), integers("labels", {2, 3}, {}),
        integers("count", {2}, {static_cast<std::int64_t>(first.size()), static_cast<std::int64_t>(second.size())})};
    for (const auto& image : {first, second})
        for (std::size_t i = 0; i < 3; ++i) {
            const Found one = i < image.size() ? image[i] : Found{{rest, rest, rest, rest}, rest, 0};
            set[0].floats.insert(set[0].floats.end(), one.box.begin(), one.box.end());
            set[1].floats.push_back(one.score);
            set[2].integers.push_back(one.label);
        }
    return set;
}

TEST(Detections, AreThoseOfTheirImageAndTheirCount)
{
    const auto swapped = compareSets(padded({kCat, kDog}, {kBird}, 7), padded({scored(kDog, 0.9F), kCat}, {kBird}));
    EXPECT_NEAR(swapped.quality()->cosine, 1, 1e-12) << "what stands behind the count is nobody's";
    EXPECT_EQ(swapped.quality()->maxAbs, 0);
    EXPECT_THAT(textsOf(swapped.notes()), ElementsAre(HasSubstr("3 of the reference's 3")));
    const auto otherImage = compareSets(padded({kDog}, {kCat}), padded({kCat}, {kDog}));
    EXPECT_DOUBLE_EQ(otherImage.quality()->cosine, 0);
    const auto fewer = compareSets(padded({kDog}, {kBird}), padded({kDog, kCat}, {kBird}));
    EXPECT_THAT(textsOf(fewer.notes()), ElementsAre(HasSubstr("2 of the reference's 3")));
}

TEST(Detections, WhateverElseHasAValueForEachRowGoesWithIt)
{
    KeptSet reference = listed({kDog, scored(kCat, 0.9F)});
    KeptSet candidate = listed({scored(kCat, 0.9F), kDog});
    reference.push_back(floats("masks", {2, 2}, {1, 2, 3, 4}));
    candidate.push_back(floats("masks", {2, 2}, {3, 4, 1, 2}));
    EXPECT_NEAR(compareSets(candidate, reference).quality()->cosine, 1, 1e-12);
    candidate.back().floats[3] = -2;
    EXPECT_EQ(compareSets(candidate, reference).quality()->maxAbs, 4);
}

TEST(Detections, ANanIsCountedAndMatchesNothing)
{
    KeptSet candidate = listed({kDog, kCat});
    candidate[0].floats[1] = std::numeric_limits<float>::quiet_NaN();
    candidate[1].floats[1] = std::numeric_limits<float>::quiet_NaN();
    const auto comparison = compareSets(candidate, listed({kDog, kCat}));
    EXPECT_EQ(comparison.nanCount(), 2);
    EXPECT_LT(comparison.quality()->cosine, 1);
}

TEST(Detections, NeedNoFamilyWhereNamesOrLabelsTellThem)
{
    const KeptSet reference = listed({kDog, scored(kCat, 0.9F)});
    const KeptSet swapped = listed({scored(kCat, 0.9F), kDog});
    EXPECT_EQ(compareSets(swapped, reference, model::TaskType::other).quality()->maxAbs, 0);
    const auto unnamed = [](KeptSet set) {
        set[0].name = "output";
        set[1].name = "output_1";
        set[2].name = "output_2";
        return set;
    };
    EXPECT_EQ(compareSets(unnamed(swapped), unnamed(reference), model::TaskType::other).quality()->maxAbs, 0);
    const auto withoutLabels = [&](KeptSet set) {
        set.pop_back();
        return unnamed(std::move(set));
    };
    const auto compared = compareSets(withoutLabels(swapped), withoutLabels(reference), model::TaskType::other);
    EXPECT_EQ(compared.quality()->maxAbs, 50) << "that could be anything, so it is compared value by value";
    EXPECT_THAT(textsOf(compared.notes()), IsEmpty());
    EXPECT_EQ(compareSets(withoutLabels(swapped), withoutLabels(reference)).quality()->maxAbs, 0);
}

TEST(Detections, BoxesInAFixedOrderAreComparedValueByValue)
{
    // One box for each query: the scores do not fall.
    const auto queries = compareSets(listed({kCat, scored(kDog, 0.95F)}), listed({kBird, scored(kDog, 0.95F)}));
    EXPECT_THAT(textsOf(queries.notes()), ElementsAre(HasSubstr("Integer outputs")));
    // Middle and size in place of corners.
    const Found middle{{50, 50, 10, 20}, 0.9F, 1};
    EXPECT_THAT(textsOf(compareSets(listed({middle}), listed({middle})).notes()),
                ElementsAre(HasSubstr("Integer outputs")));
    // DETR: no output of one score a box.
    const KeptSet detr{floats("pred_logits", {1, 2, 3}, {1, 2, 3, 4, 5, 6}),
                       floats("pred_boxes", {1, 2, 4}, {0, 0, 1, 1, 0, 0, 1, 1})};
    EXPECT_THAT(textsOf(compareSets(detr, detr).notes()), IsEmpty());
    EXPECT_NEAR(compareSets(detr, detr).quality()->cosine, 1, 1e-12);
}

} // namespace
} // namespace apertune::worker

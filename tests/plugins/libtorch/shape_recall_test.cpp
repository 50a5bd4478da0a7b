// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/shape_recall.h"

#include <gmock/gmock.h>

namespace apertune::libtorch::recording {
namespace {

using ::testing::ElementsAre;

using Pass = std::vector<std::pair<std::uint32_t, std::uint32_t>>; ///< name and true shapes of each operator

constexpr char kInputs[2] = {};

/// What is told of each operator of a pass; a pass that reads tells the truth.
std::vector<std::uint32_t> told(ShapeRecall& recall, int input, const Pass& pass, int* reads = nullptr)
{
    std::vector<std::uint32_t> shapes;
    const bool reading = recall.passBegins(&kInputs[input]);
    for (const auto& [name, truth] : pass) {
        if (reading)
            recall.read(name, truth);
        shapes.push_back(reading ? truth : recall.recall(name));
    }
    if (reads)
        *reads += reading;
    return shapes;
}

const Pass kPass{{1, 10}, {2, 20}, {1, 11}};

TEST(ShapeRecall, ReadsOncePerInputAndAgainAfterTwiceAsManyEachTime)
{
    ShapeRecall recall;
    int reads = 0;
    for (int i = 0; i <= (1 + 2) * ShapeRecall::kFirstCheck; ++i)
        for (int input = 0; input < 2; ++input) {
            const std::uint32_t more = input == 0 ? 0 : 100;
            EXPECT_THAT(told(recall, input, {{1, 10 + more}, {2, 20 + more}}, &reads),
                        ElementsAre(10 + more, 20 + more));
        }
    EXPECT_EQ(reads, 2 * 3) << "two inputs, the first time, the check and the next one after twice as many";
    EXPECT_FALSE(recall.refuted());
}

TEST(ShapeRecall, APassThatGoesAnotherWayHasNoShapesFromThereAndIsReadTheNextTime)
{
    ShapeRecall recall;
    told(recall, 0, kPass);
    const Pass other{{1, 10}, {3, 30}, {1, 11}};
    EXPECT_THAT(told(recall, 0, other), ElementsAre(10, 0, 0));
    int reads = 0;
    EXPECT_THAT(told(recall, 0, other, &reads), ElementsAre(10, 30, 11));
    EXPECT_EQ(reads, 1);
    EXPECT_THAT(told(recall, 0, other, &reads), ElementsAre(10, 30, 11));
    EXPECT_EQ(reads, 1);
}

TEST(ShapeRecall, AShorterAndALongerPassAreNotTakenForTheKnownOne)
{
    ShapeRecall recall;
    told(recall, 0, kPass);
    EXPECT_THAT(told(recall, 0, {{1, 10}}), ElementsAre(10));
    int reads = 0;
    told(recall, 0, {{1, 10}}, &reads);
    EXPECT_EQ(reads, 1) << "the pass before ended early";
    EXPECT_THAT(told(recall, 0, {{1, 10}, {1, 12}}), ElementsAre(10, 0));
    told(recall, 0, {{1, 10}, {1, 12}}, &reads);
    EXPECT_EQ(reads, 2);
}

TEST(ShapeRecall, OtherShapesAtTheSameNamesRefuteAllAndEndIt)
{
    ShapeRecall recall;
    int reads = 0;
    for (int i = 0; i <= ShapeRecall::kFirstCheck; ++i)
        told(recall, 0, {{1, 10}, {2, i < 5 ? 20u : 21u}}, &reads);
    EXPECT_EQ(reads, 2);
    EXPECT_TRUE(told(recall, 0, kPass, &reads).size() == 3 && recall.refuted());
    for (int i = 0; i < 5; ++i)
        told(recall, 0, kPass, &reads);
    EXPECT_EQ(reads, 2 + 6);
}

TEST(ShapeRecall, GivenUpItReadsEveryPass)
{
    ShapeRecall recall;
    recall.giveUp();
    int reads = 0;
    for (int i = 0; i < 5; ++i)
        told(recall, 0, kPass, &reads);
    EXPECT_EQ(reads, 5);
}

TEST(ShapeRecall, AnOperatorOutsideOfAPassHasNoShapes)
{
    ShapeRecall recall;
    EXPECT_EQ(recall.recall(1), 0u);
}

} // namespace
} // namespace apertune::libtorch::recording

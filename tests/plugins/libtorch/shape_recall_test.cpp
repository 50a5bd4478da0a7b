// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/shape_recall.h"

#include <gmock/gmock.h>

namespace apertune::libtorch::recording {
namespace {

using ::testing::ElementsAre;

using Pass = std::vector<std::pair<std::uint32_t, std::uint32_t>>; ///< name and true shapes of each operator

constexpr char kInputs[2] = {};

/// What is told of each operator of a pass; a pass that reads tells the truth.
std::vector<std::uint32_t> recalledShapes(ShapeRecall& recall, int input, const Pass& pass, int* reads = nullptr)
{
    std::vector<std::uint32_t> shapes;
    const bool reading = recall.passBegins(&kInputs[input]);
    for (const auto& [name, truth] : pass) {
        if (reading)
            recall.read({nullptr, name, truth});
        const ShapeRecall::Place* const place = reading ? nullptr : recall.next(name);
        shapes.push_back(reading ? truth : place ? place->shapes : 0);
    }
    if (reads)
        *reads += reading;
    return shapes;
}

const Pass kPass{{1, 10}, {2, 20}, {1, 11}};

TEST(ShapeRecall, ReadsOncePerInputAndChecksLessAndLess)
{
    ShapeRecall recall;
    int reads = 0;
    for (int i = 0; i <= (1 + ShapeRecall::kGrowth) * ShapeRecall::kFirstCheck; ++i)
        for (int input = 0; input < 2; ++input) {
            const std::uint32_t more = input == 0 ? 0 : 100;
            EXPECT_THAT(recalledShapes(recall, input, {{1, 10 + more}, {2, 20 + more}}, &reads),
                        ElementsAre(10 + more, 20 + more));
        }
    EXPECT_EQ(reads, 2 * 3) << "two inputs, the first time, the check and the next one";
    EXPECT_FALSE(recall.refuted());
}

TEST(ShapeRecall, APassThatGoesAnotherWayHasNoShapesFromThereAndIsReadTheNextTime)
{
    ShapeRecall recall;
    recalledShapes(recall, 0, kPass);
    const Pass other{{1, 10}, {3, 30}, {1, 11}};
    EXPECT_THAT(recalledShapes(recall, 0, other), ElementsAre(10, 0, 0));
    int reads = 0;
    EXPECT_THAT(recalledShapes(recall, 0, other, &reads), ElementsAre(10, 30, 11));
    EXPECT_EQ(reads, 1);
    EXPECT_THAT(recalledShapes(recall, 0, other, &reads), ElementsAre(10, 30, 11));
    EXPECT_EQ(reads, 1);
}

TEST(ShapeRecall, AShorterAndALongerPassAreNotTakenForTheKnownOne)
{
    ShapeRecall recall;
    recalledShapes(recall, 0, kPass);
    EXPECT_THAT(recalledShapes(recall, 0, {{1, 10}}), ElementsAre(10));
    int reads = 0;
    recalledShapes(recall, 0, {{1, 10}}, &reads);
    EXPECT_EQ(reads, 1) << "the pass before ended early";
    EXPECT_THAT(recalledShapes(recall, 0, {{1, 10}, {1, 12}}), ElementsAre(10, 0));
    recalledShapes(recall, 0, {{1, 10}, {1, 12}}, &reads);
    EXPECT_EQ(reads, 2);
}

TEST(ShapeRecall, OtherShapesAtTheSameNamesRefuteAllAndEndIt)
{
    ShapeRecall recall;
    int reads = 0;
    for (int i = 0; i <= ShapeRecall::kFirstCheck; ++i)
        recalledShapes(recall, 0, {{1, 10}, {2, i < 5 ? 20u : 21u}}, &reads);
    EXPECT_EQ(reads, 2);
    EXPECT_TRUE(recalledShapes(recall, 0, kPass, &reads).size() == 3 && recall.refuted());
    for (int i = 0; i < 5; ++i)
        recalledShapes(recall, 0, kPass, &reads);
    EXPECT_EQ(reads, 2 + 6);
}

TEST(ShapeRecall, GivenUpItReadsEveryPass)
{
    ShapeRecall recall;
    recall.giveUp();
    int reads = 0;
    for (int i = 0; i < 5; ++i)
        recalledShapes(recall, 0, kPass, &reads);
    EXPECT_EQ(reads, 5);
}

TEST(ShapeRecall, AnOperatorIsKnownByWhereItsNameStands)
{
    ShapeRecall recall;
    const char* const a = "aten::add";
    const char* const b = "aten::mul";
    ASSERT_TRUE(recall.passBegins(&kInputs[0]));
    recall.read({a, 1, 10});
    recall.read({nullptr, 2, 20}); // a name that may be somewhere else the next time
    recall.read({b, 3, 30});
    ASSERT_FALSE(recall.passBegins(&kInputs[0]));
    ASSERT_NE(recall.next(a), nullptr);
    EXPECT_EQ(recall.next(b), nullptr) << "another one's turn";
    const ShapeRecall::Place* const second = recall.next(2);
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(second->shapes, 20u);
    const ShapeRecall::Place* const third = recall.next(b);
    ASSERT_NE(third, nullptr);
    EXPECT_EQ(third->shapes, 30u);
    EXPECT_FALSE(recall.passBegins(&kInputs[0])) << "it went the known way";
}

TEST(ShapeRecall, AnOperatorOutsideOfAPassHasNoShapes)
{
    ShapeRecall recall;
    EXPECT_EQ(recall.next(1), nullptr);
}

} // namespace
} // namespace apertune::libtorch::recording

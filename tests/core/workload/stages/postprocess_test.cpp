// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/workload/stages/postprocess.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace apertune::workload {
namespace {

TEST(TopClasses, AreThoseOfSoftmaxLargestFirst)
{
    const std::vector<float> logits{1, 3, 2, 3, -50};
    const auto top = topClasses(logits, 3);
    ASSERT_EQ(top.size(), 3U);
    EXPECT_EQ(top[0].index, 1) << "the first of equals";
    EXPECT_EQ(top[1].index, 3);
    EXPECT_EQ(top[2].index, 2);
    double sum = 0;
    for (const float value : logits)
        sum += std::exp(value);
    EXPECT_NEAR(top[0].score, std::exp(3.0) / sum, 1e-6);
    EXPECT_NEAR(top[2].score, std::exp(2.0) / sum, 1e-6);
    EXPECT_EQ(topClasses(logits, 9).size(), 5U);
    const std::vector<float> huge{1e30F, 3e38F, std::numeric_limits<float>::quiet_NaN()};
    EXPECT_EQ(topClasses(huge, 1)[0].index, 1);
    EXPECT_NEAR(topClasses(huge, 1)[0].score, 1, 1e-6);
}

TEST(Suppression, KeepsTheBestOfBoxesThatAreOneThing)
{
    const std::vector<Box> boxes{{0, 0, 10, 10, 0.5F, 1}, // under the next
                                 {1, 0, 11, 10, 0.9F, 1}, //
                                 {1, 0, 11, 10, 0.8F, 2}, // the same place, another thing
                                 {30, 30, 40, 40, 0.1F, 1}};
    for (const Suppression how : {Suppression::plain, Suppression::batched}) {
        const auto kept = suppress(boxes, 0.5F, how);
        ASSERT_EQ(kept.size(), 3U) << toString(how);
        EXPECT_EQ(kept[0].score, 0.9F);
        EXPECT_EQ(kept[1].label, 2);
        EXPECT_EQ(kept[2].score, 0.1F);
    }
    EXPECT_EQ(suppress(boxes, 0.5F, Suppression::none).size(), 4U);
    EXPECT_NEAR(overlap(boxes[0], boxes[1]), 90.0 / 110, 1e-6);
    EXPECT_EQ(overlap(boxes[0], boxes[3]), 0);
    EXPECT_TRUE(suppress({}, 0.5F, Suppression::batched).empty());
}

TEST(Suppression, GivesTheSameBoxesEitherWay)
{
    base::Random random(4);
    for (int round = 0; round < 50; ++round) {
        std::vector<Box> boxes;
        for (int i = 0; i < 200; ++i) {
            // On a grid of quarters, so that moving a label's boxes away loses no bit.
            const auto at = [&](int n) { return static_cast<float>(random.below(static_cast<std::size_t>(n))) / 4; };
            const float x = at(200);
            const float y = at(200);
            boxes.push_back({x, y, x + at(100), y + at(100), static_cast<float>(random.below(50)) / 50,
                             static_cast<int>(random.below(4))});
        }
        const auto plain = suppress(boxes, 0.45F, Suppression::plain);
        const auto batched = suppress(boxes, 0.45F, Suppression::batched);
        ASSERT_EQ(plain.size(), batched.size());
        EXPECT_LT(plain.size(), boxes.size());
        for (std::size_t i = 0; i < plain.size(); ++i) {
            EXPECT_EQ(plain[i].x1, batched[i].x1);
            EXPECT_EQ(plain[i].y2, batched[i].y2);
            EXPECT_EQ(plain[i].label, batched[i].label);
        }
        // What is kept does not overlap; what is not, overlaps something kept.
        for (const Box& a : plain)
            for (const Box& b : plain)
                EXPECT_TRUE(&a == &b || a.label != b.label || overlap(a, b) <= 0.45F);
    }
}

TEST(Reading, IsChosenByFamilyNamesAndShapes)
{
    const std::vector<float> five{0, 1, 9, 1, 0};
    const std::vector<ModelOutput> logits{{"output", {5}, five, {}}};
    EXPECT_EQ(readingOf(model::TaskType::classification, logits, Suppression::batched), "softmax, top 5");
    EXPECT_EQ(readAnswer(model::TaskType::classification, logits, Suppression::batched).classes[0].index, 2);
    EXPECT_EQ(readingOf(model::TaskType::other, logits, Suppression::batched), "outputs taken as they are");
    EXPECT_TRUE(readAnswer(model::TaskType::other, logits, Suppression::batched).classes.empty());

    const std::vector<float> planes{1, 0, 5, 0, 0, 2, 5, 1}; // two classes of 2 × 2, the third pixel equal
    const std::vector<ModelOutput> pixels{{"out", {2, 2, 2}, planes, {}}};
    EXPECT_EQ(readingOf(model::TaskType::segmentation, pixels, Suppression::none), "arg max of each pixel");
    EXPECT_EQ(readAnswer(model::TaskType::segmentation, pixels, Suppression::none).labels,
              (std::vector<std::uint8_t>{0, 1, 0, 1}));
}

TEST(Reading, OfDetectorsFindsTheirBoxes)
{
    const std::vector<float> corners{0, 0, 10, 10, 1, 0, 11, 10, 50, 50, 60, 60};
    const std::vector<float> scores{0.9F, 0.8F, 0.7F};
    const std::vector<std::int64_t> labels{1, 1, 1};
    const std::vector<std::int64_t> two{2};
    const std::vector<ModelOutput> own{{"boxes", {3, 4}, corners, {}},
                                       {"scores", {3}, scores, {}},
                                       {"labels", {3}, {}, labels},
                                       {"count", {}, {}, two}};
    EXPECT_EQ(readingOf(model::TaskType::detection, own, Suppression::plain), "boxes above 0.05, plain NMS");
    EXPECT_EQ(readAnswer(model::TaskType::detection, own, Suppression::none).boxes.size(), 2U)
        << "count says that the third is none";
    EXPECT_EQ(readAnswer(model::TaskType::detection, own, Suppression::plain).boxes.size(), 1U);

    const std::vector<float> perClass{0.1F, 0.9F, 0.8F, 0.1F, 0.01F, 0.02F};
    const std::vector<ModelOutput> raw{{"scores", {3, 2}, perClass, {}}, {"b", {3, 4}, corners, {}}};
    const auto boxes = readAnswer(model::TaskType::detection, raw, Suppression::batched).boxes;
    ASSERT_EQ(boxes.size(), 2U) << "two labels in one place; the third is below the threshold";
    EXPECT_EQ(boxes[0].label, 1);
    EXPECT_EQ(boxes[1].label, 0);

    const std::vector<float> rows{5, 5, 10, 10, 0.5F, 0.2F, 0.8F, 5, 5, 10, 10, 0.01F, 1, 1};
    const std::vector<ModelOutput> yolo{{"output", {2, 7}, rows, {}}};
    const auto found = readAnswer(model::TaskType::detection, yolo, Suppression::batched).boxes;
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(found[0].score, 0.4, 1e-6);
    EXPECT_EQ(found[0].label, 1);
    EXPECT_EQ(found[0].x1, 0);

    // Two classes and 21 cells, of which the third has something.
    std::vector<float> columns(6 * 21, 0);
    for (const auto& [row, value] : std::vector<std::pair<int, float>>{{0, 5}, {1, 6}, {2, 10}, {3, 4}, {5, 0.7F}})
        columns[static_cast<std::size_t>(row * 21 + 2)] = value;
    const std::vector<ModelOutput> later{{"output0", {6, 21}, columns, {}}};
    const auto cells = readAnswer(model::TaskType::detection, later, Suppression::batched).boxes;
    ASSERT_EQ(cells.size(), 1U);
    EXPECT_NEAR(cells[0].score, 0.7, 1e-6);
    EXPECT_EQ(cells[0].label, 1);
    EXPECT_EQ(cells[0].x1, 0);
    EXPECT_EQ(cells[0].y2, 8);

    const std::vector<float> classes{0, 8, 0, 0, 0, 8};
    const std::vector<float> centres{0.5F, 0.5F, 1, 1, 0.2F, 0.2F, 0.1F, 0.1F};
    const std::vector<ModelOutput> detr{{"pred_logits", {2, 3}, classes, {}}, {"pred_boxes", {2, 4}, centres, {}}};
    const auto answer = readAnswer(model::TaskType::detection, detr, Suppression::none).boxes;
    ASSERT_EQ(answer.size(), 1U) << "the last class is nothing";
    EXPECT_EQ(answer[0].label, 1);
    EXPECT_EQ(answer[0].x2, 1);
}

} // namespace
} // namespace apertune::workload

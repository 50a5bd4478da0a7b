// SPDX-License-Identifier: GPL-3.0-or-later
// Decoding of a model's outputs: core/workload/stages/postprocess.h. The input contains the task, and the shapes and
// values of some outputs. A second pass uses whole numbers, for which every order of box suppression is exact.
#include "core/workload/stages/postprocess.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

namespace apertune::fuzz {

using workload::Box;
using workload::ModelOutput;
using workload::Suppression;

namespace {

constexpr std::array kTasks{model::TaskType::classification, model::TaskType::segmentation, model::TaskType::detection,
                            model::TaskType::other};
constexpr std::array kNames{"boxes", "scores", "labels", "count", "pred_logits", "pred_boxes", "output"};
constexpr std::size_t kMostValues = 4096;

/// Outputs with the memory that they refer to.
struct Outputs
{
    std::vector<ModelOutput> list;
    std::deque<std::vector<float>> floats;
    std::deque<std::vector<std::int64_t>> integers;
};

Outputs takeOutputs(Input& input)
{
    Outputs outputs;
    const std::size_t count = input.take<std::uint8_t>() % 5;
    for (std::size_t i = 0; i < count; ++i) {
        ModelOutput& output = outputs.list.emplace_back();
        output.name = kNames[input.take<std::uint8_t>() % kNames.size()];
        const std::size_t rank = input.take<std::uint8_t>() % 4;
        std::size_t values = 1;
        for (std::size_t d = 0; d < rank; ++d) {
            const std::size_t extent =
                std::min<std::size_t>(input.take<std::uint8_t>(), kMostValues / std::max<std::size_t>(values, 1));
            output.shape.push_back(static_cast<std::int64_t>(extent));
            values *= extent;
        }
        if (input.take<std::uint8_t>() % 4 == 0) {
            std::vector<std::int64_t>& integers = outputs.integers.emplace_back(values);
            for (std::int64_t& value : integers)
                value = input.take<std::int64_t>();
            output.integers = integers;
        } else {
            std::vector<float>& floats = outputs.floats.emplace_back(values);
            for (float& value : floats)
                value = input.take<float>();
            output.floats = floats;
        }
    }
    return outputs;
}

void examineOutputs(Input& input)
{
    const model::TaskType task = kTasks[input.take<std::uint8_t>() % kTasks.size()];
    const Outputs outputs = takeOutputs(input);
    for (const Suppression how : {Suppression::none, Suppression::plain, Suppression::batched}) {
        require(!workload::readingOf(task, outputs.list, how).empty(), "a reading has a phrase");
        const workload::Answer answer = workload::readAnswer(task, outputs.list, how);
        require(answer.classes.size() <= workload::kTopClasses, "no more classes than the top");
        require(answer.boxes.size() <= workload::kMostCandidates, "no more boxes than candidates");
        for (const Box& box : answer.boxes)
            require(box.score >= workload::kLeastScore, "a box that is no detection is left out");
        require(std::ranges::is_sorted(answer.boxes, [](const Box& a, const Box& b) { return a.score > b.score; }),
                "the best box is first");
    }
    for (const std::vector<float>& values : outputs.floats) {
        const auto top = workload::topClasses(values, 3);
        require(top.size() == std::min<std::size_t>(3, values.size()), "as many classes as were asked for");
        for (std::size_t i = 1; i < top.size(); ++i)
            require(top[i - 1].score >= top[i].score, "the most likely class is first");
        for (const workload::Ranked& ranked : top)
            require(ranked.score >= 0 && ranked.score <= 1, "a probability is a part of 1");
    }
}

void examineBoxes(Input& input)
{
    std::vector<Box> boxes;
    while (!input.atEnd() && boxes.size() < 100) {
        const auto [x, y, width, height, score, label] = input.take<std::array<std::uint8_t, 6>>();
        boxes.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(x + width),
                         static_cast<float>(y + height), static_cast<float>(score), label % 4});
    }
    const auto plain = workload::suppress(boxes, 0.5F, Suppression::plain);
    const auto batched = workload::suppress(boxes, 0.5F, Suppression::batched);
    const auto same = [](const Box& a, const Box& b) {
        return a.x1 == b.x1 && a.y1 == b.y1 && a.x2 == b.x2 && a.y2 == b.y2 && a.score == b.score && a.label == b.label;
    };
    require(std::ranges::equal(plain, batched, same), "both ways keep the same boxes");
    for (std::size_t i = 0; i < plain.size(); ++i)
        for (std::size_t k = i + 1; k < plain.size(); ++k)
            require(plain[i].label != plain[k].label || workload::overlap(plain[i], plain[k]) <= 0.5F,
                    "no two kept boxes of a label overlap");
}

} // namespace

void examine(std::string_view bytes)
{
    Input outputs(bytes);
    examineOutputs(outputs);
    Input boxes(bytes);
    examineBoxes(boxes);
}

std::vector<std::string> seeds()
{
    const auto shape = [](std::uint8_t name, std::initializer_list<std::uint8_t> extents) {
        std::string bytes = bytesOf(name, static_cast<std::uint8_t>(extents.size()));
        for (const std::uint8_t extent : extents)
            bytes += bytesOf(extent);
        return bytes;
    };
    const std::uint8_t floats = 1;
    const std::uint8_t integers = 0;
    const auto begin = [](std::uint8_t task, std::uint8_t count) { return bytesOf(task, count); };
    return {begin(0, 1) + shape(6, {4}) + bytesOf(floats, 0.5F, 2.0F, -1.0F, NAN),
            begin(1, 1) + shape(6, {2, 1, 2}) + bytesOf(floats, 1.0F, 0.0F, 0.5F, 0.25F),
            begin(2, 3) + shape(0, {2, 4}) + bytesOf(floats, 0.0F, 0.0F, 2.0F, 2.0F, 0.0F, 0.0F, 2.0F, 2.5F) +
                shape(1, {2}) + bytesOf(floats, 0.9F, 0.8F) + shape(2, {2}) +
                bytesOf(integers, std::int64_t{1}, std::int64_t{1}),
            begin(2, 2) + shape(5, {1, 4}) + bytesOf(floats, 0.5F, 0.5F, 1.0F, 1.0F) + shape(4, {1, 3}) +
                bytesOf(floats, 5.0F, 1.0F, 0.0F),
            begin(2, 1) + shape(6, {1, 7}) + bytesOf(floats, 0.5F, 0.5F, 1.0F, 1.0F, 0.9F, 0.8F, 0.1F)};
}

} // namespace apertune::fuzz

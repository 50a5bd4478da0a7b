// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/stages/postprocess.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace apertune::workload {

float overlap(const Box& a, const Box& b)
{
    const auto area = [](const Box& box) { return std::max(0.0F, box.x2 - box.x1) * std::max(0.0F, box.y2 - box.y1); };
    const float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
    const float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
    if (width <= 0 || height <= 0)
        return 0;
    const float both = width * height;
    return both / (area(a) + area(b) - both);
}

std::vector<Ranked> topClasses(std::span<const float> logits, std::size_t k)
{
    std::vector<Ranked> all(logits.size());
    float largest = -INFINITY;
    for (const float value : logits)
        if (value > largest)
            largest = value;
    float sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        // Without the largest logit, exp() would overflow.
        const float e = std::isnan(logits[i]) ? 0 : std::exp(logits[i] - largest);
        all[i] = {static_cast<int>(i), std::isnan(e) ? 0 : e};
        sum += all[i].score;
    }
    k = std::min(k, all.size());
    std::partial_sort(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k), all.end(),
        [](const Ranked& a, const Ranked& b) { return a.score != b.score ? a.score > b.score : a.index < b.index; });
    all.resize(k);
    if (sum > 0)
        for (Ranked& ranked : all)
            ranked.score /= sum;
    return all;
}

namespace {

std::vector<Box> suppressPlain(const std::vector<Box>& sorted, float limit)
{
    std::vector<char> suppressed(sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i)
        for (std::size_t k = i + 1; k < sorted.size() && !suppressed[i]; ++k)
            if (sorted[k].label == sorted[i].label && overlap(sorted[i], sorted[k]) > limit)
                suppressed[k] = 1;
    std::vector<Box> kept;
    for (std::size_t i = 0; i < sorted.size(); ++i)
        if (!suppressed[i])
            kept.push_back(sorted[i]);
    return kept;
}

/// Boxes are stored as columns and the inner loop has no branch, so that the compiler can vectorize it.
std::vector<Box> suppressBatched(const std::vector<Box>& sorted, float limit)
{
    const std::size_t n = sorted.size();
    float largest = 0;
    for (const Box& box : sorted)
        largest = std::max({largest, std::abs(box.x1), std::abs(box.y1), std::abs(box.x2), std::abs(box.y2)});
    std::vector<float> x1(n), y1(n), x2(n), y2(n), area(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Box& box = sorted[i];
        // Boxes of different labels never overlap once each label is shifted by more than the largest extent.
        const float shift = static_cast<float>(box.label) * (2 * largest + 1);
        x1[i] = box.x1 + shift;
        y1[i] = box.y1 + shift;
        x2[i] = box.x2 + shift;
        y2[i] = box.y2 + shift;
        area[i] = std::max(0.0F, box.x2 - box.x1) * std::max(0.0F, box.y2 - box.y1);
    }
    std::vector<char> suppressed(n);
    std::vector<Box> kept;
    for (std::size_t i = 0; i < n; ++i) {
        if (suppressed[i])
            continue;
        kept.push_back(sorted[i]);
        for (std::size_t k = i + 1; k < n; ++k) {
            const float width = std::max(0.0F, std::min(x2[i], x2[k]) - std::max(x1[i], x1[k]));
            const float height = std::max(0.0F, std::min(y2[i], y2[k]) - std::max(y1[i], y1[k]));
            // Multiplied instead of divided, because the quotient would need a branch for empty boxes.
            const float both = width * height;
            suppressed[k] =
                static_cast<char>(suppressed[k] | static_cast<char>(both > limit * (area[i] + area[k] - both)));
        }
    }
    return kept;
}

} // namespace

std::vector<Box> suppress(std::vector<Box> boxes, float limit, Suppression how)
{
    std::stable_sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.score > b.score; });
    switch (how) {
    case Suppression::plain:
        return suppressPlain(boxes, limit);
    case Suppression::batched:
        return suppressBatched(boxes, limit);
    case Suppression::none:
        break;
    }
    return boxes;
}

void labelPixels(std::span<const float> planes, std::size_t classes, std::span<std::uint8_t> labels)
{
    const std::size_t pixels = labels.size();
    std::vector<float> best(planes.begin(), planes.begin() + static_cast<std::ptrdiff_t>(pixels));
    std::fill(labels.begin(), labels.end(), std::uint8_t{0});
    for (std::size_t c = 1; c < classes; ++c) {
        const float* plane = planes.data() + c * pixels;
        for (std::size_t i = 0; i < pixels; ++i)
            if (plane[i] > best[i]) {
                best[i] = plane[i];
                labels[i] = static_cast<std::uint8_t>(c);
            }
    }
}

namespace {

enum class Reading { classes, pixels, detections, detr, rawBoxes, rows, columns, none };

struct Found
{
    Reading reading = Reading::none;
    const ModelOutput* first = nullptr;
    const ModelOutput* second = nullptr;
    const ModelOutput* third = nullptr;
    const ModelOutput* count = nullptr;
};

const ModelOutput* named(std::span<const ModelOutput> outputs, std::string_view name)
{
    for (const ModelOutput& output : outputs)
        if (output.name == name)
            return &output;
    return nullptr;
}

bool boxShaped(const ModelOutput& output)
{
    return output.shape.size() == 2 && output.shape[1] == 4 && !output.floats.empty();
}

/// Whether the output is [4+C,K] with a column for each cell of three grids, one in 8, 16 and 32 pixels. They have 21
/// cells for every 32 by 32 pixels.
bool isInColumns(const ModelOutput& output)
{
    constexpr std::int64_t kCells = 21;
    return output.shape.size() == 2 && output.shape[0] > 4 && output.shape[0] < output.shape[1] &&
           output.shape[1] % kCells == 0 && !output.floats.empty();
}

Found identifyOutputs(model::TaskType task, std::span<const ModelOutput> outputs)
{
    if (task == model::TaskType::classification)
        for (const ModelOutput& output : outputs)
            if (output.shape.size() == 1 && output.floats.size() >= 2)
                return {Reading::classes, &output, nullptr, nullptr, nullptr};
    if (task == model::TaskType::segmentation)
        for (const ModelOutput& output : outputs)
            // A label has 8 bits.
            if (output.shape.size() == 3 && output.shape[0] >= 2 && output.shape[0] <= 256 && !output.floats.empty())
                return {Reading::pixels, &output, nullptr, nullptr, nullptr};
    if (task != model::TaskType::detection)
        return {};
    const ModelOutput* boxes = named(outputs, "boxes");
    const ModelOutput* scores = named(outputs, "scores");
    const ModelOutput* labels = named(outputs, "labels");
    if (boxes && scores && labels && boxShaped(*boxes) && scores->shape.size() == 1 &&
        labels->integers.size() == scores->floats.size() && boxes->floats.size() == 4 * scores->floats.size())
        return {Reading::detections, boxes, scores, labels, named(outputs, "count")};
    const ModelOutput* logits = named(outputs, "pred_logits");
    const ModelOutput* centred = named(outputs, "pred_boxes");
    const auto matches = [](const ModelOutput& box, const ModelOutput& score) {
        return boxShaped(box) && score.shape.size() == 2 && !score.floats.empty() && score.shape[0] == box.shape[0];
    };
    if (logits && centred && matches(*centred, *logits) && logits->shape[1] >= 2)
        return {Reading::detr, centred, logits, nullptr, nullptr};
    if (outputs.size() >= 2) {
        // Models export boxes and scores in either order.
        if (matches(outputs[0], outputs[1]))
            return {Reading::rawBoxes, &outputs[0], &outputs[1], nullptr, nullptr};
        if (matches(outputs[1], outputs[0]))
            return {Reading::rawBoxes, &outputs[1], &outputs[0], nullptr, nullptr};
    }
    if (!outputs.empty() && isInColumns(outputs[0]))
        return {Reading::columns, &outputs[0], nullptr, nullptr, nullptr};
    if (!outputs.empty() && outputs[0].shape.size() == 2 && outputs[0].shape[1] >= 6 && !outputs[0].floats.empty())
        return {Reading::rows, &outputs[0], nullptr, nullptr, nullptr};
    return {};
}

Box fromCentre(const float* v)
{
    return {v[0] - v[2] / 2, v[1] - v[3] / 2, v[0] + v[2] / 2, v[1] + v[3] / 2, 0, 0};
}

/// Adds one box with the best class of a candidate, if its score is high enough.
template <typename ScoreOf>
void addBest(std::vector<Box>& boxes, Box box, std::size_t classes, ScoreOf scoreOf)
{
    for (std::size_t c = 0; c < classes; ++c)
        if (const float score = scoreOf(c); score > box.score) {
            box.score = score;
            box.label = static_cast<int>(c);
        }
    if (box.score >= kLeastScore)
        boxes.push_back(box);
}

std::vector<Box> candidates(const Found& found)
{
    std::vector<Box> boxes;
    const float* values = found.first->floats.data();
    const auto rows = static_cast<std::size_t>(found.first->shape[0]);
    switch (found.reading) {
    case Reading::detections: {
        std::size_t count = rows;
        if (found.count && !found.count->integers.empty())
            count = std::min(rows, static_cast<std::size_t>(std::max<std::int64_t>(0, found.count->integers[0])));
        for (std::size_t i = 0; i < count; ++i)
            if (const float score = found.second->floats[i]; score >= kLeastScore)
                boxes.push_back({values[i * 4], values[i * 4 + 1], values[i * 4 + 2], values[i * 4 + 3], score,
                                 static_cast<int>(found.third->integers[i])});
        break;
    }
    case Reading::detr: {
        const auto width = static_cast<std::size_t>(found.second->shape[1]);
        for (std::size_t i = 0; i < rows; ++i) {
            const auto best = topClasses(found.second->floats.subspan(i * width, width), 1);
            // The last class of DETR means "no object".
            if (static_cast<std::size_t>(best.front().index) + 1 == width || best.front().score < kLeastScore)
                continue;
            Box box = fromCentre(values + i * 4);
            box.score = best.front().score;
            box.label = best.front().index;
            boxes.push_back(box);
        }
        break;
    }
    case Reading::rawBoxes: {
        const auto classes = static_cast<std::size_t>(found.second->shape[1]);
        const float* scores = found.second->floats.data();
        for (std::size_t i = 0; i < rows; ++i)
            addBest(boxes, {values[i * 4], values[i * 4 + 1], values[i * 4 + 2], values[i * 4 + 3], 0, 0}, classes,
                    [&](std::size_t c) { return scores[i * classes + c]; });
        break;
    }
    case Reading::rows: {
        const auto width = static_cast<std::size_t>(found.first->shape[1]);
        for (std::size_t i = 0; i < rows; ++i) {
            const float* row = values + i * width;
            // YOLO: centre, size, confidence that there is an object, and a share for each class. The product cannot be
            // larger than the confidence.
            if (row[4] >= kLeastScore)
                addBest(boxes, fromCentre(row), width - 5, [&](std::size_t c) { return row[4] * row[5 + c]; });
        }
        break;
    }
    case Reading::columns: {
        const auto cells = static_cast<std::size_t>(found.first->shape[1]);
        // YOLO from version 8 on: the centre, the size and a score for each class, without a confidence of their own.
        for (std::size_t i = 0; i < cells; ++i) {
            const std::array<float, 4> centre{values[i], values[cells + i], values[2 * cells + i],
                                              values[3 * cells + i]};
            addBest(boxes, fromCentre(centre.data()), rows - 4,
                    [&](std::size_t c) { return values[(4 + c) * cells + i]; });
        }
        break;
    }
    default:
        break;
    }
    if (boxes.size() > kMostCandidates) {
        std::stable_sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.score > b.score; });
        boxes.resize(kMostCandidates);
    }
    return boxes;
}

} // namespace

std::string readingOf(model::TaskType task, std::span<const ModelOutput> outputs, Suppression suppression)
{
    switch (identifyOutputs(task, outputs).reading) {
    case Reading::classes:
        return "softmax, top 5";
    case Reading::pixels:
        return "arg max of each pixel";
    case Reading::none:
        return "outputs taken as they are";
    default:
        break;
    }
    const std::string how = suppression == Suppression::none ? "no NMS" : std::string(toString(suppression)) + " NMS";
    return "boxes above 0.05, " + how;
}

Answer readAnswer(model::TaskType task, std::span<const ModelOutput> outputs, Suppression suppression)
{
    const Found found = identifyOutputs(task, outputs);
    Answer answer;
    switch (found.reading) {
    case Reading::classes:
        answer.classes = topClasses(found.first->floats, kTopClasses);
        break;
    case Reading::pixels: {
        const auto classes = static_cast<std::size_t>(found.first->shape[0]);
        answer.labels.resize(found.first->floats.size() / classes);
        labelPixels(found.first->floats, classes, answer.labels);
        break;
    }
    case Reading::none:
        break;
    default:
        answer.boxes = suppress(candidates(found), kMostOverlap, suppression);
        break;
    }
    return answer;
}

} // namespace apertune::workload

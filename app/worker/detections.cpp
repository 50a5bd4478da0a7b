// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/detections.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace apertune::worker {

namespace {

constexpr double kSameBox = 0.5;
constexpr std::size_t kCorners = 4;

/// Whether the name contains one of the words, without regard to case.
template <std::size_t n>
bool isCalled(std::string_view name, const std::array<std::string_view, n>& words)
{
    const std::string lower = base::lower(name);
    return std::any_of(words.begin(), words.end(), [&](auto word) { return lower.find(word) != std::string::npos; });
}

constexpr std::array<std::string_view, 1> kBoxWords{"box"};
constexpr std::array<std::string_view, 3> kScoreWords{"score", "conf", "prob"};
constexpr std::array<std::string_view, 2> kLabelWords{"label", "class"};
constexpr std::array<std::string_view, 2> kCountWords{"count", "num"};

bool isLabels(const OutputView& output)
{
    return isCalled(output.name, kLabelWords) && !isCalled(output.name, kScoreWords);
}

bool startsWith(std::span<const std::int64_t> shape, std::span<const std::int64_t> leading)
{
    return shape.size() >= leading.size() && std::equal(leading.begin(), leading.end(), shape.begin());
}

std::size_t elements(std::span<const std::int64_t> shape)
{
    return static_cast<std::size_t>(elementCount(shape));
}

std::size_t usedRows(std::span<const OutputView> outputs, const DetectionList& list, std::size_t image)
{
    if (!list.count)
        return list.rows;
    const std::int64_t count = outputs[*list.count].integers[image];
    return static_cast<std::size_t>(std::clamp<std::int64_t>(count, 0, static_cast<std::int64_t>(list.rows)));
}

/// The parts of a list with known boxes and scores; nothing where their shapes do not fit together.
std::optional<DetectionList> partsOf(std::span<const OutputView> outputs, std::size_t boxes, std::size_t scores)
{
    const auto shape = outputs[boxes].shape;
    if (!outputs[boxes].isFloat || !outputs[scores].isFloat)
        return std::nullopt;
    // A box has four corners, so its last dimension is four.
    if ((shape.size() != 2 && shape.size() != 3) || shape.back() != static_cast<std::int64_t>(kCorners))
        return std::nullopt;
    const auto leading = shape.first(shape.size() - 1);
    if (!std::equal(leading.begin(), leading.end(), outputs[scores].shape.begin(), outputs[scores].shape.end()))
        return std::nullopt;
    DetectionList list;
    list.boxes = boxes;
    list.scores = scores;
    list.leading = leading.size();
    list.images = leading.size() == 2 ? static_cast<std::size_t>(leading[0]) : 1;
    list.rows = static_cast<std::size_t>(leading.back());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const OutputView& other = outputs[i];
        const bool eachRow = std::equal(leading.begin(), leading.end(), other.shape.begin(), other.shape.end());
        if (i == boxes || i == scores) {
            list.byRow.push_back(i);
        } else if (!other.isFloat && elements(other.shape) == list.images &&
                   (isCalled(other.name, kCountWords) || (leading.size() == 2 && other.shape.size() == 1))) {
            list.count = i;
        } else if (eachRow && !list.labels && (!other.isFloat || isLabels(other))) {
            list.labels = i;
        } else if (other.isFloat && startsWith(other.shape, leading)) {
            list.byRow.push_back(i);
        }
    }
    return list;
}

/// Whether, in every used row, the boxes are corners and the scores fall.
bool isRanked(std::span<const OutputView> outputs, const DetectionList& list)
{
    const float* boxes = outputs[list.boxes].floats;
    const float* scores = outputs[list.scores].floats;
    // A detector writes its boxes in the order of falling scores. Other outputs of these shapes do not.
    for (std::size_t image = 0; image < list.images; ++image)
        for (std::size_t i = 0; i < usedRows(outputs, list, image); ++i) {
            const std::size_t row = image * list.rows + i;
            const float* box = boxes + row * kCorners;
            if (!(box[0] <= box[2] && box[1] <= box[3]) || (i > 0 && !(scores[row] <= scores[row - 1])))
                return false;
        }
    return true;
}

double area(const float* box)
{
    return static_cast<double>(box[2] - box[0]) * static_cast<double>(box[3] - box[1]);
}

/// The intersection over union of two boxes.
double overlap(const float* a, const float* b)
{
    if (std::equal(a, a + kCorners, b))
        return 1; // also for two boxes without area
    const double width = static_cast<double>(std::min(a[2], b[2])) - std::max(a[0], b[0]);
    const double height = static_cast<double>(std::min(a[3], b[3])) - std::max(a[1], b[1]);
    if (!(width > 0 && height > 0))
        return 0;
    return width * height / (area(a) + area(b) - width * height);
}

/// The rows of an image that are detections, best first.
std::vector<std::size_t> detectionsOf(std::span<const OutputView> outputs, const DetectionList& list, std::size_t image)
{
    const float* scores = outputs[list.scores].floats;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < usedRows(outputs, list, image); ++i) {
        const std::size_t row = image * list.rows + i;
        // Unused rows are filled with zeros.
        if (scores[row] != 0 || area(outputs[list.boxes].floats + row * kCorners) != 0)
            rows.push_back(row);
    }
    // A NaN is sorted last. Compared with other values it would break the strict order that sort() needs.
    const auto sorted =
        std::stable_partition(rows.begin(), rows.end(), [&](auto row) { return !std::isnan(scores[row]); });
    std::stable_sort(rows.begin(), sorted, [&](auto a, auto b) { return scores[a] > scores[b]; });
    return rows;
}

double labelOf(std::span<const OutputView> outputs, const DetectionList& list, std::size_t row)
{
    if (!list.labels)
        return 0;
    const OutputView& labels = outputs[*list.labels];
    return labels.isFloat ? static_cast<double>(labels.floats[row]) : static_cast<double>(labels.integers[row]);
}

} // namespace

OutputView::OutputView(const apertune_tensor& tensor)
    : name(tensor.name ? tensor.name : ""), shape(tensor.shape, tensor.rank), isFloat(tensor.dtype == APERTUNE_FLOAT32),
      floats(isFloat ? static_cast<const float*>(tensor.data) : nullptr),
      integers(isFloat ? nullptr : static_cast<const std::int64_t*>(tensor.data))
{
}

OutputView::OutputView(const KeptTensor& tensor)
    : name(tensor.name), shape(tensor.shape), isFloat(tensor.dtype == APERTUNE_FLOAT32),
      floats(isFloat ? tensor.floats.data() : nullptr), integers(isFloat ? nullptr : tensor.integers.data())
{
}

bool DetectionList::takes(std::size_t output) const
{
    return labels == output || count == output || std::find(byRow.begin(), byRow.end(), output) != byRow.end();
}

std::optional<DetectionList> findDetections(std::span<const OutputView> outputs, bool isDetector)
{
    // Outputs have no fixed order or names, so each pair is tried.
    for (std::size_t boxes = 0; boxes < outputs.size(); ++boxes)
        for (std::size_t scores = 0; scores < outputs.size(); ++scores) {
            if (boxes == scores || isLabels(outputs[scores]))
                continue;
            auto list = partsOf(outputs, boxes, scores);
            const bool isDeclared =
                isDetector || (list && list->labels) ||
                // The ranks decide where neither names nor labels do.
                (isCalled(outputs[boxes].name, kBoxWords) && isCalled(outputs[scores].name, kScoreWords));
            if (list && isDeclared && isRanked(outputs, *list))
                return list;
        }
    return std::nullopt;
}

std::optional<DetectionList> findDetections(std::span<const OutputView> outputs, const DetectionList& like)
{
    const std::size_t last = std::max({like.boxes, like.scores, like.labels.value_or(0), like.count.value_or(0)});
    if (last >= outputs.size())
        return std::nullopt;
    auto list = partsOf(outputs, like.boxes, like.scores);
    const bool same = list && list->images == like.images && list->labels == like.labels && list->count == like.count &&
                      list->byRow == like.byRow;
    return same ? list : std::nullopt;
}

std::vector<MatchedRow> matchDetections(std::span<const OutputView> candidate, const DetectionList& candidateList,
                                        std::span<const OutputView> reference, const DetectionList& referenceList)
{
    std::vector<MatchedRow> matched;
    for (std::size_t image = 0; image < referenceList.images; ++image) {
        std::vector<std::size_t> free = detectionsOf(reference, referenceList, image);
        // Detections are matched from the highest score on, each with the reference's best free box of its label.
        for (const std::size_t ours : detectionsOf(candidate, candidateList, image)) {
            const float* box = candidate[candidateList.boxes].floats + ours * kCorners;
            const double label = labelOf(candidate, candidateList, ours);
            auto best = free.end();
            double most = 0;
            for (auto it = free.begin(); it != free.end(); ++it) {
                if (labelOf(reference, referenceList, *it) != label)
                    continue;
                const double both = overlap(box, reference[referenceList.boxes].floats + *it * kCorners);
                if (both >= kSameBox && both > most) {
                    most = both;
                    best = it;
                }
            }
            matched.push_back({ours, best == free.end() ? std::nullopt : std::optional(*best)});
            if (best != free.end())
                free.erase(best);
        }
        for (const std::size_t theirs : free)
            matched.push_back({std::nullopt, theirs});
    }
    return matched;
}

std::vector<float> gatherRows(const OutputView& output, const DetectionList& list, std::span<const MatchedRow> rows,
                              std::optional<std::size_t> MatchedRow::*side)
{
    const std::size_t width = elements(output.shape.subspan(list.leading)); // also correct for a list without rows
    std::vector<float> values;
    values.reserve(rows.size() * width);
    for (const MatchedRow& row : rows)
        if (const auto& at = row.*side)
            values.insert(values.end(), output.floats + *at * width, output.floats + (*at + 1) * width);
        else
            values.insert(values.end(), width, 0.0F);
    return values;
}

} // namespace apertune::worker

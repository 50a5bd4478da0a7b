// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/task_type.h"
#include "core/workload/stages/pipeline_plan.h"

#include <span>
#include <string>
#include <vector>

namespace apertune::workload {

/// A class with its probability.
struct Ranked
{
    int index = 0;
    float score = 0;
};
/// A box with corners in the model's pixels, and its class.
struct Box
{
    float x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    float score = 0;
    int label = 0;
};

/// Returns the intersection over union of two boxes; 0 when either has no area.
float overlap(const Box& a, const Box& b);

/// Returns the `k` largest values of softmax(logits), largest first; equal values are ordered by index. NaN ranks last.
std::vector<Ranked> topClasses(std::span<const float> logits, std::size_t k);

/// Applies non-maximum suppression and returns the boxes that remain, best first (equal scores: in the given order). A
/// box is dropped when a kept box of the same label with a higher score overlaps it by more than `limit`.
/// - plain: compares all pairs of a label.
/// - batched: moves each label to a region of its own and compares all pairs without branches, like torchvision's
///   batched_nms.
/// - none: keeps all boxes.
///
/// plain and batched differ by rounding alone.
std::vector<Box> suppress(std::vector<Box> boxes, float limit, Suppression how);

/// Writes the label of each pixel: the index of the largest of `classes` planes, the first of equal ones.
/// REQUIRES: planes holds classes × labels.size() values, and classes ≤ 256.
void labelPixels(std::span<const float> planes, std::size_t classes, std::span<std::uint8_t> labels);

/// One output of a model for one image. Either `floats` or `integers` holds its values.
struct ModelOutput
{
    std::string name;
    std::vector<std::int64_t> shape; ///< dimensions, except for the batch
    std::span<const float> floats;
    std::span<const std::int64_t> integers;
};

/// The result for one image, as a program that uses the model would need it.
struct Answer
{
    std::vector<Ranked> classes;
    std::vector<Box> boxes;
    std::vector<std::uint8_t> labels; ///< one for each pixel
};

/// Candidates with a score below kLeastScore are ignored. Boxes that overlap by more than kMostOverlap are one object.
inline constexpr float kLeastScore = 0.05F;
inline constexpr float kMostOverlap = 0.5F;
inline constexpr std::size_t kMostCandidates = 1000; ///< largest number of boxes before suppression
inline constexpr std::size_t kTopClasses = 5;

/// Returns a phrase for the way in which the outputs of a model are read: "softmax, top 5", "boxes above 0.05, batched
/// NMS", "arg max of each pixel", or "outputs taken as they are" when no rule applies. The task type of the manifest
/// and the names and shapes of the outputs decide:
///
///   classification  the first output of one dimension, as logits
///   segmentation    the first output of shape [classes, height, width]
///
///   detection       "boxes" [K,4], "scores" [K], "labels" [K], "count": detections that the model already filtered
///                   "pred_logits" [K,C+1], "pred_boxes" [K,4] (centre, size): DETR, softmax; last class: no object
///                   two outputs [K,4] and [K,C]: raw boxes with a score for each class
///                   one output [K,5+C]: centre and size, objectness, classes
///                   one output [4+C,K]: centre and size, classes, a column for each cell (K is a multiple of 21)
std::string readingOf(model::TaskType task, std::span<const ModelOutput> outputs, Suppression suppression);
/// Reads the outputs of one image as readingOf() says.
Answer readAnswer(model::TaskType task, std::span<const ModelOutput> outputs, Suppression suppression);

} // namespace apertune::workload

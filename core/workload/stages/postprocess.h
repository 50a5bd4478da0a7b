// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/stages/pipeline_plan.h"

#include <span>
#include <string>
#include <vector>

namespace apertune::workload {

/// A class with its probability, or a box with its class.
struct Ranked
{
    int index = 0;
    float score = 0;
};
struct Box
{
    float x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    float score = 0;
    int label = 0;
};

/// Intersection over union; 0 where either has no area.
float overlap(const Box& a, const Box& b);

/// The `k` largest of softmax(logits), largest first, the smaller index where equal. NaN ranks last.
std::vector<Ranked> topClasses(std::span<const float> logits, std::size_t k);

/// Keeps a box unless one of the same label with a higher score, kept itself, overlaps it by more than `limit`. Best
/// first; where scores are equal, the one that came first. plain: compares all pairs, labels one after the other.
/// batched: one pass over all, each label moved to a region of its own, as torchvision's batched_nms. none: all boxes.
/// The first two give the same boxes.
std::vector<Box> suppress(std::vector<Box> boxes, float limit, Suppression how);

/// The label of each pixel: of `classes` planes of `pixels` values the largest, the first where equal.
void labelPixels(std::span<const float> planes, std::size_t classes, std::span<std::uint8_t> labels);

/// One output of a model, of one image.
struct ModelOutput
{
    std::string name;
    std::vector<std::int64_t> shape; ///< without the batch dimension
    std::span<const float> floats;   ///< either these
    std::span<const std::int64_t> integers;
};

/// What became of an image: what a program that uses the model would take over.
struct Answer
{
    std::vector<Ranked> classes;
    std::vector<Box> boxes;
    std::vector<std::uint8_t> labels; ///< of pixels
};

/// Candidates below this score are no detections; boxes that overlap more than this are one thing.
inline constexpr float kLeastScore = 0.05F;
inline constexpr float kMostOverlap = 0.5F;
inline constexpr std::size_t kMostCandidates = 1000; ///< before suppression
inline constexpr std::size_t kTopClasses = 5;

/// How the outputs of a model of this task type are read, as a phrase: "softmax, top 5", "boxes above 0.05, batched
/// NMS", "arg max of each pixel", or "outputs taken as they are" where nothing fits. By the task type of the manifest
/// and the names and shapes of the outputs:
///   classification  the first output of one dimension, as logits
///   segmentation    the first of [classes, height, width]
///   detection       "boxes" [K,4], "scores" [K], "labels" [K], "count": the model's own detections
///                   "pred_logits" [K,C+1], "pred_boxes" [K,4] (centre and size): DETR's; softmax, the last is nothing
///                   two outputs [K,4] and [K,C]: raw boxes with a score for each class
///                   one output [K,5+C]: centre and size, objectness, classes
std::string readingOf(const std::string& taskType, std::span<const ModelOutput> outputs, Suppression suppression);
Answer readAnswer(const std::string& taskType, std::span<const ModelOutput> outputs, Suppression suppression);

} // namespace apertune::workload

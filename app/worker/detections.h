// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/reference_file.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace apertune::worker {

/// A view of an output that a backend handed over or that was kept. It does not own the data.
struct OutputView
{
    OutputView(const apertune_tensor& tensor);
    OutputView(const KeptTensor& tensor);

    std::string_view name;
    std::span<const std::int64_t> shape;
    bool isFloat = true;
    const float* floats = nullptr;          ///< null for an output of integers, or an empty one
    const std::int64_t* integers = nullptr; ///< null for an output of floats, or an empty one
};

/// The outputs of a set that form a list of detections, best first. Outputs form a list under these rules:
///
/// * Boxes are a float output of corners, [images, K, 4] or [K, 4], with x1 ≤ x2 and y1 ≤ y2.
/// * Scores are a float output of the same shape without the 4, and fall from row to row.
/// * Labels, if any, have the shape of the scores. They are integers, or floats in an output named after labels or
///   classes.
/// * A count, if any, has one integer for each image: the number of used rows. It is named after a count, or has no K.
/// * The model has the task type "detection", or there are labels, or the names of both outputs say boxes and scores.
///
/// Boxes in a fixed order, such as DETR's one for each query, are no list.
/// query, are no list.
struct DetectionList
{
    std::size_t boxes = 0;
    std::size_t scores = 0;
    std::optional<std::size_t> labels{};
    std::optional<std::size_t> count{};
    std::vector<std::size_t>
        byRow{};             ///< boxes, scores and every other float output with at least one value for each row
    std::size_t leading = 1; ///< number of dimensions before those of a row: [images,] rows
    std::size_t images = 1;
    std::size_t rows = 0; ///< rows of each image, used or not

    bool takes(std::size_t output) const; ///< whether the output is a part of the list
};

/// Finds the list of a reference.
///
/// The second form finds the list of a candidate with `like`, that of its reference: the same outputs, with any number
/// of rows, in any order.
std::optional<DetectionList> findDetections(std::span<const OutputView> outputs, bool isDetector);
std::optional<DetectionList> findDetections(std::span<const OutputView> outputs, const DetectionList& like);

/// The rows of both sides that are the same detection. One is missing where only the other side has the detection.
struct MatchedRow
{
    std::optional<std::size_t> candidate; ///< row number, counted over all images
    std::optional<std::size_t> reference;
};

/// Matches detections as detectors are commonly evaluated. The candidate's detections, best score first, each take a
/// free detection of the reference: in the same image, with the same label, and with the largest intersection over
/// union of at least 0.5. Unused rows, and rows without area and score, are ignored. A box with a NaN matches nothing.
std::vector<MatchedRow> matchDetections(std::span<const OutputView> candidate, const DetectionList& candidateList,
                                        std::span<const OutputView> reference, const DetectionList& referenceList);

/// The values of an output in the order of the matched rows, with zeros where the side has no row.
std::vector<float> gatherRows(const OutputView& output, const DetectionList& list, std::span<const MatchedRow> rows,
                              std::optional<std::size_t> MatchedRow::*side);

} // namespace apertune::worker

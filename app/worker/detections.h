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

/// Looks at an output that is somebody else's, as a backend handed it over or as it was kept.
struct OutputView
{
    OutputView(const apertune_tensor& tensor);
    OutputView(const KeptTensor& tensor);

    std::string_view name;
    std::span<const std::int64_t> shape;
    bool isFloat = true;
    const float* floats = nullptr;          ///< null where it is of integers, or empty
    const std::int64_t* integers = nullptr; ///< null where it is of floats, or empty
};

/// Which outputs of a set are a list of detections, best first, and how many rows it has.
///
/// It is one where a float output is the corners of boxes, [images, K, 4] or [K, 4] with x1 ≤ x2 and y1 ≤ y2, and
/// another one their scores, of the same shape without the 4, which fall from row to row. An integer output (or a float
/// one that is called after labels or classes) of the scores' shape is the labels, one with a value an image (called
/// after a count, or without the K) says how many rows are used. The model must also be of the task type "detection",
/// or have labels, or call the two outputs after boxes and scores. Boxes in a fixed order, such as DETR's one for each
/// query, are no list.
struct DetectionList
{
    std::size_t boxes = 0;
    std::size_t scores = 0;
    std::optional<std::size_t> labels{};
    std::optional<std::size_t> count{};
    std::vector<std::size_t> byRow{}; ///< boxes, scores and every other float output with a value or more for each row
    std::size_t leading = 1;          ///< dimensions before those of a row: [images,] rows
    std::size_t images = 1;
    std::size_t rows = 0; ///< of each image, used or not

    bool takes(std::size_t output) const; ///< is it a part of the list?
};

/// REQUIRES: `outputs` is a reference. A candidate's list is looked for with `like`, the reference's: the same outputs,
/// of any number of rows, in any order.
std::optional<DetectionList> findDetections(std::span<const OutputView> outputs, bool isDetector);
std::optional<DetectionList> findDetections(std::span<const OutputView> outputs, const DetectionList& like);

/// Rows of both sides that are one detection; either is missing where only the other side has it.
struct MatchedRow
{
    std::optional<std::size_t> candidate; ///< counted over all images
    std::optional<std::size_t> reference;
};

/// Matches as detectors are commonly judged: the candidate's detections, best score first, each take the free one of
/// the reference in the same image and of the same label whose box overlaps most, at an intersection over union of at
/// least 0.5. Rows that are not used and those without area and score are nobody's. A box with a NaN matches nothing.
std::vector<MatchedRow> matchDetections(std::span<const OutputView> candidate, const DetectionList& candidateList,
                                        std::span<const OutputView> reference, const DetectionList& referenceList);

/// The values of an output by such rows, one row after another; zeros where the side has none.
std::vector<float> gatherRows(const OutputView& output, const DetectionList& list, std::span<const MatchedRow> rows,
                              std::optional<std::size_t> MatchedRow::*side);

} // namespace apertune::worker

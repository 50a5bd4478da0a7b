// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/detections.h"
#include "app/worker/reference_file.h"
#include "core/base/message.h"
#include "core/model/measurement.h"
#include "core/model/task_type.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apertune::worker {

/// Compares the outputs of a configuration with the reference, set by set, in double precision.
///
/// Floating-point outputs of equal shape give three figures over the elements that are finite on both sides. The
/// smallest cosine and the largest differences of all outputs and sets count.
///
/// * The cosine. It is 1 for two zero vectors, 0 if only one of them is zero.
/// * The largest absolute difference.
/// * That difference, relative to the largest magnitude of the reference.
///
/// Other values:
///
/// * Every NaN is counted. An Inf is counted where the reference has another value.
/// * A finite value where the reference is not finite is an infinite difference, and gives the output a cosine of 0.
/// * Integer outputs (labels, indices) have no such figures; the share of equal elements is a note. If all outputs are
///   integers, that share takes the place of the cosine.
/// * Outputs whose shapes differ are left out, with a note.
///
/// A list of detections (DetectionList: boxes, scores, labels, best first) is a set, so its rows are matched first
/// (matchDetections()). Two rows that swap ranks are then equal, and either side may have more. The figures are those
/// of the matched rows of boxes, scores and every other output with a value for each row. A detection of one side alone
/// is compared with zeros, which lowers the cosine by its share. A note says how many were matched. Unused rows are
/// ignored.
///
/// The first output of a classification model with shape [batch, classes ≥ 2] also gives top-1 agreement (same arg
/// max). From 6 classes on it gives top-5 agreement: the reference's arg max is among the candidate's five largest
/// values. A sample with a NaN on either side does not agree.
class Comparison
{
public:
    explicit Comparison(model::TaskType task) : m_task(task) {}

    /// Compares one set. `samples` is the number of samples in it.
    void addSet(std::span<const apertune_tensor> candidate, const KeptSet& reference, std::int64_t samples);

    /// Counts NaN and Inf of one set, without a reference.
    void addSet(std::span<const apertune_tensor> candidate);

    /// The result; nothing when no output could be compared.
    std::optional<model::Quality> quality() const;
    std::int64_t nanCount() const { return m_quality.nanCount; }
    std::vector<base::Message> notes() const;

private:
    void compareFloats(std::span<const float> candidate, std::span<const float> reference);
    /// Compares a list of detections. Returns nothing, and does nothing, when the outputs have none.
    std::optional<DetectionList> compareDetections(std::span<const apertune_tensor> candidate,
                                                   const KeptSet& reference);
    void compareIntegers(std::span<const std::int64_t> candidate, std::span<const std::int64_t> reference);
    void compareTopClasses(std::span<const float> candidate, std::span<const float> reference, std::int64_t classes);

    model::TaskType m_task;
    bool m_compared = false;
    model::Quality m_quality{1.0, 0, 0, 0, {}, {}, 0};
    std::int64_t m_ranked = 0;
    std::int64_t m_top1 = 0;
    std::int64_t m_top5 = 0;
    bool m_hasTop5 = false;
    std::int64_t m_matched = 0; ///< detections that both sides have; the next two count those of each side
    std::int64_t m_detected = 0;
    std::int64_t m_referenceDetected = 0;
    bool m_hasDetections = false;
    std::int64_t m_integers = 0;
    std::int64_t m_equalIntegers = 0;
    std::int64_t m_integerSamples = 0;
    double m_integerMaxAbs = 0;
    double m_integerMax = 0; ///< largest magnitude in the reference
    std::int64_t m_skipped = 0;
    std::vector<std::string> m_skippedNames;
};

} // namespace apertune::worker

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/detections.h"
#include "app/worker/reference_file.h"
#include "core/model/measurement.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::worker {

/// Compares the outputs of a configuration with the reference, set by set, in double precision.
///
/// Floating-point outputs of equal shape give, over the elements that are finite on both sides: cosine (two zero
/// vectors agree, 1; one of them does not, 0), largest absolute difference, and that over the reference's largest
/// magnitude. The smallest cosine and the largest differences of all outputs and sets stand. A NaN counts wherever it
/// is, an Inf where the reference has not the same; a finite value where the reference has none is an infinite
/// difference, and the output agrees in nothing (cosine 0). Integer outputs (labels, indices) take no part in these
/// figures, the share of equal elements is a note; where all outputs are integers, that share stands for the cosine.
/// Outputs whose shape differs are left out, with a note.
///
/// A list of detections (DetectionList: boxes, scores, labels, best first) is a set: its rows are matched first
/// (matchDetections: same label, intersection over union ≥ 0.5, best score first), so that two that swap ranks are
/// equal and either side may have more. The figures above are then those of the matched rows of boxes, scores and
/// whatever else has a value for each row; a detection that only one side has stands against zeros and so lowers the
/// cosine by its share. How many were matched is a note. Unused rows behind a count are not looked at.
///
/// A classification model's first output of shape [batch, classes ≥ 2] also gives top-1 agreement (same arg max) and,
/// from 6 classes on, top-5 agreement (the reference's arg max is among the candidate's five largest). Where either
/// side has a NaN nothing agrees.
class Comparison
{
public:
    /// `task type` as model::ModelRef has it.
    explicit Comparison(std::string_view taskType)
        : m_classification(taskType == "classification"), m_detection(taskType == "detection")
    {
    }

    /// `samples`: how many samples the set holds.
    void addSet(std::span<const apertune_tensor> candidate, const KeptSet& reference, std::int64_t samples);

    /// Without a reference only NaN and Inf are counted.
    void addSet(std::span<const apertune_tensor> candidate);

    /// Nothing when no output could be compared.
    std::optional<model::Quality> quality() const;
    std::int64_t nanCount() const { return m_quality.nanCount; }
    std::vector<std::string> notes() const;

private:
    void compareFloats(std::span<const float> candidate, std::span<const float> reference);
    /// Compares a list of detections. Nothing, and nothing done, when the outputs have none.
    std::optional<DetectionList> compareDetections(std::span<const apertune_tensor> candidate,
                                                   const KeptSet& reference);
    void compareIntegers(std::span<const std::int64_t> candidate, std::span<const std::int64_t> reference);
    void compareTopClasses(std::span<const float> candidate, std::span<const float> reference, std::int64_t classes);

    bool m_classification;
    bool m_detection;
    bool m_compared = false;
    model::Quality m_quality{1.0, 0, 0, 0, {}, {}, 0};
    std::int64_t m_ranked = 0;
    std::int64_t m_top1 = 0;
    std::int64_t m_top5 = 0;
    bool m_hasTop5 = false;
    std::int64_t m_matched = 0; ///< detections that both have, and those of each
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

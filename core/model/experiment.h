// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/measurement.h"
#include "core/model/task_type.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace apertune::model {

/// The circumstances of a prediction. Unknown texts are empty.
struct Circumstances
{
    std::string machine; ///< machineClass() of the device
    TaskType taskType = TaskType::unknown;
    std::string engine; ///< backend of the configuration
    bool operator==(const Circumstances&) const = default;
};

/// Outcome of a verification: whether a change makes the configuration faster.
enum class VerificationOutcome : std::uint8_t {
    cannotTell,  ///< the interval includes both a gain and none
    proved,      ///< faster with the change
    refuted,     ///< slower, equally fast, or the gain is undecided but surely less than predicted
    notInEffect, ///< the backend reports that the change had no effect
    notRun,      ///< one of the two trials has no measurement
};
/// Returns the word in documents: "proved", "refuted", "cannot tell", "not in effect", "not run".
std::string_view toString(VerificationOutcome outcome);
/// Returns the outcome of a word; notRun for a word that none has.
VerificationOutcome verificationOutcomeFromString(std::string_view text);

/// The prediction for a change, and the measurement of its verification. Shares are parts of the time of an iteration,
/// 0..1; negative ones are time that the change costs.
struct Experiment
{
    std::int64_t id = 0;
    std::string study;   ///< uuid of the study that measured it; a workspace has at most one experiment of a study
    std::string subject; ///< rule that predicted it ("unfused-batchnorm"), or kind of what-if ("what-if operator")
    std::string change;  ///< names what was changed: "freeze=on", "threads=2"
    Circumstances at{};
    std::string model;      ///< name of the model
    double othersLoad = 0;  ///< share of the machine's processor time that other processes took, 0..1
    double predictedLo = 0; ///< least share that was predicted to be saved
    double predictedHi = 0; ///< largest share that was predicted; 0 when nothing was predicted
    Interval saved{};       ///< share that was measured; confidence 0 when there is no interval
    VerificationOutcome outcome = VerificationOutcome::notRun;
    std::string createdUtc{}; ///< empty: now

    double predicted() const { return (predictedLo + predictedHi) / 2; }
    /// Whether prediction and measurement can be compared: the change took effect and was measured with an interval.
    bool counts() const
    {
        return predicted() > 0 && saved.confidence > 0 && outcome != VerificationOutcome::notInEffect &&
               outcome != VerificationOutcome::notRun;
    }
    /// Whether the measured interval meets the predicted range.
    bool inside() const { return saved.lo <= predictedHi && predictedLo <= saved.hi; }
};

/// The class of a machine: name, cores and threads of a CPU, name of any other device. Experiments on machines of one
/// class are alike.
std::string machineClass(const Device& device);

/// The class of a whole machine: the classes of its devices, each once, joined by " + ".
std::string machineClass(const Environment& environment);

} // namespace apertune::model

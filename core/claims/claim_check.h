// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/claims/claims.h"
#include "core/model/ceilings.h"
#include "core/model/study.h"
#include "core/workload/stages/pipeline_run.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::claims {

/// Measurements that claims are compared with.
struct ClaimEvidence
{
    std::vector<std::shared_ptr<const model::StudySnapshot>> studies; ///< newest first
    std::vector<model::ModelRef> models; ///< a model that was not imported has no layers; `parameters` is enough
    std::vector<std::pair<model::TrialId, workload::PipelineRun>> pipelines;
    std::vector<model::DeviceCeilings> ceilings;
    std::vector<model::Device> devices; ///< devices of this machine; trials of others do not count
};

enum class ClaimState {
    agrees,         ///< the measured interval meets the claimed range
    disagrees,      ///< it does not, however wide it is
    cannotTell,     ///< it meets the range but is too wide, or holds no effect as well
    partlyMeasured, ///< a claim of several figures: those that were measured agree, and others were not measured
    notMeasured,    ///< this machine could measure it
    cannotMeasure   ///< it cannot, and the reason says why
};
/// Returns "agrees", "disagrees", "cannot_tell", "partly_measured", "not_measured" or "cannot_measure".
std::string_view toString(ClaimState state);
inline constexpr std::array kAllClaimStates{ClaimState::agrees,      ClaimState::disagrees,
                                            ClaimState::cannotTell,  ClaimState::partlyMeasured,
                                            ClaimState::notMeasured, ClaimState::cannotMeasure};
/// Whether a figure in this state has a measurement: agrees, disagrees and cannotTell.
bool isMeasured(ClaimState state);

/// One measurement behind a figure.
struct ClaimPair
{
    std::string model;      ///< name
    model::StudyId study{}; ///< study of `to`; 0: none, for example a number of parameters
    model::TrialId from{};  ///< 0: a single trial is the evidence
    model::TrialId to{};
    std::string fromName; ///< configuration
    std::string toName;
    model::Interval value; ///< without confidence where it has no interval
};

struct FigureCheck
{
    const ClaimFigure* figure = nullptr;
    ClaimState state = ClaimState::notMeasured; ///< not partlyMeasured, which is a state of claims
    /// The mean of the pairs, in the quantity's unit. It has no confidence where it is counted or the verdict is
    /// "cannot tell".
    model::Interval measured{};
    bool counted = false; ///< the value is exact: a count, or a computed agreement
    std::string device;   ///< id of the device that measured it, or that would; empty: none
    base::Message reason; ///< why there is no verdict or no measurement; empty for the other states
    std::vector<ClaimPair> pairs;
};

/// A claim beside what was measured.
struct ClaimCheck
{
    const Claim* claim = nullptr;
    /// Of its figures that can be measured:
    /// - disagrees if one of them does, else cannotTell if one of them is;
    /// - partlyMeasured if some agree and others are not measured, agrees if all do, notMeasured if none is measured.
    /// CannotMeasure when none can be measured.
    ClaimState state = ClaimState::notMeasured;
    std::vector<FigureCheck> figures; ///< one for each figure of the claim
};

/// Compares every claim with the evidence.
///
/// - A change of a setting is measured by the pairs of settingEffects() that meet the figure's conditions, from all
///   studies; a change of the model by trials of two studies with equal configurations on the same device.
/// - The mean of speeds and its interval are those of meanSpeedup(). The mean of peaks of memory is geometric, with the
///   interval of Student's t over the pairs' logarithms. Each configuration has one peak, so it takes three pairs.
/// - Latency and rate are those of the best trial that meets the conditions.
/// - The ends of a share of stages, and of a ratio of copy rates, are those of the most extreme combination.
/// - An interval that meets the range but holds no effect as well is "cannot tell".
/// - Where several devices meet the conditions, accelerators come before the processor.
std::vector<ClaimCheck> checkClaims(const ClaimEvidence& evidence);

/// Returns the device that measures a figure on this machine, or nullptr with the reason why none can.
const model::Device* deviceFor(const ClaimFigure& figure, const std::vector<model::Device>& devices,
                               base::Message& reason);

} // namespace apertune::claims

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::model::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kNoTarget{"model.no_target", {"name", "text"}};
inline constexpr MessageKind kTargetOfZero{"model.target_of_zero", {"name"}};
inline constexpr MessageKind kTargetWithoutUnit{"model.target_without_unit", {"name", "text", "share"}};
inline constexpr MessageKind kBoundOfZero{"model.bound_of_zero", {"name"}};
inline constexpr MessageKind kNoObjective{"model.no_objective", {"name", "word"}};
inline constexpr MessageKind kObjectiveTwice{"model.objective_twice", {"name", "word"}};
inline constexpr MessageKind kNoObjectiveNamed{"model.no_objective_named", {"name"}};
inline constexpr MessageKind kNoTrialPercentile{"model.no_trial_percentile", {"name", "text"}};
inline constexpr MessageKind kNoErrorBound{"model.no_error_bound", {"name", "text"}};
inline constexpr MessageKind kNoEnergyBound{"model.no_energy_bound", {"name", "text"}};
inline constexpr MessageKind kUnreadableEvaluation{"model.unreadable_evaluation"};
inline constexpr MessageKind kUnreadableModel{"model.unreadable_model", {"why"}};
inline constexpr MessageKind kUnreadableManifest{"model.unreadable_manifest", {"why"}};
inline constexpr MessageKind kOtherArtifactSchema{"model.other_artifact_schema", {"schema"}};
inline constexpr MessageKind kUnreadableGoal{"model.unreadable_goal", {"why"}};
inline constexpr MessageKind kUnreadableConfiguration{"model.unreadable_configuration", {"why"}};
inline constexpr MessageKind kUnreadableDevice{"model.unreadable_device", {"why"}};
inline constexpr MessageKind kUnreadableSpace{"model.unreadable_space", {"why"}};
inline constexpr MessageKind kUnreadableQuality{"model.unreadable_quality", {"why"}};
inline constexpr MessageKind kUnreadableSwitchReport{"model.unreadable_switch_report", {"why"}};
inline constexpr MessageKind kUnreadableMemoryReport{"model.unreadable_memory_report", {"why"}};
inline constexpr MessageKind kUnreadableBlock{"model.unreadable_block", {"why"}};
inline constexpr MessageKind kUnreadableConditions{"model.unreadable_conditions", {"why"}};
inline constexpr MessageKind kUnreadableInterference{"model.unreadable_interference", {"why"}};
inline constexpr MessageKind kUnreadableJson{"model.unreadable_json", {"why"}};
inline constexpr MessageKind kBaselineNameSpelling{"model.baseline_name_spelling", {"name"}};
inline constexpr MessageKind kBaselineNameTaken{"model.baseline_name_taken", {"name"}};

// Hints on what to do.
inline constexpr MessageKind kWriteTarget{"model.write_target"};
inline constexpr MessageKind kWriteBound{"model.write_bound", {"example"}};
inline constexpr MessageKind kWriteObjectives{"model.write_objectives", {"objectives"}};
inline constexpr MessageKind kNameOnce{"model.name_once"};
inline constexpr MessageKind kWriteLatency{"model.write_latency"};
inline constexpr MessageKind kWritePercentile{"model.write_percentile"};
inline constexpr MessageKind kWriteQuality{"model.write_quality"};
inline constexpr MessageKind kWriteErrorBound{"model.write_error_bound"};
inline constexpr MessageKind kEvaluateAgain{"model.evaluate_again"};
inline constexpr MessageKind kOtherVersion{"model.other_version"};
inline constexpr MessageKind kImportAgainOrUpdate{"model.import_again_or_update"};
inline constexpr MessageKind kWriteBaselineName{"model.write_baseline_name", {"most"}};
inline constexpr MessageKind kOtherBaselineName{"model.other_baseline_name"};

inline constexpr std::array kAll{kNoTarget,
                                 kTargetOfZero,
                                 kTargetWithoutUnit,
                                 kBoundOfZero,
                                 kNoObjective,
                                 kObjectiveTwice,
                                 kNoObjectiveNamed,
                                 kNoTrialPercentile,
                                 kNoErrorBound,
                                 kNoEnergyBound,
                                 kUnreadableEvaluation,
                                 kUnreadableModel,
                                 kUnreadableManifest,
                                 kOtherArtifactSchema,
                                 kUnreadableGoal,
                                 kUnreadableConfiguration,
                                 kUnreadableDevice,
                                 kUnreadableSpace,
                                 kUnreadableQuality,
                                 kUnreadableSwitchReport,
                                 kUnreadableMemoryReport,
                                 kUnreadableBlock,
                                 kUnreadableConditions,
                                 kUnreadableInterference,
                                 kUnreadableJson,
                                 kBaselineNameSpelling,
                                 kBaselineNameTaken,
                                 kWriteTarget,
                                 kWriteBound,
                                 kWriteObjectives,
                                 kNameOnce,
                                 kWriteLatency,
                                 kWritePercentile,
                                 kWriteQuality,
                                 kWriteErrorBound,
                                 kEvaluateAgain,
                                 kOtherVersion,
                                 kImportAgainOrUpdate,
                                 kWriteBaselineName,
                                 kOtherBaselineName};

} // namespace apertune::model::errors

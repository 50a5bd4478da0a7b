// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::comparison::reasons {

using base::MessageKind;

inline constexpr MessageKind kIterationChange{"comparison.iteration_change", {"b", "a", "change", "percent"}};
inline constexpr MessageKind kSampleChange{"comparison.sample_change", {"b", "a", "change", "percent"}};
inline constexpr MessageKind kOneIteration{"comparison.one_iteration"};
inline constexpr MessageKind kPerSample{"comparison.per_sample", {"a", "b"}};
inline constexpr MessageKind kRecordingsCannotTell{"comparison.recordings_cannot_tell"};
inline constexpr MessageKind kSameMachine{"comparison.same_machine", {"ratio"}};
inline constexpr MessageKind kOtherMachine{"comparison.other_machine", {"ratio"}};
inline constexpr MessageKind kResidual{"comparison.residual", {"amount", "unit", "share"}};
inline constexpr MessageKind kOutsideOperators{"comparison.outside_operators", {"side", "share"}};
inline constexpr MessageKind kLittleInCommon{"comparison.little_in_common", {"share"}};
inline constexpr MessageKind kHostAgainstDevice{"comparison.host_against_device"};
inline constexpr MessageKind kSectionsForIterations{"comparison.sections_for_iterations"};
inline constexpr MessageKind kWholeAgainstIterations{"comparison.whole_against_iterations"};
inline constexpr MessageKind kRecordingTurnsItRound{"comparison.recording_turns_it_round", {"side"}};
inline constexpr MessageKind kWithoutRecording{"comparison.without_recording", {"bare", "rest", "unit"}};
inline constexpr MessageKind kWithinEachRecording{"comparison.within_each_recording"};
inline constexpr MessageKind kPrecisionDoesNotPay{"comparison.precision_does_not_pay",
                                                  {"to", "ratio", "from", "failing", "all"}};
inline constexpr MessageKind kPrecisionNotTaken{"comparison.precision_not_taken", {"precision"}};
inline constexpr MessageKind kPrecisionNotTakenBecause{"comparison.precision_not_taken_because",
                                                       {"precision", "evidence"}};
inline constexpr MessageKind kNoArithmeticFor{"comparison.no_arithmetic_for", {"device", "precision"}};
inline constexpr MessageKind kPartlyInPrecision{"comparison.partly_in_precision", {"precision", "evidence"}};
inline constexpr MessageKind kPaysElsewhere{"comparison.pays_elsewhere", {"from", "to", "ratio"}};
inline constexpr MessageKind kRecordBoth{"comparison.record_both", {"from", "to"}};
inline constexpr MessageKind kStayWithFp32{"comparison.stay_with_fp32"};
inline constexpr MessageKind kBatchPastKnee{"comparison.batch_past_knee", {"last", "ratio", "knee", "latency"}};
inline constexpr MessageKind kUseTheSmallerBatch{"comparison.use_the_smaller_batch", {"batch"}};
inline constexpr MessageKind kBatchTooSmall{"comparison.batch_too_small", {"last", "ratio", "before"}};
inline constexpr MessageKind kTryLargerBatches{"comparison.try_larger_batches"};
inline constexpr MessageKind kEnergyKnee{"comparison.energy_knee", {"best", "energy", "fastest", "most", "ratio"}};
inline constexpr MessageKind kUseTheOneThatTakesLess{"comparison.use_the_one_that_takes_less", {"best"}};
inline constexpr MessageKind kTooManyThreads{"comparison.too_many_threads", {"trial", "more", "fewer", "ratio"}};
inline constexpr MessageKind kMoreThreadsThanCores{"comparison.more_threads_than_cores", {"cores"}};
inline constexpr MessageKind kCoresWereTaken{"comparison.cores_were_taken"};
inline constexpr MessageKind kUseFewerThreads{"comparison.use_fewer_threads", {"threads"}};
inline constexpr MessageKind kCompilingDoesNotPay{"comparison.compiling_does_not_pay", {"trial", "time", "verdict"}};
inline constexpr MessageKind kUseTheUncompiled{"comparison.use_the_uncompiled", {"trial"}};
inline constexpr MessageKind kNumberOverflow{"comparison.number_overflow", {"count", "trial"}};
inline constexpr MessageKind kBf16IsSound{"comparison.bf16_is_sound", {"trial"}};
inline constexpr MessageKind kTryBf16{"comparison.try_bf16"};
inline constexpr MessageKind kDevicesDiffer{"comparison.devices_differ", {"device", "ratio", "other", "trial"}};
inline constexpr MessageKind kItsClockWasHeld{"comparison.its_clock_was_held"};
inline constexpr MessageKind kOthersUsedIt{"comparison.others_used_it"};
inline constexpr MessageKind kCompareTheDevices{"comparison.compare_the_devices"};
inline constexpr MessageKind kThrottledTrials{"comparison.throttled_trials", {"count", "all"}};
inline constexpr MessageKind kCoolAndMeasureAgain{"comparison.cool_and_measure_again"};
inline constexpr MessageKind kNoisyTrials{"comparison.noisy_trials", {"count", "all"}};
inline constexpr MessageKind kMeasureLongerOrQuieter{"comparison.measure_longer_or_quieter"};
inline constexpr MessageKind kSharedMachine{"comparison.shared_machine", {"count", "all"}};
inline constexpr MessageKind kMeasureAlone{"comparison.measure_alone"};
inline constexpr MessageKind kSettingModel{"comparison.setting_model"};
inline constexpr MessageKind kSettingModelContent{"comparison.setting_model_content"};
inline constexpr MessageKind kSettingHost{"comparison.setting_host"};
inline constexpr MessageKind kSettingMachine{"comparison.setting_machine"};
inline constexpr MessageKind kSettingOs{"comparison.setting_os"};
inline constexpr MessageKind kSettingKernel{"comparison.setting_kernel"};
inline constexpr MessageKind kSettingEngine{"comparison.setting_engine", {"engine"}};
inline constexpr MessageKind kSettingMemory{"comparison.setting_memory", {"device"}};
inline constexpr MessageKind kSettingCores{"comparison.setting_cores", {"device"}};
inline constexpr MessageKind kSettingInstructionSets{"comparison.setting_instruction_sets", {"device"}};
inline constexpr MessageKind kSettingDriver{"comparison.setting_driver", {"device"}};
inline constexpr MessageKind kSettingCapability{"comparison.setting_capability", {"device"}};
inline constexpr MessageKind kSettingTopClock{"comparison.setting_top_clock", {"device"}};
inline constexpr MessageKind kSettingLoad{"comparison.setting_load"};
inline constexpr MessageKind kSettingDevice{"comparison.setting_device"};
inline constexpr MessageKind kSettingBackend{"comparison.setting_backend"};
inline constexpr MessageKind kSettingLevel{"comparison.setting_level"};
inline constexpr MessageKind kSettingPrecision{"comparison.setting_precision"};
inline constexpr MessageKind kSettingBatch{"comparison.setting_batch"};
inline constexpr MessageKind kSettingThreads{"comparison.setting_threads"};
inline constexpr MessageKind kSettingCalibration{"comparison.setting_calibration"};
inline constexpr MessageKind kSettingFloatLayers{"comparison.setting_float_layers"};
inline constexpr MessageKind kSettingSwitch{"comparison.setting_switch", {"switch"}};
inline constexpr MessageKind kSettingGoal{"comparison.setting_goal"};
inline constexpr MessageKind kSettingBounds{"comparison.setting_bounds"};
inline constexpr MessageKind kSettingBudget{"comparison.setting_budget"};
inline constexpr MessageKind kSettingTarget{"comparison.setting_target"};
inline constexpr MessageKind kSettingAgainst{"comparison.setting_against", {"name", "a", "b"}};
inline constexpr MessageKind kLoadBelowHalf{"comparison.load_below_half"};
inline constexpr MessageKind kDefaultValue{"comparison.default_value"};
inline constexpr MessageKind kSwitchOn{"comparison.switch_on"};
inline constexpr MessageKind kSwitchOff{"comparison.switch_off"};
inline constexpr MessageKind kOneSample{"comparison.one_sample"};
inline constexpr MessageKind kManySamples{"comparison.many_samples", {"count"}};
inline constexpr MessageKind kSamplesOf{"comparison.samples_of", {"samples", "images"}};
inline constexpr MessageKind kGoalThroughput{"comparison.goal_throughput"};
inline constexpr MessageKind kGoalLatency{"comparison.goal_latency"};
inline constexpr MessageKind kGoalMemory{"comparison.goal_memory"};
inline constexpr MessageKind kGoalEnergy{"comparison.goal_energy"};
inline constexpr MessageKind kGoals{"comparison.goals", {"first", "rest"}};
inline constexpr MessageKind kBudgetUnlimited{"comparison.budget_unlimited"};
inline constexpr MessageKind kBudgetWall{"comparison.budget_wall", {"budget"}};
inline constexpr MessageKind kBudgetMeasuring{"comparison.budget_measuring", {"budget"}};
inline constexpr MessageKind kNotMeasuredIn{"comparison.not_measured_in", {"side", "reason"}};
inline constexpr MessageKind kMatchedOtherwise{"comparison.matched_otherwise", {"side"}};
inline constexpr MessageKind kNearestDiffers{"comparison.nearest_differs", {"side", "settings"}};
inline constexpr MessageKind kNoConfigurationIn{"comparison.no_configuration_in", {"side"}};
inline constexpr MessageKind kImportedTimes{"comparison.imported_times"};
inline constexpr MessageKind kImportedTimesByValue{"comparison.imported_times_by_value"};
inline constexpr MessageKind kOneConfiguration{"comparison.one_configuration"};
inline constexpr MessageKind kManyConfigurations{"comparison.many_configurations", {"count"}};
inline constexpr MessageKind kMachineSlower{"comparison.machine_slower", {"slower", "changed", "all"}};
inline constexpr MessageKind kMachineFaster{"comparison.machine_faster", {"faster", "changed", "all"}};
inline constexpr MessageKind kMachineBoth{"comparison.machine_both", {"slower", "faster", "changed", "all"}};
inline constexpr MessageKind kNeverPaysOff{"comparison.never_pays_off", {"other"}};
inline constexpr MessageKind kMayNeverPayOff{"comparison.may_never_pay_off", {"other"}};
inline constexpr MessageKind kPaysOffAfter{"comparison.pays_off_after", {"passes", "lo", "hi", "other"}};

inline constexpr std::array kAll{kIterationChange,
                                 kSampleChange,
                                 kOneIteration,
                                 kPerSample,
                                 kRecordingsCannotTell,
                                 kSameMachine,
                                 kOtherMachine,
                                 kResidual,
                                 kOutsideOperators,
                                 kLittleInCommon,
                                 kHostAgainstDevice,
                                 kSectionsForIterations,
                                 kWholeAgainstIterations,
                                 kRecordingTurnsItRound,
                                 kWithoutRecording,
                                 kWithinEachRecording,
                                 kPrecisionDoesNotPay,
                                 kPrecisionNotTaken,
                                 kPrecisionNotTakenBecause,
                                 kNoArithmeticFor,
                                 kPartlyInPrecision,
                                 kPaysElsewhere,
                                 kRecordBoth,
                                 kStayWithFp32,
                                 kBatchPastKnee,
                                 kUseTheSmallerBatch,
                                 kBatchTooSmall,
                                 kTryLargerBatches,
                                 kEnergyKnee,
                                 kUseTheOneThatTakesLess,
                                 kTooManyThreads,
                                 kMoreThreadsThanCores,
                                 kCoresWereTaken,
                                 kUseFewerThreads,
                                 kCompilingDoesNotPay,
                                 kUseTheUncompiled,
                                 kNumberOverflow,
                                 kBf16IsSound,
                                 kTryBf16,
                                 kDevicesDiffer,
                                 kItsClockWasHeld,
                                 kOthersUsedIt,
                                 kCompareTheDevices,
                                 kThrottledTrials,
                                 kCoolAndMeasureAgain,
                                 kNoisyTrials,
                                 kMeasureLongerOrQuieter,
                                 kSharedMachine,
                                 kMeasureAlone,
                                 kSettingModel,
                                 kSettingModelContent,
                                 kSettingHost,
                                 kSettingMachine,
                                 kSettingOs,
                                 kSettingKernel,
                                 kSettingEngine,
                                 kSettingMemory,
                                 kSettingCores,
                                 kSettingInstructionSets,
                                 kSettingDriver,
                                 kSettingCapability,
                                 kSettingTopClock,
                                 kSettingLoad,
                                 kSettingDevice,
                                 kSettingBackend,
                                 kSettingLevel,
                                 kSettingPrecision,
                                 kSettingBatch,
                                 kSettingThreads,
                                 kSettingCalibration,
                                 kSettingFloatLayers,
                                 kSettingSwitch,
                                 kSettingGoal,
                                 kSettingBounds,
                                 kSettingBudget,
                                 kSettingTarget,
                                 kSettingAgainst,
                                 kLoadBelowHalf,
                                 kDefaultValue,
                                 kSwitchOn,
                                 kSwitchOff,
                                 kOneSample,
                                 kManySamples,
                                 kSamplesOf,
                                 kGoalThroughput,
                                 kGoalLatency,
                                 kGoalMemory,
                                 kGoalEnergy,
                                 kGoals,
                                 kBudgetUnlimited,
                                 kBudgetWall,
                                 kBudgetMeasuring,
                                 kNotMeasuredIn,
                                 kMatchedOtherwise,
                                 kNearestDiffers,
                                 kNoConfigurationIn,
                                 kImportedTimes,
                                 kImportedTimesByValue,
                                 kOneConfiguration,
                                 kManyConfigurations,
                                 kMachineSlower,
                                 kMachineFaster,
                                 kMachineBoth,
                                 kNeverPaysOff,
                                 kMayNeverPayOff,
                                 kPaysOffAfter};

} // namespace apertune::comparison::reasons

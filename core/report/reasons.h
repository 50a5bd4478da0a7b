// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::report::reasons {

using base::MessageKind;

inline constexpr MessageKind kConfiguration{"report.configuration", {"before", "batch"}};
inline constexpr MessageKind kConfigurationWith{"report.configuration_with", {"before", "batch", "more"}};
inline constexpr MessageKind kConfirmedAtTheEnd{"report.confirmed_at_the_end"};
inline constexpr MessageKind kUnconfirmed{"report.unconfirmed", {"other", "remedy"}};
inline constexpr MessageKind kAnotherTrial{"report.another_trial"};
inline constexpr MessageKind kGoesOnAndConfirms{"report.goes_on_and_confirms", {"command"}};
inline constexpr MessageKind kConfirms{"report.confirms", {"command"}};
inline constexpr MessageKind kShortlistRunning{"report.shortlist_running"};
inline constexpr MessageKind kShortlist{"report.shortlist", {"cause", "remedy"}};
inline constexpr MessageKind kOnlyOneMeasured{"report.only_one_measured", {"cause", "configurations", "remedy"}};
inline constexpr MessageKind kBecauseInterrupted{"report.because_interrupted"};
inline constexpr MessageKind kBecauseBudgetSpent{"report.because_budget_spent"};
inline constexpr MessageKind kBecauseNotConfirmed{"report.because_not_confirmed"};
inline constexpr MessageKind kGoesOnAndConfirmsThem{"report.goes_on_and_confirms_them", {"command"}};
inline constexpr MessageKind kConfirmsThem{"report.confirms_them", {"command"}};
inline constexpr MessageKind kWaitsAndConfirmsThem{"report.waits_and_confirms_them", {"command"}};
inline constexpr MessageKind kCandidate{"report.candidate", {"configuration", "ratio", "other"}};
inline constexpr MessageKind kCandidateUnknown{"report.candidate_unknown", {"configuration", "other"}};
inline constexpr MessageKind kCandidateAsLoaded{"report.candidate_as_loaded", {"configuration"}};
inline constexpr MessageKind kCandidateAlone{"report.candidate_alone", {"configuration"}};
inline constexpr MessageKind kMeasuredUnderLoad{"report.measured_under_load", {"command"}};
inline constexpr MessageKind kGainUnknown{"report.gain_unknown", {"other", "cause"}};
inline constexpr MessageKind kGainUnknownSoDo{"report.gain_unknown_so_do", {"other", "cause", "remedy"}};
inline constexpr MessageKind kBecauseBusy{"report.because_busy"};
inline constexpr MessageKind kBecauseFewBlocks{"report.because_few_blocks", {"blocks"}};
inline constexpr MessageKind kBecauseTimesVary{"report.because_times_vary"};
inline constexpr MessageKind kImportedNotRanked{"report.imported_not_ranked"};
inline constexpr MessageKind kNoneMeasured{"report.none_measured", {"configurations"}};
inline constexpr MessageKind kNoneMeasuredIneligible{"report.none_measured_ineligible",
                                                     {"configurations", "ineligible"}};
inline constexpr MessageKind kTooBrief{"report.too_brief", {"measured", "remedy"}};
inline constexpr MessageKind kTooBriefIneligible{"report.too_brief_ineligible", {"measured", "ineligible", "remedy"}};
inline constexpr MessageKind kNoneKeeps{"report.none_keeps", {"measured", "bounds"}};
inline constexpr MessageKind kNoneKeepsIneligible{"report.none_keeps_ineligible", {"measured", "bounds", "ineligible"}};
inline constexpr MessageKind kNoneHasAndKeeps{"report.none_has_and_keeps", {"measured", "bounds"}};
inline constexpr MessageKind kNoneHasAndKeepsIneligible{"report.none_has_and_keeps_ineligible",
                                                        {"measured", "bounds", "ineligible"}};
inline constexpr MessageKind kGoesOn{"report.goes_on", {"command"}};
inline constexpr MessageKind kMeasureLonger{"report.measure_longer", {"command"}};
inline constexpr MessageKind kSweepAgain{"report.sweep_again"};
inline constexpr MessageKind kBothIneligible{"report.both_ineligible", {"first", "second"}};
inline constexpr MessageKind kOneGivesNan{"report.one_gives_nan"};
inline constexpr MessageKind kManyGiveNan{"report.many_give_nan", {"count"}};
inline constexpr MessageKind kOneNotCompared{"report.one_not_compared"};
inline constexpr MessageKind kManyNotCompared{"report.many_not_compared", {"count"}};
inline constexpr MessageKind kAsLoaded{"report.as_loaded", {"ineligible"}};
inline constexpr MessageKind kNothingBetter{"report.nothing_better"};
inline constexpr MessageKind kNothingElse{"report.nothing_else"};
inline constexpr MessageKind kNothingElseIneligible{"report.nothing_else_ineligible", {"ineligible"}};
inline constexpr MessageKind kRunnerUp{"report.runner_up", {"configuration", "trial", "ratio"}};
inline constexpr MessageKind kRunnerUpTied{"report.runner_up_tied", {"configuration", "trial", "ratio"}};
inline constexpr MessageKind kRunnerUpUnconfirmed{"report.runner_up_unconfirmed", {"configuration", "trial", "ratio"}};
inline constexpr MessageKind kRunnerUpUnknown{"report.runner_up_unknown", {"configuration", "trial"}};
inline constexpr MessageKind kBoundLatency{"report.bound_latency", {"latency"}};
inline constexpr MessageKind kBoundPercentile{"report.bound_percentile", {"percentile", "latency"}};
inline constexpr MessageKind kBoundEnergy{"report.bound_energy", {"millijoules"}};
inline constexpr MessageKind kBoundFirst{"report.bound_first", {"time"}};
inline constexpr MessageKind kBoundMemory{"report.bound_memory", {"memory"}};
inline constexpr MessageKind kBoundQuality{"report.bound_quality", {"cosine"}};
inline constexpr MessageKind kBoundRelError{"report.bound_rel_error", {"error"}};
inline constexpr MessageKind kBoundAbsError{"report.bound_abs_error", {"error"}};
inline constexpr MessageKind kAgreement{"report.agreement", {"agreeing", "samples"}};
inline constexpr MessageKind kIterationChange{"report.iteration_change", {"b", "a", "change", "percent"}};
inline constexpr MessageKind kSampleChange{"report.sample_change", {"b", "a", "change", "percent"}};
inline constexpr MessageKind kOneIteration{"report.one_iteration"};
inline constexpr MessageKind kPerSample{"report.per_sample", {"a", "b"}};
inline constexpr MessageKind kRecordingsCannotTell{"report.recordings_cannot_tell"};
inline constexpr MessageKind kSameMachine{"report.same_machine", {"ratio"}};
inline constexpr MessageKind kOtherMachine{"report.other_machine", {"ratio"}};
inline constexpr MessageKind kResidual{"report.residual", {"amount", "unit", "share"}};
inline constexpr MessageKind kOutsideOperators{"report.outside_operators", {"side", "share"}};
inline constexpr MessageKind kLittleInCommon{"report.little_in_common", {"share"}};
inline constexpr MessageKind kHostAgainstDevice{"report.host_against_device"};
inline constexpr MessageKind kSectionsForIterations{"report.sections_for_iterations"};
inline constexpr MessageKind kWholeAgainstIterations{"report.whole_against_iterations"};
inline constexpr MessageKind kRecordingTurnsItRound{"report.recording_turns_it_round", {"side"}};
inline constexpr MessageKind kWithoutRecording{"report.without_recording", {"bare", "rest", "unit"}};
inline constexpr MessageKind kWithinEachRecording{"report.within_each_recording"};
inline constexpr MessageKind kClaimTraining{"report.claim_training"};
inline constexpr MessageKind kClaimPlatform{"report.claim_platform", {"platform"}};
inline constexpr MessageKind kClaimOwnModel{"report.claim_own_model", {"model"}};
inline constexpr MessageKind kClaimNotOffered{"report.claim_not_offered", {"setting"}};
inline constexpr MessageKind kClaimRatedByEye{"report.claim_judgement"};
inline constexpr MessageKind kClaimAdvice{"report.claim_advice", {"command"}};
inline constexpr MessageKind kClaimNoDevice{"report.claim_no_device", {"device"}};
inline constexpr MessageKind kClaimNoGpu{"report.claim_no_gpu"};
inline constexpr MessageKind kClaimOneThreadPerCore{"report.claim_one_thread_per_core"};
inline constexpr MessageKind kClaimNoArithmetic{"report.claim_no_arithmetic", {"precision", "device"}};
inline constexpr MessageKind kClaimDidNotRun{"report.claim_did_not_run", {"configuration", "reason"}};
inline constexpr MessageKind kClaimFewPeaks{"report.claim_few_peaks", {"pairs", "least"}};
inline constexpr MessageKind kClaimNoInterval{"report.claim_no_interval"};
inline constexpr MessageKind kClaimTooWide{"report.claim_too_wide"};
inline constexpr MessageKind kClaimHoldsNoEffect{"report.claim_holds_no_effect"};

inline constexpr MessageKind kPrecisionDoesNotPay{"report.precision_does_not_pay",
                                                  {"to", "ratio", "from", "failing", "all"}};
inline constexpr MessageKind kPrecisionNotTaken{"report.precision_not_taken", {"precision"}};
inline constexpr MessageKind kPrecisionNotTakenBecause{"report.precision_not_taken_because", {"precision", "evidence"}};
inline constexpr MessageKind kNoArithmeticFor{"report.no_arithmetic_for", {"device", "precision"}};
inline constexpr MessageKind kPartlyInPrecision{"report.partly_in_precision", {"precision", "evidence"}};
inline constexpr MessageKind kPaysElsewhere{"report.pays_elsewhere", {"from", "to", "ratio"}};
inline constexpr MessageKind kRecordBoth{"report.record_both", {"from", "to"}};
inline constexpr MessageKind kStayWithFp32{"report.stay_with_fp32"};
inline constexpr MessageKind kBatchPastKnee{"report.batch_past_knee", {"last", "ratio", "knee", "latency"}};
inline constexpr MessageKind kUseTheSmallerBatch{"report.use_the_smaller_batch", {"batch"}};
inline constexpr MessageKind kBatchTooSmall{"report.batch_too_small", {"last", "ratio", "before"}};
inline constexpr MessageKind kTryLargerBatches{"report.try_larger_batches"};
inline constexpr MessageKind kEnergyKnee{"report.energy_knee", {"best", "energy", "fastest", "most", "ratio"}};
inline constexpr MessageKind kUseTheOneThatTakesLess{"report.use_the_one_that_takes_less", {"best"}};
inline constexpr MessageKind kTooManyThreads{"report.too_many_threads", {"trial", "more", "fewer", "ratio"}};
inline constexpr MessageKind kMoreThreadsThanCores{"report.more_threads_than_cores", {"cores"}};
inline constexpr MessageKind kCoresWereTaken{"report.cores_were_taken"};
inline constexpr MessageKind kUseFewerThreads{"report.use_fewer_threads", {"threads"}};
inline constexpr MessageKind kCompilingDoesNotPay{"report.compiling_does_not_pay", {"trial", "time", "verdict"}};
inline constexpr MessageKind kUseTheUncompiled{"report.use_the_uncompiled", {"trial"}};
inline constexpr MessageKind kNumberOverflow{"report.number_overflow", {"count", "trial"}};
inline constexpr MessageKind kBf16IsSound{"report.bf16_is_sound", {"trial"}};
inline constexpr MessageKind kTryBf16{"report.try_bf16"};
inline constexpr MessageKind kDevicesDiffer{"report.devices_differ", {"device", "ratio", "other", "trial"}};
inline constexpr MessageKind kItsClockWasHeld{"report.its_clock_was_held"};
inline constexpr MessageKind kOthersUsedIt{"report.others_used_it"};
inline constexpr MessageKind kCompareTheDevices{"report.compare_the_devices"};
inline constexpr MessageKind kThrottledTrials{"report.throttled_trials", {"count", "all"}};
inline constexpr MessageKind kCoolAndMeasureAgain{"report.cool_and_measure_again"};
inline constexpr MessageKind kNoisyTrials{"report.noisy_trials", {"count", "all"}};
inline constexpr MessageKind kMeasureLongerOrQuieter{"report.measure_longer_or_quieter"};
inline constexpr MessageKind kSharedMachine{"report.shared_machine", {"count", "all"}};
inline constexpr MessageKind kMeasureAlone{"report.measure_alone"};

inline constexpr MessageKind kSettingModel{"report.setting_model"};
inline constexpr MessageKind kSettingModelContent{"report.setting_model_content"};
inline constexpr MessageKind kSettingHost{"report.setting_host"};
inline constexpr MessageKind kSettingOs{"report.setting_os"};
inline constexpr MessageKind kSettingKernel{"report.setting_kernel"};
inline constexpr MessageKind kSettingEngine{"report.setting_engine", {"engine"}};
inline constexpr MessageKind kSettingMemory{"report.setting_memory", {"device"}};
inline constexpr MessageKind kSettingCores{"report.setting_cores", {"device"}};
inline constexpr MessageKind kSettingInstructionSets{"report.setting_instruction_sets", {"device"}};
inline constexpr MessageKind kSettingDriver{"report.setting_driver", {"device"}};
inline constexpr MessageKind kSettingCapability{"report.setting_capability", {"device"}};
inline constexpr MessageKind kSettingTopClock{"report.setting_top_clock", {"device"}};
inline constexpr MessageKind kSettingLoad{"report.setting_load"};
inline constexpr MessageKind kSettingDevice{"report.setting_device"};
inline constexpr MessageKind kSettingBackend{"report.setting_backend"};
inline constexpr MessageKind kSettingLevel{"report.setting_level"};
inline constexpr MessageKind kSettingPrecision{"report.setting_precision"};
inline constexpr MessageKind kSettingBatch{"report.setting_batch"};
inline constexpr MessageKind kSettingThreads{"report.setting_threads"};
inline constexpr MessageKind kSettingCalibration{"report.setting_calibration"};
inline constexpr MessageKind kSettingFloatLayers{"report.setting_float_layers"};
inline constexpr MessageKind kSettingSwitch{"report.setting_switch", {"switch"}};
inline constexpr MessageKind kSettingGoal{"report.setting_goal"};
inline constexpr MessageKind kSettingBounds{"report.setting_bounds"};
inline constexpr MessageKind kSettingBudget{"report.setting_budget"};
inline constexpr MessageKind kSettingTarget{"report.setting_target"};
inline constexpr MessageKind kSettingAgainst{"report.setting_against", {"name", "a", "b"}};
inline constexpr MessageKind kLoadBelowHalf{"report.load_below_half"};
inline constexpr MessageKind kDefaultValue{"report.default_value"};
inline constexpr MessageKind kSwitchOn{"report.switch_on"};
inline constexpr MessageKind kSwitchOff{"report.switch_off"};
inline constexpr MessageKind kOneSample{"report.one_sample"};
inline constexpr MessageKind kManySamples{"report.many_samples", {"count"}};
inline constexpr MessageKind kSamplesOf{"report.samples_of", {"samples", "images"}};
inline constexpr MessageKind kGoalThroughput{"report.goal_throughput"};
inline constexpr MessageKind kGoalLatency{"report.goal_latency"};
inline constexpr MessageKind kGoalMemory{"report.goal_memory"};
inline constexpr MessageKind kGoalEnergy{"report.goal_energy"};
inline constexpr MessageKind kGoals{"report.goals", {"first", "rest"}};
inline constexpr MessageKind kBudgetUnlimited{"report.budget_unlimited"};
inline constexpr MessageKind kBudgetWall{"report.budget_wall", {"budget"}};
inline constexpr MessageKind kBudgetMeasuring{"report.budget_measuring", {"budget"}};
inline constexpr MessageKind kNotRun{"report.not_run", {"study"}};
inline constexpr MessageKind kReasonOfKind{"report.reason_of_kind", {"kind", "reason"}};
inline constexpr MessageKind kNotMeasuredIn{"report.not_measured_in", {"side", "reason"}};
inline constexpr MessageKind kMatchedOtherwise{"report.matched_otherwise", {"side"}};
inline constexpr MessageKind kNearestDiffers{"report.nearest_differs", {"side", "settings"}};
inline constexpr MessageKind kNoConfigurationIn{"report.no_configuration_in", {"side"}};
inline constexpr MessageKind kImportedTimes{"report.imported_times"};
inline constexpr MessageKind kImportedTimesByValue{"report.imported_times_by_value"};
inline constexpr MessageKind kOneConfiguration{"report.one_configuration"};
inline constexpr MessageKind kManyConfigurations{"report.many_configurations", {"count"}};
inline constexpr MessageKind kMachineSlower{"report.machine_slower", {"slower", "changed", "all"}};
inline constexpr MessageKind kMachineFaster{"report.machine_faster", {"faster", "changed", "all"}};
inline constexpr MessageKind kMachineBoth{"report.machine_both", {"slower", "faster", "changed", "all"}};
inline constexpr MessageKind kStageDecode{"report.stage_decode"};
inline constexpr MessageKind kStagePreprocess{"report.stage_preprocess"};
inline constexpr MessageKind kStageCopyIn{"report.stage_copy_in"};
inline constexpr MessageKind kStageInfer{"report.stage_infer"};
inline constexpr MessageKind kStageCopyBack{"report.stage_copy_back"};
inline constexpr MessageKind kStagePostprocess{"report.stage_postprocess"};
inline constexpr MessageKind kStageTime{"report.stage_time", {"stage", "time"}};
inline constexpr MessageKind kHostBounds{"report.host_bounds", {"stage", "busy"}};
inline constexpr MessageKind kDeviceBounds{"report.device_bounds", {"stage", "busy"}};
inline constexpr MessageKind kPostprocessingBounds{"report.postprocessing_bounds", {"stage", "busy"}};
inline constexpr MessageKind kDecodingThreads{"report.decoding_threads"};
inline constexpr MessageKind kTheDevice{"report.the_device"};
inline constexpr MessageKind kPostprocessingThread{"report.postprocessing_thread"};
inline constexpr MessageKind kNothingBoundsRate{"report.nothing_bounds_rate", {"busiest", "busy", "rate"}};
inline constexpr MessageKind kNothingBoundsWait{"report.nothing_bounds_wait", {"busiest", "busy"}};
inline constexpr MessageKind kModelAlone{"report.model_alone", {"time", "rate", "share"}};
inline constexpr MessageKind kStageBar{"report.stage_bar", {"stages", "alone", "bound"}};
inline constexpr MessageKind kNeverPaysOff{"report.never_pays_off", {"other"}};
inline constexpr MessageKind kMayNeverPayOff{"report.may_never_pay_off", {"other"}};
inline constexpr MessageKind kPaysOffAfter{"report.pays_off_after", {"passes", "lo", "hi", "other"}};
inline constexpr MessageKind kModes{"report.modes", {"low", "share", "high"}};
inline constexpr MessageKind kMetricMapAt{"report.metric_map_at"};
inline constexpr MessageKind kShareWithInterval{"report.share_with_interval", {"share", "lo", "hi"}};
inline constexpr MessageKind kShareWithoutInterval{"report.share_without_interval", {"share"}};
inline constexpr MessageKind kOneLabelledImage{"report.one_labelled_image", {"folder"}};
inline constexpr MessageKind kLabelledImages{"report.labelled_images", {"count", "folder"}};
inline constexpr MessageKind kOneLabelledImageSkipped{"report.one_labelled_image_skipped", {"folder", "skipped"}};
inline constexpr MessageKind kLabelledImagesSkipped{"report.labelled_images_skipped", {"count", "folder", "skipped"}};

inline constexpr MessageKind kGiveMoreBudget{"report.give_more_budget"};
inline constexpr MessageKind kMeasureWithoutBudget{"report.measure_without_budget"};
inline constexpr MessageKind kUseWiderPrecision{"report.use_wider_precision"};

inline constexpr std::array kAll{kPrecisionDoesNotPay,
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
                                 kConfiguration,
                                 kConfigurationWith,
                                 kConfirmedAtTheEnd,
                                 kUnconfirmed,
                                 kAnotherTrial,
                                 kGoesOnAndConfirms,
                                 kConfirms,
                                 kShortlistRunning,
                                 kShortlist,
                                 kOnlyOneMeasured,
                                 kBecauseInterrupted,
                                 kBecauseBudgetSpent,
                                 kBecauseNotConfirmed,
                                 kGoesOnAndConfirmsThem,
                                 kConfirmsThem,
                                 kWaitsAndConfirmsThem,
                                 kCandidate,
                                 kCandidateUnknown,
                                 kCandidateAsLoaded,
                                 kCandidateAlone,
                                 kMeasuredUnderLoad,
                                 kGainUnknown,
                                 kGainUnknownSoDo,
                                 kBecauseBusy,
                                 kBecauseFewBlocks,
                                 kBecauseTimesVary,
                                 kImportedNotRanked,
                                 kNoneMeasured,
                                 kNoneMeasuredIneligible,
                                 kTooBrief,
                                 kTooBriefIneligible,
                                 kNoneKeeps,
                                 kNoneKeepsIneligible,
                                 kNoneHasAndKeeps,
                                 kNoneHasAndKeepsIneligible,
                                 kGoesOn,
                                 kMeasureLonger,
                                 kSweepAgain,
                                 kBothIneligible,
                                 kOneGivesNan,
                                 kManyGiveNan,
                                 kOneNotCompared,
                                 kManyNotCompared,
                                 kAsLoaded,
                                 kNothingBetter,
                                 kNothingElse,
                                 kNothingElseIneligible,
                                 kRunnerUp,
                                 kRunnerUpTied,
                                 kRunnerUpUnconfirmed,
                                 kRunnerUpUnknown,
                                 kBoundLatency,
                                 kBoundPercentile,
                                 kBoundMemory,
                                 kBoundEnergy,
                                 kBoundFirst,
                                 kBoundQuality,
                                 kBoundRelError,
                                 kBoundAbsError,
                                 kAgreement,
                                 kIterationChange,
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
                                 kClaimTraining,
                                 kClaimPlatform,
                                 kClaimOwnModel,
                                 kClaimNotOffered,
                                 kClaimRatedByEye,
                                 kClaimAdvice,
                                 kClaimNoDevice,
                                 kClaimNoGpu,
                                 kClaimOneThreadPerCore,
                                 kClaimNoArithmetic,
                                 kClaimDidNotRun,
                                 kClaimFewPeaks,
                                 kClaimNoInterval,
                                 kClaimTooWide,
                                 kClaimHoldsNoEffect,
                                 kSettingModel,
                                 kSettingModelContent,
                                 kSettingHost,
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
                                 kNotRun,
                                 kReasonOfKind,
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
                                 kStageDecode,
                                 kStagePreprocess,
                                 kStageCopyIn,
                                 kStageInfer,
                                 kStageCopyBack,
                                 kStagePostprocess,
                                 kStageTime,
                                 kHostBounds,
                                 kDeviceBounds,
                                 kPostprocessingBounds,
                                 kDecodingThreads,
                                 kTheDevice,
                                 kPostprocessingThread,
                                 kNothingBoundsRate,
                                 kNothingBoundsWait,
                                 kModelAlone,
                                 kStageBar,
                                 kNeverPaysOff,
                                 kMayNeverPayOff,
                                 kPaysOffAfter,
                                 kModes,
                                 kMetricMapAt,
                                 kShareWithInterval,
                                 kShareWithoutInterval,
                                 kOneLabelledImage,
                                 kLabelledImages,
                                 kOneLabelledImageSkipped,
                                 kLabelledImagesSkipped,
                                 kGiveMoreBudget,
                                 kMeasureWithoutBudget,
                                 kUseWiderPrecision};

} // namespace apertune::report::reasons

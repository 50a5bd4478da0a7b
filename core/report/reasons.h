// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::report::reasons {

using base::MessageKind;

inline constexpr MessageKind kConfiguration{"report.configuration", {"before", "batch", "after"}};
inline constexpr MessageKind kConfirmedAtTheEnd{"report.confirmed_at_the_end"};
inline constexpr MessageKind kUnconfirmed{"report.unconfirmed", {"other", "remedy"}};
inline constexpr MessageKind kAnotherTrial{"report.another_trial"};
inline constexpr MessageKind kGoesOnAndConfirms{"report.goes_on_and_confirms", {"command"}};
inline constexpr MessageKind kConfirms{"report.confirms", {"command"}};
inline constexpr MessageKind kMeasuredUnderLoad{"report.measured_under_load", {"command"}};
inline constexpr MessageKind kGainUnknown{"report.gain_unknown", {"other", "cause"}};
inline constexpr MessageKind kGainUnknownSoDo{"report.gain_unknown_so_do", {"other", "cause", "remedy"}};
inline constexpr MessageKind kBecauseBusy{"report.because_busy"};
inline constexpr MessageKind kBecauseFewBlocks{"report.because_few_blocks", {"blocks"}};
inline constexpr MessageKind kBecauseTimesVary{"report.because_times_vary"};
inline constexpr MessageKind kImportedNotRanked{"report.imported_not_ranked"};
inline constexpr MessageKind kNoneMeasured{"report.none_measured", {"configurations", "ineligible"}};
inline constexpr MessageKind kTooBrief{"report.too_brief", {"measured", "ineligible", "remedy"}};
inline constexpr MessageKind kNoneKeeps{"report.none_keeps", {"measured", "bounds", "ineligible"}};
inline constexpr MessageKind kNoneHasAndKeeps{"report.none_has_and_keeps", {"measured", "bounds", "ineligible"}};
inline constexpr MessageKind kGoesOn{"report.goes_on", {"command"}};
inline constexpr MessageKind kMeasureLonger{"report.measure_longer", {"command"}};
inline constexpr MessageKind kSweepAgain{"report.sweep_again"};
inline constexpr MessageKind kIneligible{"report.ineligible", {"cause"}};
inline constexpr MessageKind kIneligibleTwice{"report.ineligible_twice", {"first", "second"}};
inline constexpr MessageKind kOneGivesNan{"report.one_gives_nan"};
inline constexpr MessageKind kManyGiveNan{"report.many_give_nan", {"count"}};
inline constexpr MessageKind kOneNotCompared{"report.one_not_compared"};
inline constexpr MessageKind kManyNotCompared{"report.many_not_compared", {"count"}};
inline constexpr MessageKind kAsLoaded{"report.as_loaded", {"ineligible"}};
inline constexpr MessageKind kNothingBetter{"report.nothing_better"};
inline constexpr MessageKind kNothingElse{"report.nothing_else", {"ineligible"}};
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
inline constexpr MessageKind kBounds{"report.bounds", {"first", "rest"}};
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
inline constexpr MessageKind kClaimJudgement{"report.claim_judgement"};
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
                                 kConfirmedAtTheEnd,
                                 kUnconfirmed,
                                 kAnotherTrial,
                                 kGoesOnAndConfirms,
                                 kConfirms,
                                 kMeasuredUnderLoad,
                                 kGainUnknown,
                                 kGainUnknownSoDo,
                                 kBecauseBusy,
                                 kBecauseFewBlocks,
                                 kBecauseTimesVary,
                                 kImportedNotRanked,
                                 kNoneMeasured,
                                 kTooBrief,
                                 kNoneKeeps,
                                 kNoneHasAndKeeps,
                                 kGoesOn,
                                 kMeasureLonger,
                                 kSweepAgain,
                                 kIneligible,
                                 kIneligibleTwice,
                                 kOneGivesNan,
                                 kManyGiveNan,
                                 kOneNotCompared,
                                 kManyNotCompared,
                                 kAsLoaded,
                                 kNothingBetter,
                                 kNothingElse,
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
                                 kBounds,
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
                                 kClaimJudgement,
                                 kClaimAdvice,
                                 kClaimNoDevice,
                                 kClaimNoGpu,
                                 kClaimOneThreadPerCore,
                                 kClaimNoArithmetic,
                                 kClaimDidNotRun,
                                 kClaimFewPeaks,
                                 kClaimNoInterval,
                                 kClaimTooWide,
                                 kClaimHoldsNoEffect};

} // namespace apertune::report::reasons

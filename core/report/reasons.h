// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::report::reasons {

using base::MessageKind;

inline constexpr MessageKind kConfirmedAtTheEnd{"report.confirmed_at_the_end"};
inline constexpr MessageKind kUnconfirmed{"report.unconfirmed", {"other", "remedy"}};
inline constexpr MessageKind kAnotherTrial{"report.another_trial"};
inline constexpr MessageKind kGoesOnAndConfirms{"report.goes_on_and_confirms", {"command"}};
inline constexpr MessageKind kConfirms{"report.confirms", {"command"}};
inline constexpr MessageKind kShortlistRunning{"report.shortlist_running"};
inline constexpr MessageKind kShortlist{"report.shortlist", {"cause", "remedy"}};
inline constexpr MessageKind kSeveralMachines{"report.several_machines", {"remedy"}};
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
inline constexpr MessageKind kCandidateOfMachine{"report.candidate_of_machine", {"candidate", "machine"}};
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
inline constexpr MessageKind kMetricMapAt{"report.metric_map_at"};
inline constexpr MessageKind kShareWithInterval{"report.share_with_interval", {"share", "lo", "hi"}};
inline constexpr MessageKind kShareWithoutInterval{"report.share_without_interval", {"share"}};
inline constexpr MessageKind kOneLabelledImage{"report.one_labelled_image", {"folder"}};
inline constexpr MessageKind kLabelledImages{"report.labelled_images", {"count", "folder"}};
inline constexpr MessageKind kOneLabelledImageSkipped{"report.one_labelled_image_skipped", {"folder", "skipped"}};
inline constexpr MessageKind kLabelledImagesSkipped{"report.labelled_images_skipped", {"count", "folder", "skipped"}};

inline constexpr std::array kAll{kConfirmedAtTheEnd,
                                 kUnconfirmed,
                                 kAnotherTrial,
                                 kGoesOnAndConfirms,
                                 kConfirms,
                                 kShortlistRunning,
                                 kShortlist,
                                 kSeveralMachines,
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
                                 kCandidateOfMachine,
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
                                 kMetricMapAt,
                                 kShareWithInterval,
                                 kShareWithoutInterval,
                                 kOneLabelledImage,
                                 kLabelledImages,
                                 kOneLabelledImageSkipped,
                                 kLabelledImagesSkipped};

} // namespace apertune::report::reasons

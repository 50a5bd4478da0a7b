// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

/// The messages of the worker program. Those of the supervisor's side are in core/worker.
namespace apertune::worker::program_errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kBackendSaysNothing{"worker.backend_says_nothing", {"status"}};
inline constexpr MessageKind kAnswerIsNoObject{"worker.answer_is_no_object", {"call"}};
inline constexpr MessageKind kMeasuresNoCeilings{"worker.measures_no_ceilings"};
inline constexpr MessageKind kNoAnswer{"worker.no_answer"};
inline constexpr MessageKind kOutOfMemory{"worker.out_of_memory"};
inline constexpr MessageKind kFailedOn{"worker.failed_on", {"command"}};
inline constexpr MessageKind kUnknownCommand{"worker.unknown_command", {"command"}};
inline constexpr MessageKind kNoSession{"worker.no_session"};
inline constexpr MessageKind kAskedToEnd{"worker.asked_to_end"};
inline constexpr MessageKind kTorchDoesNotLoad{"worker.torch_does_not_load", {"why"}};
inline constexpr MessageKind kOtherTorch{"worker.other_torch", {"found", "wanted"}};
inline constexpr MessageKind kOtherTorchOfCuda{"worker.other_torch_of_cuda", {"found", "wanted", "cuda"}};
inline constexpr MessageKind kNoBackend{"worker.no_backend", {"backend"}};
inline constexpr MessageKind kEngineDoesNotLoad{"worker.engine_does_not_load", {"why"}};
inline constexpr MessageKind kBackendDoesNotLoad{"worker.backend_does_not_load", {"backend", "why"}};
inline constexpr MessageKind kNotABackend{"worker.not_a_backend", {"file"}};
inline constexpr MessageKind kOtherAbi{"worker.other_abi", {"backend", "its", "ours"}};
inline constexpr MessageKind kReferenceNotWritten{"worker.reference_not_written"};
inline constexpr MessageKind kReferenceMissing{"worker.reference_missing"};
inline constexpr MessageKind kReferenceUnreadable{"worker.reference_unreadable"};
inline constexpr MessageKind kNoQuery{"worker.no_query"};
inline constexpr MessageKind kImagesTooLarge{"worker.images_too_large"};
inline constexpr MessageKind kNoImages{"worker.no_images"};
inline constexpr MessageKind kTakesNoSamples{"worker.takes_no_samples"};
inline constexpr MessageKind kNoImageCame{"worker.no_image_came"};

// What is wrong with the timers of the machine.
inline constexpr MessageKind kClockWentBack{"worker.clock_went_back"};
inline constexpr MessageKind kClockTicks{"worker.clock_ticks", {"resolution"}};
inline constexpr MessageKind kClockCosts{"worker.clock_costs", {"cost"}};
inline constexpr MessageKind kTwiceTheWork{"worker.twice_the_work", {"times"}};
inline constexpr MessageKind kThreadCharged{"worker.thread_charged", {"times"}};

// What a comparison with the reference outputs found.
inline constexpr MessageKind kNothingCompared{"worker.nothing_compared"};
inline constexpr MessageKind kShapesDiffer{"worker.shapes_differ", {"outputs"}};
inline constexpr MessageKind kDetectionsMatched{"worker.detections_matched", {"found", "all", "more"}};
inline constexpr MessageKind kIntegersEqual{"worker.integers_equal", {"percent", "values"}};

// Hints on what to do.
inline constexpr MessageKind kSeeLog{"worker.see_log"};
inline constexpr MessageKind kBackendBroken{"worker.backend_broken"};
inline constexpr MessageKind kUseLibtorch{"worker.use_libtorch"};
inline constexpr MessageKind kSmallerBatch{"worker.smaller_batch"};
inline constexpr MessageKind kPrepareFirst{"worker.prepare_first"};
inline constexpr MessageKind kAddTorch{"worker.add_torch", {"series"}};
inline constexpr MessageKind kListDevices{"worker.list_devices"};
inline constexpr MessageKind kInstallEngineAgain{"worker.install_engine_again"};
inline constexpr MessageKind kReinstallApertune{"worker.reinstall_apertune"};
inline constexpr MessageKind kRemovePluginFile{"worker.remove_plugin_file"};
inline constexpr MessageKind kSameBuild{"worker.same_build"};
inline constexpr MessageKind kFreeTemporary{"worker.free_temporary"};
inline constexpr MessageKind kRunStudyAgain{"worker.run_study_again"};
inline constexpr MessageKind kMoreTimeOrRate{"worker.more_time_or_rate"};
inline constexpr MessageKind kFewerImages{"worker.fewer_images"};
inline constexpr MessageKind kGenerateOrName{"worker.generate_or_name"};
inline constexpr MessageKind kOtherBackend{"worker.other_backend"};
inline constexpr MessageKind kMoreTimeForPipeline{"worker.more_time_for_pipeline"};

inline constexpr std::array kAll{kBackendSaysNothing,
                                 kAnswerIsNoObject,
                                 kMeasuresNoCeilings,
                                 kNoAnswer,
                                 kOutOfMemory,
                                 kFailedOn,
                                 kUnknownCommand,
                                 kNoSession,
                                 kAskedToEnd,
                                 kTorchDoesNotLoad,
                                 kOtherTorch,
                                 kOtherTorchOfCuda,
                                 kNoBackend,
                                 kEngineDoesNotLoad,
                                 kBackendDoesNotLoad,
                                 kNotABackend,
                                 kOtherAbi,
                                 kReferenceNotWritten,
                                 kReferenceMissing,
                                 kReferenceUnreadable,
                                 kNoQuery,
                                 kImagesTooLarge,
                                 kNoImages,
                                 kTakesNoSamples,
                                 kNoImageCame,
                                 kClockWentBack,
                                 kClockTicks,
                                 kClockCosts,
                                 kTwiceTheWork,
                                 kThreadCharged,
                                 kNothingCompared,
                                 kShapesDiffer,
                                 kDetectionsMatched,
                                 kIntegersEqual,
                                 kSeeLog,
                                 kBackendBroken,
                                 kUseLibtorch,
                                 kSmallerBatch,
                                 kPrepareFirst,
                                 kAddTorch,
                                 kListDevices,
                                 kInstallEngineAgain,
                                 kReinstallApertune,
                                 kRemovePluginFile,
                                 kSameBuild,
                                 kFreeTemporary,
                                 kRunStudyAgain,
                                 kMoreTimeOrRate,
                                 kFewerImages,
                                 kGenerateOrName,
                                 kOtherBackend,
                                 kMoreTimeForPipeline};

} // namespace apertune::worker::program_errors

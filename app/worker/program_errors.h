// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

/// The messages of the worker program. Those of the supervisor's side are in core/worker.
namespace apertune::worker::program_errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kBackendSaysNothing{"worker_program.backend_says_nothing", {"status"}};
inline constexpr MessageKind kAnswerIsNoObject{"worker_program.answer_is_no_object", {"call"}};
inline constexpr MessageKind kMeasuresNoCeilings{"worker_program.measures_no_ceilings"};
inline constexpr MessageKind kNoAnswer{"worker_program.no_answer"};
inline constexpr MessageKind kOutOfMemory{"worker_program.out_of_memory"};
inline constexpr MessageKind kFailedOn{"worker_program.failed_on", {"command"}};
inline constexpr MessageKind kUnknownCommand{"worker_program.unknown_command", {"command"}};
inline constexpr MessageKind kNoSession{"worker_program.no_session"};
inline constexpr MessageKind kAskedToEnd{"worker_program.asked_to_end"};
inline constexpr MessageKind kTorchDoesNotLoad{"worker_program.torch_does_not_load", {"why"}};
inline constexpr MessageKind kOtherTorch{"worker_program.other_torch", {"found", "wanted"}};
inline constexpr MessageKind kOtherTorchOfCuda{"worker_program.other_torch_of_cuda", {"found", "wanted", "cuda"}};
inline constexpr MessageKind kNoBackend{"worker_program.no_backend", {"backend"}};
inline constexpr MessageKind kEngineDoesNotLoad{"worker_program.engine_does_not_load", {"why"}};
inline constexpr MessageKind kBackendDoesNotLoad{"worker_program.backend_does_not_load", {"backend", "why"}};
inline constexpr MessageKind kNotABackend{"worker_program.not_a_backend", {"file"}};
inline constexpr MessageKind kOtherAbi{"worker_program.other_abi", {"backend", "its", "ours"}};
inline constexpr MessageKind kReferenceNotWritten{"worker_program.reference_not_written"};
inline constexpr MessageKind kReferenceMissing{"worker_program.reference_missing"};
inline constexpr MessageKind kReferenceUnreadable{"worker_program.reference_unreadable"};
inline constexpr MessageKind kNoQuery{"worker_program.no_query"};
inline constexpr MessageKind kImagesTooLarge{"worker_program.images_too_large"};
inline constexpr MessageKind kNoImages{"worker_program.no_images"};
inline constexpr MessageKind kTakesNoSamples{"worker_program.takes_no_samples"};
inline constexpr MessageKind kNoImageCame{"worker_program.no_image_came"};

// What is wrong with the timers of the machine.
inline constexpr MessageKind kClockWentBack{"worker_program.clock_went_back"};
inline constexpr MessageKind kClockTicks{"worker_program.clock_ticks", {"resolution"}};
inline constexpr MessageKind kClockCosts{"worker_program.clock_costs", {"cost"}};
inline constexpr MessageKind kTwiceTheWork{"worker_program.twice_the_work", {"times"}};
inline constexpr MessageKind kThreadCharged{"worker_program.thread_charged", {"times"}};

// What a comparison with the reference outputs found.
inline constexpr MessageKind kNothingCompared{"worker_program.nothing_compared"};
inline constexpr MessageKind kShapesDiffer{"worker_program.shapes_differ", {"outputs"}};
inline constexpr MessageKind kDetectionsMatched{"worker_program.detections_matched", {"found", "all", "more"}};
inline constexpr MessageKind kIntegersEqual{"worker_program.integers_equal", {"percent", "values"}};

// Hints on what to do.
inline constexpr MessageKind kSeeLog{"worker_program.see_log"};
inline constexpr MessageKind kBackendBroken{"worker_program.backend_broken"};
inline constexpr MessageKind kUseLibtorch{"worker_program.use_libtorch"};
inline constexpr MessageKind kSmallerBatch{"worker_program.smaller_batch"};
inline constexpr MessageKind kPrepareFirst{"worker_program.prepare_first"};
inline constexpr MessageKind kAddTorch{"worker_program.add_torch", {"series"}};
inline constexpr MessageKind kListDevices{"worker_program.list_devices"};
inline constexpr MessageKind kInstallEngineAgain{"worker_program.install_engine_again"};
inline constexpr MessageKind kReinstallApertune{"worker_program.reinstall_apertune"};
inline constexpr MessageKind kRemovePluginFile{"worker_program.remove_plugin_file"};
inline constexpr MessageKind kSameBuild{"worker_program.same_build"};
inline constexpr MessageKind kFreeTemporary{"worker_program.free_temporary"};
inline constexpr MessageKind kRunStudyAgain{"worker_program.run_study_again"};
inline constexpr MessageKind kMoreTimeOrRate{"worker_program.more_time_or_rate"};
inline constexpr MessageKind kFewerImages{"worker_program.fewer_images"};
inline constexpr MessageKind kGenerateOrName{"worker_program.generate_or_name"};
inline constexpr MessageKind kOtherBackend{"worker_program.other_backend"};
inline constexpr MessageKind kMoreTimeForPipeline{"worker_program.more_time_for_pipeline"};

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

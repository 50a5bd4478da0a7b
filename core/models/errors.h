// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::models::errors {

using base::MessageKind;

// Messages: each states the failure and its cause.
inline constexpr MessageKind kModelNotHere{"models.model_not_here", {"model"}};
inline constexpr MessageKind kDamagedFile{"models.damaged_file", {"file"}};
inline constexpr MessageKind kUnreadableFolder{"models.unreadable_folder", {"why"}};
inline constexpr MessageKind kMissingField{"models.missing_field"};
inline constexpr MessageKind kDamagedModel{"models.damaged_model", {"model", "problem"}};
inline constexpr MessageKind kUnsafeArchive{"models.unsafe_archive", {"file", "why"}};
inline constexpr MessageKind kArchiveContradicts{"models.archive_contradicts"};
inline constexpr MessageKind kTooManyMembers{"models.too_many_members", {"members", "limit"}};
inline constexpr MessageKind kMemberOutside{"models.member_outside", {"member"}};
inline constexpr MessageKind kMemberKind{"models.member_kind", {"member"}};
inline constexpr MessageKind kMemberTwice{"models.member_twice", {"member"}};
inline constexpr MessageKind kMemberUnpacks{"models.member_unpacks", {"member", "unpacked", "packed"}};
inline constexpr MessageKind kArchiveUnpacks{"models.archive_unpacks", {"unpacked", "packed"}};
inline constexpr MessageKind kUsersNotNoted{"models.users_not_noted", {"file"}};
inline constexpr MessageKind kNoExportedProgram{"models.no_exported_program", {"model"}};
inline constexpr MessageKind kNoWholePackage{"models.no_whole_package"};
inline constexpr MessageKind kNoTorchToRun{"models.no_torch_to_run", {"file"}};
inline constexpr MessageKind kNothingVerifies{"models.nothing_verifies", {"backend"}};
inline constexpr MessageKind kNoLibTorch{"models.no_lib_torch"};
inline constexpr MessageKind kProgramNotBuilt{"models.program_not_built"};
inline constexpr MessageKind kOtherOutputs{"models.other_outputs"};
inline constexpr MessageKind kSlowerThanMeasured{"models.slower_than_measured", {"now", "then"}};
inline constexpr MessageKind kProgramAnswerDamaged{"models.program_answer_damaged", {"why"}};
inline constexpr MessageKind kProgramDoesNotRun{"models.program_does_not_run", {"how"}};
inline constexpr MessageKind kExporterDied{"models.exporter_died", {"how"}};
inline constexpr MessageKind kExporterTooLong{"models.exporter_too_long", {"time"}};
inline constexpr MessageKind kExporterTooLarge{"models.exporter_too_large", {"memory", "allowed"}};
inline constexpr MessageKind kUnreadableExporter{"models.unreadable_exporter", {"why"}};
inline constexpr MessageKind kCannotConvert{"models.cannot_convert", {"model", "backend"}};
inline constexpr MessageKind kFixedBatch{"models.fixed_batch", {"format"}};
inline constexpr MessageKind kNoWholeFile{"models.no_whole_file"};
inline constexpr MessageKind kCannotPut{"models.cannot_put", {"folder", "why"}};
inline constexpr MessageKind kNameTaken{"models.name_taken", {"name", "source"}};
inline constexpr MessageKind kNameTakenByOther{"models.name_taken_by_other", {"name", "source"}};
inline constexpr MessageKind kReadOnlyWorkspace{"models.read_only_workspace", {"why"}};
inline constexpr MessageKind kOtherContentHash{"models.other_content_hash", {"folder", "claimed", "computed"}};
inline constexpr MessageKind kWeightsNotKept{"models.weights_not_kept", {"model"}};
inline constexpr MessageKind kNoWeightsFile{"models.no_weights_file", {"file"}};
inline constexpr MessageKind kNoContentHash{"models.no_content_hash"};
inline constexpr MessageKind kFilesGoneOrDamaged{"models.files_gone_or_damaged", {"model"}};
inline constexpr MessageKind kNoModel{"models.no_model", {"name"}};
inline constexpr MessageKind kIsAFolder{"models.is_a_folder", {"file"}};
inline constexpr MessageKind kNoFolder{"models.no_folder", {"folder"}};
inline constexpr MessageKind kNoCallable{"models.no_callable", {"text"}};
inline constexpr MessageKind kNoImageSize{"models.no_image_size", {"size"}};
inline constexpr MessageKind kOwnInputs{"models.own_inputs", {"source", "size"}};
inline constexpr MessageKind kNamesNoModel{"models.names_no_model", {"text"}};
inline constexpr MessageKind kNoSourceKind{"models.no_source_kind", {"kind"}};
inline constexpr MessageKind kNoVariant{"models.no_variant", {"text"}};
inline constexpr MessageKind kVariantOfVariant{"models.variant_of_variant", {"text"}};
inline constexpr MessageKind kNoModule{"models.no_module", {"model"}};
inline constexpr MessageKind kNoName{"models.no_name", {"name"}};
inline constexpr MessageKind kUntrusted{"models.untrusted", {"what", "hash"}};
inline constexpr MessageKind kFolderUnreadable{"models.folder_unreadable", {"why"}};
inline constexpr MessageKind kModelCode{"models.model_code", {"model"}};
inline constexpr MessageKind kSourceCode{"models.source_code", {"source"}};
inline constexpr MessageKind kExportedCode{"models.exported_code", {"folder"}};
inline constexpr MessageKind kNoGpu{"models.no_gpu"};

// Hints: each states the remedy.
inline constexpr MessageKind kImportFromSource{"models.import_from_source"};
inline constexpr MessageKind kGetFileAgain{"models.get_file_again"};
inline constexpr MessageKind kLeaveOutLevel{"models.leave_out_level"};
inline constexpr MessageKind kNameTorch{"models.name_torch"};
inline constexpr MessageKind kVerifyTrial{"models.verify_trial"};
inline constexpr MessageKind kBuildByHand{"models.build_by_hand"};
inline constexpr MessageKind kTryOrReport{"models.try_or_report"};
inline constexpr MessageKind kSmallerOrLonger{"models.smaller_or_longer"};
inline constexpr MessageKind kSmallerOrMoreMemory{"models.smaller_or_more_memory"};
inline constexpr MessageKind kLeaveBackendOut{"models.leave_backend_out", {"backend"}};
inline constexpr MessageKind kUseBatchOne{"models.use_batch_one"};
inline constexpr MessageKind kRetryFailed{"models.retry_failed"};
inline constexpr MessageKind kOtherNameOrDelete{"models.other_name_or_delete", {"name"}};
inline constexpr MessageKind kOtherWorkspace{"models.other_workspace"};
inline constexpr MessageKind kImportOrGetAgain{"models.import_or_get_again"};
inline constexpr MessageKind kImportUnderOwnName{"models.import_under_own_name", {"folder"}};
inline constexpr MessageKind kImportAtSize{"models.import_at_size", {"source"}};
inline constexpr MessageKind kGiveWeights{"models.give_weights"};
inline constexpr MessageKind kExporterDoesNotFit{"models.exporter_does_not_fit"};
inline constexpr MessageKind kWriteCallable{"models.write_callable"};
inline constexpr MessageKind kWritePixels{"models.write_pixels"};
inline constexpr MessageKind kLeaveSizeOut{"models.leave_size_out", {"size"}};
inline constexpr MessageKind kWriteVariant{"models.write_variant", {"prefix", "value"}};
inline constexpr MessageKind kOneVariant{"models.one_variant"};
inline constexpr MessageKind kImportModule{"models.import_module"};
inline constexpr MessageKind kNameLetters{"models.name_letters", {"name"}};
inline constexpr MessageKind kSayTrust{"models.say_trust"};
inline constexpr MessageKind kLeaveOutOrOther{"models.leave_out_or_other"};
inline constexpr MessageKind kNothingWritten{"models.nothing_written"};
inline constexpr MessageKind kRunByHand{"models.run_by_hand"};
inline constexpr MessageKind kMemoryOrSmaller{"models.memory_or_smaller"};
inline constexpr MessageKind kFilesOfSandbox{"models.files_of_sandbox"};
inline constexpr MessageKind kLastWords{"models.last_words"};
inline constexpr MessageKind kImportByCommand{"models.import_by_command", {"source", "name"}};
inline constexpr MessageKind kImportByCommandWeights{"models.import_by_command_weights", {"source", "name"}};
inline constexpr MessageKind kNameKnown{"models.name_known"};
inline constexpr MessageKind kWriteSource{"models.write_source"};
inline constexpr MessageKind kWriteFolder{"models.write_folder", {"source"}};
inline constexpr MessageKind kFetchFolder{"models.fetch_folder", {"name"}};

inline constexpr std::array kAll{kModelNotHere,
                                 kDamagedFile,
                                 kUnsafeArchive,
                                 kArchiveContradicts,
                                 kTooManyMembers,
                                 kMemberOutside,
                                 kMemberKind,
                                 kMemberTwice,
                                 kMemberUnpacks,
                                 kArchiveUnpacks,
                                 kGetFileAgain,
                                 kUnreadableFolder,
                                 kMissingField,
                                 kDamagedModel,
                                 kUsersNotNoted,
                                 kNoExportedProgram,
                                 kNoWholePackage,
                                 kNoTorchToRun,
                                 kNothingVerifies,
                                 kNoLibTorch,
                                 kProgramNotBuilt,
                                 kOtherOutputs,
                                 kProgramDoesNotRun,
                                 kExporterDied,
                                 kExporterTooLong,
                                 kExporterTooLarge,
                                 kUnreadableExporter,
                                 kCannotConvert,
                                 kFixedBatch,
                                 kNoWholeFile,
                                 kCannotPut,
                                 kNameTaken,
                                 kNameTakenByOther,
                                 kReadOnlyWorkspace,
                                 kOtherContentHash,
                                 kWeightsNotKept,
                                 kNoWeightsFile,
                                 kNoContentHash,
                                 kFilesGoneOrDamaged,
                                 kSlowerThanMeasured,
                                 kProgramAnswerDamaged,
                                 kNoModel,
                                 kIsAFolder,
                                 kNoFolder,
                                 kNoCallable,
                                 kNoImageSize,
                                 kOwnInputs,
                                 kNamesNoModel,
                                 kNoSourceKind,
                                 kNoVariant,
                                 kVariantOfVariant,
                                 kNoModule,
                                 kNoName,
                                 kUntrusted,
                                 kFolderUnreadable,
                                 kModelCode,
                                 kSourceCode,
                                 kExportedCode,
                                 kNoGpu,
                                 kImportFromSource,
                                 kLeaveOutLevel,
                                 kNameTorch,
                                 kVerifyTrial,
                                 kBuildByHand,
                                 kTryOrReport,
                                 kSmallerOrLonger,
                                 kSmallerOrMoreMemory,
                                 kLeaveBackendOut,
                                 kUseBatchOne,
                                 kRetryFailed,
                                 kOtherNameOrDelete,
                                 kOtherWorkspace,
                                 kImportOrGetAgain,
                                 kImportUnderOwnName,
                                 kImportAtSize,
                                 kGiveWeights,
                                 kExporterDoesNotFit,
                                 kWriteCallable,
                                 kWritePixels,
                                 kLeaveSizeOut,
                                 kWriteVariant,
                                 kOneVariant,
                                 kImportModule,
                                 kNameLetters,
                                 kSayTrust,
                                 kLeaveOutOrOther,
                                 kNothingWritten,
                                 kRunByHand,
                                 kMemoryOrSmaller,
                                 kFilesOfSandbox,
                                 kLastWords,
                                 kImportByCommand,
                                 kImportByCommandWeights,
                                 kNameKnown,
                                 kWriteSource,
                                 kWriteFolder,
                                 kFetchFolder};

} // namespace apertune::models::errors

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::store::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kUnknownValue{"store.unknown_value", {"value"}};
inline constexpr MessageKind kNoMemory{"store.no_memory"};
inline constexpr MessageKind kNoMemoryToReadOrWrite{"store.no_memory_to_read_or_write"};
inline constexpr MessageKind kCouldNotUse{"store.could_not_use", {"why"}};
inline constexpr MessageKind kCouldNotUseBecause{"store.could_not_use_because", {"why"}};
inline constexpr MessageKind kDamaged{"store.damaged", {"why"}};
inline constexpr MessageKind kDamagedBecause{"store.damaged_because", {"why"}};
inline constexpr MessageKind kTrialsMissing{"store.trials_missing", {"count"}};
inline constexpr MessageKind kLockedByOther{"store.locked_by_other"};
inline constexpr MessageKind kDiskFull{"store.disk_full"};
inline constexpr MessageKind kCannotBeWritten{"store.cannot_be_written", {"why"}};
inline constexpr MessageKind kWritingFailed{"store.writing_failed", {"why"}};
inline constexpr MessageKind kIoFailed{"store.io_failed", {"why"}};
inline constexpr MessageKind kCannotBeOpened{"store.cannot_be_opened", {"why"}};
inline constexpr MessageKind kCannotBeRead{"store.cannot_be_read"};
inline constexpr MessageKind kNoWorkspace{"store.no_workspace"};
inline constexpr MessageKind kNoWorkspaceOrUnreadable{"store.no_workspace_or_unreadable"};
inline constexpr MessageKind kForeignDatabase{"store.foreign_database"};
inline constexpr MessageKind kValueTooLarge{"store.value_too_large"};
inline constexpr MessageKind kInconsistent{"store.inconsistent", {"why"}};
inline constexpr MessageKind kOtherStructure{"store.other_structure", {"why"}};
inline constexpr MessageKind kReadOnly{"store.read_only", {"why"}};
inline constexpr MessageKind kNewerWorkspace{"store.newer_workspace", {"problem"}};
inline constexpr MessageKind kPathTooLong{"store.path_too_long", {"bytes", "limit"}};
inline constexpr MessageKind kNotNamed{"store.not_named"};
inline constexpr MessageKind kIsAFolder{"store.is_a_folder", {"file"}};
inline constexpr MessageKind kNotRegular{"store.not_regular", {"file"}};
inline constexpr MessageKind kCannotLook{"store.cannot_look", {"file", "why"}};
inline constexpr MessageKind kDeadLink{"store.dead_link", {"file", "target"}};
inline constexpr MessageKind kNoSuchWorkspace{"store.no_such_workspace", {"file"}};
inline constexpr MessageKind kCannotCreateFolder{"store.cannot_create_folder", {"folder", "why"}};
inline constexpr MessageKind kCannotResolve{"store.cannot_resolve", {"file", "why"}};
inline constexpr MessageKind kPendingLog{"store.pending_log"};
inline constexpr MessageKind kEmptyFile{"store.empty_file"};
inline constexpr MessageKind kOnlyTheLog{"store.only_the_log"};
inline constexpr MessageKind kCopyNotWritten{"store.copy_not_written", {"why"}};
inline constexpr MessageKind kFileIsThere{"store.file_is_there", {"file"}};
inline constexpr MessageKind kNoWriteAheadLog{"store.no_write_ahead_log"};
inline constexpr MessageKind kReferencesDiffer{"store.references_differ"};
inline constexpr MessageKind kUpgradeFailed{"store.upgrade_failed", {"from", "to", "problem"}};
inline constexpr MessageKind kUpgradedCopyFailed{"store.upgraded_copy_failed", {"schema", "problem"}};
inline constexpr MessageKind kCannotSalvage{"store.cannot_salvage", {"schema"}};
inline constexpr MessageKind kForeignSchema{"store.foreign_schema", {"why"}};
inline constexpr MessageKind kOpenHere{"store.open_here", {"file"}};
inline constexpr MessageKind kBeingWritten{"store.being_written", {"file"}};
inline constexpr MessageKind kBeingWrittenBy{"store.being_written_by", {"file", "process", "program", "time"}};
inline constexpr MessageKind kCannotLock{"store.cannot_lock", {"why"}};
inline constexpr MessageKind kModelWithoutName{"store.model_without_name"};
inline constexpr MessageKind kModelLost{"store.model_lost"};
inline constexpr MessageKind kEnvironmentLost{"store.environment_lost"};
inline constexpr MessageKind kNoModel{"store.no_model", {"name"}};
inline constexpr MessageKind kArtifactWithoutKey{"store.artifact_without_key"};
inline constexpr MessageKind kCeilingsIncomplete{"store.ceilings_incomplete"};
inline constexpr MessageKind kTimesDamaged{"store.times_damaged"};
inline constexpr MessageKind kStudyIsThere{"store.study_is_there", {"uuid"}};
inline constexpr MessageKind kNoStudy{"store.no_study", {"id"}};
inline constexpr MessageKind kNoTrial{"store.no_trial", {"id"}};
inline constexpr MessageKind kBaselineNameInUse{"store.baseline_name_in_use", {"name", "trial"}};
inline constexpr MessageKind kNewTrialState{"store.new_trial_state"};
inline constexpr MessageKind kConfigurationTwice{"store.configuration_twice", {"ordinal"}};
inline constexpr MessageKind kNoTransition{"store.no_transition", {"id", "from", "to"}};
inline constexpr MessageKind kNothingToReplace{"store.nothing_to_replace", {"id"}};
inline constexpr MessageKind kTrialOfRunLost{"store.trial_of_run_lost"};
inline constexpr MessageKind kNoTrace{"store.no_trace", {"id"}};
inline constexpr MessageKind kTraceDamaged{"store.trace_damaged", {"why"}};
inline constexpr MessageKind kUnknownEvents{"store.unknown_events", {"kind"}};
inline constexpr MessageKind kUnsoundTrace{"store.unsound_trace", {"why"}};
inline constexpr MessageKind kNoTrialOfTrace{"store.no_trial_of_trace", {"id"}};
inline constexpr MessageKind kOpeningCancelled{"store.opening_cancelled"};
inline constexpr MessageKind kOpenedForReading{"store.opened_for_reading"};
inline constexpr MessageKind kFolderNotWritable{"store.folder_not_writable"};
inline constexpr MessageKind kFileNotWritable{"store.file_not_writable"};
inline constexpr MessageKind kNewerSchema{"store.newer_schema", {"schema", "known"}};
inline constexpr MessageKind kIsDamaged{"store.is_damaged", {"why"}};
inline constexpr MessageKind kUpgradedCopy{"store.upgraded_copy", {"why", "schema"}};
inline constexpr MessageKind kLastPageCutOff{"store.last_page_cut_off"};
inline constexpr MessageKind kMissingRow{"store.missing_row", {"table", "other"}};
inline constexpr MessageKind kNotPlain{"store.not_plain", {"name"}};
inline constexpr MessageKind kForeignTable{"store.foreign_table", {"name"}};
inline constexpr MessageKind kForeignIndex{"store.foreign_index", {"name"}};
inline constexpr MessageKind kForeignView{"store.foreign_view", {"name"}};
inline constexpr MessageKind kForeignTrigger{"store.foreign_trigger", {"name"}};
inline constexpr MessageKind kForeignObject{"store.foreign_object", {"name"}};
inline constexpr MessageKind kTableMissing{"store.table_missing", {"name"}};
inline constexpr MessageKind kIndexMissing{"store.index_missing", {"name"}};
inline constexpr MessageKind kNumberOutOfRange{"store.number_out_of_range"};
inline constexpr MessageKind kPartsMissing{"store.parts_missing"};
inline constexpr MessageKind kOtherCount{"store.other_count"};
inline constexpr MessageKind kColumnsDiffer{"store.columns_differ"};
inline constexpr MessageKind kFirstTextNotEmpty{"store.first_text_not_empty"};
inline constexpr MessageKind kSeriesWithoutTrack{"store.series_without_track"};
inline constexpr MessageKind kNameMissing{"store.name_missing"};
inline constexpr MessageKind kDetailMissing{"store.detail_missing"};
inline constexpr MessageKind kEndsBeforeStart{"store.ends_before_start"};
inline constexpr MessageKind kNameOfEventMissing{"store.name_of_event_missing"};
inline constexpr MessageKind kDetailsOfEventMissing{"store.details_of_event_missing"};
inline constexpr MessageKind kListed{"store.listed", {"problem"}};

// Hints on what to do.
inline constexpr MessageKind kUpdateOrRestore{"store.update_or_restore"};
inline constexpr MessageKind kUpdateOrImport{"store.update_or_import"};
inline constexpr MessageKind kRestoreCopy{"store.restore_copy"};
inline constexpr MessageKind kRestoreOrRepair{"store.restore_or_repair"};
inline constexpr MessageKind kRepairTables{"store.repair_tables"};
inline constexpr MessageKind kRestoreOrMeasure{"store.restore_or_measure"};
inline constexpr MessageKind kRestoreOrOtherVersion{"store.restore_or_other_version"};
inline constexpr MessageKind kCloseOtherUser{"store.close_other_user"};
inline constexpr MessageKind kCheckFileOrCopy{"store.check_file_or_copy"};
inline constexpr MessageKind kFreeDiskOrQuota{"store.free_disk_or_quota"};
inline constexpr MessageKind kCheckDiskLocal{"store.check_disk_local"};
inline constexpr MessageKind kCheckPathAndFolder{"store.check_path_and_folder"};
inline constexpr MessageKind kNameWorkspaceOrNew{"store.name_workspace_or_new"};
inline constexpr MessageKind kNameWorkspaceOrRestore{"store.name_workspace_or_restore"};
inline constexpr MessageKind kNameWorkspace{"store.name_workspace"};
inline constexpr MessageKind kOtherOrCopy{"store.other_or_copy"};
inline constexpr MessageKind kUpdate{"store.update"};
inline constexpr MessageKind kShorterPath{"store.shorter_path"};
inline constexpr MessageKind kNameRuns{"store.name_runs"};
inline constexpr MessageKind kNameFileInIt{"store.name_file_in_it", {"file"}};
inline constexpr MessageKind kNameWorkspaceFile{"store.name_workspace_file"};
inline constexpr MessageKind kCheckPathAndPermissions{"store.check_path_and_permissions"};
inline constexpr MessageKind kMendLink{"store.mend_link"};
inline constexpr MessageKind kMadeByFirst{"store.made_by_first"};
inline constexpr MessageKind kCopyBoth{"store.copy_both"};
inline constexpr MessageKind kOpenForWriting{"store.open_for_writing"};
inline constexpr MessageKind kCheckDiskAndSpace{"store.check_disk_and_space"};
inline constexpr MessageKind kOtherName{"store.other_name"};
inline constexpr MessageKind kPutOnLocal{"store.put_on_local"};
inline constexpr MessageKind kCopyIsAt{"store.copy_is_at", {"file"}};
inline constexpr MessageKind kVersionThatMade{"store.version_that_made"};
inline constexpr MessageKind kCloseThere{"store.close_there"};
inline constexpr MessageKind kWaitOrStop{"store.wait_or_stop"};
inline constexpr MessageKind kMoveToLocal{"store.move_to_local"};
inline constexpr MessageKind kGiveName{"store.give_name"};
inline constexpr MessageKind kListModels{"store.list_models"};
inline constexpr MessageKind kResumeOrNew{"store.resume_or_new"};
inline constexpr MessageKind kListStudies{"store.list_studies"};
inline constexpr MessageKind kListTrials{"store.list_trials"};
inline constexpr MessageKind kReplaceBaseline{"store.replace_baseline"};
inline constexpr MessageKind kListTraces{"store.list_traces"};
inline constexpr MessageKind kReportRecording{"store.report_recording"};
inline constexpr MessageKind kCheckTrialNumber{"store.check_trial_number"};

inline constexpr std::array kAll{kUnknownValue,
                                 kNoMemory,
                                 kNoMemoryToReadOrWrite,
                                 kCouldNotUse,
                                 kCouldNotUseBecause,
                                 kDamaged,
                                 kDamagedBecause,
                                 kTrialsMissing,
                                 kLockedByOther,
                                 kDiskFull,
                                 kCannotBeWritten,
                                 kWritingFailed,
                                 kIoFailed,
                                 kCannotBeOpened,
                                 kCannotBeRead,
                                 kNoWorkspace,
                                 kNoWorkspaceOrUnreadable,
                                 kForeignDatabase,
                                 kValueTooLarge,
                                 kInconsistent,
                                 kOtherStructure,
                                 kReadOnly,
                                 kNewerWorkspace,
                                 kPathTooLong,
                                 kNotNamed,
                                 kIsAFolder,
                                 kNotRegular,
                                 kCannotLook,
                                 kDeadLink,
                                 kNoSuchWorkspace,
                                 kCannotCreateFolder,
                                 kCannotResolve,
                                 kPendingLog,
                                 kEmptyFile,
                                 kOnlyTheLog,
                                 kCopyNotWritten,
                                 kFileIsThere,
                                 kNoWriteAheadLog,
                                 kReferencesDiffer,
                                 kUpgradeFailed,
                                 kUpgradedCopyFailed,
                                 kCannotSalvage,
                                 kForeignSchema,
                                 kOpenHere,
                                 kBeingWritten,
                                 kBeingWrittenBy,
                                 kCannotLock,
                                 kModelWithoutName,
                                 kModelLost,
                                 kEnvironmentLost,
                                 kNoModel,
                                 kArtifactWithoutKey,
                                 kCeilingsIncomplete,
                                 kTimesDamaged,
                                 kStudyIsThere,
                                 kNoStudy,
                                 kNoTrial,
                                 kBaselineNameInUse,
                                 kNewTrialState,
                                 kConfigurationTwice,
                                 kNoTransition,
                                 kNothingToReplace,
                                 kTrialOfRunLost,
                                 kNoTrace,
                                 kTraceDamaged,
                                 kUnknownEvents,
                                 kUnsoundTrace,
                                 kNoTrialOfTrace,
                                 kOpeningCancelled,
                                 kOpenedForReading,
                                 kFolderNotWritable,
                                 kFileNotWritable,
                                 kNewerSchema,
                                 kIsDamaged,
                                 kUpgradedCopy,
                                 kLastPageCutOff,
                                 kMissingRow,
                                 kNotPlain,
                                 kForeignTable,
                                 kForeignIndex,
                                 kForeignView,
                                 kForeignTrigger,
                                 kForeignObject,
                                 kTableMissing,
                                 kIndexMissing,
                                 kNumberOutOfRange,
                                 kPartsMissing,
                                 kOtherCount,
                                 kColumnsDiffer,
                                 kFirstTextNotEmpty,
                                 kSeriesWithoutTrack,
                                 kNameMissing,
                                 kDetailMissing,
                                 kEndsBeforeStart,
                                 kNameOfEventMissing,
                                 kDetailsOfEventMissing,
                                 kListed,
                                 kUpdateOrRestore,
                                 kUpdateOrImport,
                                 kRestoreCopy,
                                 kRestoreOrRepair,
                                 kRepairTables,
                                 kRestoreOrMeasure,
                                 kRestoreOrOtherVersion,
                                 kCloseOtherUser,
                                 kCheckFileOrCopy,
                                 kFreeDiskOrQuota,
                                 kCheckDiskLocal,
                                 kCheckPathAndFolder,
                                 kNameWorkspaceOrNew,
                                 kNameWorkspaceOrRestore,
                                 kNameWorkspace,
                                 kOtherOrCopy,
                                 kUpdate,
                                 kShorterPath,
                                 kNameRuns,
                                 kNameFileInIt,
                                 kNameWorkspaceFile,
                                 kCheckPathAndPermissions,
                                 kMendLink,
                                 kMadeByFirst,
                                 kCopyBoth,
                                 kOpenForWriting,
                                 kCheckDiskAndSpace,
                                 kOtherName,
                                 kPutOnLocal,
                                 kCopyIsAt,
                                 kVersionThatMade,
                                 kCloseThere,
                                 kWaitOrStop,
                                 kMoveToLocal,
                                 kGiveName,
                                 kListModels,
                                 kResumeOrNew,
                                 kListStudies,
                                 kListTrials,
                                 kReplaceBaseline,
                                 kListTraces,
                                 kReportRecording,
                                 kCheckTrialNumber};

} // namespace apertune::store::errors

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::base::errors {

// Statements of what happened, and why.
inline constexpr MessageKind kCancelled{"base.cancelled"};
inline constexpr MessageKind kInterrupted{"base.interrupted"};
inline constexpr MessageKind kIsAFolder{"base.is_a_folder", {"file"}};
inline constexpr MessageKind kNoFile{"base.no_file", {"file"}};
inline constexpr MessageKind kCannotOpen{"base.cannot_open", {"file", "why"}};
inline constexpr MessageKind kCannotOpenFile{"base.cannot_open_file", {"file"}};
inline constexpr MessageKind kReadingFailedBecause{"base.reading_failed_because", {"file", "why"}};
inline constexpr MessageKind kReadingFailed{"base.reading_failed", {"file"}};
inline constexpr MessageKind kCannotWrite{"base.cannot_write", {"file", "why"}};
inline constexpr MessageKind kCannotCreate{"base.cannot_create", {"file", "why"}};
inline constexpr MessageKind kNoTemporaryFolder{"base.no_temporary_folder", {"why"}};
inline constexpr MessageKind kNoProgram{"base.no_program"};
inline constexpr MessageKind kNoWorkingFolder{"base.no_working_folder", {"program", "folder"}};
inline constexpr MessageKind kNoPipes{"base.no_pipes", {"why"}};
inline constexpr MessageKind kCannotStart{"base.cannot_start", {"program", "why"}};
inline constexpr MessageKind kDidNotEnd{"base.did_not_end", {"program", "limit"}};
inline constexpr MessageKind kOutsideItsModel{"base.outside_its_model", {"file", "target"}};
inline constexpr MessageKind kNoDuration{"base.no_duration", {"text"}};
inline constexpr MessageKind kNoSize{"base.no_size", {"text"}};
inline constexpr MessageKind kNoShare{"base.no_share", {"name", "text"}};
inline constexpr MessageKind kOfOption{"base.of_option", {"name", "problem"}};

// Hints on what to do.
inline constexpr MessageKind kPleaseReport{"base.please_report"};
inline constexpr MessageKind kNameAFile{"base.name_a_file"};
inline constexpr MessageKind kCheckFile{"base.check_file"};
inline constexpr MessageKind kCheckDisk{"base.check_disk"};
inline constexpr MessageKind kCheckPath{"base.check_path"};
inline constexpr MessageKind kCheckPermissions{"base.check_permissions"};
inline constexpr MessageKind kCheckSpace{"base.check_space"};
inline constexpr MessageKind kCheckFolder{"base.check_folder"};
inline constexpr MessageKind kCloseOthers{"base.close_others"};
inline constexpr MessageKind kCreateFolder{"base.create_folder"};
inline constexpr MessageKind kCheckProgram{"base.check_program"};
inline constexpr MessageKind kRunByHand{"base.run_by_hand"};
inline constexpr MessageKind kCopyIntoFolder{"base.copy_into_folder"};
inline constexpr MessageKind kWriteDuration{"base.write_duration"};
inline constexpr MessageKind kWriteSize{"base.write_size"};
inline constexpr MessageKind kWriteShare{"base.write_share"};
inline constexpr MessageKind kDidYouMean{"base.did_you_mean", {"name"}};
inline constexpr MessageKind kImportModelAgain{"base.import_model_again"};
inline constexpr MessageKind kSameVersion{"base.same_version"};
inline constexpr MessageKind kFreeDisk{"base.free_disk"};
inline constexpr MessageKind kFreeTemporary{"base.free_temporary"};
inline constexpr MessageKind kCheckOrOtherPlace{"base.check_or_other_place"};
inline constexpr MessageKind kCheckDiskAndPath{"base.check_disk_and_path"};

inline constexpr std::array kAll{kCancelled,
                                 kInterrupted,
                                 kIsAFolder,
                                 kNoFile,
                                 kCannotOpen,
                                 kCannotOpenFile,
                                 kReadingFailedBecause,
                                 kReadingFailed,
                                 kCannotWrite,
                                 kCannotCreate,
                                 kNoTemporaryFolder,
                                 kNoProgram,
                                 kNoWorkingFolder,
                                 kNoPipes,
                                 kCannotStart,
                                 kDidNotEnd,
                                 kOutsideItsModel,
                                 kNoDuration,
                                 kNoSize,
                                 kNoShare,
                                 kOfOption,
                                 kPleaseReport,
                                 kNameAFile,
                                 kCheckFile,
                                 kCheckDisk,
                                 kCheckPath,
                                 kCheckPermissions,
                                 kCheckSpace,
                                 kCheckFolder,
                                 kCloseOthers,
                                 kCreateFolder,
                                 kCheckProgram,
                                 kRunByHand,
                                 kCopyIntoFolder,
                                 kWriteDuration,
                                 kWriteSize,
                                 kWriteShare,
                                 kDidYouMean,
                                 kImportModelAgain,
                                 kSameVersion,
                                 kFreeDisk,
                                 kFreeTemporary,
                                 kCheckOrOtherPlace,
                                 kCheckDiskAndPath};

} // namespace apertune::base::errors

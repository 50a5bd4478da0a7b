// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::files::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kCannotOpen{"files.cannot_open", {"why"}};
inline constexpr MessageKind kCannotPack{"files.cannot_pack", {"why"}};
inline constexpr MessageKind kCannotPutInPlace{"files.cannot_put_in_place", {"why"}};
inline constexpr MessageKind kCannotRead{"files.cannot_read", {"why"}};
inline constexpr MessageKind kCannotWrite{"files.cannot_write", {"why"}};
inline constexpr MessageKind kEmptyFile{"files.empty_file"};
inline constexpr MessageKind kIsAFolder{"files.is_a_folder"};
inline constexpr MessageKind kNoMemoryToUnpack{"files.no_memory_to_unpack"};
inline constexpr MessageKind kNoSuchFile{"files.no_such_file"};
inline constexpr MessageKind kNotComplete{"files.not_complete", {"why"}};
inline constexpr MessageKind kNotOrdinary{"files.not_ordinary"};
inline constexpr MessageKind kPackedDamaged{"files.packed_damaged", {"position", "size"}};
inline constexpr MessageKind kPackedEndsEarly{"files.packed_ends_early", {"position", "size"}};
inline constexpr MessageKind kTooMuchData{"files.too_much_data", {"most"}};

// Hints on what to do.
inline constexpr MessageKind kCheckDiskOrConnection{"files.check_disk_or_connection"};
inline constexpr MessageKind kCheckFilePermissions{"files.check_file_permissions"};
inline constexpr MessageKind kCopyOrDownload{"files.copy_or_download"};
inline constexpr MessageKind kCopyOrRecord{"files.copy_or_record"};
inline constexpr MessageKind kDidNotFinish{"files.did_not_finish"};
inline constexpr MessageKind kNameTorchTrace{"files.name_torch_trace"};
inline constexpr MessageKind kOtherOutFolder{"files.other_out_folder"};
inline constexpr MessageKind kRecordShorter{"files.record_shorter"};

inline constexpr std::array kAll{kCannotOpen,
                                 kCannotPack,
                                 kCannotPutInPlace,
                                 kCannotRead,
                                 kCannotWrite,
                                 kEmptyFile,
                                 kIsAFolder,
                                 kNoMemoryToUnpack,
                                 kNoSuchFile,
                                 kNotComplete,
                                 kNotOrdinary,
                                 kPackedDamaged,
                                 kPackedEndsEarly,
                                 kTooMuchData,
                                 kCheckDiskOrConnection,
                                 kCheckFilePermissions,
                                 kCopyOrDownload,
                                 kCopyOrRecord,
                                 kDidNotFinish,
                                 kNameTorchTrace,
                                 kOtherOutFolder,
                                 kRecordShorter};

} // namespace apertune::interchange::files::errors

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::chrome::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kNoTrace{"chrome.no_trace"};
inline constexpr MessageKind kNoEventsEarly{"chrome.no_events_early"};
inline constexpr MessageKind kEndsBeforeEvents{"chrome.ends_before_events"};
inline constexpr MessageKind kTooDeep{"chrome.too_deep"};
inline constexpr MessageKind kAroundDamaged{"chrome.around_damaged"};
inline constexpr MessageKind kNewerExport{"chrome.newer_export", {"schema"}};
inline constexpr MessageKind kEventTooLong{"chrome.event_too_long", {"bytes"}};
inline constexpr MessageKind kNothingToShow{"chrome.nothing_to_show"};
inline constexpr MessageKind kImportStopped{"chrome.import_stopped"};
inline constexpr MessageKind kExportStopped{"chrome.export_stopped"};
inline constexpr MessageKind kCutOffInEvent{"chrome.cut_off_in_event"};
inline constexpr MessageKind kCutOffInEvents{"chrome.cut_off_in_events"};
inline constexpr MessageKind kCutOffAfterEvents{"chrome.cut_off_after_events"};
inline constexpr MessageKind kByteFollows{"chrome.byte_follows", {"end"}};
inline constexpr MessageKind kBytesFollow{"chrome.bytes_follow", {"end", "bytes"}};

// Hints on what to do.
inline constexpr MessageKind kNameTraceAsTorch{"chrome.name_trace_as_torch"};
inline constexpr MessageKind kNameTraceEventsFirst{"chrome.name_trace_events_first"};
inline constexpr MessageKind kNameTrace{"chrome.name_trace"};
inline constexpr MessageKind kCopyOrExport{"chrome.copy_or_export"};
inline constexpr MessageKind kInstallThatVersion{"chrome.install_that_version"};
inline constexpr MessageKind kShorterRun{"chrome.shorter_run"};
inline constexpr MessageKind kCutText{"chrome.cut_text", {"end"}};
inline constexpr MessageKind kIsSqlite{"chrome.is_sqlite"};
inline constexpr MessageKind kIsZip{"chrome.is_zip"};
inline constexpr MessageKind kIsUtf16{"chrome.is_utf16"};
inline constexpr MessageKind kIsOtherwisePacked{"chrome.is_otherwise_packed"};

inline constexpr std::array kAll{kNoTrace,
                                 kNoEventsEarly,
                                 kEndsBeforeEvents,
                                 kTooDeep,
                                 kAroundDamaged,
                                 kNewerExport,
                                 kEventTooLong,
                                 kNothingToShow,
                                 kImportStopped,
                                 kExportStopped,
                                 kCutOffInEvent,
                                 kCutOffInEvents,
                                 kCutOffAfterEvents,
                                 kByteFollows,
                                 kBytesFollow,
                                 kNameTraceAsTorch,
                                 kNameTraceEventsFirst,
                                 kNameTrace,
                                 kCopyOrExport,
                                 kInstallThatVersion,
                                 kShorterRun,
                                 kCutText,
                                 kIsSqlite,
                                 kIsZip,
                                 kIsUtf16,
                                 kIsOtherwisePacked};

} // namespace apertune::interchange::chrome::errors

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::trace::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kDamagedPiece{"trace.damaged_piece", {"why"}};
inline constexpr MessageKind kNewerTrace{"trace.newer_trace"};
inline constexpr MessageKind kUnreadableOverview{"trace.unreadable_overview"};
inline constexpr MessageKind kNoTraceFile{"trace.no_trace_file"};
inline constexpr MessageKind kDamagedFile{"trace.damaged_file", {"why"}};
inline constexpr MessageKind kOtherVersion{"trace.other_version"};
inline constexpr MessageKind kTooLarge{"trace.too_large"};
inline constexpr MessageKind kNoChunk{"trace.no_chunk"};
inline constexpr MessageKind kTooManyEvents{"trace.too_many_events"};
inline constexpr MessageKind kHeaderCutOff{"trace.header_cut_off"};
inline constexpr MessageKind kColumnCutOff{"trace.column_cut_off"};
inline constexpr MessageKind kUnknownEncoding{"trace.unknown_encoding"};
inline constexpr MessageKind kColumnTwice{"trace.column_twice"};
inline constexpr MessageKind kBytesLeftOver{"trace.bytes_left_over"};
inline constexpr MessageKind kAfterEndOfTime{"trace.after_end_of_time"};
inline constexpr MessageKind kEndsTooEarly{"trace.ends_too_early"};
inline constexpr MessageKind kLongText{"trace.long_text"};
inline constexpr MessageKind kTextMissing{"trace.text_missing"};
inline constexpr MessageKind kLongList{"trace.long_list"};
inline constexpr MessageKind kLongColumn{"trace.long_column"};
inline constexpr MessageKind kTrackMissing{"trace.track_missing"};
inline constexpr MessageKind kUnknownEventKind{"trace.unknown_event_kind"};
inline constexpr MessageKind kEmptySeries{"trace.empty_series"};
inline constexpr MessageKind kNameMissing{"trace.name_missing"};
inline constexpr MessageKind kImpossibleTime{"trace.impossible_time"};
inline constexpr MessageKind kEventsUnordered{"trace.events_unordered"};
inline constexpr MessageKind kSeriesUnordered{"trace.series_unordered"};
inline constexpr MessageKind kNoEmptyRow{"trace.no_empty_row"};
inline constexpr MessageKind kDetailMissing{"trace.detail_missing"};
inline constexpr MessageKind kFirstTextNotEmpty{"trace.first_text_not_empty"};
inline constexpr MessageKind kWrongEnd{"trace.wrong_end"};
inline constexpr MessageKind kNotATraceFile{"trace.not_a_trace_file"};
inline constexpr MessageKind kRunWrongLength{"trace.run_wrong_length"};
inline constexpr MessageKind kRunRepeatsNothing{"trace.run_repeats_nothing"};
inline constexpr MessageKind kColumnBytesLeftOver{"trace.column_bytes_left_over"};
inline constexpr MessageKind kColumnEndsTooEarly{"trace.column_ends_too_early"};
inline constexpr MessageKind kValueOutOfRange{"trace.value_out_of_range"};

// Hints on what to do.
inline constexpr MessageKind kImportRecordingAgain{"trace.import_recording_again"};
inline constexpr MessageKind kUpdateToRead{"trace.update_to_read"};
inline constexpr MessageKind kOverviewIsMadeAnew{"trace.overview_is_made_anew"};
inline constexpr MessageKind kFreeSpaceOrFewer{"trace.free_space_or_fewer"};
inline constexpr MessageKind kTraceAgain{"trace.trace_again"};
inline constexpr MessageKind kFewerIterations{"trace.fewer_iterations"};

inline constexpr std::array kAll{kDamagedPiece,
                                 kNewerTrace,
                                 kUnreadableOverview,
                                 kNoTraceFile,
                                 kDamagedFile,
                                 kOtherVersion,
                                 kTooLarge,
                                 kNoChunk,
                                 kTooManyEvents,
                                 kHeaderCutOff,
                                 kColumnCutOff,
                                 kUnknownEncoding,
                                 kColumnTwice,
                                 kBytesLeftOver,
                                 kAfterEndOfTime,
                                 kEndsTooEarly,
                                 kLongText,
                                 kTextMissing,
                                 kLongList,
                                 kLongColumn,
                                 kTrackMissing,
                                 kUnknownEventKind,
                                 kEmptySeries,
                                 kNameMissing,
                                 kImpossibleTime,
                                 kEventsUnordered,
                                 kSeriesUnordered,
                                 kNoEmptyRow,
                                 kDetailMissing,
                                 kFirstTextNotEmpty,
                                 kWrongEnd,
                                 kNotATraceFile,
                                 kRunWrongLength,
                                 kRunRepeatsNothing,
                                 kColumnBytesLeftOver,
                                 kColumnEndsTooEarly,
                                 kValueOutOfRange,
                                 kImportRecordingAgain,
                                 kUpdateToRead,
                                 kOverviewIsMadeAnew,
                                 kFreeSpaceOrFewer,
                                 kTraceAgain,
                                 kFewerIterations};

} // namespace apertune::trace::errors

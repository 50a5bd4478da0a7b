// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::query::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kDamagedTrace{"query.damaged_trace", {"id"}};
inline constexpr MessageKind kOtherCount{"query.other_count"};
inline constexpr MessageKind kNoEventTable{"query.no_event_table"};
inline constexpr MessageKind kNoFunctions{"query.no_functions"};
inline constexpr MessageKind kCannotRun{"query.cannot_run", {"why"}};
inline constexpr MessageKind kTooLong{"query.too_long", {"limit"}};
inline constexpr MessageKind kHoldsTooMuch{"query.holds_too_much", {"limit"}};
inline constexpr MessageKind kOnlyReading{"query.only_reading"};
inline constexpr MessageKind kOnlyReadingBecause{"query.only_reading_because", {"why"}};
inline constexpr MessageKind kValueTooLarge{"query.value_too_large", {"limit"}};
inline constexpr MessageKind kZeroByte{"query.zero_byte"};
inline constexpr MessageKind kEmpty{"query.empty"};
inline constexpr MessageKind kManyStatements{"query.many_statements"};
inline constexpr MessageKind kHasParameter{"query.has_parameter"};

// Hints on what to do.
inline constexpr MessageKind kDeleteAndImport{"query.delete_and_import"};
inline constexpr MessageKind kDeleteTraceAndImport{"query.delete_trace_and_import"};
inline constexpr MessageKind kListTables{"query.list_tables"};
inline constexpr MessageKind kRestrictOrLonger{"query.restrict_or_longer"};
inline constexpr MessageKind kGroupByFewer{"query.group_by_fewer"};
inline constexpr MessageKind kUseSelect{"query.use_select"};
inline constexpr MessageKind kUseSubstr{"query.use_substr"};
inline constexpr MessageKind kOneAtATime{"query.one_at_a_time"};
inline constexpr MessageKind kWriteValue{"query.write_value"};

inline constexpr std::array kAll{
    kDamagedTrace,   kOtherCount,   kNoEventTable,       kNoFunctions,          kCannotRun,  kTooLong,
    kHoldsTooMuch,   kOnlyReading,  kOnlyReadingBecause, kValueTooLarge,        kZeroByte,   kEmpty,
    kManyStatements, kHasParameter, kDeleteAndImport,    kDeleteTraceAndImport, kListTables, kRestrictOrLonger,
    kGroupByFewer,   kUseSelect,    kUseSubstr,          kOneAtATime,           kWriteValue};

} // namespace apertune::query::errors

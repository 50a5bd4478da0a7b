// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::rocprof::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kDamagedJson{"rocprof.damaged_json", {"why"}};
inline constexpr MessageKind kDamagedDatabase{"rocprof.damaged_database"};
inline constexpr MessageKind kNoEvents{"rocprof.no_events"};

// Hints on what to do.
inline constexpr MessageKind kRecordTraces{"rocprof.record_traces"};

inline constexpr std::array kAll{kDamagedJson, kDamagedDatabase, kNoEvents, kRecordTraces};

} // namespace apertune::interchange::rocprof::errors

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::errors {

using base::MessageKind;

// What happened, and why.
inline constexpr MessageKind kComputeReport{"interchange.compute_report"};
inline constexpr MessageKind kPerfettoTrace{"interchange.perfetto_trace"};

// What to do.
inline constexpr MessageKind kRecordWithNsys{"interchange.record_with_nsys"};
inline constexpr MessageKind kConvertTrace{"interchange.convert_trace", {"file"}};

inline constexpr std::array kAll{kComputeReport, kPerfettoTrace, kRecordWithNsys, kConvertTrace};

} // namespace apertune::interchange::errors

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kComputeReport{"interchange.compute_report"};

// Hints on what to do.
inline constexpr MessageKind kRecordWithNsys{"interchange.record_with_nsys"};

inline constexpr std::array kAll{kComputeReport, kRecordWithNsys};

} // namespace apertune::interchange::errors

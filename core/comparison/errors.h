// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::comparison::errors {

using base::MessageKind;

// Messages: each states the failure and its cause.
inline constexpr MessageKind kNothingToCompare{"comparison.nothing_to_compare", {"trace"}};
inline constexpr MessageKind kKernelsNotRecorded{"comparison.kernels_not_recorded", {"trace"}};

// Hints: each states the remedy.
inline constexpr MessageKind kCompareRecordedWork{"comparison.compare_recorded_work"};

inline constexpr std::array kAll{kNothingToCompare, kKernelsNotRecorded, kCompareRecordedWork};

} // namespace apertune::comparison::errors

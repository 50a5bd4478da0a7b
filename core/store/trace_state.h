// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace apertune::store {

/// The values of the column trace.state. The numbers are persistent.
enum class TraceState : std::uint8_t { recording = 0, complete = 1 };

} // namespace apertune::store

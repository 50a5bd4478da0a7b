// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace apertune::profilers {

/// Links device work to operators: CUDA calls of the calling thread between the two functions belong to `link`. They
/// are for apertune_trace_options::enter and leave. They do nothing unless a recording runs.
void enterOperator(std::uint64_t link);
void leaveOperator();

} // namespace apertune::profilers

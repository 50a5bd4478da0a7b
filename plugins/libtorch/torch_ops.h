// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"

#include <cstdint>

namespace apertune::libtorch::torch_ops {

/// Begins to record operators (LibTorch's RecordFunction, on every thread) and allocations, as the options of
/// apertune_plugin.h say. Throws Fault BAD_INPUT while a recording runs, or when `options` are invalid.
///
/// REQUIRES: no pass is in flight.
void start(const apertune_trace_options& options);

/// Notes in the recording that a pass over `input` begins on the calling thread. Does nothing when no recording runs.
void passBegins(const void* input);

/// Ends the recording and passes it to `sink`; a null sink discards it. Throws Fault BAD_INPUT when none runs.
void stop(apertune_trace_sink sink, void* user);

bool running();

} // namespace apertune::libtorch::torch_ops

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"

#include <cstdint>

namespace apertune::libtorch::torch_ops {

/// Begins to record operators (LibTorch's RecordFunction, every thread) and allocations, as the options of
/// apertune_plugin.h say. Throws Fault BAD_INPUT while a recording runs, or when `options` make no sense.
/// REQUIRES: no pass is in flight.
void start(const apertune_trace_options& options);

/// A session begins a pass over that input, on the calling thread; does nothing when no recording runs.
void passBegins(const void* input);

/// Ends it and hands it over; a null sink throws it away. Throws Fault BAD_INPUT when none runs.
void stop(apertune_trace_sink sink, void* user);

bool running();

} // namespace apertune::libtorch::torch_ops

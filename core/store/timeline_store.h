// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store.h"
#include "core/timeline/timeline.h"

namespace apertune::store {

/// A trace of the workspace made ready for drawing, with the mips that lie beside it where they are there and fit, and
/// with fresh ones otherwise. `mipsKept` (may be null) says whether all of them came from the workspace. Blocks.
/// Failures: those of Store::trace; cancelled.
base::Result<timeline::TimelinePtr> openTimeline(const Store& store, TraceId id, const TraceTask& task = {},
                                                 bool* mipsKept = nullptr);

/// Keeps the mips of a trace's timeline beside it, so that it opens without making them again: 2 to 3 bytes an event.
/// Failures: those of Store::putTraceMips.
base::Status keepMips(Store& store, TraceId id, const timeline::Timeline& timeline);

} // namespace apertune::store

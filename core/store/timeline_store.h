// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store.h"
#include "core/timeline/timeline.h"

namespace apertune::store {

/// Loads a trace of the workspace and prepares it for drawing. Stored mips are used where they fit the trace; others
/// are made anew. `mipsKept` (may be null) receives whether all mips came from the workspace.
/// Threads: any; the call blocks until the timeline is ready.
/// Failures: those of Store::trace(); cancelled.
base::Result<timeline::TimelinePtr> openTimeline(const Store& store, TraceId id, const TraceTask& task = {},
                                                 bool* mipsKept = nullptr);

/// Stores the mips of a timeline beside its trace, so that openTimeline() need not make them again. They take 2 to 3
/// bytes an event.
/// Failures: those of Store::putTraceMips().
base::Status keepMips(Store& store, TraceId id, const timeline::Timeline& timeline);

} // namespace apertune::store

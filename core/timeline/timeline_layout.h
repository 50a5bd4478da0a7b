// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_drawing.h"

#include <optional>
#include <vector>

namespace apertune::timeline {

/// Returns the iterations of the view if it has them, otherwise those that the trace marks.
const std::vector<Iteration>& iterationsOf(const Timeline& timeline, const TimelineView& view);

/// Computes the drawing. The function is pure and takes O(columns + log n) for each visible lane with n events.
TimelineDrawing layOutTimeline(const Timeline& timeline, const TimelineView& view);

/// Returns the event at most 3 px from a point of the drawing. On a bar it is the longest event of the column.
std::optional<EventRef> eventAt(const Timeline& timeline, const TimelineView& view, const TimelineDrawing& drawing,
                                double x, double y);

} // namespace apertune::timeline

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_drawing.h"

namespace apertune::timeline {

/// Adds the boxes, bars and curves of one row to the drawing, for layOutTimeline().
void layOutRow(const Timeline& timeline, const TimelineView& view, const RowBox& box, TimelineDrawing& drawing);

} // namespace apertune::timeline

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_viewport.h"

#include <QPointF>
#include <QString>

namespace apertune::timeline {

/// Returns the tool tip at a point of the drawing; empty when there is none.
/// REQUIRES: the navigator has a timeline, and the drawing is current.
QString timelineToolTip(const TimelineNavigator& navigator, const TimelineViewport& viewport, QPointF at);

} // namespace apertune::timeline

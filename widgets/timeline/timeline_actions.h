// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_viewport.h"
#include "widgets/timeline/timeline_keys.h"

namespace apertune::timeline {

/// Performs the action of a key of timelineKeys(), except TimelineAction::find, which the owner performs. Zooming keeps
/// `anchor` (ns) in its place. Returns false when the action is not possible now.
/// REQUIRES: the navigator has a timeline, and the drawing is current.
bool perform(TimelineAction action, TimelineNavigator& navigator, TimelineViewport& viewport, double anchor);

} // namespace apertune::timeline

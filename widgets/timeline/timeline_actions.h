// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_viewport.h"
#include "widgets/timeline/timeline_keys.h"

namespace apertune::timeline {

/// Does what a key of timelineKeys() stands for, but for TimelineAction::find, which is the owner's. Zooming keeps
/// `anchor` (ns) in its place. False when there was nothing to do it with.
/// REQUIRES: the navigator has a timeline, and the drawing is current.
bool perform(TimelineAction action, TimelineNavigator& navigator, TimelineViewport& viewport, double anchor);

} // namespace apertune::timeline

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/key_table.h"

namespace apertune::timeline {

/// The actions of keys in a timeline (KeyBinding::action of timelineKeys()).
enum class TimelineAction {
    zoomIn,
    zoomInFast,
    zoomOut,
    zoomOutFast,
    panLeft,
    panLeftFast,
    panRight,
    panRightFast,
    stepLeft,
    stepRight,
    stepUp,
    stepDown,
    nextEvent,
    previousEvent,
    partner,
    nextIteration,
    previousIteration,
    foldGroup,
    foldAll,
    thinTrack,
    pageUp,
    pageDown,
    fitAll,
    fitSelection,
    selectEvent,
    selectView,
    beginEarlier,
    beginLater,
    endEarlier,
    endLater,
    fewerTracks,
    moreTracks,
    oneTrack,
    nextMatch,
    previousMatch,
    pin,
    back,
    forward,
    find,
    clear,
};

/// Returns the keys of a timeline, in the order of the sheet of shortcuts: basic ones first.
const controls::KeyTable& timelineKeys();

} // namespace apertune::timeline

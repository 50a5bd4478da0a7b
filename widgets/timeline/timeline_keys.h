// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/key_table.h"

namespace apertune::timeline {

/// What keys do in a timeline; KeyBinding::action of timelineKeys().
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

/// In the order in which a person would learn them.
const controls::KeyTable& timelineKeys();

} // namespace apertune::timeline

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_actions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace apertune::timeline {
namespace {

constexpr double kZoom = 0.75;
constexpr double kZoomFast = 0.5;
constexpr double kPan = 0.15; // shares of the visible range
constexpr double kPanFast = 0.5;
constexpr int kKeyScroll = 40; // logical pixels

/// The objects that an action works on.
struct Scene
{
    TimelineNavigator& navigator;
    TimelineViewport& viewport;
    double anchor;

    void stepOrPan(int positions) const
    {
        if (!navigator.stepOnLane(positions))
            navigator.panByShare(kPan * positions);
    }
    void stepOrScroll(int direction) const
    {
        if (!navigator.stepToLane(direction))
            viewport.scrollTo(viewport.scroll() +
                              direction * static_cast<int>(std::lround(kKeyScroll * viewport.ratio())));
    }
    void scrollPage(int direction) const
    {
        const int page = (viewport.view().height - viewport.drawing().scrollTop) * 9 / 10;
        viewport.scrollTo(viewport.scroll() + direction * page);
    }
    void toggleThin() const
    {
        if (const auto event = navigator.chosen())
            navigator.toggleThin(event->row);
    }
    void togglePin() const
    {
        if (const auto event = navigator.chosen())
            navigator.setPinned(event->row, !navigator.isPinned(event->row));
    }
};

struct ActionEntry
{
    TimelineAction action;
    void (*run)(const Scene& scene);
};

constexpr std::array kEntries{
    ActionEntry{TimelineAction::zoomIn, [](const Scene& s) { s.navigator.zoomBy(kZoom, s.anchor); }},
    ActionEntry{TimelineAction::zoomInFast, [](const Scene& s) { s.navigator.zoomBy(kZoomFast, s.anchor); }},
    ActionEntry{TimelineAction::zoomOut, [](const Scene& s) { s.navigator.zoomBy(1 / kZoom, s.anchor); }},
    ActionEntry{TimelineAction::zoomOutFast, [](const Scene& s) { s.navigator.zoomBy(1 / kZoomFast, s.anchor); }},
    ActionEntry{TimelineAction::panLeft, [](const Scene& s) { s.navigator.panByShare(-kPan); }},
    ActionEntry{TimelineAction::panLeftFast, [](const Scene& s) { s.navigator.panByShare(-kPanFast); }},
    ActionEntry{TimelineAction::panRight, [](const Scene& s) { s.navigator.panByShare(kPan); }},
    ActionEntry{TimelineAction::panRightFast, [](const Scene& s) { s.navigator.panByShare(kPanFast); }},
    ActionEntry{TimelineAction::stepLeft, [](const Scene& s) { s.stepOrPan(-1); }},
    ActionEntry{TimelineAction::stepRight, [](const Scene& s) { s.stepOrPan(1); }},
    ActionEntry{TimelineAction::stepUp, [](const Scene& s) { s.stepOrScroll(-1); }},
    ActionEntry{TimelineAction::stepDown, [](const Scene& s) { s.stepOrScroll(1); }},
    ActionEntry{TimelineAction::nextEvent, [](const Scene& s) { s.navigator.stepAlong(1, s.viewport.drawing()); }},
    ActionEntry{TimelineAction::previousEvent, [](const Scene& s) { s.navigator.stepAlong(-1, s.viewport.drawing()); }},
    ActionEntry{TimelineAction::partner, [](const Scene& s) { s.navigator.choosePartner(); }},
    ActionEntry{TimelineAction::nextIteration, [](const Scene& s) { s.navigator.stepIteration(true); }},
    ActionEntry{TimelineAction::previousIteration, [](const Scene& s) { s.navigator.stepIteration(false); }},
    ActionEntry{TimelineAction::foldGroup,
                [](const Scene& s) { s.navigator.toggleGroupAtHand(s.viewport.drawing(), false); }},
    ActionEntry{TimelineAction::foldAll,
                [](const Scene& s) { s.navigator.toggleGroupAtHand(s.viewport.drawing(), true); }},
    ActionEntry{TimelineAction::thinTrack, [](const Scene& s) { s.toggleThin(); }},
    ActionEntry{TimelineAction::pageUp, [](const Scene& s) { s.scrollPage(-1); }},
    ActionEntry{TimelineAction::pageDown, [](const Scene& s) { s.scrollPage(1); }},
    ActionEntry{TimelineAction::fitAll, [](const Scene& s) { s.navigator.fitAll(); }},
    ActionEntry{TimelineAction::fitSelection, [](const Scene& s) { s.navigator.fitSelection(); }},
    ActionEntry{TimelineAction::selectEvent, [](const Scene& s) { s.navigator.selectChosen(); }},
    ActionEntry{TimelineAction::selectView, [](const Scene& s) { s.navigator.selectWindow(); }},
    ActionEntry{TimelineAction::beginEarlier, [](const Scene& s) { s.navigator.moveEdge(false, false); }},
    ActionEntry{TimelineAction::beginLater, [](const Scene& s) { s.navigator.moveEdge(false, true); }},
    ActionEntry{TimelineAction::endEarlier, [](const Scene& s) { s.navigator.moveEdge(true, false); }},
    ActionEntry{TimelineAction::endLater, [](const Scene& s) { s.navigator.moveEdge(true, true); }},
    ActionEntry{TimelineAction::fewerTracks, [](const Scene& s) { s.navigator.removeRow(); }},
    ActionEntry{TimelineAction::moreTracks, [](const Scene& s) { s.navigator.addRow(s.viewport.drawing()); }},
    ActionEntry{TimelineAction::oneTrack, [](const Scene& s) { s.navigator.toggleRows(s.viewport.drawing()); }},
    ActionEntry{TimelineAction::nextMatch, [](const Scene& s) { s.navigator.stepMatch(true); }},
    ActionEntry{TimelineAction::previousMatch, [](const Scene& s) { s.navigator.stepMatch(false); }},
    ActionEntry{TimelineAction::pin, [](const Scene& s) { s.togglePin(); }},
    ActionEntry{TimelineAction::back, [](const Scene& s) { s.navigator.goBack(); }},
    ActionEntry{TimelineAction::forward, [](const Scene& s) { s.navigator.goForward(); }},
};

} // namespace

bool perform(TimelineAction action, TimelineNavigator& navigator, TimelineViewport& viewport, double anchor)
{
    if (action == TimelineAction::clear)
        return navigator.clear();
    const auto* const entry =
        std::find_if(kEntries.begin(), kEntries.end(), [&](const ActionEntry& at) { return at.action == action; });
    if (entry == kEntries.end())
        return false;
    entry->run({navigator, viewport, anchor});
    return true;
}

} // namespace apertune::timeline

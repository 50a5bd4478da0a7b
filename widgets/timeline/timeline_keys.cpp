// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_keys.h"

#include <QCoreApplication>

namespace apertune::timeline {

const controls::KeyTable& timelineKeys()
{
    const auto entry = [](TimelineAction action, std::vector<QKeyCombination> keys, const char* text) {
        return controls::KeyBinding{static_cast<int>(action), std::move(keys),
                                    QCoreApplication::translate("apertune::timeline", text)};
    };
    using enum TimelineAction;
    static const controls::KeyTable kKeys{
        entry(zoomIn, {Qt::Key_W, Qt::Key_Plus}, "Zoom in at the pointer"),
        entry(zoomInFast, {Qt::SHIFT | Qt::Key_W}, "Zoom in twice as far"),
        entry(zoomOut, {Qt::Key_S, Qt::Key_Minus}, "Zoom out"),
        entry(zoomOutFast, {Qt::SHIFT | Qt::Key_S}, "Zoom out twice as far"),
        entry(panLeft, {Qt::Key_A}, "Move to earlier"),
        entry(panLeftFast, {Qt::SHIFT | Qt::Key_A}, "Half a picture earlier"),
        entry(panRight, {Qt::Key_D}, "Move to later"),
        entry(panRightFast, {Qt::SHIFT | Qt::Key_D}, "Half a picture later"),
        entry(stepLeft, {Qt::Key_Left}, "Previous event, or move"),
        entry(stepRight, {Qt::Key_Right}, "Next event, or move"),
        entry(stepUp, {Qt::Key_Up}, "Event above, or scroll"),
        entry(stepDown, {Qt::Key_Down}, "Event below, or scroll"),
        entry(nextEvent, {Qt::Key_Period}, "Next event, or one in view"),
        entry(previousEvent, {Qt::Key_Comma}, "Previous event, or one in view"),
        entry(partner, {Qt::Key_L}, "From a launch to its work, or back"),
        entry(pageUp, {Qt::Key_PageUp}, "Scroll a page up"),
        entry(pageDown, {Qt::Key_PageDown}, "Scroll a page down"),
        entry(fitAll, {Qt::Key_Home, Qt::Key_0}, "Show everything"),
        entry(fitSelection, {Qt::Key_F}, "Fit the selection or the event"),
        entry(back, {Qt::ALT | Qt::Key_Left, Qt::Key_Backspace}, "Back to where you looked before"),
        entry(forward, {Qt::ALT | Qt::Key_Right}, "Forward again"),
        entry(selectEvent, {Qt::Key_R}, "Select the time of the event"),
        entry(selectView, {Qt::Key_V}, "Select the time in view"),
        entry(nextIteration, {Qt::Key_I}, "Select the next iteration"),
        entry(previousIteration, {Qt::SHIFT | Qt::Key_I}, "Select the iteration before"),
        entry(endLater, {Qt::SHIFT | Qt::Key_Right}, "Selection ends later"),
        entry(endEarlier, {Qt::SHIFT | Qt::Key_Left}, "Selection ends earlier"),
        entry(beginLater, {Qt::ALT | Qt::SHIFT | Qt::Key_Right}, "Selection begins later"),
        entry(beginEarlier, {Qt::ALT | Qt::SHIFT | Qt::Key_Left}, "Selection begins earlier"),
        entry(moreTracks, {Qt::SHIFT | Qt::Key_Down}, "Select one more track"),
        entry(fewerTracks, {Qt::SHIFT | Qt::Key_Up}, "Select one track less"),
        entry(oneTrack, {Qt::Key_T}, "The event's track alone, or all"),
        entry(find, {Qt::Key_Slash}, "Find names"),
        entry(nextMatch, {Qt::Key_N}, "Next match"),
        entry(previousMatch, {Qt::SHIFT | Qt::Key_N}, "Previous match"),
        entry(pin, {Qt::Key_P}, "Pin the event's track"),
        entry(thinTrack, {Qt::Key_C}, "Thin lanes on its track, or full"),
        entry(foldGroup, {Qt::Key_G}, "Fold or unfold its group"),
        entry(foldAll, {Qt::SHIFT | Qt::Key_G}, "Fold or unfold all groups"),
        entry(clear, {Qt::Key_Escape}, "Let go of event and selection"),
    };
    return kKeys;
}

} // namespace apertune::timeline

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_tool_tip.h"

#include "widgets/theme/format.h"
#include "widgets/trace_views/trace_labels.h"

#include <QObject>

namespace apertune::timeline {

using trace_views::curveValue;
using trace_views::curveValueAt;
using trace_views::eventToolTip;
using trace_views::rowLabel;
using trace_views::timeWord;

namespace {

QString iterationToolTip(const Iteration& iteration)
{
    return QObject::tr("%1\n%2. Click to select its range.")
        .arg(theme::toQt(iteration.label), timeWord(iteration.range.length()));
}

QString nameToolTip(const Timeline& timeline, std::uint32_t row)
{
    const QString figure = timeline.rows()[row].isCurve()
                               ? QObject::tr("On the right: the value at the right edge.")
                               : QObject::tr("On the right: the share of the visible time in which something runs.");
    return QObject::tr("%1\n%2\nClick before the name to pin the row, double-click the name for thin lanes.")
        .arg(rowLabel(timeline, row), figure);
}

QString curveToolTip(const Timeline& timeline, std::uint32_t row, std::int64_t time)
{
    const TimelineRow& curve = timeline.rows()[row];
    const auto value = curveValueAt(timeline, curve, time);
    return value ? QObject::tr("%1: %2").arg(rowLabel(timeline, row), curveValue(timeline, curve, *value)) : QString();
}

} // namespace

QString timelineToolTip(const TimelineNavigator& navigator, const TimelineViewport& viewport, QPointF at)
{
    const Timeline& timeline = *navigator.timeline();
    const TimelineView& view = viewport.view();
    if (at.y() < view.metrics.overviewHeight)
        return QObject::tr("How busy the devices are over the whole recording. Click or drag to go there.");
    if (at.y() < viewport.drawing().bodyTop) {
        const IterationBox* box = viewport.iterationAt(at.x(), at.y());
        return box ? iterationToolTip(navigator.iterations()[box->iteration]) : QString();
    }
    if (const auto hit = eventAt(timeline, view, viewport.drawing(), at.x(), at.y()))
        return eventToolTip(timeline, *hit);
    const RowBox* box = viewport.rowAt(at.y());
    if (!box)
        return {};
    if (at.x() < view.metrics.labelWidth)
        return nameToolTip(timeline, box->row);
    if (timeline.rows()[box->row].isCurve())
        return curveToolTip(timeline, box->row, static_cast<std::int64_t>(view.timeAt(at.x())));
    return {};
}

} // namespace apertune::timeline

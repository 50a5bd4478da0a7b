// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline_layout.h"

#include "core/timeline/time_ruler.h"
#include "core/timeline/timeline_lanes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace apertune::timeline {
namespace {

constexpr std::size_t kMaxArrows = 24; ///< more arrows form an unreadable mesh
constexpr int kReach = 3;              ///< px around an event that still select it

bool flagAt(const std::vector<char>& flags, std::size_t i)
{
    return i < flags.size() && flags[i] != 0;
}

int heightOf(const TimelineRow& row, std::uint32_t index, const TimelineView& view, int& laneHeight)
{
    const TimelineMetrics& m = view.metrics;
    if (row.isCurve()) {
        laneHeight = m.curveHeight - 2 * m.rowPadding;
        return m.curveHeight;
    }
    laneHeight = flagAt(view.compact, index) ? m.compactLaneHeight : m.laneHeight;
    const int lanes = laneHeight * static_cast<int>(row.lanes.size());
    return std::max(lanes + 2 * m.rowPadding, m.minimumRow);
}

/// Stacks pinned rows, then groups with their rows, and keeps the visible ones.
class Stacker
{
public:
    Stacker(const Timeline& timeline, const TimelineView& view, TimelineDrawing& drawing)
        : m_timeline(timeline), m_view(view), m_drawing(drawing)
    {
    }

    void stack()
    {
        const TimelineMetrics& m = m_view.metrics;
        int y = m_drawing.bodyTop;
        for (const std::uint32_t row : m_view.pinned)
            if (row < m_timeline.rows().size())
                y += place(row, y, true);
        m_drawing.scrollTop = std::min(y, std::max(m_drawing.bodyTop, m_view.height));
        measure();
        m_drawing.scroll =
            std::clamp(m_view.scroll, 0, std::max(0, m_drawing.contentHeight - (m_view.height - m_drawing.scrollTop)));
        y = m_drawing.scrollTop - m_drawing.scroll;
        for (std::size_t g = 0; g < m_timeline.groups().size(); ++g) {
            const TimelineGroup& group = m_timeline.groups()[g];
            const bool collapsed = flagAt(m_view.collapsed, g);
            const int top = y;
            y += m.groupHeight;
            for (std::uint32_t row = group.firstRow; !collapsed && row < group.firstRow + group.rows; ++row)
                y += place(row, y, false);
            const int header = std::min(std::max(top, m_drawing.scrollTop), y - m.groupHeight);
            if (header + m.groupHeight > m_drawing.scrollTop && header < m_view.height)
                m_drawing.groups.push_back({static_cast<std::uint32_t>(g), header, m.groupHeight, collapsed});
        }
    }

private:
    int place(std::uint32_t index, int y, bool pinned)
    {
        int laneHeight = 0;
        const int height = heightOf(m_timeline.rows()[index], index, m_view, laneHeight);
        if (y < m_view.height && y + height > (pinned ? m_drawing.bodyTop : m_drawing.scrollTop))
            m_drawing.rows.push_back({index, y, height, laneHeight, pinned});
        return height;
    }

    void measure()
    {
        int height = 0;
        for (std::size_t g = 0; g < m_timeline.groups().size(); ++g) {
            const TimelineGroup& group = m_timeline.groups()[g];
            height += m_view.metrics.groupHeight;
            for (std::uint32_t row = group.firstRow; !flagAt(m_view.collapsed, g) && row < group.firstRow + group.rows;
                 ++row) {
                int laneHeight = 0;
                height += heightOf(m_timeline.rows()[row], row, m_view, laneHeight);
            }
        }
        m_drawing.contentHeight = height;
    }

    const Timeline& m_timeline;
    const TimelineView& m_view;
    TimelineDrawing& m_drawing;
};

constexpr std::int64_t kLargestPower = 1'000'000'000'000'000'000;

void layOutRuler(const TimelineView& view, TimelineDrawing& drawing)
{
    const std::int64_t step = niceStep(view.nsPerPx * view.metrics.tickSpacing);
    std::int64_t whole = 1;
    while (whole <= step && whole < kLargestPower)
        whole *= 10;
    // Long numbers that differ in their last digits are hard to read. Ticks between whole steps then show the distance
    // to them.
    const bool offsets = std::max(std::abs(view.begin), std::abs(view.end())) / static_cast<double>(step) >= 2000;
    const auto first = static_cast<std::int64_t>(std::ceil(view.begin / static_cast<double>(step)));
    for (std::int64_t i = first;; ++i) {
        const double exact = static_cast<double>(i) * static_cast<double>(step);
        const double x = view.xOf(exact);
        if (x >= view.width || std::abs(exact) >= 9.2e18) // a time that does not fit into 64 bits has no label
            break;
        const std::int64_t time = i * step;
        RulerTick tick;
        tick.x = static_cast<int>(std::lround(x));
        tick.time = time;
        tick.whole = !offsets || time % whole == 0;
        const std::int64_t base = (time >= 0 ? time / whole : (time - whole + 1) / whole) * whole;
        tick.label = tick.whole ? timeText(time, step) : "+" + timeText(time - base, step);
        drawing.ticks.push_back(std::move(tick));
    }
}

void layOutIterations(const Timeline& timeline, const TimelineView& view, TimelineDrawing& drawing)
{
    const std::vector<Iteration>& all = iterationsOf(timeline, view);
    int filled = view.metrics.labelWidth - 1; // iterations narrower than a pixel are drawn once per pixel
    auto at = std::partition_point(all.begin(), all.end(), [&](const Iteration& iteration) {
        return static_cast<double>(iteration.range.end) < view.begin;
    });
    for (; at != all.end() && static_cast<double>(at->range.start) < view.end(); ++at) {
        const int left = std::max(view.metrics.labelWidth,
                                  static_cast<int>(std::lround(view.xOf(static_cast<double>(at->range.start)))));
        const int right =
            std::min(view.width, static_cast<int>(std::lround(view.xOf(static_cast<double>(at->range.end)))));
        if (right <= filled)
            continue;
        drawing.iterations.push_back({static_cast<std::size_t>(at - all.begin()), left, std::max(1, right - left)});
        filled = right;
    }
}

FlowArrow arrowBetween(const EventBox& call, const EventBox& work)
{
    const bool below = call.y > work.y;
    return {call.x + std::min(call.width / 2, 8), below ? call.y : call.y + call.height, work.x,
            below ? work.y + work.height : work.y, call.selected || work.selected};
}

/// A call in view, with its place.
struct LaunchBox
{
    std::uint32_t correlation = 0;
    std::int64_t process = -1;
    std::size_t box = 0;
};

bool byCorrelation(const LaunchBox& a, const LaunchBox& b)
{
    return a.correlation < b.correlation;
}

/// Finds the call that launched work with this correlation. Every process counts its own correlations, so the call has
/// to be of the same process, as far as both are known. Returns nullptr when none is in view, or when calls of several
/// processes could be meant.
const LaunchBox* launchOf(const std::vector<LaunchBox>& launches, std::uint32_t correlation, std::int64_t process)
{
    const auto [begin, end] =
        std::equal_range(launches.begin(), launches.end(), LaunchBox{correlation, -1, 0}, byCorrelation);
    const LaunchBox* found = nullptr;
    for (auto at = begin; at != end; ++at) {
        if (at->process >= 0 && at->process == process)
            return &*at;
        if (at->process >= 0 && process >= 0)
            continue;
        if (found && found->process != at->process)
            return nullptr;
        found = found ? found : &*at;
    }
    return found;
}

void layOutArrows(const Timeline& timeline, const TimelineView& view, TimelineDrawing& drawing)
{
    if (!view.arrows && !view.selected)
        return;
    const auto processOf = [&](const TimelineRow& row) { return timeline.trace().tracks[row.track.value].process; };
    std::vector<LaunchBox> launches;
    for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
        const EventBox& box = drawing.boxes[i];
        const TimelineRow& row = timeline.rows()[box.event.row];
        const std::vector<std::uint32_t>& correlation = timeline.columns(row).correlation;
        if (row.kind != trace::EventKind::runtimeCall && row.kind != trace::EventKind::driverCall)
            continue;
        const std::uint32_t id = trace::valueAt(correlation, box.event.event);
        if (id != 0)
            launches.push_back({id, processOf(row), i});
    }
    std::stable_sort(launches.begin(), launches.end(), byCorrelation); // a runtime call precedes its driver call
    std::vector<FlowArrow> faint;
    for (const EventBox& box : drawing.boxes) {
        const TimelineRow& row = timeline.rows()[box.event.row];
        const std::vector<std::uint32_t>& correlation = timeline.columns(row).correlation;
        if (!trace::isDeviceWork(row.kind) || correlation.empty())
            continue;
        const LaunchBox* const launch = launchOf(launches, correlation[box.event.event], processOf(row));
        if (!launch)
            continue;
        const FlowArrow arrow = arrowBetween(drawing.boxes[launch->box], box);
        (arrow.selected ? drawing.arrows : faint).push_back(arrow);
    }
    // The arrows of the selected event are always drawn, all others only while there are few.
    if (view.arrows && !view.selected && faint.size() <= kMaxArrows)
        drawing.arrows.insert(drawing.arrows.end(), faint.begin(), faint.end());
}

} // namespace

const std::vector<Iteration>& iterationsOf(const Timeline& timeline, const TimelineView& view)
{
    return view.iterations ? *view.iterations : timeline.iterations();
}

TimelineDrawing layOutTimeline(const Timeline& timeline, const TimelineView& view)
{
    TimelineDrawing drawing;
    const TimelineMetrics& m = view.metrics;
    drawing.iterationTop = m.overviewHeight + m.rulerHeight;
    drawing.bodyTop = drawing.iterationTop + (iterationsOf(timeline, view).empty() ? 0 : m.iterationHeight);
    const trace::TimeRange whole = timeline.extent();
    const auto overviewX = [&](double time) {
        const double share = (time - static_cast<double>(whole.start)) / static_cast<double>(whole.length());
        return m.labelWidth + static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * view.plotWidth()));
    };
    drawing.overviewLeft = overviewX(view.begin);
    drawing.overviewRight = std::max(drawing.overviewLeft + 1, overviewX(view.end()));
    Stacker(timeline, view, drawing).stack();
    if (view.plotWidth() == 0)
        return drawing;
    for (const RowBox& box : drawing.rows)
        layOutRow(timeline, view, box, drawing);
    layOutRuler(view, drawing);
    layOutIterations(timeline, view, drawing);
    layOutArrows(timeline, view, drawing);
    return drawing;
}

std::optional<EventRef> eventAt(const Timeline& timeline, const TimelineView& view, const TimelineDrawing& drawing,
                                double x, double y)
{
    if (x < view.metrics.labelWidth || x >= view.width)
        return std::nullopt;
    for (const RowBox& box : drawing.rows) {
        const TimelineRow& row = timeline.rows()[box.row];
        if (y < box.y || y >= box.y + box.height || (!box.pinned && y < drawing.scrollTop) || row.isCurve())
            continue;
        const int lane = static_cast<int>(y - box.y - view.metrics.rowPadding) / std::max(1, box.laneHeight);
        const std::size_t index = std::min(static_cast<std::size_t>(std::max(0, lane)), row.lanes.size() - 1);
        const trace::LaneMip& of = row.lanes[index];
        const trace::EventColumns& columns = timeline.columns(row);
        const auto left = static_cast<std::int64_t>(std::floor(view.timeAt(x - kReach)));
        const auto right = static_cast<std::int64_t>(std::ceil(view.timeAt(x + kReach)));
        const std::size_t last = of.lowerBound(columns, right);
        const double at = view.timeAt(x);
        std::optional<EventRef> best;
        double bestDistance = 0;
        std::size_t seen = 0;
        for (std::size_t i = of.firstEndingAfter(columns, left); i < last && seen < 4096; ++i, ++seen) {
            const std::uint32_t event = of.eventAt(i);
            const auto begin = static_cast<double>(columns.start[event]);
            const auto end = static_cast<double>(columns.end(event));
            // An event under the pointer comes first, then the nearest one. Of equally near ones the longest wins.
            const double distance = at < begin ? begin - at : at > end ? at - end : -(end - begin);
            if (!best || distance < bestDistance) {
                best = EventRef{box.row, event};
                bestDistance = distance;
            }
        }
        return best;
    }
    return std::nullopt;
}

} // namespace apertune::timeline

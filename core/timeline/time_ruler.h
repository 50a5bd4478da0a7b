// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::timeline {

/// Returns the smallest of 1, 2, 5 · 10^k ns that is at least `wanted`, and at least 1 ns.
std::int64_t niceStep(double wanted);

/// Formats a duration in the unit and with the digits that `step` needs: "1.302 s", "350 µs".
std::string timeText(std::int64_t time, std::int64_t step);

/// The visible range. Free functions change it, so that navigation is tested without a window.
struct TimeWindow
{
    double begin = 0; ///< ns
    double end = 0;
    double length() const { return end - begin; }
    bool operator==(const TimeWindow&) const = default;
};

/// Limits a window:
///  - It is at least `shortest` ns long, and at most as long as the extent with a margin of a tenth at each end.
///  - Beyond an end of the extent it shows at most that margin, and at most half a window.
TimeWindow clampWindow(TimeWindow window, trace::TimeRange extent, double shortest = 100);
/// Zooms around `anchor` (ns), which keeps its position. A factor below 1 zooms in.
TimeWindow zoomAt(TimeWindow window, double anchor, double factor);
TimeWindow panBy(TimeWindow window, double ns);
/// Returns the range with a margin on both sides, as a share of its length.
TimeWindow fitTo(trace::TimeRange range, double margin = 0.05);

/// History of visible ranges, like that of a browser. Steps within `settle` ms of each other count as one.
class ZoomHistory
{
public:
    explicit ZoomHistory(std::int64_t settle = 600) : m_settle(settle) {}

    /// Records a step. `now` is in ms of any steady clock.
    void visit(TimeWindow window, std::int64_t now);
    std::optional<TimeWindow> back();
    std::optional<TimeWindow> forward();
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_windows.size(); }

private:
    std::vector<TimeWindow> m_windows;
    std::size_t m_at = 0;
    std::int64_t m_settle;
    std::int64_t m_last = 0;
    bool m_moved = true;
};

} // namespace apertune::timeline

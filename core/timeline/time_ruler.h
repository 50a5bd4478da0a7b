// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::timeline {

/// The smallest of 1, 2, 5 · 10^k ns that is at least `wanted`; never below 1 ns.
std::int64_t niceStep(double wanted);

/// A duration in the unit that suits `step`, with as many digits as `step` needs: "1.302 s", "350 µs".
std::string timeText(std::int64_t time, std::int64_t step);

/// What is visible, and how it changes: free functions, so that every way of moving is tested without a window.
struct TimeWindow
{
    double begin = 0; ///< ns
    double end = 0;
    double length() const { return end - begin; }
    bool operator==(const TimeWindow&) const = default;
};

/// No shorter than `shortest` ns, no longer than the extent with a margin, and never past its ends by more than half
/// a window.
TimeWindow clampWindow(TimeWindow window, trace::TimeRange extent, double shortest = 100);
/// Keeps `anchor` (ns) where it is. factor < 1 zooms in.
TimeWindow zoomAt(TimeWindow window, double anchor, double factor);
TimeWindow panBy(TimeWindow window, double ns);
/// The range with `margin` of its length on both sides.
TimeWindow fitTo(trace::TimeRange range, double margin = 0.05);

/// Where one has looked, as a browser keeps it. Steps within `settle` ms of each other are one.
class ZoomHistory
{
public:
    explicit ZoomHistory(std::int64_t settle = 600) : m_settle(settle) {}

    /// `now` in ms of any steady clock.
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

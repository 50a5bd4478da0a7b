// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/time_ruler.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace apertune::timeline {
namespace {

constexpr std::size_t kMaxHistory = 200; ///< bounds the memory of a long session

} // namespace

std::int64_t niceStep(double wanted)
{
    std::int64_t power = 1;
    while (static_cast<double>(power) * 10 <= wanted && power < 1'000'000'000'000'000'000)
        power *= 10;
    for (const std::int64_t factor : {1, 2, 5, 10})
        if (static_cast<double>(power * factor) >= wanted)
            return power * factor;
    return power * 10;
}

std::string timeText(std::int64_t time, std::int64_t step)
{
    struct Unit
    {
        const char* name;
        std::int64_t ns;
    };
    static constexpr Unit units[] = {{"s", 1'000'000'000}, {"ms", 1'000'000}, {"µs", 1'000}, {"ns", 1}};
    const std::int64_t size = std::max(std::abs(time), step);
    const Unit* unit = &units[3];
    // The unit fits the time or the step, whichever is larger.
    for (const Unit& candidate : units) {
        if (size >= candidate.ns) {
            unit = &candidate;
            break;
        }
    }
    int digits = 0;
    // In milliseconds, a step of 0.25 ms needs two digits and one of 5 ms none.
    for (std::int64_t grain = unit->ns; grain > 1 && step % grain != 0; grain /= 10)
        ++digits;
    char text[64];
    std::snprintf(text, sizeof text, "%.*f %s", digits, static_cast<double>(time) / static_cast<double>(unit->ns),
                  unit->name);
    return text;
}

TimeWindow clampWindow(TimeWindow window, trace::TimeRange extent, double shortest)
{
    // Some empty room on both sides shows where the trace ends.
    const double tenth = static_cast<double>(extent.length()) * 0.1;
    const double longest = static_cast<double>(extent.length()) + 2 * tenth;
    const double length = std::clamp(window.length(), std::min(shortest, longest), std::max(shortest, longest));
    const double margin = std::min(tenth, length / 2);
    const double first = static_cast<double>(extent.start) - margin;
    const double last = static_cast<double>(extent.end) + margin - length;
    const double begin =
        std::clamp((window.begin + window.end - length) / 2, std::min(first, last), std::max(first, last));
    return {begin, begin + length};
}

TimeWindow zoomAt(TimeWindow window, double anchor, double factor)
{
    return {anchor - (anchor - window.begin) * factor, anchor + (window.end - anchor) * factor};
}

TimeWindow panBy(TimeWindow window, double ns)
{
    return {window.begin + ns, window.end + ns};
}

TimeWindow fitTo(trace::TimeRange range, double margin)
{
    const double space = static_cast<double>(range.length()) * margin;
    return {static_cast<double>(range.start) - space, static_cast<double>(range.end) + space};
}

void ZoomHistory::visit(TimeWindow window, std::int64_t now)
{
    if (!m_windows.empty() && m_windows[m_at] == window)
        return;
    // The first window is never replaced, so that a user can always return to it.
    const bool sameGesture = !m_moved && !m_windows.empty() && m_at > 0 && now - m_last < m_settle;
    m_last = now;
    // A new window ends the way forward.
    m_windows.resize(m_windows.empty() ? 0 : m_at + 1);
    if (sameGesture) {
        m_windows[m_at] = window;
        return;
    }
    if (m_windows.size() == kMaxHistory)
        m_windows.erase(m_windows.begin());
    m_windows.push_back(window);
    m_at = m_windows.size() - 1;
    m_moved = false;
}

std::optional<TimeWindow> ZoomHistory::back()
{
    if (!canGoBack())
        return std::nullopt;
    m_moved = true;
    return m_windows[--m_at];
}

std::optional<TimeWindow> ZoomHistory::forward()
{
    if (!canGoForward())
        return std::nullopt;
    m_moved = true;
    return m_windows[++m_at];
}

} // namespace apertune::timeline

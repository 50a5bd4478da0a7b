// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/hidden_waits.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace apertune::advice {

using analysis::CallKind;
using analysis::IdleCause;
using trace::CopyDirection;

HiddenWaits findHiddenWaits(const analysis::TraceIndex& index, const WatchedIterations& iterations,
                            const analysis::DeviceUse& use, const analysis::Replay* replay)
{
    const auto& calls = index.calls;
    // A wait that ends an iteration is not hidden: nothing of the iteration follows it.
    HiddenWaits found;
    std::vector<std::int64_t> ends;
    std::vector<std::int32_t> hidden;
    const analysis::HostCall* next = nullptr; // the next call that launches a kernel
    std::size_t pass = iterations.calls.size();
    // Calls are visited from the end, so that the next launch is known.
    for (std::size_t i = calls.size(); i-- > 0;) {
        const analysis::HostCall& call = calls[i];
        while (pass > 0 && call.time.start < iterations.calls[pass - 1].start)
            --pass;
        const bool inside = pass > 0 && call.time.start < iterations.calls[pass - 1].end;
        const std::int64_t passEnd = inside ? iterations.calls[pass - 1].end : INT64_MIN;
        const std::int64_t workEnd = inside ? iterations.work[pass - 1].end : INT64_MIN;
        const analysis::Work* work =
            call.work == analysis::kNone ? nullptr : &index.work[static_cast<std::size_t>(call.work)];
        if (work && work->isKernel())
            next = &call;
        // Reading a number from the device makes the host wait as a synchronization does.
        const bool small = work && (call.kind == CallKind::copy || call.kind == CallKind::blockingCopy) &&
                           work->bytes > 0 && work->bytes <= kNumberBytes &&
                           index.copy(*work).direction == CopyDirection::deviceToHost;
        if (!inside || (call.kind != CallKind::synchronize && !small))
            continue;
        const bool goesOn =
            // A wait is hidden only if the same iteration goes on after it.
            next && (iterations.guessed || (next->time.start < passEnd &&
                                            index.work[static_cast<std::size_t>(next->work)].time.start < workEnd));
        if (!goesOn)
            continue;
        ++(small ? found.readings : found.waits);
        ends.push_back(call.time.end);
        hidden.push_back(static_cast<std::int32_t>(i));
        if (call.time.length() > found.longest.length())
            found.longest = call.time;
    }
    if (ends.empty())
        return found;
    std::sort(ends.begin(), ends.end());
    constexpr std::int64_t kClockSlack = 1'000;
    for (const analysis::Gap& gap : use.gaps) {
        // A gap belongs to a wait when it begins about where the wait ended.
        const auto end = std::lower_bound(ends.begin(), ends.end(), gap.time.start - kClockSlack);
        if (end != ends.end() && *end <= gap.time.end)
            found.idle += gap.parts[static_cast<std::size_t>(IdleCause::synchronization)];
    }
    if (iterations.guessed) {
        const auto ending = static_cast<std::int64_t>(iterations.work.size());
        // All waits count but one for each iteration: that is its end.
        found.waits = std::max<std::int64_t>(0, found.waits - ending);
        const std::int64_t within = found.waits + found.readings;
        found.idle = static_cast<std::int64_t>(static_cast<double>(found.idle) * static_cast<double>(within) /
                                               static_cast<double>(within + ending));
    } else if (replay) {
        std::sort(hidden.begin(), hidden.end());
        // The replay leaves the waits out and shows how much shorter the window becomes.
        const double ratio = replay->ratioWithoutWaits(
            [&hidden](std::int32_t call) { return std::binary_search(hidden.begin(), hidden.end(), call); });
        found.saved = std::llround(std::max(0.0, 1 - ratio) * static_cast<double>(iterations.window.length()));
    }
    return found;
}

} // namespace apertune::advice

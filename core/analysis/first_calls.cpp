// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/first_calls.h"

#include <unordered_map>

namespace apertune::analysis {

void markFirstCalls(std::vector<HostCall>& calls, const std::vector<Work>& work)
{
    constexpr std::int64_t kTimesLater = 20;
    struct Launches
    {
        std::size_t first = 0;
        std::int64_t laterTime = 0;
        std::int64_t later = 0;
    };
    std::vector<TimeRange> holding; // calls that hold the driver's lock, so that launches of other threads wait
    for (const HostCall& call : calls)
        if (call.kind == CallKind::allocate || call.kind == CallKind::release)
            holding.push_back(call.time);
    const TimeRanges held = unite(std::move(holding));
    std::unordered_map<std::uint32_t, Launches> byKernel; // key: name
    for (std::size_t i = 0; i < calls.size(); ++i) {
        HostCall& call = calls[i];
        const bool prepares =
            (call.kind == CallKind::other || call.kind == CallKind::release) && call.time.length() >= kLongPreparation;
        call.first = call.kind == CallKind::compile || prepares;
        if (call.kind != CallKind::launch || call.work == kNone)
            continue;
        const auto [at, added] = byKernel.try_emplace(work[static_cast<std::size_t>(call.work)].name, Launches{i});
        if (!added) {
            at->second.laterTime += call.time.length();
            ++at->second.later;
        }
    }
    for (const auto& [name, launches] : byKernel) {
        const TimeRange call = calls[launches.first].time;
        const std::int64_t time = call.length();
        const bool isLong = launches.later > 0
                                ? time >= kLongLaunch && time * launches.later >= kTimesLater * launches.laterTime
                                : time >= kLongOnlyLaunch;
        calls[launches.first].first = isLong && 2 * coveredLength(held, call) < time;
    }
}

} // namespace apertune::analysis

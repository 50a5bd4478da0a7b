// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/first_calls.h"

#include <unordered_map>

namespace apertune::analysis {

std::vector<bool> firstCalls(const TraceIndex& index)
{
    constexpr std::int64_t kTimesLater = 20;
    struct Launches
    {
        std::size_t first = 0;
        std::int64_t laterTime = 0;
        std::int64_t later = 0;
    };
    std::vector<Interval> holding; // the driver's lock, against launches of other threads
    for (const HostCall& call : index.calls)
        if (call.kind == CallKind::allocate || call.kind == CallKind::release)
            holding.push_back(call.time);
    const Intervals held = unite(std::move(holding));
    std::vector<bool> first(index.calls.size());
    std::unordered_map<std::uint32_t, Launches> byKernel; // by name; index.calls are sorted by start
    for (std::size_t i = 0; i < index.calls.size(); ++i) {
        const HostCall& call = index.calls[i];
        first[i] = call.kind == CallKind::compile;
        if (call.kind != CallKind::launch || call.work == kNone)
            continue;
        const auto [at, added] =
            byKernel.try_emplace(index.work[static_cast<std::size_t>(call.work)].name, Launches{i});
        if (!added) {
            at->second.laterTime += call.time.length();
            ++at->second.later;
        }
    }
    for (const auto& [name, launches] : byKernel) {
        const Interval call = index.calls[launches.first].time;
        const std::int64_t time = call.length();
        const bool isLong = launches.later > 0
                                ? time >= kLongLaunch && time * launches.later >= kTimesLater * launches.laterTime
                                : time >= kLongOnlyLaunch;
        first[launches.first] = isLong && 2 * coveredLength(held, call) < time;
    }
    return first;
}

} // namespace apertune::analysis

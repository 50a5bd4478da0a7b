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
        const std::int64_t time = index.calls[launches.first].time.length();
        if (time >= kLongLaunch && time * launches.later >= kTimesLater * launches.laterTime)
            first[launches.first] = true;
    }
    return first;
}

} // namespace apertune::analysis

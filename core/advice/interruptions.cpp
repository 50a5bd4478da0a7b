// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/interruptions.h"

#include <algorithm>
#include <unordered_map>

namespace apertune::advice {

using analysis::Interval;
using analysis::OpClass;
using analysis::OperatorForest;
using analysis::OperatorNode;
using analysis::TraceIndex;

namespace {

constexpr std::size_t kFewest = 8;       // fewer iterations give no usual time
constexpr std::int64_t kLeast = 500'000; // ns; a scheduler rarely gives a shorter time to another thread
constexpr std::int64_t kTimes = 3;       // factor above the median
constexpr std::size_t kUsualShare = 4;   // a call that is slow in more than one of four iterations is not interrupted

/// The nodes of one name: a list for each iteration.
using Calls = std::vector<std::vector<std::int32_t>>;

} // namespace

Interruptions findInterruptions(const TraceIndex& index, const OperatorForest& forest, std::int32_t first,
                                std::int32_t end, const std::vector<Interval>& iterations)
{
    Interruptions found;
    if (iterations.size() < kFewest)
        return found;
    std::unordered_map<std::uint32_t, Calls> byName;
    std::size_t at = 0;
    for (std::int32_t i = first; i < end; ++i) {
        const OperatorNode& node = forest.nodes[static_cast<std::size_t>(i)];
        while (at < iterations.size() && iterations[at].end <= node.time.start)
            ++at;
        if (at == iterations.size())
            break;
        const OpClass opClass = index.operatorClass(node.name);
        const bool wraps = opClass == OpClass::other && node.last != i;
        if (!iterations[at].contains(node.time.start) || wraps || opClass == OpClass::allocation ||
            opClass == OpClass::fill)
            continue;
        Calls& calls = byName[node.name];
        calls.resize(iterations.size());
        calls[at].push_back(i);
    }
    std::vector<std::int64_t> times(iterations.size());
    for (const auto& named : byName) {
        const Calls& calls = named.second;
        const std::size_t count = calls.front().size();
        if (std::any_of(calls.begin(), calls.end(), [&](const auto& of) { return of.size() != count; }))
            continue;
        for (std::size_t k = 0; k < count; ++k) {
            const auto self = [&](std::size_t iteration) {
                return forest.nodes[static_cast<std::size_t>(calls[iteration][k])].selfTime;
            };
            for (std::size_t i = 0; i < times.size(); ++i)
                times[i] = self(i);
            const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
            std::nth_element(times.begin(), middle, times.end());
            const std::int64_t usual = *middle;
            const std::int64_t limit = std::max(kTimes * usual, usual + kLeast);
            const auto slow = static_cast<std::size_t>(
                std::count_if(times.begin(), times.end(), [limit](std::int64_t time) { return time > limit; }));
            if (slow == 0 || slow * kUsualShare > times.size())
                continue;
            found.over.resize(forest.nodes.size());
            for (std::size_t i = 0; i < times.size(); ++i)
                if (self(i) > limit) {
                    found.over[static_cast<std::size_t>(calls[i][k])] = self(i) - usual;
                    found.time += self(i) - usual;
                    ++found.calls;
                }
        }
    }
    return found;
}

} // namespace apertune::advice

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/interruptions.h"

#include <algorithm>
#include <unordered_map>

namespace apertune::advice {

using analysis::OpClass;
using analysis::OperatorForest;
using analysis::OperatorNode;
using analysis::TraceIndex;
using trace::TimeRange;

namespace {

constexpr std::size_t kFewest = 8;       // fewer iterations give no usual time
constexpr std::int64_t kLeast = 500'000; // ns; a scheduler rarely gives a shorter time to another thread
constexpr std::int64_t kTimes = 3;       // factor above the median
constexpr std::size_t kUsualShare = 4;   // a call that is slow in more than one of four iterations is not interrupted

/// The nodes of one name: a list for each iteration.
using Calls = std::vector<std::vector<std::int32_t>>;

constexpr std::int64_t kNotLookedAt = -1;

/// The times that are compared: the own times of calls and the pauses before them, by node from `first` on;
/// kNotLookedAt where a time is slow now and then by itself.
struct Times
{
    std::vector<std::int64_t> own;
    std::vector<std::int64_t> pause;
};

} // namespace

Interruptions findInterruptions(const TraceIndex& index, const OperatorForest& forest, std::int32_t first,
                                std::int32_t end, const std::vector<TimeRange>& iterations)
{
    Interruptions found;
    // A few iterations do not show what a call takes as a rule.
    if (iterations.size() < kFewest)
        return found;
    const auto wraps = [&](std::int32_t i) {
        const OperatorNode& node = forest.nodes[static_cast<std::size_t>(i)];
        return index.operatorClass(node.name) == OpClass::other && node.last != i;
    };
    const auto count = static_cast<std::size_t>(std::max(0, end - first));
    Times compared{std::vector<std::int64_t>(count, kNotLookedAt), std::vector<std::int64_t>(count, kNotLookedAt)};
    std::vector<std::int64_t> reached(count); // within each wrapper
    std::int64_t reachedOutside = 0;
    std::unordered_map<std::uint32_t, Calls> byName;
    std::size_t at = 0;
    for (std::int32_t i = first; i < end; ++i) {
        const OperatorNode& node = forest.nodes[static_cast<std::size_t>(i)];
        const auto number = static_cast<std::size_t>(i - first);
        while (at < iterations.size() && iterations[at].end <= node.time.start)
            ++at;
        if (at == iterations.size())
            break;
        reached[number] = node.time.start;
        const bool isOutside = node.parent == analysis::kNone;
        std::int64_t& before = isOutside ? reachedOutside : reached[static_cast<std::size_t>(node.parent - first)];
        const std::int64_t pause = node.time.start - before;
        const bool follows = iterations[at].contains(before);
        before = std::max(before, node.time.end);
        if (!iterations[at].contains(node.time.start))
            continue;
        const OpClass opClass = index.operatorClass(node.name);
        // Allocations vary by themselves.
        if (!wraps(i) && opClass != OpClass::allocation && opClass != OpClass::fill)
            compared.own[number] = node.selfTime;
        if (follows && (isOutside || wraps(node.parent)))
            compared.pause[number] = std::max<std::int64_t>(0, pause);
        Calls& calls = byName[node.name];
        calls.resize(iterations.size());
        // Calls at the same position of their iterations are compared.
        calls[at].push_back(i);
    }
    std::vector<std::int64_t> times(iterations.size());
    // Compares the calls at one position of their iterations.
    const auto compare = [&](const Calls& calls, std::size_t position, const std::vector<std::int64_t>& of,
                             std::vector<std::int64_t>& over) {
        for (std::size_t i = 0; i < times.size(); ++i) {
            times[i] = of[static_cast<std::size_t>(calls[i][position] - first)];
            if (times[i] == kNotLookedAt)
                return;
        }
        std::vector<std::int64_t> sorted = times;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        const std::int64_t usual = *middle;
        const std::int64_t limit = std::max(kTimes * usual, usual + kLeast);
        const auto slow = static_cast<std::size_t>(
            std::count_if(times.begin(), times.end(), [limit](std::int64_t time) { return time > limit; }));
        if (slow == 0 || slow * kUsualShare > times.size())
            return;
        over.resize(forest.nodes.size());
        for (std::size_t i = 0; i < times.size(); ++i)
            if (times[i] > limit) {
                over[static_cast<std::size_t>(calls[i][position])] = times[i] - usual;
                found.time += times[i] - usual;
                ++found.times;
            }
    };
    for (const auto& named : byName) {
        const Calls& calls = named.second;
        const std::size_t each = calls.front().size();
        if (std::any_of(calls.begin(), calls.end(), [&](const auto& of) { return of.size() != each; }))
            continue;
        for (std::size_t k = 0; k < each; ++k) {
            compare(calls, k, compared.own, found.inCall);
            compare(calls, k, compared.pause, found.beforeCall);
        }
    }
    return found;
}

} // namespace apertune::advice

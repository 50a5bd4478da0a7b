// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/memory_edge.h"

#include "core/search/search_state.h"

#include <algorithm>
#include <map>

namespace apertune::search {

namespace {

constexpr double kEdgeSlack = 1.03; ///< predicted need over memory up to which a batch is still tried
constexpr double kMemoryMargin = 4; ///< factor by which precision, fusion and allocators may raise a group's peak

/// Position of the largest batch that needs at most `room`; `known` when no larger one does.
template <typename Need>
std::size_t lastWithin(const std::vector<double>& batches, std::size_t known, double room, Need&& need)
{
    std::size_t at = batches.size() - 1;
    while (at > known && need(batches[at]) > room)
        --at;
    return at;
}

} // namespace

MemoryEdge memoryEdge(const MemoryLine& line, const std::vector<double>& batches, std::size_t known, base::Bytes memory)
{
    const auto room = static_cast<double>(memory.count);
    MemoryEdge found;
    found.edge = lastWithin(batches, known, kEdgeSlack * room, [&](double batch) { return line.at(batch); });
    found.safe = lastWithin(batches, known, room, [&](double batch) { return line.atMost(batch); });
    // Without a safe batch beyond `known`, the search goes on one batch at a time: the line is not trusted further.
    if (found.safe <= known || found.safe >= found.edge)
        found.edge = std::min(found.edge, std::max(found.safe, known + 1));
    found.settled = found.safe <= known || found.safe >= found.edge;
    return found;
}

bool fitsWithMargin(const SearchState& state, std::size_t configuration)
{
    // The largest measured batch of a group predicts best: at a small batch the weights, which do not grow with the
    // batch, are most of the peak.
    const SearchTask& task = state.task();
    std::map<std::size_t, std::size_t> largest;
    for (std::size_t known = 0; known < state.size(); ++known)
        if (state.peak(known)) {
            const auto [at, first] = largest.emplace(task.configurations[known].group, known);
            if (!first && task.configurations[known].batch > task.configurations[at->second].batch)
                at->second = known;
        }
    double most = 0;
    for (const auto& [group, known] : largest) {
        const double growth =
            static_cast<double>(task.configurations[configuration].batch) / task.configurations[known].batch;
        most = std::max(most, static_cast<double>(state.peak(known)->count) * std::max(1.0, growth));
    }
    return most > 0 && task.memory && most * kMemoryMargin <= static_cast<double>(task.memory->count);
}

} // namespace apertune::search

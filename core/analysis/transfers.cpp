// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/transfers.h"

#include "core/analysis/kernel_times.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace apertune::analysis {

namespace {

/// Smaller copies are mostly single numbers that a program reads, so their equal sizes are a coincidence.
constexpr std::int64_t kSmallestRoundTrip = 4096;

std::vector<RoundTrip> findRoundTrips(const TraceIndex& index, TimeRange window,
                                      const std::vector<TimeRange>& iterations)
{
    std::vector<RoundTrip> trips;
    std::vector<std::int32_t> waiting; // copies to the host without a partner
    std::size_t iteration = 0;
    for (std::size_t i = 0; i < index.work.size(); ++i) {
        const Work& w = index.work[i];
        if (w.kind != trace::EventKind::copy || !window.contains(w.time.start) || w.bytes < kSmallestRoundTrip)
            continue;
        while (iteration < iterations.size() && w.time.start >= iterations[iteration].end) {
            ++iteration;
            waiting.clear();
        }
        const trace::CopyDirection direction = index.copy(w).direction;
        if (direction == trace::CopyDirection::deviceToHost) {
            waiting.push_back(static_cast<std::int32_t>(i));
        } else if (direction == trace::CopyDirection::hostToDevice) {
            // The oldest copy of this size is the partner. Each copy is in one pair only.
            const auto match = std::find_if(waiting.begin(), waiting.end(), [&](std::int32_t d) {
                return index.work[static_cast<std::size_t>(d)].bytes == w.bytes;
            });
            if (match == waiting.end())
                continue;
            trips.push_back({*match, static_cast<std::int32_t>(i), w.bytes});
            waiting.erase(match);
        }
    }
    return trips;
}

template <typename Member>
std::int64_t sum(const std::vector<TransferRow>& rows, trace::CopyDirection direction, Member member)
{
    std::int64_t total = 0;
    for (const TransferRow& row : rows)
        total += row.direction == direction ? row.*member : 0;
    return total;
}

} // namespace

double TransferRow::linkShare(const trace::DeviceProperties* properties) const
{
    if (!properties || properties->linkBandwidth <= 0 || !crossesLink() || bandwidth() <= 0)
        return -1;
    return bandwidth() / static_cast<double>(properties->linkBandwidth);
}

std::int64_t TransferLedger::count(trace::CopyDirection d) const
{
    return sum(rows, d, &TransferRow::count);
}
std::int64_t TransferLedger::bytes(trace::CopyDirection d) const
{
    return sum(rows, d, &TransferRow::bytes);
}
std::int64_t TransferLedger::time(trace::CopyDirection d) const
{
    return sum(rows, d, &TransferRow::time);
}
std::int64_t TransferLedger::exposed(trace::CopyDirection d) const
{
    return sum(rows, d, &TransferRow::exposed);
}

TransferLedger transferLedger(const TraceIndex& index, const OperatorForest& forest, TimeRange window,
                              const std::vector<TimeRange>& iterations)
{
    TransferLedger ledger;
    // A trace without copies needs no union of its kernels.
    if (std::none_of(index.work.begin(), index.work.end(),
                     [](const Work& w) { return w.kind == trace::EventKind::copy; }))
        return ledger;
    const std::vector<TimeRanges> computing = kernelTimes(index, Collectives::counted);

    using Key =
        std::tuple<std::uint16_t, trace::CopyDirection, trace::MemoryKind, trace::MemoryKind, bool, std::uint32_t>;
    std::map<Key, TransferRow> rows;
    for (std::size_t i = 0; i < index.work.size(); ++i) {
        const Work& w = index.work[i];
        if (w.kind != trace::EventKind::copy || !window.contains(w.time.start))
            continue;
        const trace::CopyDetail& detail = index.copy(w);
        const HostCall* call = w.call == kNone ? nullptr : &index.calls[static_cast<std::size_t>(w.call)];
        const bool blocking = call && call->kind == CallKind::blockingCopy;
        const std::int32_t node = forest.ofWork(static_cast<std::int32_t>(i));
        const std::uint32_t origin = node == kNone ? 0 : forest.nodes[static_cast<std::size_t>(node)].name;
        TransferRow& row = rows[{w.device, detail.direction, detail.source, detail.target, blocking, origin}];
        row.device = index.devices[w.device];
        row.direction = detail.direction;
        row.source = detail.source;
        row.target = detail.target;
        row.blocking = blocking;
        row.origin = origin;
        ++row.count;
        row.bytes += w.bytes;
        row.time += w.time.length();
        row.exposed += w.time.length() - coveredLength(computing[w.device], w.time);
        row.callTime += call ? call->time.length() : 0;
        if (w.time.length() > row.longest.length())
            row.longest = w.time;
    }
    for (auto& [key, row] : rows)
        ledger.rows.push_back(row);
    std::stable_sort(ledger.rows.begin(), ledger.rows.end(),
                     [](const TransferRow& a, const TransferRow& b) { return a.time > b.time; });
    ledger.roundTrips = findRoundTrips(index, window, iterations);
    return ledger;
}

std::string_view toString(trace::CopyDirection direction)
{
    switch (direction) {
    case trace::CopyDirection::hostToDevice:
        return "host to device";
    case trace::CopyDirection::deviceToHost:
        return "device to host";
    case trace::CopyDirection::deviceToDevice:
        return "device to device";
    case trace::CopyDirection::hostToHost:
        return "host to host";
    case trace::CopyDirection::peerToPeer:
        return "peer to peer";
    case trace::CopyDirection::array:
        return "array";
    case trace::CopyDirection::unknown:
        break;
    }
    return "unknown";
}

std::string_view toString(trace::MemoryKind kind)
{
    switch (kind) {
    case trace::MemoryKind::pageable:
        return "pageable";
    case trace::MemoryKind::pinned:
        return "pinned";
    case trace::MemoryKind::device:
        return "device";
    case trace::MemoryKind::array:
        return "array";
    case trace::MemoryKind::managed:
        return "managed";
    case trace::MemoryKind::deviceStatic:
        return "device static";
    case trace::MemoryKind::managedStatic:
        return "managed static";
    case trace::MemoryKind::unknown:
        break;
    }
    return "unknown";
}

} // namespace apertune::analysis

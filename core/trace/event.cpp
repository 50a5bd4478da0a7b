// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/event.h"

#include <sys/mman.h>

#include <algorithm>
#include <numeric>

namespace apertune::trace {

namespace {

template <typename T>
void permute(std::vector<T>& column, const std::vector<std::uint32_t>& order)
{
    if (column.empty())
        return;
    std::vector<T> sorted(column.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        sorted[i] = column[order[i]];
    column = std::move(sorted);
}

/// Gives a column room for `room` values. Long columns ask the kernel for huge pages, because the first write to a page
/// costs more than the values that fit into a small page.
template <typename T>
void extend(std::vector<T>& column, std::size_t room)
{
    constexpr std::size_t kLargePage = 2 << 20; // the size on x86-64, and on AArch64 with pages of 4 KiB
    std::vector<T> longer;
    longer.reserve(room);
    const auto begin = (reinterpret_cast<std::uintptr_t>(longer.data()) + kLargePage - 1) / kLargePage * kLargePage;
    const auto end = reinterpret_cast<std::uintptr_t>(longer.data() + room) / kLargePage * kLargePage;
    if (begin < end)
        ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE); // a hint; the kernel may ignore it
    longer.insert(longer.end(), column.begin(), column.end());
    column.swap(longer);
}

} // namespace

std::string_view toString(EventKind kind)
{
    switch (kind) {
    case EventKind::kernel:
        return "kernel";
    case EventKind::copy:
        return "copy";
    case EventKind::memset:
        return "fill"; // persistent: workspaces and queries use it
    case EventKind::runtimeCall:
        return "runtime_call";
    case EventKind::driverCall:
        return "driver_call";
    case EventKind::synchronization:
        return "synchronization";
    case EventKind::graphLaunch:
        return "graph_launch";
    case EventKind::operatorCall:
        return "operator_call";
    case EventKind::range:
        return "range";
    case EventKind::deviceRange:
        return "device_range";
    case EventKind::deviceMemory:
        return "device_memory";
    case EventKind::tensorMemory:
        return "tensor_memory";
    case EventKind::compilation:
        return "compilation";
    case EventKind::overhead:
        return "overhead";
    case EventKind::counter:
        return "counter";
    case EventKind::scriptCall:
        return "script_call";
    case EventKind::profilerRange:
        return "profiler_range";
    case EventKind::other:
        break;
    }
    return "other";
}

bool isDeviceWork(EventKind kind)
{
    return kind == EventKind::kernel || kind == EventKind::copy || kind == EventKind::memset ||
           kind == EventKind::graphLaunch;
}

Event EventColumns::at(std::size_t i) const
{
    return {{start[i]},       {duration[i]},      {name[i]},         valueAt(correlation, i),
            valueAt(link, i), valueAt(detail, i), valueAt(value, i), valueAt(address, i)};
}

void EventColumns::grow(std::size_t atLeast)
{
    // Moving a long column costs as much as filling it did. Pages that were never written take no memory, so a long
    // column grows by a large factor.
    constexpr std::size_t kShort = 1 << 16;
    const std::size_t room = std::max({std::size_t{16}, size() < kShort ? 2 * size() : 8 * size(), atLeast});
    const auto follow = [room](auto& column) {
        if (!column.empty())
            extend(column, room);
    };
    extend(start, room);
    extend(duration, room);
    extend(name, room);
    follow(correlation);
    follow(link);
    follow(detail);
    follow(value);
    follow(address);
}

void EventColumns::append(const EventSpan& more)
{
    const std::size_t before = size();
    const std::size_t after = before + more.start.size();
    if (after > start.capacity())
        grow(after);
    const auto follow = [this, before, after](auto& column, auto values) {
        if (values.empty() && column.empty())
            return;
        if (column.capacity() < start.capacity())
            extend(column, start.capacity());
        // A column that was optional and empty so far gets its zeros. One without new values gets them at the end.
        column.resize(before);
        column.insert(column.end(), values.begin(), values.end());
        column.resize(after);
    };
    follow(start, more.start);
    follow(duration, more.duration);
    follow(name, more.name);
    follow(correlation, more.correlation);
    follow(link, more.link);
    follow(detail, more.detail);
    follow(value, more.value);
    follow(address, more.address);
}

void EventColumns::sort()
{
    const auto before = [this](std::size_t a, std::size_t b) {
        // Of events that begin together, the longer one encloses the other.
        return start[a] != start[b] ? start[a] < start[b] : duration[a] > duration[b];
    };
    // Recorders mostly write in order, so the check pays for itself.
    std::size_t ordered = 1;
    while (ordered < size() && !before(ordered, ordered - 1))
        ++ordered;
    if (ordered >= size())
        return;
    std::vector<std::uint32_t> order(size());
    std::iota(order.begin(), order.end(), 0u);
    // A stable order keeps the recorder's order of equal events.
    std::stable_sort(order.begin(), order.end(), before);
    permute(start, order);
    permute(duration, order);
    permute(name, order);
    permute(correlation, order);
    permute(link, order);
    permute(detail, order);
    permute(value, order);
    permute(address, order);
}

} // namespace apertune::trace

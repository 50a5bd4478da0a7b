// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace apertune::trace {

/// Kinds of event. The numbers are persistent, because workspaces store them.
enum class EventKind : std::uint8_t {
    kernel = 1,          ///< a kernel on a device
    copy = 2,            ///< a transfer, recorded on the device
    memset = 3,          ///< a memset on a device
    runtimeCall = 4,     ///< a call of the CUDA (HIP) runtime, on its host thread
    driverCall = 5,      ///< a call of the CUDA driver
    synchronization = 6, ///< a wait of the host or of a stream for device work
    graphLaunch = 7,     ///< a captured graph as one piece of device work
    operatorCall = 8,    ///< an operator of the framework (aten::conv2d), on its host thread
    range = 9,           ///< an interval that the program named: NVTX, record_function, ProfilerStep
    deviceRange = 10,    ///< an interval that the program named, as the device executed it
    deviceMemory = 11,   ///< the driver's allocations: cudaMalloc, cudaFree, pools
    tensorMemory = 12,   ///< the framework's allocations: tensors
    compilation = 13,    ///< just-in-time compilation, module loading
    overhead = 14,       ///< the recorder's own cost
    counter = 15,        ///< a sample: power, clock, resident memory; `value` holds it
    scriptCall = 16,     ///< a Python function
    profilerRange = 17,  ///< a replayed range of a metrics pass
    other = 255,         ///< an event of a kind that the importer does not know, kept under its name
};

/// Every kind, in the order of its number.
inline constexpr std::array kEventKinds = {EventKind::kernel,      EventKind::copy,          EventKind::memset,
                                           EventKind::runtimeCall, EventKind::driverCall,    EventKind::synchronization,
                                           EventKind::graphLaunch, EventKind::operatorCall,  EventKind::range,
                                           EventKind::deviceRange, EventKind::deviceMemory,  EventKind::tensorMemory,
                                           EventKind::compilation, EventKind::overhead,      EventKind::counter,
                                           EventKind::scriptCall,  EventKind::profilerRange, EventKind::other};

/// Returns the persistent name of a kind: "kernel", "runtime_call", …
std::string_view toString(EventKind kind);

/// Returns whether events of the kind occupy a device: kernels, copies, memsets and graphs.
bool isDeviceWork(EventKind kind);

/// Index into Trace::strings. 0 is always the empty string.
struct StringId
{
    std::uint32_t value = 0;
    constexpr auto operator<=>(const StringId&) const = default;
    constexpr explicit operator bool() const { return value != 0; }
};

/// Returns a value of an optional column. An empty column stands for zeros.
template <typename T>
T valueAt(const std::vector<T>& column, std::size_t i)
{
    return column.empty() ? T{} : column[i];
}

/// Index into Trace::tracks.
struct TrackId
{
    std::uint32_t value = 0;
    constexpr auto operator<=>(const TrackId&) const = default;
};

/// One event with all its columns, as collectors and importers pass it.
struct Event
{
    base::Nanoseconds start = {};    ///< after Trace::origin; negative when the event began before the recording
    base::Nanoseconds duration = {}; ///< 0 for an instant; never negative
    StringId name = {};
    /// Joins a host call with the device work that it caused (CUPTI's correlation id). 0: none.
    std::uint32_t correlation = 0;
    /// Joins an operator with the calls made on its behalf (Kineto's external id). 0: none.
    std::uint32_t link = 0;
    /// Index into the Details of the kind. 0: nothing is known.
    std::uint32_t detail = 0;
    /// copy, memset: bytes. deviceMemory, tensorMemory: bytes, negative when freed. counter: the sample, in the unit of
    /// its track. synchronization, calls: the returned status.
    std::int64_t value = 0;
    /// deviceMemory, tensorMemory: the address. Otherwise 0.
    std::uint64_t address = 0;
};

/// A view of events by column, in memory that somebody else owns. An empty column stands for zeros.
struct EventSpan
{
    std::span<const std::int64_t> start;
    std::span<const std::int64_t> duration;
    std::span<const std::uint32_t> name;
    std::span<const std::uint32_t> correlation = {};
    std::span<const std::uint32_t> link = {};
    std::span<const std::uint32_t> detail = {};
    std::span<const std::int64_t> value = {};
    std::span<const std::uint64_t> address = {};
};

/// Events of one kind on one track, by column. `start`, `duration` and `name` always have size() entries; every other
/// column has size() entries or none, which means that all are 0.
struct EventColumns
{
    std::vector<std::int64_t> start;    ///< ns after Trace::origin
    std::vector<std::int64_t> duration; ///< ns
    std::vector<std::uint32_t> name;    ///< StringId
    std::vector<std::uint32_t> correlation;
    std::vector<std::uint32_t> link;
    std::vector<std::uint32_t> detail;
    std::vector<std::int64_t> value;
    std::vector<std::uint64_t> address;

    std::size_t size() const { return start.size(); }
    bool empty() const { return start.empty(); }
    std::int64_t end(std::size_t i) const { return start[i] + duration[i]; }
    /// REQUIRES: i < size()
    Event at(std::size_t i) const;
    /// It is inline, so that a field that is 0 costs one check of its column.
    void append(const Event& event)
    {
        if (start.size() == start.capacity())
            grow(0);
        appendSparse(correlation, event.correlation);
        appendSparse(link, event.link);
        appendSparse(detail, event.detail);
        appendSparse(value, event.value);
        appendSparse(address, event.address);
        name.push_back(event.name.value);
        duration.push_back(event.duration.count);
        start.push_back(event.start.count);
    }
    /// Appends all events in their order. It is much faster than single calls.
    void append(const EventSpan& more);
    /// Sorts by start, then by decreasing duration, so that a parent precedes its children. The sort is stable, and
    /// linear when the events are in order already.
    void sort();

private:
    /// Makes room for at least one more event, and for `atLeast` events in total.
    void grow(std::size_t atLeast);
    /// Appends to an optional column, which is filled with zeros when its first value other than 0 arrives.
    template <typename T>
    void appendSparse(std::vector<T>& column, T one)
    {
        if (column.empty()) {
            if (one == T{})
                return;
            column.resize(size());
        }
        column.push_back(one);
    }
};

} // namespace apertune::trace

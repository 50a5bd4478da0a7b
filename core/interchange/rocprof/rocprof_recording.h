// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"
#include "core/trace/untrusted_events.h"
#include "core/trace/wide_ids.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace apertune::interchange::rocprof {

/// A GPU of the recording. `id` is the number that events use.
struct Agent
{
    std::int64_t id = 0;                ///< number in the events
    trace::DeviceProperties properties; ///< `id` is the number of the GPU that programs see, from 0
};

/// The place where a piece of device work ran.
struct Place
{
    std::int64_t process = -1;
    std::int64_t agent = -1;
    std::int64_t queue = -1;
    std::int64_t stream = -1; ///< the HIP stream; -1: the recorder does not know streams, so queues stand for them
};

/// Returns the grid in blocks. HIP counts it in threads.
std::array<std::uint32_t, 3> blocksOf(const std::array<std::uint32_t, 3>& threads,
                                      const std::array<std::uint32_t, 3>& block);

/// Builds a trace from the records of rocprofv3, for every format of file.
/// Threads: one at a time.
class RocprofRecording
{
public:
    trace::TraceBuilder& builder() { return m_builder; }

    void addAgent(Agent agent);
    /// Returns whether it is a GPU.
    /// REQUIRES: all agents were added.
    bool isGpu(std::int64_t agent) const { return m_devices.contains(agent); }

    /// Adds a kernel. A name loses the ".kd" of its symbol.
    void addKernel(const Place& place, std::int64_t start, std::int64_t end, std::string_view name,
                   std::uint64_t correlation, const trace::KernelDetail& detail);
    /// Adds a copy with the direction that `operation` names: "MEMORY_COPY_HOST_TO_DEVICE", …
    void addCopy(const Place& place, std::int64_t start, std::int64_t end, std::string_view operation,
                 std::int64_t bytes, std::uint64_t correlation);
    /// Adds an allocation or a release of device memory: "MEMORY_ALLOCATION_ALLOCATE", … A release names an address
    /// alone. Memory of the host, and releases of memory that was allocated before the recording, are left out.
    void addAllocation(std::int64_t agent, std::int64_t time, std::string_view operation, std::int64_t bytes,
                       std::uint64_t address, std::uint64_t correlation);
    /// Adds a call of a library. The category, "HIP_RUNTIME_API", decides its kind: calls of HIP are those of a
    /// runtime, calls of HSA those of a driver, markers are ranges of the program, and the others stay `other`.
    void addCall(std::int64_t process, std::int64_t thread, std::int64_t start, std::int64_t end,
                 std::string_view category, std::string_view name, std::uint64_t correlation);

    /// Returns the trace. Its times begin with its first event.
    trace::Trace finish();

private:
    /// Adds an event. Times of rocprofv3 count from the start of the machine, so 0 and less stand for a missing one.
    void add(trace::TrackId track, trace::EventKind kind, std::int64_t start, std::int64_t end,
             const trace::Event& event);

    struct Allocation
    {
        std::int64_t bytes = 0;
        std::int64_t device = 0;
    };

    trace::TrackId stream(const Place& place);
    trace::TrackId thread(std::int64_t process, std::int64_t thread);

    trace::TraceBuilder m_builder;
    trace::UntrustedEvents m_events{m_builder};
    trace::WideIds m_correlations;
    std::map<std::int64_t, std::int64_t> m_devices; ///< number of a GPU, by agent
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>, trace::TrackId> m_streams;
    std::map<std::pair<std::int64_t, std::int64_t>, trace::TrackId> m_threads;
    std::map<std::uint64_t, Allocation> m_allocated; ///< allocations that were not released yet, by address
};

} // namespace apertune::interchange::rocprof

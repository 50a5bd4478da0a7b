// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace apertune::standin {

/// Times are nanoseconds of CLOCK_MONOTONIC. Numbers of kinds are those of CUPTI.
struct Dimensions
{
    unsigned x = 1;
    unsigned y = 1;
    unsigned z = 1;
};

/// One step of a GPU: a kernel, a copy or a fill.
struct Work
{
    enum class Kind { kernel, copy, fill, nothing };

    Kind kind = Kind::nothing;
    const char* name = ""; ///< mangled name of a kernel; it lives as long as the process
    Dimensions grid;
    Dimensions block;
    unsigned dynamicShared = 0;
    void* to = nullptr; ///< target of a copy or fill
    const void* from = nullptr;
    std::size_t bytes = 0;
    int value = 0;     ///< byte that a fill writes
    int copyKind = 0;  ///< CUpti_ActivityMemcpyKind
    int fromKind = 0;  ///< CUpti_ActivityMemoryKind
    int toKind = 0;    ///< CUpti_ActivityMemoryKind
    bool async = true; ///< whether a copy is asynchronous
    std::int64_t duration = 0;
};

/// One execution of a step, with its place and time.
struct WorkRecord
{
    const Work* work = nullptr;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint32_t device = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::uint32_t graph = 0;     ///< 0: not a node of a graph
    std::uint64_t graphNode = 0; ///< 0: not a node of a graph
};

struct CallRecord
{
    bool driver = false; ///< a function of the driver, not of the runtime
    std::uint32_t callback = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint32_t correlation = 0;
    int result = 0;
};

struct WaitRecord
{
    int kind = 0; ///< CUpti_ActivitySynchronizationType
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint32_t stream = 0;
    std::uint32_t event = 0;
    std::uint32_t correlation = 0;
};

struct AllocationRecord
{
    bool released = false;
    bool pinned = false;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::int64_t time = 0;
    std::uint32_t device = 0;
    std::uint32_t correlation = 0;
};

struct GraphRecord
{
    std::uint32_t graph = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint32_t device = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
};

struct EventRecord
{
    std::uint32_t event = 0;
    std::uint32_t device = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
};

/// Receives every operation of a program on its GPUs. The stand-in for CUPTI is one.
///
/// The machine calls it on the threads of the program.
///
/// REQUIRES: implementations do not call the machine.
class Observer
{
public:
    virtual ~Observer() = default;
    virtual void call(const CallRecord& record) = 0;
    virtual void work(const WorkRecord& record) = 0;
    virtual void waited(const WaitRecord& record) = 0;
    virtual void allocation(const AllocationRecord& record) = 0;
    virtual void graph(const GraphRecord& record) = 0;
    virtual void event(const EventRecord& record) = 0;
    virtual void contextCreated(std::uint32_t device) = 0;
    virtual void streamCreated(std::uint32_t device, std::uint32_t stream) = 0;
};

} // namespace apertune::standin

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/event.h"

#include <array>
#include <cstdint>
#include <vector>

namespace apertune::trace {

// Properties that many events of a kind share are stored once. Event::detail is the index of a row in the list of its
// kind. Row 0 of every list is default-constructed and means "unknown". Names are in Event::name, not in the row.

/// Launch properties of kernel and graphLaunch. A value that the recorder does not report is 0, or negative where 0 is
/// a valid value.
struct KernelDetail
{
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint32_t, 3> block{};
    std::array<std::uint32_t, 3> cluster{};
    std::uint32_t registersPerThread = 0;
    std::int32_t staticSharedBytes = 0; ///< bytes per block
    /// Bytes per block; the sum of static and dynamic when a recorder reports only that.
    std::int32_t dynamicSharedBytes = 0;
    std::uint32_t localBytesPerThread = 0;
    std::uint32_t graph = 0;      ///< id of the captured graph that launched the kernel
    std::uint64_t graphNode = 0;  ///< node of the kernel in that graph
    float recordedOccupancy = -1; ///< the recorder's own estimate, 0..1
    auto operator<=>(const KernelDetail&) const = default;
};

enum class CopyDirection : std::uint8_t {
    unknown = 0,
    hostToDevice = 1,
    deviceToHost = 2,
    deviceToDevice = 8,
    hostToHost = 9,
    peerToPeer = 10,
    array = 11, ///< a copy to, from or between texture arrays
};

/// Kinds of memory. The numbers are CUPTI's.
enum class MemoryKind : std::uint8_t {
    unknown = 0,
    pageable = 1,
    pinned = 2,
    device = 3,
    array = 4,
    managed = 5,
    deviceStatic = 6,
    managedStatic = 7,
};

/// Properties of copy and memset.
struct CopyDetail
{
    CopyDirection direction = CopyDirection::unknown; ///< unknown for a memset
    MemoryKind source = MemoryKind::unknown;
    MemoryKind target = MemoryKind::unknown;
    bool asynchronous = false;
    std::int32_t sourceDevice = -1; ///< set for a peer-to-peer copy
    std::int32_t targetDevice = -1;
    std::uint32_t graph = 0;
    std::uint64_t graphNode = 0;
    auto operator<=>(const CopyDetail&) const = default;
};

enum class SynchronizationType : std::uint8_t {
    unknown = 0,
    event = 1,      ///< the host waits for an event
    streamWait = 2, ///< a stream waits for an event
    stream = 3,     ///< the host waits for a stream
    context = 4,    ///< the host waits for everything
};

struct SynchronizationDetail
{
    SynchronizationType type = SynchronizationType::unknown;
    std::uint32_t event = 0;
    std::int64_t stream = -1;
    auto operator<=>(const SynchronizationDetail&) const = default;
};

/// operatorCall: texts as the recorder wrote them, for example "[[1, 3, 224, 224], [64, 3, 7, 7]]".
struct OperatorDetail
{
    StringId inputShapes;
    StringId inputTypes;
    StringId module;
    std::int64_t sequence = -1; ///< joins a forward operator with its backward one
    StringId inputStrides{};    ///< in elements, a list like inputShapes
    /// A JSON object with the facts that Kineto records about a collective: "Collective name", "dtype", "In msg
    /// nelems", "Group size", … (analysis::collectiveCall()). Empty for other operators.
    StringId collective{};
    auto operator<=>(const OperatorDetail&) const = default;
};

/// Properties of deviceMemory and tensorMemory.
struct MemoryDetail
{
    MemoryKind kind = MemoryKind::unknown;
    std::int32_t device = -1; ///< -1: the host
    StringId owner;           ///< the library or pool that allocated, where known
    auto operator<=>(const MemoryDetail&) const = default;
};

/// The recorder's name for a compilation or overhead.
struct NoteDetail
{
    StringId note;
    auto operator<=>(const NoteDetail&) const = default;
};

/// All lists of details of a trace.
struct Details
{
    std::vector<KernelDetail> kernels{1};
    std::vector<CopyDetail> copies{1};
    std::vector<SynchronizationDetail> synchronizations{1};
    std::vector<OperatorDetail> operators{1};
    std::vector<MemoryDetail> memory{1};
    std::vector<NoteDetail> notes{1};
};

} // namespace apertune::trace

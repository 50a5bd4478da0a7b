// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/details.h"
#include "core/trace/event.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace apertune::interchange::chrome {

/// The names in Kineto's JSON, in the spellings of all its versions, and our names for facts that Kineto does not know.

/// The meaning of a category to an importer.
struct Category
{
    trace::EventKind kind = trace::EventKind::other;
    bool flow = false;     ///< arrows, which are recomputed from the events
    bool backward = false; ///< arrows from operators to those of the backward pass, which are not kept
    bool recorder = false; ///< spans of the recorder, not of the program
    bool mixed = false;    ///< a device's work of all kinds; workFromName() returns the kind
    bool node = false;     ///< an ONNX engine's event about a node; a run of the node is an operator
};
/// Returns the meaning of a category; nullopt for one of another tool.
std::optional<Category> categoryFromString(std::string_view text);
/// Returns the category that an exporter writes. categoryFromString() returns the kind again.
std::string_view categoryOf(trace::EventKind kind);

/// Returns the kind of an MTIA event: "dma_request" is a copy, "event_wait" a wait, any other name a kernel.
trace::EventKind workFromName(std::string_view name);

/// Returns the node that an ONNX engine ran: "conv1" for "conv1_kernel_time"; empty for other names.
std::string_view nodeFromName(std::string_view name);

/// Reads direction and memory from a copy's name: "Memcpy HtoD (Pinned -> Device)", "CopyDeviceToHost",
/// "MEMORY_COPY_HOST_TO_DEVICE".
trace::CopyDetail copyFromName(std::string_view name);
/// "HtoD", "DtoH", …; unknown is "".
std::string_view toWord(trace::CopyDirection direction);
trace::CopyDirection directionFromWord(std::string_view word);
/// "Pageable", "Device Static", …; unknown is "".
std::string_view toWord(trace::MemoryKind kind);
trace::MemoryKind memoryFromWord(std::string_view word);
/// "Stream Sync", "Event Sync", …; unknown is "".
std::string_view toWord(trace::SynchronizationType type);
trace::SynchronizationType synchronizationFromWord(std::string_view word);

/// The members of an event and of its "args" that a trace keeps.
enum class Field : std::uint8_t {
    none, ///< any other member
    // Members of the event.
    phase,
    category,
    name,
    process,
    thread,
    time,
    duration,
    id,
    args,
    // Members of its "args".
    externalId,
    correlation,
    device,
    context,
    stream,
    bytes,
    size,
    grid,
    block,
    cluster,
    registers,
    sharedMemory,
    staticSharedMemory,
    localMemory,
    graph,
    graphNode,
    occupancy,
    inputShapes,
    inputTypes,
    module,
    sequence,
    syncKind,
    waitEvent,
    copyKind,
    source,
    target,
    asynchronous,
    sourceDevice,
    targetDevice,
    deviceType,
    deviceId,
    address,
    totalAllocated,
    totalReserved,
    memoryKind,
    owner,
    note,
    value,
    argName,
    operation,     ///< a node's operation: "Conv"
    shapesByTypes, ///< a node's inputs: [{"float":[1,3,224,224]}, …]
    inputStrides,
    // The facts that Kineto records about a collective, in the order of trace::OperatorDetail::collective.
    collective,
    elementType,
    inElements,
    outElements,
    inSplit,
    outSplit,
    groupName,
    groupDescription,
    groupSize,
    groupRanks,
    count,
};
inline constexpr std::size_t kFields = static_cast<std::size_t>(Field::count);

/// The number of each field's value token; 0: the field is absent.
class Fields
{
public:
    std::uint32_t operator[](Field field) const { return m_tokens[static_cast<std::size_t>(field)]; }
    void set(Field field, std::uint32_t token) { m_tokens[static_cast<std::size_t>(field)] = token; }
    void clear() { m_tokens.fill(0); }

private:
    std::array<std::uint32_t, kFields> m_tokens{};
};

/// Each returns the field of a name without quotes.
Field eventField(std::string_view name);
Field argumentField(std::string_view name);
/// Returns the name under which an argument is written.
/// REQUIRES: `field` is a member of "args".
std::string_view argumentName(Field field);

} // namespace apertune::interchange::chrome

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/details.h"
#include "core/trace/event.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace apertune::interchange::chrome {

/// The words of Kineto's JSON, in the spellings of all its versions, and ours for what Kineto has no word for.

/// What a category means to an importer.
struct Category
{
    trace::EventKind kind = trace::EventKind::other;
    bool flow = false;     ///< arrows that follow from the events themselves
    bool recorder = false; ///< spans of the recorder, not of the program
    bool mixed = false;    ///< a device's work of all kinds: workFromName() tells which
    bool node = false;     ///< what an ONNX engine says of a node; its runs are operators
};
/// nullopt: a category of another tool.
std::optional<Category> categoryFromString(std::string_view text);
/// The category that an exporter writes; categoryFromString() gives the kind back.
std::string_view categoryOf(trace::EventKind kind);

/// Kernel, copy or wait, as MTIA's events are named: "dma_request", "event_wait", anything else.
trace::EventKind workFromName(std::string_view name);

/// The node whose run ONNX engines name so: "conv1_kernel_time" is of conv1; empty for anything else.
std::string_view nodeFromName(std::string_view name);

/// Direction and memory as a copy's name says: "Memcpy HtoD (Pinned -> Device)", "CopyDeviceToHost".
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

/// What an event and its "args" may hold that a trace keeps.
enum class Field : std::uint8_t {
    none, ///< anything else
    // of the event
    phase,
    category,
    name,
    process,
    thread,
    time,
    duration,
    id,
    args,
    // of its args
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
    operation,     ///< of a node: "Conv"
    shapesByTypes, ///< of a node: [{"float":[1,3,224,224]}, …]
    count,
};
inline constexpr std::size_t kFields = static_cast<std::size_t>(Field::count);

/// For each field the number of its value's token; 0 where it is absent.
class Fields
{
public:
    std::uint32_t operator[](Field field) const { return m_tokens[static_cast<std::size_t>(field)]; }
    void set(Field field, std::uint32_t token) { m_tokens[static_cast<std::size_t>(field)] = token; }
    void clear() { m_tokens.fill(0); }

private:
    std::array<std::uint32_t, kFields> m_tokens{};
};

/// By the name without quotes.
Field eventField(std::string_view name);
Field argumentField(std::string_view name);
/// The name under which an argument is written. REQUIRES: a field of args
std::string_view argumentName(Field field);

} // namespace apertune::interchange::chrome

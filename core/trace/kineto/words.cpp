// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/kineto/words.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace apertune::trace::kineto {

namespace {

struct CategoryWord
{
    std::string_view word;
    Category category;
};

constexpr Category kFlow{.kind = EventKind::other, .flow = true};
constexpr Category kSpan{.kind = EventKind::other, .recorder = true};
constexpr Category kMixed{.kind = EventKind::kernel, .mixed = true};
constexpr Category kNode{.kind = EventKind::range, .node = true};

// The first word of a kind is the one that is written.
constexpr CategoryWord kCategories[] = {
    {"kernel", {EventKind::kernel}},
    {"Kernel", {EventKind::kernel}},
    {"mtia_ccp_events", kMixed},
    {"gpu_memcpy", {EventKind::copy}},
    {"Memcpy", {EventKind::copy}},
    {"memcpy", {EventKind::copy}},
    {"gpu_memset", {EventKind::fill}},
    {"Memset", {EventKind::fill}},
    {"memset", {EventKind::fill}},
    {"cuda_runtime", {EventKind::runtimeCall}},
    {"Runtime", {EventKind::runtimeCall}},
    {"runtime", {EventKind::runtimeCall}},
    {"hip_runtime", {EventKind::runtimeCall}},
    {"privateuse1_runtime", {EventKind::runtimeCall}},
    {"mtia_runtime", {EventKind::runtimeCall}},
    {"hpu_op", {EventKind::runtimeCall}},
    {"glow_runtime", {EventKind::runtimeCall}},
    {"xpu_runtime", {EventKind::runtimeCall}},
    {"cuda_driver", {EventKind::driverCall}},
    {"Driver", {EventKind::driverCall}},
    {"privateuse1_driver", {EventKind::driverCall}},
    {"xpu_driver", {EventKind::driverCall}},
    {"cuda_sync", {EventKind::synchronization}},
    {"xpu_sync", {EventKind::synchronization}},
    {"graph_launch", {EventKind::graphLaunch}},
    {"cpu_op", {EventKind::operatorCall}},
    {"Operator", {EventKind::operatorCall}},
    {"operator", {EventKind::operatorCall}},
    {"user_annotation", {EventKind::range}},
    {"Node", kNode},
    {"UserAnnotation", {EventKind::range}},
    {"User", {EventKind::range}},
    {"gpu_user_annotation", {EventKind::deviceRange}},
    {"GpuUserAnnotation", {EventKind::deviceRange}},
    {"device_memory", {EventKind::deviceMemory}},
    {"tensor_memory", {EventKind::tensorMemory}},
    {"compilation", {EventKind::compilation}},
    {"overhead", {EventKind::overhead}},
    {"Overhead", {EventKind::overhead}},
    {"counter", {EventKind::counter}},
    {"python_function", {EventKind::scriptCall}},
    {"Python function", {EventKind::scriptCall}},
    {"cuda_profiler_range", {EventKind::profilerRange}},
    {"other", {EventKind::other}},
    {"Trace", kSpan},
    {"ac2g", kFlow},
    {"async", kFlow},
    {"async_gpu", kFlow},
    {"async_cpu_to_gpu", kFlow},
    {"fwdbwd", kFlow},
    {"forward_backward", kFlow},
};

template <typename T>
struct Word
{
    T value;
    std::string_view text;
};

constexpr Word<CopyDirection> kDirections[] = {
    {CopyDirection::hostToDevice, "HtoD"},   {CopyDirection::deviceToHost, "DtoH"},
    {CopyDirection::deviceToDevice, "DtoD"}, {CopyDirection::hostToHost, "HtoH"},
    {CopyDirection::peerToPeer, "PtoP"},     {CopyDirection::array, "AtoA"},
};

constexpr Word<MemoryKind> kMemories[] = {
    {MemoryKind::pageable, "Pageable"},
    {MemoryKind::pinned, "Pinned"},
    {MemoryKind::device, "Device"},
    {MemoryKind::array, "Array"},
    {MemoryKind::managed, "Managed"},
    {MemoryKind::deviceStatic, "Device Static"},
    {MemoryKind::managedStatic, "Managed Static"},
};

constexpr Word<SynchronizationType> kSynchronizations[] = {
    {SynchronizationType::event, "Event Sync"},
    {SynchronizationType::streamWait, "Stream Wait Event"},
    {SynchronizationType::stream, "Stream Sync"},
    {SynchronizationType::context, "Context Sync"},
};

template <typename T, std::size_t n>
std::string_view wordOf(const Word<T> (&words)[n], T value)
{
    for (const Word<T>& word : words)
        if (word.value == value)
            return word.text;
    return {};
}

template <typename T, std::size_t n>
T valueOf(const Word<T> (&words)[n], std::string_view text)
{
    for (const Word<T>& word : words)
        if (word.text == text)
            return word.value;
    return T{};
}

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

} // namespace

std::optional<Category> categoryFromString(std::string_view text)
{
    const auto at = std::find_if(std::begin(kCategories), std::end(kCategories),
                                 [text](const CategoryWord& c) { return c.word == text; });
    return at == std::end(kCategories) ? std::nullopt : std::optional(at->category);
}

std::string_view categoryOf(EventKind kind)
{
    for (const CategoryWord& c : kCategories)
        if (c.category.kind == kind && !c.category.flow && !c.category.recorder)
            return c.word;
    return "other";
}

EventKind workFromName(std::string_view name)
{
    if (name.starts_with("dma_"))
        return EventKind::copy;
    return name.starts_with("event_wait") ? EventKind::synchronization : EventKind::kernel;
}

std::string_view nodeFromName(std::string_view name)
{
    constexpr std::string_view kRun = "_kernel_time";
    return name.ends_with(kRun) ? name.substr(0, name.size() - kRun.size()) : std::string_view();
}

CopyDetail copyFromName(std::string_view name)
{
    struct Spelling
    {
        std::string_view text;
        CopyDirection direction;
    };
    static constexpr Spelling kSpellings[] = {
        {"HtoD", CopyDirection::hostToDevice},   {"HostToDevice", CopyDirection::hostToDevice},
        {"DtoH", CopyDirection::deviceToHost},   {"DeviceToHost", CopyDirection::deviceToHost},
        {"DtoD", CopyDirection::deviceToDevice}, {"DeviceToDevice", CopyDirection::deviceToDevice},
        {"HtoH", CopyDirection::hostToHost},     {"HostToHost", CopyDirection::hostToHost},
        {"PtoP", CopyDirection::peerToPeer},     {"PeerToPeer", CopyDirection::peerToPeer},
        {"HtoA", CopyDirection::array},          {"AtoH", CopyDirection::array},
        {"AtoA", CopyDirection::array},          {"AtoD", CopyDirection::array},
        {"DtoA", CopyDirection::array},          {"H2D", CopyDirection::hostToDevice},
        {"D2H", CopyDirection::deviceToHost},    {"D2D", CopyDirection::deviceToDevice},
    };
    CopyDetail detail;
    for (const Spelling& s : kSpellings)
        if (contains(name, s.text)) {
            detail.direction = s.direction;
            break;
        }
    const std::size_t open = name.find('(');
    const std::size_t arrow = name.find("->", open == std::string_view::npos ? 0 : open);
    const std::size_t close = name.find(')', arrow == std::string_view::npos ? 0 : arrow);
    if (open != std::string_view::npos && arrow != std::string_view::npos && close != std::string_view::npos) {
        detail.source = memoryFromWord(base::trimmed(name.substr(open + 1, arrow - open - 1), " "));
        detail.target = memoryFromWord(base::trimmed(name.substr(arrow + 2, close - arrow - 2), " "));
    }
    return detail;
}

std::string_view toWord(CopyDirection direction)
{
    return wordOf(kDirections, direction);
}
CopyDirection directionFromWord(std::string_view word)
{
    return valueOf(kDirections, word);
}
std::string_view toWord(MemoryKind kind)
{
    return wordOf(kMemories, kind);
}
MemoryKind memoryFromWord(std::string_view word)
{
    return valueOf(kMemories, word);
}
std::string_view toWord(SynchronizationType type)
{
    return wordOf(kSynchronizations, type);
}
SynchronizationType synchronizationFromWord(std::string_view word)
{
    if (word.starts_with("Event Sync"))
        return SynchronizationType::event;
    if (word.starts_with("Stream Sync"))
        return SynchronizationType::stream;
    if (word.starts_with("Context Sync") || word.starts_with("Device Sync"))
        return SynchronizationType::context;
    return word.starts_with("Stream Wait") ? SynchronizationType::streamWait : SynchronizationType::unknown;
}

namespace {

struct FieldName
{
    std::string_view name;
    Field field = Field::none;
};

// The first name of a field is the one that is written.
constexpr FieldName kArguments[] = {
    {"External id", Field::externalId},
    {"external id", Field::externalId},
    {"correlation", Field::correlation},
    {"device", Field::device},
    {"context", Field::context},
    {"stream", Field::stream},
    {"bytes", Field::bytes},
    {"Bytes", Field::bytes},
    {"size", Field::size},
    {"grid", Field::grid},
    {"block", Field::block},
    {"cluster", Field::cluster},
    {"registers per thread", Field::registers},
    {"shared memory", Field::sharedMemory},
    {"static shared memory", Field::staticSharedMemory},
    {"local memory per thread", Field::localMemory},
    {"graph id", Field::graph},
    {"graph node id", Field::graphNode},
    {"est. achieved occupancy %", Field::occupancy},
    {"Input Dims", Field::inputShapes},
    {"Input dims", Field::inputShapes},
    {"Input type", Field::inputTypes},
    {"Module Hierarchy", Field::module},
    {"Sequence number", Field::sequence},
    {"cuda_sync_kind", Field::syncKind},
    {"wait_on_cuda_event_id", Field::waitEvent},
    {"kind", Field::copyKind},
    {"source", Field::source},
    {"target", Field::target},
    {"async", Field::asynchronous},
    {"source device", Field::sourceDevice},
    {"target device", Field::targetDevice},
    {"Device Type", Field::deviceType},
    {"Device Id", Field::deviceId},
    {"Addr", Field::address},
    {"Total Allocated", Field::totalAllocated},
    {"Total Reserved", Field::totalReserved},
    {"memory kind", Field::memoryKind},
    {"owner", Field::owner},
    {"note", Field::note},
    {"value", Field::value},
    {"name", Field::argName},
    {"op_name", Field::operation},
    {"input_type_shape", Field::shapesByTypes},
};

/// A table that finds most names with one comparison.
class FieldTable
{
public:
    FieldTable()
    {
        for (const FieldName& name : kArguments) {
            std::size_t slot = slotOf(name.name);
            while (!m_slots[slot].name.empty())
                slot = (slot + 1) % kSlots;
            m_slots[slot] = name;
        }
    }
    Field find(std::string_view name) const
    {
        if (name.empty())
            return Field::none;
        for (std::size_t slot = slotOf(name); !m_slots[slot].name.empty(); slot = (slot + 1) % kSlots)
            if (m_slots[slot].name == name)
                return m_slots[slot].field;
        return Field::none;
    }

private:
    static constexpr std::size_t kSlots = 256;
    static std::size_t slotOf(std::string_view name)
    {
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
        return (name.size() * 31 + byte(0) * 7u + byte(name.size() / 2) * 13u + byte(name.size() - 1)) % kSlots;
    }
    std::array<FieldName, kSlots> m_slots{};
};

const FieldTable kTable;

} // namespace

Field eventField(std::string_view name)
{
    switch (name.size()) {
    case 2:
        return name == "ph" ? Field::phase : name == "ts" ? Field::time : name == "id" ? Field::id : Field::none;
    case 3:
        return name == "cat"   ? Field::category
               : name == "dur" ? Field::duration
               : name == "pid" ? Field::process
               : name == "tid" ? Field::thread
               : name == "id2" ? Field::id // an object in newer traces of Chrome
                               : Field::none;
    case 4:
        return name == "name" ? Field::name : name == "args" ? Field::args : Field::none;
    default:
        return Field::none;
    }
}

Field argumentField(std::string_view name)
{
    return kTable.find(name);
}

std::string_view argumentName(Field field)
{
    for (const FieldName& name : kArguments)
        if (name.field == field)
            return name.name;
    return {};
}

} // namespace apertune::trace::kineto

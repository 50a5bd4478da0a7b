// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/vocabulary.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace apertune::interchange::chrome {

namespace {

struct CategoryWord
{
    std::string_view word;
    Category category;
};

constexpr Category kFlow{.kind = trace::EventKind::other, .flow = true};
constexpr Category kBackwardFlow{.kind = trace::EventKind::other, .flow = true, .backward = true};
constexpr Category kSpan{.kind = trace::EventKind::other, .recorder = true};
constexpr Category kMixed{.kind = trace::EventKind::kernel, .mixed = true};
constexpr Category kNode{.kind = trace::EventKind::range, .node = true};

// The exporter writes the first word of each kind. The others are those of older recorders and of PyTorch's other
// devices (HIP, XPU, MTIA, Gaudi, Glow, devices of third parties).
constexpr CategoryWord kCategories[] = {
    {"kernel", {trace::EventKind::kernel}},
    {"Kernel", {trace::EventKind::kernel}},
    {"mtia_ccp_events", kMixed},
    {"gpu_memcpy", {trace::EventKind::copy}},
    {"Memcpy", {trace::EventKind::copy}},
    {"memcpy", {trace::EventKind::copy}},
    {"gpu_memset", {trace::EventKind::memset}},
    {"Memset", {trace::EventKind::memset}},
    {"memset", {trace::EventKind::memset}},
    {"cuda_runtime", {trace::EventKind::runtimeCall}},
    {"Runtime", {trace::EventKind::runtimeCall}},
    {"runtime", {trace::EventKind::runtimeCall}},
    {"hip_runtime", {trace::EventKind::runtimeCall}},
    {"privateuse1_runtime", {trace::EventKind::runtimeCall}},
    {"mtia_runtime", {trace::EventKind::runtimeCall}},
    {"hpu_op", {trace::EventKind::runtimeCall}},
    {"glow_runtime", {trace::EventKind::runtimeCall}},
    {"xpu_runtime", {trace::EventKind::runtimeCall}},
    {"cuda_driver", {trace::EventKind::driverCall}},
    {"Driver", {trace::EventKind::driverCall}},
    {"privateuse1_driver", {trace::EventKind::driverCall}},
    {"xpu_driver", {trace::EventKind::driverCall}},
    {"cuda_sync", {trace::EventKind::synchronization}},
    {"xpu_sync", {trace::EventKind::synchronization}},
    {"graph_launch", {trace::EventKind::graphLaunch}},
    {"cpu_op", {trace::EventKind::operatorCall}},
    {"Operator", {trace::EventKind::operatorCall}},
    {"operator", {trace::EventKind::operatorCall}},
    {"user_annotation", {trace::EventKind::range}},
    {"Node", kNode},
    {"UserAnnotation", {trace::EventKind::range}},
    {"User", {trace::EventKind::range}},
    {"gpu_user_annotation", {trace::EventKind::deviceRange}},
    {"GpuUserAnnotation", {trace::EventKind::deviceRange}},
    {"device_memory", {trace::EventKind::deviceMemory}},
    {"tensor_memory", {trace::EventKind::tensorMemory}},
    {"compilation", {trace::EventKind::compilation}},
    {"overhead", {trace::EventKind::overhead}},
    {"Overhead", {trace::EventKind::overhead}},
    {"counter", {trace::EventKind::counter}},
    {"python_function", {trace::EventKind::scriptCall}},
    {"Python function", {trace::EventKind::scriptCall}},
    {"cuda_profiler_range", {trace::EventKind::profilerRange}},
    {"other", {trace::EventKind::other}},
    {"Trace", kSpan},
    {"ac2g", kFlow},
    {"async", kFlow},
    {"async_gpu", kFlow},
    {"async_cpu_to_gpu", kFlow},
    {"fwdbwd", kBackwardFlow},
    {"forward_backward", kBackwardFlow},
};

template <typename T>
struct Word
{
    T value;
    std::string_view text;
};

constexpr Word<trace::CopyDirection> kDirections[] = {
    {trace::CopyDirection::hostToDevice, "HtoD"},   {trace::CopyDirection::deviceToHost, "DtoH"},
    {trace::CopyDirection::deviceToDevice, "DtoD"}, {trace::CopyDirection::hostToHost, "HtoH"},
    {trace::CopyDirection::peerToPeer, "PtoP"},     {trace::CopyDirection::array, "AtoA"},
};

constexpr Word<trace::MemoryKind> kMemories[] = {
    {trace::MemoryKind::pageable, "Pageable"},
    {trace::MemoryKind::pinned, "Pinned"},
    {trace::MemoryKind::device, "Device"},
    {trace::MemoryKind::array, "Array"},
    {trace::MemoryKind::managed, "Managed"},
    {trace::MemoryKind::deviceStatic, "Device Static"},
    {trace::MemoryKind::managedStatic, "Managed Static"},
};

constexpr Word<trace::SynchronizationType> kSynchronizations[] = {
    {trace::SynchronizationType::event, "Event Sync"},
    {trace::SynchronizationType::streamWait, "Stream Wait Event"},
    {trace::SynchronizationType::stream, "Stream Sync"},
    {trace::SynchronizationType::context, "Context Sync"},
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

std::string_view categoryOf(trace::EventKind kind)
{
    for (const CategoryWord& c : kCategories)
        if (c.category.kind == kind && !c.category.flow && !c.category.recorder)
            return c.word;
    return "other";
}

trace::EventKind workFromName(std::string_view name)
{
    if (name.starts_with("dma_"))
        return trace::EventKind::copy;
    return name.starts_with("event_wait") ? trace::EventKind::synchronization : trace::EventKind::kernel;
}

std::string_view nodeFromName(std::string_view name)
{
    constexpr std::string_view kRun = "_kernel_time";
    return name.ends_with(kRun) ? name.substr(0, name.size() - kRun.size()) : std::string_view();
}

trace::CopyDetail copyFromName(std::string_view name)
{
    using trace::CopyDirection;
    struct Spelling
    {
        std::string_view text;
        CopyDirection direction;
    };
    static constexpr Spelling kSpellings[] = {
        {"HtoD", CopyDirection::hostToDevice},
        {"HostToDevice", CopyDirection::hostToDevice},
        {"DtoH", CopyDirection::deviceToHost},
        {"DeviceToHost", CopyDirection::deviceToHost},
        {"DtoD", CopyDirection::deviceToDevice},
        {"DeviceToDevice", CopyDirection::deviceToDevice},
        {"HtoH", CopyDirection::hostToHost},
        {"HostToHost", CopyDirection::hostToHost},
        {"PtoP", CopyDirection::peerToPeer},
        {"PeerToPeer", CopyDirection::peerToPeer},
        {"HtoA", CopyDirection::array},
        {"AtoH", CopyDirection::array},
        {"AtoA", CopyDirection::array},
        {"AtoD", CopyDirection::array},
        {"DtoA", CopyDirection::array},
        {"H2D", CopyDirection::hostToDevice},
        {"D2H", CopyDirection::deviceToHost},
        {"D2D", CopyDirection::deviceToDevice},
        {"HOST_TO_DEVICE", CopyDirection::hostToDevice},
        {"DEVICE_TO_HOST", CopyDirection::deviceToHost},
        {"DEVICE_TO_DEVICE", CopyDirection::deviceToDevice},
        {"HOST_TO_HOST", CopyDirection::hostToHost},
    };
    trace::CopyDetail detail;
    for (const Spelling& s : kSpellings)
        if (contains(name, s.text)) {
            detail.direction = s.direction;
            break;
        }
    // "Memcpy HtoD (Pinned -> Device)". A part that is missing leaves both kinds of memory unknown.
    const std::size_t open = name.find('(');
    const std::size_t arrow = name.find("->", open == std::string_view::npos ? 0 : open);
    const std::size_t close = name.find(')', arrow == std::string_view::npos ? 0 : arrow);
    if (open != std::string_view::npos && arrow != std::string_view::npos && close != std::string_view::npos) {
        detail.source = memoryFromWord(base::trimmed(name.substr(open + 1, arrow - open - 1), " "));
        detail.target = memoryFromWord(base::trimmed(name.substr(arrow + 2, close - arrow - 2), " "));
    }
    return detail;
}

std::string_view toWord(trace::CopyDirection direction)
{
    return wordOf(kDirections, direction);
}
trace::CopyDirection directionFromWord(std::string_view word)
{
    return valueOf(kDirections, word);
}
std::string_view toWord(trace::MemoryKind kind)
{
    return wordOf(kMemories, kind);
}
trace::MemoryKind memoryFromWord(std::string_view word)
{
    return valueOf(kMemories, word);
}
std::string_view toWord(trace::SynchronizationType type)
{
    return wordOf(kSynchronizations, type);
}
trace::SynchronizationType synchronizationFromWord(std::string_view word)
{
    if (word.starts_with("Event Sync"))
        return trace::SynchronizationType::event;
    if (word.starts_with("Stream Sync"))
        return trace::SynchronizationType::stream;
    if (word.starts_with("Context Sync") || word.starts_with("Device Sync"))
        return trace::SynchronizationType::context;
    return word.starts_with("Stream Wait") ? trace::SynchronizationType::streamWait
                                           : trace::SynchronizationType::unknown;
}

namespace {

struct FieldName
{
    std::string_view name;
    Field field = Field::none;
};

// The exporter writes the first name of each field.
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
    {"Input Strides", Field::inputStrides},
    {"Collective name", Field::collective},
    {"dtype", Field::elementType},
    {"In msg nelems", Field::inElements},
    {"Out msg nelems", Field::outElements},
    {"In split size", Field::inSplit},
    {"Out split size", Field::outSplit},
    {"Process Group Name", Field::groupName},
    {"Process Group ID", Field::groupName},
    {"Process Group Description", Field::groupDescription},
    {"Group size", Field::groupSize},
    {"Process Group Ranks", Field::groupRanks},
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
    static constexpr std::size_t kSlots = 256; ///< four times the names, so that few share a slot
    static std::size_t slotOf(std::string_view name)
    {
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
        // Length and three letters distinguish nearly all names in the table. The whole name is compared in any case.
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
               : name == "id2" ? Field::id // newer traces of Chrome have an object here
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

} // namespace apertune::interchange::chrome

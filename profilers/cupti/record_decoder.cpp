// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/record_decoder.h"

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <memory>

namespace apertune::profilers {

using trace::Event;
using trace::EventColumns;
using trace::EventKind;
using trace::StringId;
using trace::Track;
using trace::TrackId;
using trace::TrackType;

namespace {

constexpr std::size_t kSlots = 4096;

std::size_t slotOf(const void* pointer)
{
    return (reinterpret_cast<std::uintptr_t>(pointer) * 0x9e3779b97f4a7c15u) >> 52;
}

std::size_t slotOf(const trace::KernelDetail& d)
{
    std::uint64_t hash = d.grid[0] * 31 + d.grid[1] * 37 + d.grid[2] * 41 + d.block[0] * 43 + d.block[1] * 47 +
                         d.registersPerThread * 53 + d.graphNode * 59;
    hash += static_cast<std::uint64_t>(d.dynamicSharedBytes) * 61;
    return (hash * 0x9e3779b97f4a7c15u) >> 52;
}

std::string demangled(const char* name)
{
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
    return status == 0 && text ? text.get() : name;
}

} // namespace

RecordDecoder::RecordDecoder(const CuptiApi& api, trace::TraceBuilder& into, std::int64_t origin)
    : m_api(api), m_into(into), m_origin(origin), m_names(kSlots), m_kernels(kSlots), m_kernelDetails(kSlots)
{
}

void RecordDecoder::decode(std::uint8_t* buffer, std::size_t valid)
{
    CUpti_Activity* record = nullptr;
    while (valid > 0) {
        const CUptiResult result = m_api.activityGetNextRecord(buffer, valid, &record);
        if (result == CUPTI_ERROR_MAX_LIMIT_REACHED)
            return;
        if (result != CUPTI_SUCCESS) {
            ++m_unreadable;
            return;
        }
        ++m_counts.records;
        switch (dispatch(record)) {
        case Outcome::event:
            ++m_counts.events;
            break;
        case Outcome::closed:
            ++m_counts.events;
            --m_counts.open;
            break;
        case Outcome::opened:
            ++m_counts.open;
            ++m_counts.context;
            break;
        case Outcome::context:
            ++m_counts.context;
            break;
        case Outcome::unknown:
            ++m_counts.unknown;
            ++m_unknownKinds[record->kind];
            break;
        case Outcome::timeless:
            ++m_counts.timeless;
            break;
        }
    }
}

RecordDecoder::Outcome RecordDecoder::dispatch(const CUpti_Activity* record)
{
    const auto as = [record]<typename T>(const T*) -> const T& { return *reinterpret_cast<const T*>(record); };
#define APERTUNE_AS(type) as(static_cast<const type*>(nullptr))
    switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return kernel(APERTUNE_AS(CUpti_ActivityKernel10));
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
    case CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API:
        return call(APERTUNE_AS(CUpti_ActivityAPI));
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return copy(APERTUNE_AS(CUpti_ActivityMemcpy6));
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        return peerCopy(APERTUNE_AS(CUpti_ActivityMemcpyPtoP4));
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return fill(APERTUNE_AS(CUpti_ActivityMemset4));
    case CUPTI_ACTIVITY_KIND_MEMORY2:
        return memory(APERTUNE_AS(CUpti_ActivityMemory4));
    case CUPTI_ACTIVITY_KIND_MEMORY_POOL:
        return pool(APERTUNE_AS(CUpti_ActivityMemoryPool3));
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
        return synchronization(APERTUNE_AS(CUpti_ActivitySynchronization2));
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
        return cudaEvent(APERTUNE_AS(CUpti_ActivityCudaEvent2));
    case CUPTI_ACTIVITY_KIND_DEVICE:
        return device(APERTUNE_AS(CUpti_ActivityDevice5));
    case CUPTI_ACTIVITY_KIND_CONTEXT: {
        const auto& r = APERTUNE_AS(CUpti_ActivityContext3);
        m_contextDevice[r.contextId] = r.deviceId;
        return Outcome::context;
    }
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
        const auto& r = APERTUNE_AS(CUpti_ActivityExternalCorrelation);
        m_links.emplace_back(r.correlationId, static_cast<std::uint32_t>(r.externalId));
        return Outcome::context;
    }
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
        return overhead(APERTUNE_AS(CUpti_ActivityOverhead3));
    case CUPTI_ACTIVITY_KIND_MARKER:
        return marker(APERTUNE_AS(CUpti_ActivityMarker2));
    case CUPTI_ACTIVITY_KIND_NAME:
        return nameOf(APERTUNE_AS(CUpti_ActivityName));
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
        return graph(APERTUNE_AS(CUpti_ActivityGraphTrace2));
    case CUPTI_ACTIVITY_KIND_JIT:
        return compilation(APERTUNE_AS(CUpti_ActivityJit2));
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
        return unifiedMemory(APERTUNE_AS(CUpti_ActivityUnifiedMemoryCounter3));
    case CUPTI_ACTIVITY_KIND_ENVIRONMENT:
        return environment(APERTUNE_AS(CUpti_ActivityEnvironment));
    case CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS:
        return decompression(APERTUNE_AS(CUpti_ActivityMemDecompress));
    case CUPTI_ACTIVITY_KIND_PCIE:
        return link(APERTUNE_AS(CUpti_ActivityPcie));
    case CUPTI_ACTIVITY_KIND_CONFIDENTIAL_COMPUTE_ROTATION:
        return keyRotation(APERTUNE_AS(CUpti_ActivityConfidentialComputeRotation));
    case CUPTI_ACTIVITY_KIND_STREAM:
    case CUPTI_ACTIVITY_KIND_MARKER_DATA:
    case CUPTI_ACTIVITY_KIND_NVLINK:
    case CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE:
        return Outcome::context;
    default:
        return Outcome::unknown;
    }
#undef APERTUNE_AS
}

bool RecordDecoder::timed(Event& event, std::uint64_t start, std::uint64_t end) const
{
    if (start == 0 || end < start)
        return false;
    event.start.count = static_cast<std::int64_t>(start) - m_origin;
    event.duration.count = static_cast<std::int64_t>(end - start);
    return true;
}

RecordDecoder::Outcome RecordDecoder::add(EventColumns& columns, const Event& event)
{
    columns.append(event);
    return Outcome::event;
}

StringId RecordDecoder::text(const char* text)
{
    if (!text)
        return {};
    NameSlot& slot = m_names[slotOf(text)];
    if (slot.pointer != text || m_into.head().strings[slot.id.value] != text)
        slot = {text, m_into.intern(text)};
    return slot.id;
}

StringId RecordDecoder::kernelName(const char* mangled)
{
    if (!mangled)
        return {};
    KernelName& slot = m_kernels[slotOf(mangled)];
    if (slot.pointer != mangled || *slot.mangled != mangled) {
        const auto [it, added] = m_demangled.try_emplace(mangled);
        if (added)
            it->second = m_into.intern(demangled(mangled));
        slot = {mangled, &it->first, it->second};
    }
    return slot.id;
}

StringId RecordDecoder::callName(CUpti_CallbackDomain domain, CUpti_CallbackId cbid)
{
    std::vector<StringId>& known = m_calls[domain == CUPTI_CB_DOMAIN_RUNTIME_API ? 0 : 1];
    if (cbid >= known.size())
        known.resize(cbid + 1);
    if (!known[cbid]) {
        const char* name = nullptr;
        if (m_api.getCallbackName(domain, cbid, &name) != CUPTI_SUCCESS || !name)
            known[cbid] = m_into.intern((domain == CUPTI_CB_DOMAIN_RUNTIME_API ? "runtime call " : "driver call ") +
                                        std::to_string(cbid));
        else
            known[cbid] = m_into.intern(name);
    }
    return known[cbid];
}

std::uint32_t RecordDecoder::kernelDetail(const trace::KernelDetail& detail)
{
    KernelSlot& slot = m_kernelDetails[slotOf(detail)];
    if (slot.index == 0 || slot.detail != detail)
        slot = {detail, m_into.detail(detail)};
    return slot.index;
}

EventColumns& RecordDecoder::remembered(TrackId track, EventKind kind)
{
    EventColumns*& columns = m_columns[{track.value, kind}];
    if (!columns)
        columns = &m_into.columns(track, kind);
    return *columns;
}

TrackId RecordDecoder::streamTrack(std::int64_t device, std::int64_t context, std::int64_t stream)
{
    if (stream < 0 && device >= 0)
        return deviceTrack(static_cast<std::uint32_t>(device)); // of no single stream, as importers have it
    Track track;
    track.type = TrackType::stream;
    track.device = device;
    track.context = context;
    track.stream = stream;
    track.label = stream < 0 ? "context " + std::to_string(context) : "stream " + std::to_string(stream);
    return m_into.track(track);
}

TrackId RecordDecoder::threadTrack(std::uint32_t process, std::uint32_t thread)
{
    Track track;
    track.process = process;
    track.thread = thread;
    track.label = process == thread ? "main thread" : "thread " + std::to_string(thread);
    return m_into.track(track);
}

TrackId RecordDecoder::deviceTrack(std::uint32_t device)
{
    Track track;
    track.type = TrackType::device;
    track.device = device;
    track.label = "GPU " + std::to_string(device);
    return m_into.track(track);
}

TrackId RecordDecoder::objectTrack(CUpti_ActivityObjectKind kind, const CUpti_ActivityObjectKindId& id)
{
    Track track;
    switch (kind) {
    case CUPTI_ACTIVITY_OBJECT_THREAD:
        return threadTrack(id.pt.processId, id.pt.threadId);
    case CUPTI_ACTIVITY_OBJECT_DEVICE:
        return deviceTrack(id.dcs.deviceId);
    case CUPTI_ACTIVITY_OBJECT_CONTEXT:
    case CUPTI_ACTIVITY_OBJECT_STREAM:
        return streamTrack(id.dcs.deviceId, id.dcs.contextId,
                           kind == CUPTI_ACTIVITY_OBJECT_STREAM ? static_cast<std::int64_t>(id.dcs.streamId) : -1);
    case CUPTI_ACTIVITY_OBJECT_PROCESS:
        track.process = id.pt.processId;
        [[fallthrough]];
    default:
        track.type = TrackType::process;
        track.label = "process";
        return m_into.track(track);
    }
}

EventColumns& RecordDecoder::onStream(EventKind kind, std::uint32_t device, std::uint32_t context, std::uint32_t stream)
{
    // Runs of records are of one stream, so that the last one nearly always fits.
    const std::uint64_t key[3] = {std::uint64_t{device} << 32 | context, stream, static_cast<std::uint64_t>(kind)};
    if (!m_streamColumns || std::memcmp(key, m_lastStream, sizeof key) != 0) {
        std::memcpy(m_lastStream, key, sizeof key);
        m_streamColumns = &remembered(streamTrack(device, context, stream), kind);
    }
    return *m_streamColumns;
}

EventColumns& RecordDecoder::onThread(EventKind kind, std::uint32_t process, std::uint32_t thread)
{
    const std::uint64_t key[2] = {std::uint64_t{process} << 32 | thread, static_cast<std::uint64_t>(kind)};
    if (!m_threadColumns || std::memcmp(key, m_lastThread, sizeof key) != 0) {
        std::memcpy(m_lastThread, key, sizeof key);
        m_threadColumns = &remembered(threadTrack(process, thread), kind);
    }
    return *m_threadColumns;
}

trace::DeviceProperties& RecordDecoder::properties(std::int64_t device)
{
    for (trace::DeviceProperties& known : m_into.head().devices)
        if (known.id == device)
            return known;
    trace::DeviceProperties& made = m_into.head().devices.emplace_back();
    made.id = device;
    return made;
}

void RecordDecoder::finish()
{
    // External ids come before, beside or after what they belong to, in any buffer: joined when all are here.
    std::unordered_map<std::uint32_t, std::uint32_t> links;
    links.reserve(m_links.size());
    for (const auto& [correlation, external] : m_links)
        links[correlation] = external;
    if (!links.empty())
        for (const auto& [key, columns] : m_columns)
            for (std::size_t i = 0; i < columns->correlation.size(); ++i)
                if (const auto it = links.find(columns->correlation[i]);
                    columns->correlation[i] != 0 && it != links.end()) {
                    columns->link.resize(columns->size());
                    columns->link[i] = it->second;
                }
    const auto lose = [&](EventKind kind, std::uint64_t count, trace::Severity severity, std::string reason) {
        if (count > 0)
            m_into.addLoss({{}, kind, static_cast<std::int64_t>(count), severity, std::move(reason)});
    };
    lose(EventKind::range, m_counts.open, trace::Severity::notice, "NVTX ranges had not ended when the capture did.");
    lose(EventKind::other, m_counts.timeless, trace::Severity::warning,
         "CUPTI could not tell when these records happened.");
    lose(EventKind::kernel, m_unreadable, trace::Severity::error, "The rest of these CUPTI buffers could not be read.");
    for (const auto& [kind, count] : m_unknownKinds)
        lose(EventKind::other, count, trace::Severity::notice,
             "CUPTI records of kind " + std::to_string(kind) + " are not known to this version.");
}

} // namespace apertune::profilers

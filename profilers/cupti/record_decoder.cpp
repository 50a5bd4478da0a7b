// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/record_decoder.h"

#include "profilers/cupti/reasons.h"
#include "profilers/cupti/record_layout.h"
#include "profilers/cupti/record_reader.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace apertune::profilers {

using trace::CopyDirection;
using trace::Event;
using trace::EventKind;
using trace::MemoryKind;

namespace {

/// Returns whether a record of this kind takes memory that grows with the number of records. Records that end or free
/// something are read even when the memory is full.
bool takesRoom(CUpti_ActivityKind kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
    case CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API:
    case CUPTI_ACTIVITY_KIND_MEMCPY:
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
    case CUPTI_ACTIVITY_KIND_MEMSET:
    case CUPTI_ACTIVITY_KIND_MEMORY2:
    case CUPTI_ACTIVITY_KIND_MEMORY_POOL:
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
    case CUPTI_ACTIVITY_KIND_JIT:
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
    case CUPTI_ACTIVITY_KIND_ENVIRONMENT:
    case CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS:
    case CUPTI_ACTIVITY_KIND_CONFIDENTIAL_COMPUTE_ROTATION:
        return true;
    default:
        return false;
    }
}

MemoryKind memoryKind(std::uint32_t kind)
{
    return kind <= static_cast<std::uint32_t>(MemoryKind::managedStatic) ? static_cast<MemoryKind>(kind)
                                                                         : MemoryKind::unknown;
}

trace::SynchronizationType synchronizationType(std::uint32_t type)
{
    using trace::SynchronizationType;
    return type <= static_cast<std::uint32_t>(SynchronizationType::context) ? static_cast<SynchronizationType>(type)
                                                                            : SynchronizationType::unknown;
}

const char* word(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::pageable:
        return "Pageable";
    case MemoryKind::pinned:
        return "Pinned";
    case MemoryKind::device:
    case MemoryKind::deviceStatic:
        return "Device";
    case MemoryKind::array:
        return "Array";
    case MemoryKind::managed:
    case MemoryKind::managedStatic:
        return "Managed";
    case MemoryKind::unknown:
        break;
    }
    return "Unknown";
}

CopyDirection direction(std::uint8_t kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
        return CopyDirection::hostToDevice;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
        return CopyDirection::deviceToHost;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
        return CopyDirection::deviceToDevice;
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
        return CopyDirection::hostToHost;
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
        return CopyDirection::peerToPeer;
    case CUPTI_ACTIVITY_MEMCPY_KIND_UNKNOWN:
        return CopyDirection::unknown;
    default:
        return CopyDirection::array;
    }
}

std::string copyName(CopyDirection where, MemoryKind from, MemoryKind to)
{
    const char* way = where == CopyDirection::hostToDevice     ? "HtoD"
                      : where == CopyDirection::deviceToHost   ? "DtoH"
                      : where == CopyDirection::deviceToDevice ? "DtoD"
                      : where == CopyDirection::hostToHost     ? "HtoH"
                      : where == CopyDirection::peerToPeer     ? "PtoP"
                                                               : "Array";
    return std::string("Memcpy ") + way + " (" + word(from) + " -> " + word(to) + ")";
}

template <typename Record>
trace::CopyDetail copyDetail(const Record& r)
{
    trace::CopyDetail detail;
    detail.direction = direction(r.copyKind);
    detail.source = memoryKind(r.srcKind);
    detail.target = memoryKind(r.dstKind);
    detail.asynchronous = (r.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0;
    detail.graph = r.graphId;
    detail.graphNode = r.graphNodeId;
    return detail;
}

const char* overheadName(std::uint32_t kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
        return "driver compiler";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
        return "CUPTI buffer flush";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
        return "CUPTI instrumentation";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
        return "CUPTI resource";
    case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
        return "module loading";
    case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
        return "lazy function loading";
    case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
        return "command buffer full";
    case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST:
        return "activity buffer request";
    case CUPTI_ACTIVITY_OVERHEAD_UVM_ACTIVITY_INIT:
        return "unified memory set-up";
    default:
        return "overhead";
    }
}

} // namespace

RecordDecoder::RecordDecoder(const CuptiApi& api, trace::TraceBuilder& into, std::int64_t origin, std::uint64_t most)
    : m_api(api), m_into(into), m_origin(origin), m_most(most), m_names(api, into), m_series(into)
{
}

void RecordDecoder::decode(std::uint8_t* buffer, std::size_t valid)
{
    if (valid == 0)
        return;
    m_names.nextBuffer();
    RecordReader reader(m_api, buffer, valid);
    while (true) {
        const CUptiResult result = reader.next();
        // CUPTI's way to report the end of a buffer.
        if (result == CUPTI_ERROR_MAX_LIMIT_REACHED)
            return;
        if (result != CUPTI_SUCCESS) {
            ++m_unreadable;
            return;
        }
        const CUpti_Activity* const record = reader.record();
        ++m_counts.records;
        switch (full() && takesRoom(record->kind) ? Outcome::dropped : dispatch(record)) {
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
        case Outcome::untimed:
            ++m_counts.untimed;
            break;
        case Outcome::dropped:
            ++m_counts.dropped;
            break;
        }
    }
}

RecordDecoder::Outcome RecordDecoder::dispatch(const CUpti_Activity* record)
{
    switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return kernel(*reinterpret_cast<const CUpti_ActivityKernel10*>(record));
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
    case CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API:
        return call(*reinterpret_cast<const CUpti_ActivityAPI*>(record));
    default:
        return dispatchOthers(record);
    }
}

RecordDecoder::Outcome RecordDecoder::dispatchOthers(const CUpti_Activity* record)
{
    const auto as = [record]<typename T>(const T*) -> const T& { return *reinterpret_cast<const T*>(record); };
#define APERTUNE_AS(type) as(static_cast<const type*>(nullptr))
    switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return copy(APERTUNE_AS(CUpti_ActivityMemcpy6));
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        return peerCopy(APERTUNE_AS(CUpti_ActivityMemcpyPtoP4));
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return memorySet(APERTUNE_AS(CUpti_ActivityMemset4));
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
        m_links.add(r.correlationId, static_cast<std::uint32_t>(r.externalId));
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

RecordDecoder::Outcome RecordDecoder::kernel(const CUpti_ActivityKernel10& r)
{
    Event event;
    if (!timed(event, r.start, r.end))
        return Outcome::untimed;
    const KernelLaunches::Meaning& launch = launchOf(r);
    event.name = launch.name;
    event.correlation = r.correlationId;
    event.detail = launch.detail;
    return add(*launch.series, event);
}

const KernelLaunches::Meaning& RecordDecoder::launchOf(const CUpti_ActivityKernel10& r)
{
    if (KernelLaunches::Meaning* const expected = m_launches.expected(r)) {
        // The address of a name identifies it within one buffer only.
        if (expected->buffer != m_names.buffer()) {
            expected->name = m_names.kernel(r.name);
            expected->buffer = m_names.buffer();
        }
        return *expected;
    }
    trace::KernelDetail detail;
    detail.grid = {static_cast<std::uint32_t>(r.gridX), static_cast<std::uint32_t>(r.gridY),
                   static_cast<std::uint32_t>(r.gridZ)};
    detail.block = {static_cast<std::uint32_t>(r.blockX), static_cast<std::uint32_t>(r.blockY),
                    static_cast<std::uint32_t>(r.blockZ)};
    detail.cluster = {r.clusterX, r.clusterY, r.clusterZ};
    detail.registersPerThread = r.registersPerThread;
    detail.staticSharedBytes = r.staticSharedMemory;
    detail.dynamicSharedBytes = r.dynamicSharedMemory;
    detail.localBytesPerThread = r.localMemoryPerThread;
    detail.graph = r.graphId;
    detail.graphNode = r.graphNodeId;
    return m_launches.learn(r, {m_names.kernel(r.name), m_into.detail(detail),
                                &m_series.onStream(EventKind::kernel, r.deviceId, r.contextId, r.streamId),
                                m_names.buffer()});
}

RecordDecoder::Outcome RecordDecoder::copy(const CUpti_ActivityMemcpy6& r)
{
    return addCopy(r, copyDetail(r));
}

RecordDecoder::Outcome RecordDecoder::peerCopy(const CUpti_ActivityMemcpyPtoP4& r)
{
    trace::CopyDetail detail = copyDetail(r);
    detail.sourceDevice = static_cast<std::int32_t>(r.srcDeviceId);
    detail.targetDevice = static_cast<std::int32_t>(r.dstDeviceId);
    return addCopy(r, detail);
}

template <typename Record>
RecordDecoder::Outcome RecordDecoder::addCopy(const Record& r, const trace::CopyDetail& detail)
{
    Event event;
    if (!timed(event, r.start, r.end))
        return Outcome::untimed;
    event.name = m_into.intern(copyName(detail.direction, detail.source, detail.target));
    event.correlation = r.correlationId;
    event.detail = m_into.detail(detail);
    event.value = static_cast<std::int64_t>(r.bytes);
    return add(m_series.onStream(EventKind::copy, r.deviceId, r.contextId, r.streamId), event);
}

RecordDecoder::Outcome RecordDecoder::memorySet(const CUpti_ActivityMemset4& r)
{
    Event event;
    if (!timed(event, r.start, r.end))
        return Outcome::untimed;
    trace::CopyDetail detail;
    detail.target = memoryKind(r.memoryKind);
    detail.asynchronous = (r.flags & CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC) != 0;
    detail.graph = r.graphId;
    detail.graphNode = r.graphNodeId;
    event.name = m_into.intern(std::string("Memset (") + word(detail.target) + ")");
    event.correlation = r.correlationId;
    event.detail = m_into.detail(detail);
    event.value = static_cast<std::int64_t>(r.bytes);
    return add(m_series.onStream(EventKind::memset, r.deviceId, r.contextId, r.streamId), event);
}

RecordDecoder::Outcome RecordDecoder::call(const CUpti_ActivityAPI& r)
{
    Event event;
    if (!timed(event, r.start, r.end))
        return Outcome::untimed;
    const std::uint64_t function = std::uint64_t{r.kind} << 32 | r.cbid;
    const std::uint64_t thread = std::uint64_t{r.processId} << 32 | r.threadId;
    // A thread makes few different calls, so name and columns of each are looked up once.
    const auto [caller, known] = m_callers.find(spread(function, thread), [&](const Caller& c) {
        return c.series && c.function == function && c.thread == thread;
    });
    if (!known) {
        const bool runtime = r.kind == CUPTI_ACTIVITY_KIND_RUNTIME;
        caller = {
            function, thread, m_names.call(runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API, r.cbid),
            &m_series.onThread(runtime ? EventKind::runtimeCall : EventKind::driverCall, r.processId, r.threadId)};
    }
    event.name = caller.name;
    event.correlation = r.correlationId;
    event.value = r.returnValue;
    return add(*caller.series, event);
}

RecordDecoder::Outcome RecordDecoder::memory(const CUpti_ActivityMemory4& r)
{
    Event event;
    if (!timed(event, r.timestamp, r.timestamp))
        return Outcome::untimed;
    const bool release = r.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
    trace::MemoryDetail detail;
    detail.kind = memoryKind(static_cast<std::uint32_t>(r.memoryKind));
    const bool onHost = detail.kind == MemoryKind::pageable || detail.kind == MemoryKind::pinned;
    detail.device = onHost ? -1 : static_cast<std::int32_t>(r.deviceId);
    detail.owner = m_names.text(r.source);
    event.name = m_names.text(r.name);
    event.correlation = r.correlationId;
    event.detail = m_into.detail(detail);
    event.value = static_cast<std::int64_t>(release ? 0 - r.bytes : r.bytes);
    event.address = r.address;
    return add(m_series.onDevice(EventKind::deviceMemory, r.deviceId), event);
}

RecordDecoder::Outcome RecordDecoder::pool(const CUpti_ActivityMemoryPool3& r)
{
    Event event;
    if (!timed(event, r.timestamp, r.timestamp))
        return Outcome::untimed;
    const char* what = r.memoryPoolOperationType == CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED     ? "created"
                       : r.memoryPoolOperationType == CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_DESTROYED ? "destroyed"
                                                                                                          : "trimmed";
    event.name = m_into.intern(std::string("memory pool ") + what);
    event.correlation = r.correlationId;
    event.value = static_cast<std::int64_t>(r.size);
    event.address = r.address;
    return add(m_series.onDevice(EventKind::other, r.deviceId), event);
}

RecordDecoder::Outcome RecordDecoder::synchronization(const CUpti_ActivitySynchronization2& r)
{
    Event event;
    if (!timed(event, r.start, r.end))
        return Outcome::untimed;
    trace::SynchronizationDetail detail;
    detail.type = synchronizationType(static_cast<std::uint32_t>(r.type));
    detail.event = r.cudaEventId == CUPTI_SYNCHRONIZATION_INVALID_VALUE ? 0 : r.cudaEventId;
    const bool noStream = r.streamId == CUPTI_SYNCHRONIZATION_INVALID_VALUE;
    detail.stream = noStream ? -1 : static_cast<std::int64_t>(r.streamId);
    static constexpr const char* kNames[] = {"Synchronize", "Event synchronize", "Stream wait event",
                                             "Stream synchronize", "Context synchronize"};
    event.name = m_into.intern(kNames[static_cast<std::size_t>(detail.type)]);
    event.correlation = r.correlationId;
    event.detail = m_into.detail(detail);
    event.value = r.returnValue;
    const auto owner = m_contextDevice.find(r.contextId);
    const std::int64_t device = owner == m_contextDevice.end() ? -1 : owner->second;
    return add(m_series.onTrack(EventKind::synchronization, m_series.streamTrack(device, r.contextId, detail.stream)),
               event);
}

RecordDecoder::Outcome RecordDecoder::cudaEvent(const CUpti_ActivityCudaEvent2& r)
{
    // The record names the event of a wait. It is an event of its own only when it has a time of the device.
    Event event;
    if (!timed(event, r.deviceTimestamp, r.deviceTimestamp))
        return Outcome::context;
    event.name = m_into.intern("CUDA event");
    event.correlation = r.correlationId;
    event.value = r.eventId;
    return add(m_series.onStream(EventKind::other, r.deviceId, r.contextId, r.streamId), event);
}

RecordDecoder::Outcome RecordDecoder::device(const CUpti_ActivityDevice5& r)
{
    trace::DeviceProperties& d = properties(r.id);
    if (r.name) {
        d.name = r.name;
        std::free(const_cast<char*>(r.name)); // CUPTI leaves it to the receiver (cupti_activity.h)
    }
    d.computeMajor = static_cast<int>(r.computeCapabilityMajor);
    d.computeMinor = static_cast<int>(r.computeCapabilityMinor);
    d.multiprocessors = static_cast<int>(r.numMultiprocessors);
    d.warpSize = static_cast<int>(r.numThreadsPerWarp);
    d.maxThreadsPerBlock = static_cast<int>(r.maxThreadsPerBlock);
    d.maxThreadsPerMultiprocessor = static_cast<int>(r.maxWarpsPerMultiprocessor * r.numThreadsPerWarp);
    d.registersPerMultiprocessor = static_cast<int>(r.maxRegistersPerMultiprocessor);
    d.sharedBytesPerBlock = r.maxSharedMemoryPerBlock;
    d.sharedBytesPerMultiprocessor = r.maxSharedMemoryPerMultiprocessor;
    d.totalMemory = static_cast<std::int64_t>(r.globalMemorySize);
    d.memoryBandwidth = static_cast<std::int64_t>(r.globalMemoryBandwidth * 1000); // kilobytes a second
    return Outcome::context;
}

RecordDecoder::Outcome RecordDecoder::link(const CUpti_ActivityPcie& r)
{
    // The rate is in gigatransfers per second and lane. From generation 3 on, 128 of 130 bits are data, before 8 of 10.
    if (r.type == CUPTI_PCIE_DEVICE_TYPE_GPU) {
        const double share = r.pcieGeneration >= 3 ? 128.0 / 130 : 0.8;
        properties(r.id.devId).linkBandwidth =
            static_cast<std::int64_t>(std::min(9e18, r.linkRate * 1e9 * r.linkWidth * share / 8));
    }
    return Outcome::context;
}

RecordDecoder::Outcome RecordDecoder::overhead(const CUpti_ActivityOverhead3& r)
{
    if (r.overheadKind == CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL)
        std::free(r.overheadData); // CUPTI leaves it to the receiver (cupti_activity.h)
    Event event;
    if (!timed(event, r.start, r.end))
        return Outcome::untimed;
    event.name = m_into.intern(overheadName(static_cast<std::uint32_t>(r.overheadKind)));
    event.correlation = r.correlationId;
    return add(m_series.onTrack(EventKind::overhead, m_series.objectTrack(r.objectKind, r.objectId)), event);
}

RecordDecoder::Outcome RecordDecoder::marker(const CUpti_ActivityMarker2& r)
{
    Event event;
    if (!timed(event, r.timestamp, r.timestamp))
        return Outcome::untimed;
    if (full() && !(r.flags & CUPTI_ACTIVITY_FLAG_MARKER_END))
        return Outcome::dropped;
    const trace::TrackId track = m_series.objectTrack(r.objectKind, r.objectId);
    if (r.flags & CUPTI_ACTIVITY_FLAG_MARKER_START) {
        const bool fresh = m_open.try_emplace(r.id, OpenRange{event.start.count, m_names.text(r.name), track}).second;
        return fresh ? Outcome::opened : Outcome::context;
    }
    if (r.flags & CUPTI_ACTIVITY_FLAG_MARKER_END) {
        const auto it = m_open.find(r.id);
        if (it == m_open.end())
            return Outcome::context; // began before the capture
        event.duration.count = std::max<std::int64_t>(0, event.start.count - it->second.start);
        event.start.count = it->second.start;
        event.name = it->second.name;
        m_series.onTrack(EventKind::range, it->second.track).append(event);
        m_open.erase(it);
        return Outcome::closed;
    }
    event.name = m_names.text(r.name);
    return add(m_series.onTrack(EventKind::range, track), event);
}

RecordDecoder::Outcome RecordDecoder::nameOf(const CUpti_ActivityName& r)
{
    // A context has no track of its own.
    if (r.name && r.objectKind != CUPTI_ACTIVITY_OBJECT_UNKNOWN && r.objectKind != CUPTI_ACTIVITY_OBJECT_CONTEXT)
        m_into.setLabel(m_series.objectTrack(r.objectKind, r.objectId), r.name);
    return Outcome::context;
}

RecordDecoder::Outcome RecordDecoder::graph(const CUpti_ActivityGraphTrace2& r)
{
    Event event;
    if (!timed(event, r.start, r.end))
        return Outcome::untimed;
    trace::KernelDetail detail;
    detail.graph = r.graphId;
    event.name = m_into.intern("CUDA graph " + std::to_string(r.graphId));
    event.correlation = r.correlationId;
    event.detail = m_into.detail(detail);
    return add(m_series.onStream(EventKind::graphLaunch, r.deviceId, r.contextId, r.streamId), event);
}

RecordDecoder::Outcome RecordDecoder::compilation(const CUpti_ActivityJit2& r)
{
    Event event;
    if (!timed(event, r.start, r.end))
        return Outcome::untimed;
    const char* what = r.jitOperationType == CUPTI_ACTIVITY_JIT_OPERATION_CACHE_LOAD    ? "load from the cache"
                       : r.jitOperationType == CUPTI_ACTIVITY_JIT_OPERATION_CACHE_STORE ? "store in the cache"
                                                                                        : "compile";
    const char* step = r.jitEntryType == CUPTI_ACTIVITY_JIT_ENTRY_NVVM_IR_TO_PTX ? "NVVM IR to PTX" : "PTX to cubin";
    event.name = m_into.intern(std::string("JIT ") + step + ": " + what);
    event.correlation = r.correlationId;
    event.detail = m_into.detail(trace::NoteDetail{m_names.text(r.cachePath)});
    return add(m_series.onThread(EventKind::compilation, r.processId, r.threadId), event);
}

RecordDecoder::Outcome RecordDecoder::unifiedMemory(const CUpti_ActivityUnifiedMemoryCounter3& r)
{
    Event event;
    // Some counters, such as those of page faults, have no end.
    if (!timed(event, r.start, std::max(r.start, r.end)))
        return Outcome::untimed;
    static constexpr const char* kNames[] = {"unified memory",  "unified memory HtoD", "unified memory DtoH",
                                             "CPU page fault",  "GPU page fault",      "page thrashing",
                                             "page throttling", "remote mapping",      "unified memory DtoD"};
    const auto kind = static_cast<std::uint32_t>(r.counterKind);
    event.name = m_into.intern(kNames[kind < std::size(kNames) ? kind : 0]);
    event.value = static_cast<std::int64_t>(r.value);
    event.address = r.address;
    const bool toHost = r.counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH ||
                        r.counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT;
    return add(m_series.onDevice(EventKind::other, toHost ? r.srcId : r.dstId), event);
}

void RecordDecoder::counter(std::uint32_t device, const char* label, const char* unit, std::uint64_t time,
                            std::int64_t value)
{
    Event event;
    timed(event, time, time);
    event.name = m_into.intern(label);
    event.value = value;
    m_series.counter(device, label, unit).append(event);
}

RecordDecoder::Outcome RecordDecoder::environment(const CUpti_ActivityEnvironment& r)
{
    if (r.timestamp == 0)
        return Outcome::untimed;
    switch (r.environmentKind) {
    case CUPTI_ACTIVITY_ENVIRONMENT_SPEED:
        counter(r.deviceId, "SM clock", "MHz", r.timestamp, r.data.speed.smClock);
        counter(r.deviceId, "memory clock", "MHz", r.timestamp, r.data.speed.memoryClock);
        return Outcome::event;
    case CUPTI_ACTIVITY_ENVIRONMENT_TEMPERATURE:
        counter(r.deviceId, "GPU temperature", "°C", r.timestamp, r.data.temperature.gpuTemperature);
        return Outcome::event;
    case CUPTI_ACTIVITY_ENVIRONMENT_POWER:
        counter(r.deviceId, "GPU power", "mW", r.timestamp, r.data.power.power);
        return Outcome::event;
    case CUPTI_ACTIVITY_ENVIRONMENT_COOLING:
        counter(r.deviceId, "fan", "%", r.timestamp, r.data.cooling.fanSpeed);
        return Outcome::event;
    default:
        return Outcome::unknown;
    }
}

RecordDecoder::Outcome RecordDecoder::decompression(const CUpti_ActivityMemDecompress& r)
{
    Event event;
    if (!timed(event, r.start, r.end))
        return Outcome::untimed;
    event.name = m_into.intern("hardware decompression");
    event.correlation = r.correlationId;
    event.value = static_cast<std::int64_t>(r.sourceBytes);
    return add(m_series.onStream(EventKind::other, r.deviceId, r.contextId, r.streamId), event);
}

RecordDecoder::Outcome RecordDecoder::keyRotation(const CUpti_ActivityConfidentialComputeRotation& r)
{
    Event event;
    if (!timed(event, r.timestamp, r.timestamp))
        return Outcome::untimed;
    event.name = m_into.intern("confidential computing: key rotation");
    return add(m_series.onDevice(EventKind::other, r.deviceId), event);
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

void RecordDecoder::closeOpen()
{
    if (m_open.empty())
        return;
    m_series.flush();
    const std::int64_t last = m_series.lastEnd();
    // The order is that of their ids, so that the same records give the same trace.
    const std::map<std::uint32_t, OpenRange> ranges(m_open.begin(), m_open.end());
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const auto& [id, range] : ranges) {
        Event event;
        event.start.count = range.start;
        event.duration.count = last > range.start ? last - range.start : 0;
        event.name = range.name;
        m_series.onTrack(EventKind::range, range.track).append(event);
        first = std::min(first, range.start);
    }
    m_open.clear();
    m_counts.events += m_counts.open;
    m_counts.context -= m_counts.open;
    m_into.addLoss({{first},
                    EventKind::range,
                    static_cast<std::int64_t>(m_counts.open),
                    trace::LossSeverity::notice,
                    base::message<cupti::reasons::kOpenRanges>()});
}

void RecordDecoder::finish()
{
    closeOpen();
    m_series.flush();
    // External ids come before, beside or after their records, in any buffer. So they are joined when all are here.
    m_links.close();
    m_series.link(m_links);
    const auto lose = [&](EventKind kind, std::uint64_t count, trace::LossSeverity severity, base::Message reason) {
        if (count > 0)
            m_into.addLoss({{}, kind, static_cast<std::int64_t>(count), severity, std::move(reason)});
    };
    lose(EventKind::kernel, m_counts.dropped, trace::LossSeverity::error,
         base::message<cupti::reasons::kMoreThanKept>(m_most));
    lose(EventKind::other, m_counts.untimed, trace::LossSeverity::warning, base::message<cupti::reasons::kUntimed>());
    lose(EventKind::kernel, m_unreadable, trace::LossSeverity::error,
         base::message<cupti::reasons::kUnreadableBuffers>());
    for (const auto& [kind, count] : m_unknownKinds)
        lose(EventKind::other, count, trace::LossSeverity::notice, base::message<cupti::reasons::kUnknownKind>(kind));
}

} // namespace apertune::profilers

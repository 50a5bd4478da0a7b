// SPDX-License-Identifier: GPL-3.0-or-later
// One function a record: what its fields mean as an event.
#include "profilers/cupti/record_decoder.h"

#include <algorithm>
#include <cstdlib>

namespace apertune::profilers {

using trace::CopyDirection;
using trace::Event;
using trace::EventKind;
using trace::MemoryKind;

namespace {

MemoryKind memoryKind(std::uint32_t kind)
{
    return kind <= static_cast<std::uint32_t>(MemoryKind::managedStatic) ? static_cast<MemoryKind>(kind)
                                                                         : MemoryKind::unknown;
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
        if (expected->buffer != m_buffers) {
            expected->name = kernelName(r.name);
            expected->buffer = m_buffers;
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
    return m_launches.learn(r, {kernelName(r.name), m_into.detail(detail),
                                &onStream(EventKind::kernel, r.deviceId, r.contextId, r.streamId), m_buffers});
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
    return add(onStream(EventKind::copy, r.deviceId, r.contextId, r.streamId), event);
}

RecordDecoder::Outcome RecordDecoder::fill(const CUpti_ActivityMemset4& r)
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
    return add(onStream(EventKind::memset, r.deviceId, r.contextId, r.streamId), event);
}

RecordDecoder::Outcome RecordDecoder::call(const CUpti_ActivityAPI& r)
{
    Event event;
    if (!timed(event, r.start, r.end))
        return Outcome::untimed;
    const std::uint64_t function = std::uint64_t{r.kind} << 32 | r.cbid;
    const std::uint64_t thread = std::uint64_t{r.processId} << 32 | r.threadId;
    const auto [caller, known] = m_callers.find(spread(function, thread), [&](const Caller& c) {
        return c.series && c.function == function && c.thread == thread;
    });
    if (!known) {
        const bool runtime = r.kind == CUPTI_ACTIVITY_KIND_RUNTIME;
        caller = {function, thread,
                  callName(runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API, r.cbid),
                  &onThread(runtime ? EventKind::runtimeCall : EventKind::driverCall, r.processId, r.threadId)};
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
    detail.owner = text(r.source);
    event.name = text(r.name);
    event.correlation = r.correlationId;
    event.detail = m_into.detail(detail);
    event.value = static_cast<std::int64_t>(release ? 0 - r.bytes : r.bytes);
    event.address = r.address;
    return add(remembered(deviceTrack(r.deviceId), EventKind::deviceMemory), event);
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
    return add(remembered(deviceTrack(r.deviceId), EventKind::other), event);
}

RecordDecoder::Outcome RecordDecoder::synchronization(const CUpti_ActivitySynchronization2& r)
{
    Event event;
    if (!timed(event, r.start, r.end))
        return Outcome::untimed;
    trace::SynchronizationDetail detail;
    detail.type = static_cast<trace::SynchronizationType>(r.type <= 4 ? r.type : 0);
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
    return add(remembered(streamTrack(device, r.contextId, detail.stream), EventKind::synchronization), event);
}

RecordDecoder::Outcome RecordDecoder::cudaEvent(const CUpti_ActivityCudaEvent2& r)
{
    // It says which event a wait is for; only with a time of the device is it something on a timeline.
    Event event;
    if (!timed(event, r.deviceTimestamp, r.deviceTimestamp))
        return Outcome::context;
    event.name = m_into.intern("CUDA event");
    event.correlation = r.correlationId;
    event.value = r.eventId;
    return add(onStream(EventKind::other, r.deviceId, r.contextId, r.streamId), event);
}

RecordDecoder::Outcome RecordDecoder::device(const CUpti_ActivityDevice5& r)
{
    trace::DeviceProperties& d = properties(r.id);
    if (r.name) {
        d.name = r.name;
        std::free(const_cast<char*>(r.name)); // ours, as the header says
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
    // Gigatransfers a second and lane; from generation 3 on 128 of 130 bits are data, before that 8 of 10.
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
        std::free(r.overheadData); // ours, as the header says
    Event event;
    if (!timed(event, r.start, r.end))
        return Outcome::untimed;
    event.name = m_into.intern(overheadName(static_cast<std::uint32_t>(r.overheadKind)));
    event.correlation = r.correlationId;
    return add(remembered(objectTrack(r.objectKind, r.objectId), EventKind::overhead), event);
}

RecordDecoder::Outcome RecordDecoder::marker(const CUpti_ActivityMarker2& r)
{
    Event event;
    if (!timed(event, r.timestamp, r.timestamp))
        return Outcome::untimed;
    if (full() && !(r.flags & CUPTI_ACTIVITY_FLAG_MARKER_END))
        return Outcome::beyond;
    const trace::TrackId track = objectTrack(r.objectKind, r.objectId);
    if (r.flags & CUPTI_ACTIVITY_FLAG_MARKER_START) {
        const bool fresh = m_open.try_emplace(r.id, OpenRange{event.start.count, text(r.name), track}).second;
        return fresh ? Outcome::opened : Outcome::context;
    }
    if (r.flags & CUPTI_ACTIVITY_FLAG_MARKER_END) {
        const auto it = m_open.find(r.id);
        if (it == m_open.end())
            return Outcome::context; // began before the capture
        event.duration.count = std::max<std::int64_t>(0, event.start.count - it->second.start);
        event.start.count = it->second.start;
        event.name = it->second.name;
        remembered(it->second.track, EventKind::range).append(event);
        m_open.erase(it);
        return Outcome::closed;
    }
    event.name = text(r.name);
    return add(remembered(track, EventKind::range), event);
}

RecordDecoder::Outcome RecordDecoder::nameOf(const CUpti_ActivityName& r)
{
    // A context has no track of its own.
    if (r.name && r.objectKind != CUPTI_ACTIVITY_OBJECT_UNKNOWN && r.objectKind != CUPTI_ACTIVITY_OBJECT_CONTEXT)
        m_into.setLabel(objectTrack(r.objectKind, r.objectId), r.name);
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
    return add(onStream(EventKind::graphLaunch, r.deviceId, r.contextId, r.streamId), event);
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
    event.detail = m_into.detail(trace::NoteDetail{text(r.cachePath)});
    return add(onThread(EventKind::compilation, r.processId, r.threadId), event);
}

RecordDecoder::Outcome RecordDecoder::unifiedMemory(const CUpti_ActivityUnifiedMemoryCounter3& r)
{
    Event event;
    if (!timed(event, r.start, std::max(r.start, r.end)))
        return Outcome::untimed;
    static constexpr const char* kNames[] = {"unified memory",  "unified memory HtoD", "unified memory DtoH",
                                             "CPU page fault",  "GPU page fault",      "page thrashing",
                                             "page throttling", "remote mapping",      "unified memory DtoD"};
    event.name = m_into.intern(kNames[r.counterKind <= 8 ? r.counterKind : 0]);
    event.value = static_cast<std::int64_t>(r.value);
    event.address = r.address;
    const bool toHost = r.counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH ||
                        r.counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT;
    return add(remembered(deviceTrack(toHost ? r.srcId : r.dstId), EventKind::other), event);
}

void RecordDecoder::counter(std::uint32_t device, const char* label, const char* unit, std::uint64_t time,
                            std::int64_t value)
{
    trace::Track track;
    track.type = trace::TrackType::counter;
    track.device = device;
    track.label = label;
    track.unit = unit;
    Event event;
    timed(event, time, time);
    event.name = m_into.intern(label);
    event.value = value;
    remembered(m_into.track(track), EventKind::counter).append(event);
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
    return add(onStream(EventKind::other, r.deviceId, r.contextId, r.streamId), event);
}

RecordDecoder::Outcome RecordDecoder::keyRotation(const CUpti_ActivityConfidentialComputeRotation& r)
{
    Event event;
    if (!timed(event, r.timestamp, r.timestamp))
        return Outcome::untimed;
    event.name = m_into.intern("confidential computing: key rotation");
    return add(remembered(deviceTrack(r.deviceId), EventKind::other), event);
}

} // namespace apertune::profilers

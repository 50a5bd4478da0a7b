// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/record_decoder.h"

#include "profilers/cupti/reasons.h"
#include "profilers/cupti/record_layout.h"
#include "profilers/cupti/record_reader.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
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

std::uint64_t spread(const void* pointer)
{
    return profilers::spread(reinterpret_cast<std::uintptr_t>(pointer));
}

/// Whether a record of this kind leaves something behind that grows with their number. Those that end or free something
/// are read however full it is.
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

std::string demangled(const char* name)
{
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
    return status == 0 && text ? text.get() : name;
}

} // namespace

RecordDecoder::RecordDecoder(const CuptiApi& api, trace::TraceBuilder& into, std::int64_t origin, std::uint64_t most)
    : m_api(api), m_into(into), m_origin(origin), m_most(most)
{
}

void RecordDecoder::decode(std::uint8_t* buffer, std::size_t valid)
{
    if (valid == 0)
        return;
    ++m_buffers;
    RecordReader reader(m_api, buffer, valid);
    while (true) {
        const CUptiResult result = reader.next();
        if (result == CUPTI_ERROR_MAX_LIMIT_REACHED)
            return;
        if (result != CUPTI_SUCCESS) {
            ++m_unreadable;
            return;
        }
        const CUpti_Activity* const record = reader.record();
        ++m_counts.records;
        switch (full() && takesRoom(record->kind) ? Outcome::beyond : dispatch(record)) {
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
        case Outcome::beyond:
            ++m_counts.beyond;
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

StringId RecordDecoder::text(const char* text)
{
    if (!text)
        return {};
    const auto [name, known] = m_names.find(spread(text), [text](const Name& n) { return n.pointer == text; });
    if (!known || (name.buffer != m_buffers && m_into.head().strings[name.id.value] != text))
        name = {text, 0, m_into.intern(text)};
    name.buffer = m_buffers;
    return name.id;
}

StringId RecordDecoder::kernelName(const char* mangled)
{
    if (!mangled)
        return {};
    const auto [name, known] =
        m_kernels.find(spread(mangled), [mangled](const KernelName& n) { return n.pointer == mangled; });
    if (!known || (name.buffer != m_buffers && *name.mangled != mangled)) {
        const auto [it, added] = m_demangled.try_emplace(mangled);
        if (added)
            it->second = m_into.intern(demangled(mangled));
        name = {mangled, 0, &it->first, it->second};
    }
    name.buffer = m_buffers;
    return name.id;
}

StringId RecordDecoder::callName(CUpti_CallbackDomain domain, CUpti_CallbackId cbid)
{
    const char* name = nullptr;
    const bool named = m_api.getCallbackName(domain, cbid, &name) == CUPTI_SUCCESS && name;
    const char* const kind = domain == CUPTI_CB_DOMAIN_RUNTIME_API ? "runtime call " : "driver call ";
    return m_into.intern(named ? name : kind + std::to_string(cbid));
}

StagedEvents& RecordDecoder::remembered(TrackId track, EventKind kind)
{
    const auto known = m_series.find({track.value, kind});
    if (known != m_series.end())
        return known->second;
    return m_series.try_emplace({track.value, kind}, m_into.columns(track, kind)).first->second;
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

StagedEvents& RecordDecoder::onStream(EventKind kind, std::uint32_t device, std::uint32_t context, std::uint32_t stream)
{
    const std::uint64_t owner = std::uint64_t{device} << 32 | context;
    const auto [entry, known] = m_streams.find(
        profilers::spread(owner, std::uint64_t{stream} << 8 | static_cast<std::uint8_t>(kind)),
        [&](const Stream& s) { return s.series && s.owner == owner && s.stream == stream && s.kind == kind; });
    if (!known)
        entry = {owner, stream, kind, &remembered(streamTrack(device, context, stream), kind)};
    return *entry.series;
}

StagedEvents& RecordDecoder::onThread(EventKind kind, std::uint32_t process, std::uint32_t thread)
{
    return remembered(threadTrack(process, thread), kind);
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
    flush();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const auto& [key, series] : m_series)
        for (std::size_t i = 0; i < series.columns().size(); ++i)
            last = std::max(last, series.columns().end(i));
    // In the order of their ids, so that the same records give the same trace.
    const std::map<std::uint32_t, OpenRange> ranges(m_open.begin(), m_open.end());
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const auto& [id, range] : ranges) {
        Event event;
        event.start.count = range.start;
        event.duration.count = std::max<std::int64_t>(0, last - range.start);
        event.name = range.name;
        remembered(range.track, EventKind::range).append(event);
        first = std::min(first, range.start);
    }
    m_open.clear();
    m_counts.events += m_counts.open;
    m_counts.context -= m_counts.open;
    m_into.addLoss({{first},
                    EventKind::range,
                    static_cast<std::int64_t>(m_counts.open),
                    trace::Severity::notice,
                    base::message<cupti::reasons::kOpenRanges>()});
}

void RecordDecoder::flush()
{
    for (auto& [key, series] : m_series)
        series.flush();
}

void RecordDecoder::finish()
{
    closeOpen();
    flush();
    // External ids come before, beside or after what they belong to, in any buffer: joined when all are here.
    m_links.close();
    for (const auto& [key, series] : m_series) {
        EventColumns& columns = series.columns();
        for (std::size_t i = 0; m_links.size() > 0 && i < columns.correlation.size(); ++i) {
            const std::uint32_t correlation = columns.correlation[i];
            const std::uint32_t link = correlation == 0 ? 0 : m_links.of(correlation);
            if (link == 0)
                continue;
            columns.link.resize(columns.size());
            columns.link[i] = link;
        }
    }
    const auto lose = [&](EventKind kind, std::uint64_t count, trace::Severity severity, base::Message reason) {
        if (count > 0)
            m_into.addLoss({{}, kind, static_cast<std::int64_t>(count), severity, std::move(reason)});
    };
    lose(EventKind::kernel, m_counts.beyond, trace::Severity::error,
         base::message<cupti::reasons::kMoreThanKept>(m_most));
    lose(EventKind::other, m_counts.untimed, trace::Severity::warning, base::message<cupti::reasons::kUntimed>());
    lose(EventKind::kernel, m_unreadable, trace::Severity::error, base::message<cupti::reasons::kUnreadableBuffers>());
    for (const auto& [kind, count] : m_unknownKinds)
        lose(EventKind::other, count, trace::Severity::notice, base::message<cupti::reasons::kUnknownKind>(kind));
}

} // namespace apertune::profilers

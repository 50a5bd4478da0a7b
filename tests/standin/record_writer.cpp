// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/standin/record_writer.h"

#include "tests/standin/clock.h"
#include "tests/standin/device_facts.h"
#include "tests/standin/machine.h"
#include "tests/standin/settings.h"
#include "tests/standin/tally.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

namespace apertune::standin {

namespace {

constexpr std::size_t kAlignment = 8;
constexpr std::uint32_t kDefaultStream = 7;
/// Work that is done is handed over without a flush once there is this much of it.
constexpr std::size_t kMuchWork = 20'000;

/// The links that a thread has pushed, by kind.
thread_local std::map<CUpti_ExternalCorrelationKind, std::vector<std::uint64_t>> t_links;

std::uint32_t contextOf(std::uint32_t device)
{
    return device + 1;
}

Tally::Count countOf(CUpti_ActivityKind kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return Tally::kernelRecords;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return Tally::copyRecords;
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return Tally::fillRecords;
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
        return Tally::callRecords;
    default:
        return Tally::otherRecords;
    }
}

} // namespace

RecordWriter::RecordWriter()
{
    m_thread = std::thread([this] { deliver(); });
    m_thread.detach();
}

void RecordWriter::setBuffers(CUpti_BuffersCallbackRequestFunc onRequest, CUpti_BuffersCallbackCompleteFunc onComplete)
{
    m_request = onRequest;
    m_complete = onComplete;
}

void RecordWriter::setClock(Clock clock)
{
    // The reading with the smallest uncertainty of a few gives the offset between the clocks.
    constexpr int kReadings = 64;
    constexpr std::int64_t kSameClock = 1000; // ns; a difference below it is that of the readings
    std::int64_t least = INT64_MAX;
    std::int64_t offset = 0;
    for (int i = 0; i < kReadings; ++i) {
        const std::int64_t before = monotonicNow();
        const auto theirs = static_cast<std::int64_t>(clock());
        const std::int64_t after = monotonicNow();
        if (after - before < least) {
            least = after - before;
            offset = theirs - before - (after - before) / 2;
        }
    }
    m_offset = offset > -kSameClock && offset < kSameClock ? 0 : offset;
}

std::uint64_t RecordWriter::stamp(std::int64_t time) const
{
    return static_cast<std::uint64_t>(time + m_offset);
}

void RecordWriter::enable(CUpti_ActivityKind kind, bool on, bool existing)
{
    m_enabled[kind] = on;
    if (on && (kind == CUPTI_ACTIVITY_KIND_RUNTIME || kind == CUPTI_ACTIVITY_KIND_DRIVER))
        for (auto& silent : m_silentRuntime)
            silent = false;
    if (!on || !existing)
        return;
    if (kind == CUPTI_ACTIVITY_KIND_DEVICE || kind == CUPTI_ACTIVITY_KIND_PCIE)
        reportDevices();
    for (int device = 0; kind == CUPTI_ACTIVITY_KIND_CONTEXT && device < standinMachine()->deviceCount(); ++device)
        if (standinMachine()->hasContext(device))
            reportContext(static_cast<std::uint32_t>(device));
}

void RecordWriter::enableCall(bool driver, std::uint32_t callback, bool on)
{
    if (driver && callback < m_silentDriver.size())
        m_silentDriver[callback] = !on;
    else if (!driver && callback < m_silentRuntime.size())
        m_silentRuntime[callback] = !on;
}

void RecordWriter::push(CUpti_ExternalCorrelationKind kind, std::uint64_t link)
{
    t_links[kind].push_back(link);
}

bool RecordWriter::pop(CUpti_ExternalCorrelationKind kind, std::uint64_t* last)
{
    auto& links = t_links[kind];
    if (links.empty())
        return false;
    if (last)
        *last = links.back();
    links.pop_back();
    return true;
}

// --- What is heard becomes records -----------------------------------------------------------------------------------

void RecordWriter::call(const CallRecord& heard)
{
    const CUpti_ActivityKind kind = heard.driver ? CUPTI_ACTIVITY_KIND_DRIVER : CUPTI_ACTIVITY_KIND_RUNTIME;
    if (!wants(kind) || (heard.driver ? m_silentDriver[heard.callback] : m_silentRuntime[heard.callback]))
        return;
    if (wants(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION))
        for (const auto& [linkKind, links] : t_links)
            if (!links.empty()) {
                CUpti_ActivityExternalCorrelation record{};
                record.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
                record.externalKind = linkKind;
                record.externalId = links.back();
                record.correlationId = heard.correlation;
                writeHere(record);
            }
    CUpti_ActivityAPI record{};
    record.kind = kind;
    record.cbid = heard.callback;
    record.start = stamp(heard.start);
    record.end = stamp(heard.end);
    record.processId = static_cast<std::uint32_t>(::getpid());
    record.threadId =
        m_systemThreads ? static_cast<std::uint32_t>(::gettid()) : static_cast<std::uint32_t>(::pthread_self());
    record.correlationId = heard.correlation;
    record.returnValue = static_cast<std::uint32_t>(heard.result);
    writeHere(record);
}

void RecordWriter::work(const WorkRecord& heard)
{
    if (heard.graph != 0 && wants(CUPTI_ACTIVITY_KIND_GRAPH_TRACE))
        return; // the graph as a whole is reported instead
    const auto fillIn = [&](auto& record) {
        record.start = stamp(heard.start);
        record.end = stamp(heard.end);
        record.deviceId = heard.device;
        record.contextId = contextOf(heard.device);
        record.streamId = heard.stream;
        record.correlationId = heard.correlation;
        record.graphNodeId = heard.graphNode;
        record.graphId = heard.graph;
        record.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
    };
    const Work& work = *heard.work;
    if (work.kind == Work::Kind::kernel && wants(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) {
        CUpti_ActivityKernel10 record{};
        record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
        fillIn(record);
        record.completed = record.end;
        record.name = work.name;
        record.registersPerThread = 32;
        record.gridX = static_cast<std::int32_t>(work.grid.x);
        record.gridY = static_cast<std::int32_t>(work.grid.y);
        record.gridZ = static_cast<std::int32_t>(work.grid.z);
        record.blockX = static_cast<std::int32_t>(work.block.x);
        record.blockY = static_cast<std::int32_t>(work.block.y);
        record.blockZ = static_cast<std::int32_t>(work.block.z);
        record.dynamicSharedMemory = static_cast<std::int32_t>(work.dynamicShared);
        writeLater(record, heard.end);
    } else if (work.kind == Work::Kind::copy && wants(CUPTI_ACTIVITY_KIND_MEMCPY)) {
        CUpti_ActivityMemcpy6 record{};
        record.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
        fillIn(record);
        record.copyKind = static_cast<std::uint8_t>(work.copyKind);
        record.srcKind = static_cast<std::uint8_t>(work.fromKind);
        record.dstKind = static_cast<std::uint8_t>(work.toKind);
        record.flags = work.async ? CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC : 0;
        record.bytes = work.bytes;
        writeLater(record, heard.end);
    } else if (work.kind == Work::Kind::fill && wants(CUPTI_ACTIVITY_KIND_MEMSET)) {
        CUpti_ActivityMemset4 record{};
        record.kind = CUPTI_ACTIVITY_KIND_MEMSET;
        fillIn(record);
        record.value = static_cast<std::uint32_t>(work.value);
        record.bytes = work.bytes;
        record.memoryKind = static_cast<std::uint16_t>(work.toKind);
        record.flags = work.async ? CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC : 0;
        writeLater(record, heard.end);
    }
}

void RecordWriter::waited(const WaitRecord& heard)
{
    if (!wants(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION))
        return;
    CUpti_ActivitySynchronization2 record{};
    record.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    record.type = static_cast<CUpti_ActivitySynchronizationType>(heard.kind);
    record.start = stamp(heard.start);
    record.end = stamp(heard.end);
    record.correlationId = heard.correlation;
    record.contextId = contextOf(0);
    record.streamId = heard.stream;
    record.cudaEventId = heard.event;
    writeHere(record);
}

void RecordWriter::allocation(const AllocationRecord& heard)
{
    if (!wants(CUPTI_ACTIVITY_KIND_MEMORY2))
        return;
    CUpti_ActivityMemory4 record{};
    record.kind = CUPTI_ACTIVITY_KIND_MEMORY2;
    record.memoryOperationType =
        heard.released ? CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE : CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
    record.memoryKind = heard.pinned ? CUPTI_ACTIVITY_MEMORY_KIND_PINNED : CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    record.correlationId = heard.correlation;
    record.address = heard.address;
    record.bytes = heard.bytes;
    record.timestamp = stamp(heard.time);
    record.processId = static_cast<std::uint32_t>(::getpid());
    record.deviceId = heard.device;
    record.contextId = contextOf(heard.device);
    writeLater(record, heard.time);
}

void RecordWriter::graph(const GraphRecord& heard)
{
    if (!wants(CUPTI_ACTIVITY_KIND_GRAPH_TRACE))
        return;
    CUpti_ActivityGraphTrace2 record{};
    record.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
    record.correlationId = heard.correlation;
    record.start = stamp(heard.start);
    record.end = stamp(heard.end);
    record.deviceId = record.endDeviceId = heard.device;
    record.contextId = record.endContextId = contextOf(heard.device);
    record.streamId = heard.stream;
    record.graphId = heard.graph;
    writeLater(record, heard.end);
}

void RecordWriter::event(const EventRecord& heard)
{
    if (!wants(CUPTI_ACTIVITY_KIND_CUDA_EVENT))
        return;
    CUpti_ActivityCudaEvent2 record{};
    record.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT;
    record.correlationId = heard.correlation;
    record.contextId = contextOf(heard.device);
    record.streamId = heard.stream;
    record.eventId = heard.event;
    record.deviceId = heard.device;
    writeLater(record, 0);
}

void RecordWriter::reportDevices()
{
    if (standinMachine()->initialize() != success)
        return;
    const Card& card = *settings().card;
    for (int device = 0; device < standinMachine()->deviceCount(); ++device) {
        const int gpu = standinMachine()->gpuOf(device);
        const auto uuid = uuidOf(gpu);
        if (wants(CUPTI_ACTIVITY_KIND_DEVICE)) {
            CUpti_ActivityDevice5 record{};
            record.kind = CUPTI_ACTIVITY_KIND_DEVICE;
            record.globalMemoryBandwidth = static_cast<std::uint64_t>(card.bandwidth * 1e6); // KB/s
            record.globalMemorySize = settings().memory;
            record.numThreadsPerWarp = 32;
            record.coreClockRate = static_cast<std::uint32_t>(card.mostClock) * 1000;
            record.numMemcpyEngines = 2;
            record.numMultiprocessors = static_cast<std::uint32_t>(card.multiprocessors);
            record.maxWarpsPerMultiprocessor = 64;
            record.maxBlocksPerMultiprocessor = 32;
            record.maxThreadsPerBlock = 1024;
            record.computeCapabilityMajor = static_cast<std::uint32_t>(card.major);
            record.computeCapabilityMinor = static_cast<std::uint32_t>(card.minor);
            record.id = static_cast<std::uint32_t>(device);
            std::memcpy(record.uuid.bytes, uuid.data(), uuid.size());
            record.name = ::strdup(deviceName().c_str()); // whoever reads the record frees it
            record.isCudaVisible = 1;
            record.isMigEnabled = settings().mig.empty() ? 0 : 1;
            writeLater(record, 0);
        }
        if (wants(CUPTI_ACTIVITY_KIND_PCIE)) {
            CUpti_ActivityPcie record{};
            record.kind = CUPTI_ACTIVITY_KIND_PCIE;
            record.type = CUPTI_PCIE_DEVICE_TYPE_GPU;
            record.id.devId = device;
            record.pcieGeneration = card.major >= 9 ? 5 : card.major >= 8 ? 4 : 3;
            record.linkRate = static_cast<std::uint16_t>(record.pcieGeneration == 5   ? 32
                                                         : record.pcieGeneration == 4 ? 16
                                                                                      : 8);
            record.linkWidth = 16;
            std::memcpy(record.attr.gpuAttr.uuidDev.bytes, uuid.data(), uuid.size());
            writeLater(record, 0);
        }
    }
}

void RecordWriter::reportContext(std::uint32_t device)
{
    CUpti_ActivityContext3 record{};
    record.kind = CUPTI_ACTIVITY_KIND_CONTEXT;
    record.contextId = contextOf(device);
    record.deviceId = device;
    record.computeApiKind = CUPTI_ACTIVITY_COMPUTE_API_CUDA;
    record.nullStreamId = kDefaultStream;
    writeLater(record, 0);
}

void RecordWriter::contextCreated(std::uint32_t device)
{
    if (wants(CUPTI_ACTIVITY_KIND_CONTEXT))
        reportContext(device);
}

void RecordWriter::streamCreated(std::uint32_t device, std::uint32_t stream)
{
    if (!wants(CUPTI_ACTIVITY_KIND_STREAM))
        return;
    CUpti_ActivityStream record{};
    record.kind = CUPTI_ACTIVITY_KIND_STREAM;
    record.contextId = contextOf(device);
    record.streamId = stream;
    record.flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING;
    writeLater(record, 0);
}

// --- Records go into buffers -----------------------------------------------------------------------------------------

bool RecordWriter::isDropped()
{
    const std::uint64_t each = settings().dropRecord;
    if (each == 0 || ++m_written % each != 0)
        return false;
    ++m_dropped;
    Tally::process().add(Tally::droppedRecords);
    return true;
}

RecordWriter::Buffer RecordWriter::request()
{
    Buffer buffer;
    if (const auto ask = m_request.load())
        ask(&buffer.memory, &buffer.size, &buffer.most);
    if (!buffer.memory)
        return {};
    const std::size_t few = settings().bufferRecords;
    buffer.most = buffer.most == 0 ? few : std::min(buffer.most, few);
    return buffer;
}

/// Returns false when the record does not fit.
bool RecordWriter::append(Buffer& buffer, const void* record, std::size_t bytes)
{
    const std::size_t aligned = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (!buffer.memory || buffer.records == buffer.most || buffer.used + aligned > buffer.size)
        return false;
    std::memcpy(buffer.memory + buffer.used, record, bytes);
    buffer.used += aligned;
    ++buffer.records;
    Tally::process().add(countOf(static_cast<const CUpti_Activity*>(record)->kind));
    return true;
}

void RecordWriter::hand(Buffer& buffer)
{
    if (!buffer.memory)
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_full.push_back(buffer);
    }
    buffer = {};
    m_wake.notify_one();
}

RecordWriter::ThreadBuffer& RecordWriter::ofThisThread()
{
    thread_local std::shared_ptr<ThreadBuffer> mine;
    if (!mine) {
        mine = std::make_shared<ThreadBuffer>();
        const std::lock_guard lock(m_mutex);
        m_threadBuffers.push_back(mine);
    }
    return *mine;
}

template <typename Record>
void RecordWriter::writeHere(const Record& record)
{
    if (isDropped())
        return;
    ThreadBuffer& mine = ofThisThread();
    std::unique_lock lock(mine.mutex);
    if (append(mine.buffer, &record, sizeof record))
        return;
    Buffer full = mine.buffer;
    mine.buffer = {};
    lock.unlock();
    hand(full);
    const std::int64_t begin = monotonicNow();
    Buffer fresh = request();
    if (fresh.memory && wants(CUPTI_ACTIVITY_KIND_OVERHEAD)) {
        CUpti_ActivityOverhead3 overhead{};
        overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
        overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST;
        overhead.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
        overhead.objectId.pt.processId = static_cast<std::uint32_t>(::getpid());
        overhead.objectId.pt.threadId = static_cast<std::uint32_t>(::gettid());
        overhead.start = stamp(begin);
        overhead.end = stamp(monotonicNow());
        append(fresh, &overhead, sizeof overhead);
    }
    if (!append(fresh, &record, sizeof record)) {
        ++m_dropped;
        Tally::process().add(Tally::droppedRecords);
    }
    lock.lock();
    mine.buffer = fresh; // only this thread fills it
}

template <typename Record>
void RecordWriter::writeLater(const Record& record, std::int64_t end)
{
    if (isDropped())
        return;
    Pending pending;
    pending.end = end;
    pending.bytes = sizeof record;
    std::memcpy(pending.record.data(), &record, sizeof record);
    const std::lock_guard lock(m_mutex);
    m_pending.push_back(pending);
    if (m_pending.size() >= kMuchWork)
        m_wake.notify_one();
}

// --- Buffers go back to the program ----------------------------------------------------------------------------------

void RecordWriter::flush(bool forced)
{
    std::unique_lock lock(m_mutex);
    std::vector<Buffer> open;
    for (const auto& thread : m_threadBuffers) {
        const std::lock_guard inner(thread->mutex);
        if (thread->buffer.records > 0)
            m_full.push_back(std::exchange(thread->buffer, {}));
    }
    const std::uint64_t wanted = ++m_flushesWanted;
    m_forced = m_forced || forced;
    m_wake.notify_one();
    m_delivered.wait(lock, [&] { return m_flushesDone >= wanted; });
}

std::vector<RecordWriter::Pending> RecordWriter::takeDone(bool forced)
{
    const std::int64_t now = monotonicNow();
    const auto undone = std::partition(m_pending.begin(), m_pending.end(),
                                       [&](const Pending& pending) { return pending.end <= now || forced; });
    std::vector<Pending> done(std::make_move_iterator(m_pending.begin()), std::make_move_iterator(undone));
    m_pending.erase(m_pending.begin(), undone);
    for (Pending& pending : done) {
        if (pending.end <= now)
            continue;
        auto* const activity = reinterpret_cast<CUpti_Activity*>(pending.record.data());
        if (activity->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
            reinterpret_cast<CUpti_ActivityKernel10*>(activity)->end = 0;
    }
    return done;
}

/// Writes what the GPUs did, in no order.
void RecordWriter::writeAll(std::vector<Pending> done)
{
    std::shuffle(done.begin(), done.end(), m_order);
    Buffer buffer;
    for (const Pending& pending : done) {
        if (append(buffer, pending.record.data(), pending.bytes))
            continue;
        hand(buffer);
        buffer = request();
        if (!append(buffer, pending.record.data(), pending.bytes)) {
            ++m_dropped;
            Tally::process().add(Tally::droppedRecords);
        }
    }
    hand(buffer);
}

void RecordWriter::deliver()
{
    while (true) {
        std::vector<Pending> done;
        std::uint64_t wanted = 0;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [&] {
                return m_flushesWanted > m_flushesDone || !m_full.empty() || m_pending.size() >= kMuchWork;
            });
            wanted = m_flushesWanted;
            if (wanted > m_flushesDone || m_pending.size() >= kMuchWork)
                done = takeDone(std::exchange(m_forced, false));
        }
        if (!done.empty())
            writeAll(std::move(done));
        std::deque<Buffer> full;
        {
            const std::lock_guard lock(m_mutex);
            full.swap(m_full);
        }
        // The last that was filled comes first.
        for (auto buffer = full.rbegin(); buffer != full.rend(); ++buffer)
            if (const auto complete = m_complete.load()) {
                Tally::process().add(Tally::buffers);
                complete(nullptr, 0, buffer->memory, buffer->size, buffer->used);
            }
        const std::lock_guard lock(m_mutex);
        m_flushesDone = wanted;
        m_delivered.notify_all();
    }
}

} // namespace apertune::standin

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/standin/machine.h"

#include "tests/standin/board.h"
#include "tests/standin/captures.h"
#include "tests/standin/clock.h"
#include "tests/standin/memory_table.h"
#include "tests/standin/settings.h"
#include "tests/standin/tally.h"
#include "tests/standin/timing.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace apertune::standin {

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::uint64_t kContextBytes = 480ULL << 20;  ///< GPU memory of a context
constexpr std::uint64_t kReservedBytes = 600ULL << 20; ///< GPU memory of the driver itself
constexpr int kOldestMajor = 7;                        ///< kernels of LibTorch for CUDA 13 begin with 7.5
constexpr int kOldestMinor = 5;
/// The directions of CUpti_ActivityMemcpyKind.
enum CopyKind { hostToDevice = 1, deviceToHost = 2, deviceToDevice = 8, hostToHost = 9, peerToPeer = 10 };
/// CUpti_ActivityMemoryKind.
enum CuptiMemory { cuptiPageable = 1, cuptiPinned = 2, cuptiDevice = 3 };
/// CUpti_ActivitySynchronizationType.
enum WaitKind { eventWait = 1, streamWaitsEvent = 2, streamWait = 3, contextWait = 4 };

thread_local int t_device = 0;
thread_local std::uint32_t t_correlation = 0;

int cuptiKind(MemoryKind kind)
{
    return kind == MemoryKind::device ? cuptiDevice : kind == MemoryKind::pinned ? cuptiPinned : cuptiPageable;
}

} // namespace

struct Event
{
    std::uint32_t id = 0;
    bool timed = true;
    std::optional<std::int64_t> time; ///< none: never recorded
    std::uint32_t stream = 0;
    std::weak_ptr<Capture> capture; ///< the capture that it was recorded in
    bool captured = false;
};

namespace {

class MachineImpl final : public Machine
{
public:
    MachineImpl()
    {
        for (std::size_t i = 0; i < m_visible.size(); ++i) {
            m_devices[i].main.device = static_cast<int>(i);
            m_devices[i].main.id = kDefaultStream;
            m_devices[i].main.blocking = true;
        }
    }

    int initialize() override
    {
        if (settings().initialization != success)
            return settings().initialization;
        return m_visible.empty() ? noDevice : success;
    }

    int initializeRuntime(int runtimeVersion) override
    {
        if (settings().cuda / 1000 < runtimeVersion / 1000)
            return insufficientDriver;
        return initialize();
    }

    int deviceCount() override { return static_cast<int>(m_visible.size()); }
    int gpuOf(int device) override { return m_visible[static_cast<std::size_t>(device)]; }
    int currentDevice() override { return t_device; }

    int setDevice(int device) override
    {
        if (device < 0 || device >= deviceCount())
            return invalidDevice;
        t_device = device;
        return success;
    }

    int useDevice() override
    {
        const std::lock_guard lock(m_mutex);
        return use(t_device);
    }

    bool hasContext(int device) override
    {
        const std::lock_guard lock(m_mutex);
        return device >= 0 && device < deviceCount() && m_devices[static_cast<std::size_t>(device)].used;
    }

    int allocate(std::size_t bytes, void** memory) override;
    int release(void* memory) override;
    int allocateHost(std::size_t bytes, void** memory) override;
    int releaseHost(void* memory) override;

    int pin(void* memory, std::size_t bytes) override
    {
        const std::lock_guard lock(m_mutex);
        m_memory.add(memory, bytes, {MemoryKind::pinned, t_device});
        return m_lasting;
    }

    int unpin(void* memory) override
    {
        const std::lock_guard lock(m_mutex);
        return m_memory.remove(memory).bytes > 0 ? m_lasting.load() : invalidValue;
    }

    int memory(std::size_t* free, std::size_t* total) override
    {
        const std::lock_guard lock(m_mutex);
        if (const int code = use(t_device); code != success)
            return code;
        *total = settings().memory;
        *free = freeBytes(t_device);
        return success;
    }

    PointerInfo pointer(const void* memory) override
    {
        const std::lock_guard lock(m_mutex);
        return m_memory.at(memory);
    }

    int createStream(bool blocking, Stream** stream) override;
    int destroyStream(Stream* stream) override;
    int synchronizeStream(Stream* stream) override;
    int queryStream(Stream* stream) override;
    int synchronizeDevice() override;
    int createEvent(bool timed, Event** event) override;
    int destroyEvent(Event* event) override;
    int recordEvent(Event* event, Stream* stream) override;
    int waitEvent(Stream* stream, Event* event) override;
    int synchronizeEvent(Event* event) override;
    int queryEvent(Event* event) override;
    int elapsed(float* milliseconds, Event* begin, Event* end) override;

    int launch(const char* name, Dimensions grid, Dimensions block, unsigned dynamicShared, Stream* stream,
               std::int64_t duration) override;
    int copy(void* to, const void* from, std::size_t bytes, bool async, Stream* stream) override;
    int fill(void* to, int value, std::size_t bytes, bool async, Stream* stream) override;
    int callHost(Stream* stream, const std::function<void()>& function) override;

    int beginCapture(Stream* stream, CaptureMode mode) override;
    int endCapture(Stream* stream, Graph** graph) override;
    CaptureInfo captureInfo(Stream* stream) override;

    CaptureMode exchangeCaptureMode(CaptureMode mode) override { return Captures::exchangeMode(mode); }

    std::vector<GraphNode*> graphNodes(Graph* graph) override
    {
        std::vector<GraphNode*> nodes;
        for (const auto& node : graph->nodes)
            nodes.push_back(node.get());
        return nodes;
    }

    int instantiate(Graph* graph, GraphLaunchable** launchable) override;
    int launchGraph(GraphLaunchable* launchable, Stream* stream) override;

    int destroyGraph(Graph* graph) override
    {
        delete graph;
        return success;
    }

    int destroyLaunchable(GraphLaunchable* launchable) override
    {
        delete launchable;
        return success;
    }

    int lasting() override { return m_lasting; }
    std::uint32_t beginCall() override { return t_correlation = ++m_calls; }

    void endCall(const CallRecord& record) override
    {
        if (Observer* const observer = m_observer)
            observer->call(record);
    }

    void observe(Observer* observer) override { m_observer = observer; }

private:
    static constexpr std::uint32_t kDefaultStream = 7; // the number in CUPTI's records

    struct Device
    {
        bool used = false;
        Stream main;
        std::int64_t computeTail = 0;
        std::int64_t copyTail = 0; ///< end of the queue of copies from the host
        std::int64_t backTail = 0; ///< end of the queue of copies to the host
    };

    int use(int device);
    std::uint64_t freeBytes(int device);
    void hold(int device, std::int64_t bytes);
    Device& deviceOf(const Stream& stream) { return m_devices[static_cast<std::size_t>(stream.device)]; }
    Stream& resolve(Stream* stream);
    std::int64_t waitFor(const Stream& stream);
    int submit(Stream& stream, Work work);
    WorkRecord schedule(Stream& stream, const Work& work);
    void countLaunch();
    void report(int kind, std::int64_t begin, std::uint32_t stream, std::uint32_t event);

    std::vector<int> m_visible = visibleGpus();
    std::array<Device, kMostGpus> m_devices;
    std::mutex m_mutex; ///< guards everything below but what is atomic
    MemoryTable m_memory;
    std::vector<std::unique_ptr<Stream>> m_streams;
    Captures m_captures;
    std::uint64_t m_allocations = 0;
    std::uint64_t m_launches = 0;
    std::uint64_t m_held = 0; ///< bytes on all GPUs
    std::uint64_t m_works = 0;
    std::atomic<std::uint32_t> m_calls{0};
    std::atomic<std::uint32_t> m_ids{16};
    std::atomic<int> m_lasting{success};
    std::atomic<Observer*> m_observer{nullptr};
};

std::uint64_t MachineImpl::freeBytes(int device)
{
    const int gpu = gpuOf(device);
    const std::uint64_t taken = kReservedBytes + Board::machine().held(gpu) + (gpu == 0 ? settings().otherMemory : 0);
    return settings().memory > taken ? settings().memory - taken : 0;
}

void MachineImpl::hold(int device, std::int64_t bytes)
{
    m_held += static_cast<std::uint64_t>(bytes);
    Tally::process().raise(Tally::peakBytes, m_held);
    Board::machine().hold(gpuOf(device), bytes);
}

int MachineImpl::use(int device)
{
    if (m_lasting != success)
        return m_lasting;
    Device& d = m_devices[static_cast<std::size_t>(device)];
    if (d.used)
        return success;
    if (freeBytes(device) < kContextBytes)
        return outOfMemory;
    d.used = true;
    hold(device, static_cast<std::int64_t>(kContextBytes));
    if (Observer* const observer = m_observer)
        observer->contextCreated(static_cast<std::uint32_t>(device));
    return success;
}

Stream& MachineImpl::resolve(Stream* stream)
{
    constexpr std::uintptr_t kPerThread = 2; // handles of default streams are 0, 1 and 2
    return reinterpret_cast<std::uintptr_t>(stream) <= kPerThread ? m_devices[static_cast<std::size_t>(t_device)].main
                                                                  : *stream;
}

int MachineImpl::allocate(std::size_t bytes, void** memory)
{
    const std::lock_guard lock(m_mutex);
    *memory = nullptr;
    if (const int code = use(t_device); code != success)
        return code;
    if (const int code = m_captures.forbid(captureUnsupported); code != success)
        return code;
    if (bytes == 0)
        return success;
    const std::size_t rounded = (bytes + kPage - 1) / kPage * kPage;
    const std::uint64_t failing = settings().failAllocation;
    if ((++m_allocations >= failing && failing > 0) || rounded > freeBytes(t_device))
        return outOfMemory;
    *memory = m_memory.map(rounded, {MemoryKind::device, t_device});
    if (!*memory)
        return outOfMemory;
    hold(t_device, static_cast<std::int64_t>(rounded));
    Tally::process().add(Tally::allocations);
    if (Observer* const observer = m_observer)
        observer->allocation({false, false, reinterpret_cast<std::uint64_t>(*memory), bytes, monotonicNow(),
                              static_cast<std::uint32_t>(t_device), t_correlation});
    return success;
}

int MachineImpl::release(void* memory)
{
    std::unique_lock lock(m_mutex);
    if (const int code = use(t_device); code != success || !memory)
        return code;
    if (const int code = m_captures.forbid(captureUnsupported); code != success)
        return code;
    const PointerInfo info = m_memory.at(memory);
    if (info.kind != MemoryKind::device)
        return invalidValue;
    const Device& device = m_devices[static_cast<std::size_t>(info.device)];
    const std::int64_t end = std::max({device.computeTail, device.copyTail, device.backTail});
    lock.unlock();
    waitUntil(end); // freeing waits for the GPU
    lock.lock();
    const MemoryTable::Block block = m_memory.remove(memory);
    if (block.bytes == 0)
        return invalidValue;
    hold(info.device, -static_cast<std::int64_t>(block.bytes));
    if (Observer* const observer = m_observer)
        observer->allocation({true, false, reinterpret_cast<std::uint64_t>(memory), block.bytes, monotonicNow(),
                              static_cast<std::uint32_t>(info.device), t_correlation});
    return success;
}

int MachineImpl::allocateHost(std::size_t bytes, void** memory)
{
    const std::lock_guard lock(m_mutex);
    *memory = nullptr;
    if (const int code = use(t_device); code != success)
        return code;
    if (const int code = m_captures.forbid(captureUnsupported); code != success)
        return code;
    if (bytes > 0)
        *memory = m_memory.map((bytes + kPage - 1) / kPage * kPage, {MemoryKind::pinned, t_device});
    return *memory || bytes == 0 ? success : outOfMemory;
}

int MachineImpl::releaseHost(void* memory)
{
    const std::lock_guard lock(m_mutex);
    if (!memory)
        return m_lasting;
    if (const int code = m_captures.forbid(captureUnsupported); code != success)
        return code;
    return m_memory.remove(memory).bytes > 0 ? m_lasting.load() : invalidValue;
}

int MachineImpl::createStream(bool blocking, Stream** stream)
{
    const std::lock_guard lock(m_mutex);
    if (const int code = use(t_device); code != success)
        return code;
    auto made = std::make_unique<Stream>();
    made->device = t_device;
    made->id = ++m_ids;
    made->blocking = blocking;
    *stream = made.get();
    m_streams.push_back(std::move(made));
    if (Observer* const observer = m_observer)
        observer->streamCreated(static_cast<std::uint32_t>(t_device), (*stream)->id);
    return success;
}

int MachineImpl::destroyStream(Stream* stream)
{
    const std::lock_guard lock(m_mutex);
    return std::erase_if(m_streams, [&](const auto& made) { return made.get() == stream; }) > 0 ? success
                                                                                                : invalidHandle;
}

/// Returns the end of the work that `stream` waits for.
std::int64_t MachineImpl::waitFor(const Stream& stream)
{
    std::int64_t tail = std::max(stream.tail, stream.blocking ? deviceOf(stream).main.tail : 0);
    if (&stream == &deviceOf(stream).main)
        for (const auto& other : m_streams)
            if (other->blocking && other->device == stream.device)
                tail = std::max(tail, other->tail);
    return tail;
}

void MachineImpl::report(int kind, std::int64_t begin, std::uint32_t stream, std::uint32_t event)
{
    if (Observer* const observer = m_observer)
        observer->waited({kind, begin, monotonicNow(), stream, event, t_correlation});
}

int MachineImpl::synchronizeStream(Stream* handle)
{
    const std::int64_t begin = monotonicNow();
    std::unique_lock lock(m_mutex);
    if (const int code = use(t_device); code != success)
        return code;
    Stream& stream = resolve(handle);
    if (stream.capture)
        return Captures::spoil(stream, captureUnsupported);
    const std::int64_t end = waitFor(stream);
    const std::uint32_t id = stream.id;
    lock.unlock();
    waitUntil(end);
    report(streamWait, begin, id, 0);
    return m_lasting;
}

int MachineImpl::queryStream(Stream* handle)
{
    const std::lock_guard lock(m_mutex);
    if (const int code = use(t_device); code != success)
        return code;
    Stream& stream = resolve(handle);
    if (stream.capture)
        return Captures::spoil(stream, captureUnsupported);
    return waitFor(stream) > monotonicNow() ? notReady : success;
}

int MachineImpl::synchronizeDevice()
{
    const std::int64_t begin = monotonicNow();
    std::unique_lock lock(m_mutex);
    if (const int code = use(t_device); code != success)
        return code;
    if (const int code = m_captures.forbid(captureUnsupported); code != success)
        return code;
    std::int64_t end = m_devices[static_cast<std::size_t>(t_device)].main.tail;
    for (const auto& stream : m_streams)
        if (stream->device == t_device)
            end = std::max(end, stream->tail);
    lock.unlock();
    waitUntil(end);
    report(contextWait, begin, 0, 0);
    return m_lasting;
}

int MachineImpl::createEvent(bool timed, Event** event)
{
    const std::lock_guard lock(m_mutex);
    if (const int code = use(t_device); code != success)
        return code;
    *event = new Event{++m_ids, timed, std::nullopt, 0, {}, false};
    return success;
}

int MachineImpl::destroyEvent(Event* event)
{
    delete event;
    return m_lasting;
}

int MachineImpl::recordEvent(Event* event, Stream* handle)
{
    const std::lock_guard lock(m_mutex);
    if (const int code = use(t_device); code != success)
        return code;
    Stream& stream = resolve(handle);
    event->captured = stream.capture != nullptr;
    event->capture = stream.capture;
    event->stream = stream.id;
    if (!event->captured)
        event->time = std::max(waitFor(stream), monotonicNow());
    if (Observer* const observer = m_observer)
        observer->event({event->id, static_cast<std::uint32_t>(stream.device), stream.id, t_correlation});
    return success;
}

int MachineImpl::waitEvent(Stream* handle, Event* event)
{
    const std::lock_guard lock(m_mutex);
    if (const int code = use(t_device); code != success)
        return code;
    Stream& stream = resolve(handle);
    if (event->captured) {
        // The stream joins the capture that the event belongs to.
        const auto capture = event->capture.lock();
        if (!capture)
            return capturedEvent;
        if (!stream.capture) {
            stream.capture = capture;
            capture->joined.push_back(&stream);
        }
        return success;
    }
    if (stream.capture && event->time) // it would wait for work outside of its graph
        return Captures::spoil(stream, captureIsolation);
    if (event->time)
        stream.tail = std::max(stream.tail, *event->time);
    return success;
}

int MachineImpl::synchronizeEvent(Event* event)
{
    const std::int64_t begin = monotonicNow();
    std::unique_lock lock(m_mutex);
    if (m_lasting != success)
        return m_lasting;
    if (event->captured)
        return capturedEvent;
    if (const int code = m_captures.forbid(captureUnsupported); code != success)
        return code;
    const std::int64_t end = event->time.value_or(0);
    const std::uint32_t stream = event->stream;
    lock.unlock();
    waitUntil(end);
    report(eventWait, begin, stream, event->id);
    return m_lasting;
}

int MachineImpl::queryEvent(Event* event)
{
    const std::lock_guard lock(m_mutex);
    if (m_lasting != success)
        return m_lasting;
    if (event->captured)
        return capturedEvent;
    if (const int code = m_captures.forbid(captureUnsupported); code != success)
        return code;
    return event->time.value_or(0) > monotonicNow() ? notReady : success;
}

int MachineImpl::elapsed(float* milliseconds, Event* begin, Event* end)
{
    const std::lock_guard lock(m_mutex);
    if (m_lasting != success)
        return m_lasting;
    if (!begin->time || !end->time || !begin->timed || !end->timed)
        return invalidHandle;
    if (std::max(*begin->time, *end->time) > monotonicNow())
        return notReady;
    constexpr double kMillisecond = 1e6;
    *milliseconds = static_cast<float>(static_cast<double>(*end->time - *begin->time) / kMillisecond);
    return success;
}

/// Puts a step on the time line of its stream and of the part of the GPU that it needs, and does it.
WorkRecord MachineImpl::schedule(Stream& stream, const Work& work)
{
    Device& device = deviceOf(stream);
    std::int64_t& part = work.kind != Work::Kind::copy   ? device.computeTail
                         : work.copyKind == hostToDevice ? device.copyTail
                         : work.copyKind == deviceToHost ? device.backTail
                                                         : device.computeTail;
    const double slower = slowness(gpuOf(stream.device), m_works++);
    WorkRecord record;
    record.start = std::max({monotonicNow() + kArrival, waitFor(stream) + kGap, part});
    record.end = record.start + static_cast<std::int64_t>(static_cast<double>(work.duration) * slower);
    record.device = static_cast<std::uint32_t>(stream.device);
    record.stream = stream.id;
    record.correlation = t_correlation;
    stream.tail = part = record.end;
    Board::machine().work(gpuOf(stream.device), record.end - record.start, record.end);
    if (work.kind == Work::Kind::copy && work.copyKind == deviceToHost)
        std::memset(work.to, 0, work.bytes);
    else if (work.kind == Work::Kind::copy && work.copyKind == hostToHost)
        std::memmove(work.to, work.from, work.bytes);
    return record;
}

/// Counts a kernel that runs. From the one that goes wrong on every call fails.
void MachineImpl::countLaunch()
{
    Tally::process().add(Tally::launches);
    if (++m_launches == settings().faultLaunch)
        m_lasting = illegalAddress;
}

int MachineImpl::submit(Stream& stream, Work work)
{
    bool taken = false;
    if (const int code = m_captures.add(stream, work, taken); code != success || taken)
        return code;
    if (&stream == &deviceOf(stream).main)
        // The default stream waits for streams that are captured, which cannot be.
        if (const int code = m_captures.forbid(captureImplicit); code != success)
            return code;
    if (work.kind == Work::Kind::kernel)
        countLaunch();
    WorkRecord record = schedule(stream, work);
    record.work = &work;
    if (Observer* const observer = m_observer)
        observer->work(record);
    return success;
}

int MachineImpl::launch(const char* name, Dimensions grid, Dimensions block, unsigned dynamicShared, Stream* handle,
                        std::int64_t duration)
{
    payForLaunch();
    const std::lock_guard lock(m_mutex);
    if (const int code = use(t_device); code != success)
        return code;
    const Card& card = *settings().card;
    if (card.major < kOldestMajor || (card.major == kOldestMajor && card.minor < kOldestMinor))
        return noKernelImage;
    Work work;
    work.kind = Work::Kind::kernel;
    work.name = name;
    work.grid = grid;
    work.block = block;
    work.dynamicShared = dynamicShared;
    work.duration = launchOnGpu() + (duration != 0 ? duration : kernelTime(name, grid, block));
    return submit(resolve(handle), work);
}

int MachineImpl::copy(void* to, const void* from, std::size_t bytes, bool async, Stream* handle)
{
    std::unique_lock lock(m_mutex);
    if (const int code = use(t_device); code != success || bytes == 0)
        return code;
    Stream& stream = resolve(handle);
    const PointerInfo source = m_memory.at(from);
    const PointerInfo target = m_memory.at(to);
    Work work;
    work.kind = Work::Kind::copy;
    work.to = to;
    work.from = from;
    work.bytes = bytes;
    work.async = async;
    work.fromKind = cuptiKind(source.kind);
    work.toKind = cuptiKind(target.kind);
    const bool out = source.kind == MemoryKind::device;
    const bool in = target.kind == MemoryKind::device;
    work.copyKind = out && in ? (source.device == target.device ? deviceToDevice : peerToPeer)
                    : in      ? hostToDevice
                    : out     ? deviceToHost
                              : hostToHost;
    const bool pageable = (!out && source.kind == MemoryKind::pageable) || (!in && target.kind == MemoryKind::pageable);
    work.duration = copyTime(source.kind, target.kind, bytes);
    if (!async && stream.capture)
        return Captures::spoil(stream, captureUnsupported);
    const bool captured = stream.capture != nullptr;
    if (const int code = submit(stream, work); code != success)
        return code;
    // The runtime stages what is pageable itself, and so waits for it.
    const std::int64_t end = captured || (async && !pageable) || (out && in && async) ? 0 : stream.tail;
    lock.unlock();
    waitUntil(end);
    return success;
}

int MachineImpl::fill(void* to, int value, std::size_t bytes, bool async, Stream* handle)
{
    std::unique_lock lock(m_mutex);
    if (const int code = use(t_device); code != success || bytes == 0)
        return code;
    Stream& stream = resolve(handle);
    Work work;
    work.kind = Work::Kind::fill;
    work.to = to;
    work.bytes = bytes;
    work.value = value;
    work.toKind = cuptiKind(m_memory.at(to).kind);
    work.duration = fillTime(bytes);
    work.async = async;
    return submit(stream, work);
}

int MachineImpl::callHost(Stream* handle, const std::function<void()>& function)
{
    std::unique_lock lock(m_mutex);
    if (const int code = use(t_device); code != success)
        return code;
    Stream& stream = resolve(handle);
    bool taken = false;
    if (const int code = m_captures.add(stream, {}, taken); code != success || taken)
        return code;
    const std::int64_t end = waitFor(stream);
    lock.unlock();
    waitUntil(end);
    function();
    return success;
}

int MachineImpl::beginCapture(Stream* handle, CaptureMode mode)
{
    const std::lock_guard lock(m_mutex);
    if (const int code = use(t_device); code != success)
        return code;
    Stream& stream = resolve(handle);
    if (&stream == &deviceOf(stream).main)
        return captureUnsupported;
    if (stream.capture)
        return captureUnsupported;
    m_captures.begin(stream, mode, m_ids.fetch_add(2) + 1);
    return success;
}

int MachineImpl::endCapture(Stream* handle, Graph** graph)
{
    const std::lock_guard lock(m_mutex);
    *graph = nullptr;
    const int code = m_captures.end(resolve(handle), graph);
    return code != success ? code : m_lasting.load();
}

CaptureInfo MachineImpl::captureInfo(Stream* handle)
{
    const std::lock_guard lock(m_mutex);
    return Captures::info(resolve(handle));
}

int MachineImpl::instantiate(Graph* graph, GraphLaunchable** launchable)
{
    std::unique_lock lock(m_mutex);
    if (const int code = use(t_device); code != success)
        return code;
    auto made = std::make_unique<GraphLaunchable>();
    made->id = graph->id;
    for (const auto& node : graph->nodes)
        made->nodes.push_back(*node);
    lock.unlock();
    spinUntil(monotonicNow() + kInstantiationPerNode * static_cast<std::int64_t>(made->nodes.size()));
    *launchable = made.release();
    return success;
}

int MachineImpl::launchGraph(GraphLaunchable* launchable, Stream* handle)
{
    payForLaunch();
    const std::lock_guard lock(m_mutex);
    if (const int code = use(t_device); code != success)
        return code;
    Stream& stream = resolve(handle);
    if (stream.capture)
        return captureUnsupported;
    Tally::process().add(Tally::graphLaunches);
    GraphRecord whole;
    whole.graph = launchable->id;
    whole.device = static_cast<std::uint32_t>(stream.device);
    whole.stream = stream.id;
    whole.correlation = t_correlation;
    for (const GraphNode& node : launchable->nodes) {
        if (node.work.kind == Work::Kind::kernel)
            countLaunch();
        WorkRecord record = schedule(stream, node.work);
        record.work = &node.work;
        record.graph = launchable->id;
        record.graphNode = node.id;
        if (whole.start == 0)
            whole.start = record.start;
        whole.end = record.end;
        if (Observer* const observer = m_observer; observer && node.work.kind != Work::Kind::nothing)
            observer->work(record);
    }
    if (Observer* const observer = m_observer)
        observer->graph(whole);
    return success;
}

} // namespace

} // namespace apertune::standin

extern "C" apertune::standin::Machine* standinMachine()
{
    // It outlives every library that might still call it at the end of the process.
    static auto* const kMachine = new apertune::standin::MachineImpl;
    return kMachine;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/standin/machine.h"

#include "tests/standin/board.h"
#include "tests/standin/clock.h"
#include "tests/standin/memory_table.h"
#include "tests/standin/settings.h"
#include "tests/standin/tally.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace apertune::standin {

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::uint64_t kContextBytes = 480ULL << 20;  ///< what a context takes of a GPU's memory
constexpr std::uint64_t kReservedBytes = 600ULL << 20; ///< what the driver itself takes
constexpr int kOldestMajor = 7;                        ///< kernels of LibTorch for CUDA 13 begin with 7.5
constexpr int kOldestMinor = 5;
constexpr double kBytesOfThread = 32; ///< what an elementwise kernel reads and writes in a thread
constexpr double kPageableRate = 6;   ///< bytes a nanosecond
constexpr double kPinnedRate = 50;
constexpr double kHostRate = 10;
constexpr std::int64_t kCopyTime = 1500; ///< ns of the smallest copy
constexpr std::int64_t kArrival = 1500;  ///< ns from a call until its work begins on an idle GPU
constexpr std::int64_t kGap = 500;       ///< ns between two steps of a stream
constexpr std::int64_t kInstantiationPerNode = 1000;
constexpr double kThrottled = 1.3;
constexpr std::int64_t kSleepAbove = 150'000; ///< a shorter wait spins, because sleeping is not that exact

/// The directions of CUpti_ActivityMemcpyKind.
enum CopyKind { hostToDevice = 1, deviceToHost = 2, deviceToDevice = 8, hostToHost = 9, peerToPeer = 10 };
/// CUpti_ActivityMemoryKind.
enum CuptiMemory { cuptiPageable = 1, cuptiPinned = 2, cuptiDevice = 3 };
/// CUpti_ActivitySynchronizationType.
enum WaitKind { eventWait = 1, streamWaitsEvent = 2, streamWait = 3, contextWait = 4 };

thread_local int t_device = 0;
thread_local std::uint32_t t_correlation = 0;
thread_local CaptureMode t_mode = CaptureMode::global;

void spinUntil(std::int64_t instant)
{
    while (monotonicNow() < instant) {
    }
}

void waitUntil(std::int64_t instant)
{
    if (const std::int64_t rest = instant - monotonicNow(); !settings().spin && rest > kSleepAbove) {
        const std::int64_t sleep = rest - kSleepAbove / 2;
        constexpr std::int64_t kSecond = 1'000'000'000;
        const timespec span{sleep / kSecond, sleep % kSecond};
        ::nanosleep(&span, nullptr);
    }
    spinUntil(instant);
}

int cuptiKind(MemoryKind kind)
{
    return kind == MemoryKind::device ? cuptiDevice : kind == MemoryKind::pinned ? cuptiPinned : cuptiPageable;
}

/// Between 0.98 and 1.02, the same in each run: no two kernels take exactly as long.
double jitter(std::uint64_t count)
{
    std::uint64_t mixed = (count + 1) * 0x9E3779B97F4A7C15ULL;
    mixed ^= mixed >> 29;
    constexpr double kParts = 1000;
    return 0.98 + 0.04 * static_cast<double>(mixed % static_cast<std::uint64_t>(kParts)) / kParts;
}

} // namespace

struct GraphNode
{
    std::uint64_t id;
    Work work;
};

struct Graph
{
    std::uint32_t id;
    std::vector<std::unique_ptr<GraphNode>> nodes;
};

struct GraphLaunchable
{
    std::uint32_t id;
    std::vector<GraphNode> nodes;
};

namespace {

struct Capture
{
    unsigned long long id = 0;
    CaptureMode mode = CaptureMode::global;
    std::thread::id thread;
    Stream* origin = nullptr;
    std::unique_ptr<Graph> graph;
    std::vector<Stream*> joined; ///< other streams that an event brought in
    std::vector<GraphNode*> last;
    bool invalid = false;
    std::uint64_t operations = 0;
};

} // namespace

struct Stream
{
    int device = 0;
    std::uint32_t id = 0;
    bool blocking = false; ///< it and the default stream wait for each other
    std::int64_t tail = 0; ///< when the work given to it will be done
    std::shared_ptr<Capture> capture;
};

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
        for (int gpu = 0; gpu < settings().gpus; ++gpu)
            m_visible.push_back(gpu);
        if (const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES"))
            m_visible = chosen(visible);
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

    CaptureMode exchangeCaptureMode(CaptureMode mode) override { return std::exchange(t_mode, mode); }

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
    static constexpr std::uint32_t kDefaultStream = 7; // as CUPTI counts

    struct Device
    {
        bool used = false;
        Stream main;
        std::int64_t computeTail = 0;
        std::int64_t copyTail = 0; ///< of copies from the host
        std::int64_t backTail = 0; ///< of copies to the host
    };

    static std::vector<int> chosen(const std::string& words);
    int use(int device);
    std::uint64_t freeBytes(int device);
    void hold(int device, std::int64_t bytes);
    Device& deviceOf(const Stream& stream) { return m_devices[static_cast<std::size_t>(stream.device)]; }
    Stream& resolve(Stream* stream);
    std::int64_t waitFor(const Stream& stream);
    int forbiddenInCapture();
    int capturing(Stream& stream, const Work& work, bool& taken);
    int submit(Stream& stream, Work work);
    WorkRecord schedule(Stream& stream, const Work& work);
    void countLaunch();
    void report(int kind, std::int64_t begin, std::uint32_t stream, std::uint32_t event);

    std::vector<int> m_visible;
    std::array<Device, kMostGpus> m_devices;
    std::mutex m_mutex; ///< for everything below but what is atomic
    MemoryTable m_memory;
    std::vector<std::unique_ptr<Stream>> m_streams;
    std::vector<std::shared_ptr<Capture>> m_captures; ///< those that have not ended
    std::uint64_t m_allocations = 0;
    std::uint64_t m_launches = 0;
    std::uint64_t m_held = 0; ///< bytes on all GPUs
    std::uint64_t m_works = 0;
    std::atomic<std::uint32_t> m_calls{0};
    std::atomic<std::uint32_t> m_ids{16};
    std::atomic<std::uint64_t> m_nodes{0};
    std::atomic<int> m_lasting{success};
    std::atomic<Observer*> m_observer{nullptr};
};

/// The GPUs that CUDA_VISIBLE_DEVICES names. A word that names none ends the list.
std::vector<int> MachineImpl::chosen(const std::string& words)
{
    std::vector<int> gpus;
    for (std::size_t begin = 0; begin < words.size();) {
        const std::size_t end = std::min(words.find(',', begin), words.size());
        const std::string word = words.substr(begin, end - begin);
        begin = end + 1;
        int found = -1;
        for (int gpu = 0; gpu < settings().gpus; ++gpu)
            if (word == std::to_string(gpu) || (word.size() > 4 && uuidText(gpu).starts_with(word)))
                found = gpu;
        if (found < 0)
            break;
        gpus.push_back(found);
    }
    return gpus;
}

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

/// Whether a call of this thread that is unsafe during a capture meets this one.
bool meets(const Capture& capture)
{
    const bool own = capture.thread == std::this_thread::get_id();
    return t_mode != CaptureMode::relaxed && capture.mode != CaptureMode::relaxed &&
           (own || (capture.mode == CaptureMode::global && t_mode == CaptureMode::global));
}

/// For a call that may touch what a capture records: it spoils the captures that it meets, and fails.
int MachineImpl::forbiddenInCapture()
{
    int code = success;
    for (const auto& capture : m_captures)
        if (meets(*capture)) {
            capture->invalid = true;
            code = captureUnsupported;
        }
    return code;
}

int MachineImpl::allocate(std::size_t bytes, void** memory)
{
    const std::lock_guard lock(m_mutex);
    *memory = nullptr;
    if (const int code = use(t_device); code != success)
        return code;
    if (const int code = forbiddenInCapture(); code != success)
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
    if (const int code = forbiddenInCapture(); code != success)
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
    if (const int code = forbiddenInCapture(); code != success)
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
    if (const int code = forbiddenInCapture(); code != success)
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

/// When the work that `stream` waits for will be done.
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
    if (stream.capture) {
        stream.capture->invalid = true;
        return captureUnsupported;
    }
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
    if (stream.capture) {
        stream.capture->invalid = true;
        return captureUnsupported;
    }
    return waitFor(stream) > monotonicNow() ? notReady : success;
}

int MachineImpl::synchronizeDevice()
{
    const std::int64_t begin = monotonicNow();
    std::unique_lock lock(m_mutex);
    if (const int code = use(t_device); code != success)
        return code;
    if (const int code = forbiddenInCapture(); code != success)
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
    if (stream.capture && event->time) {
        stream.capture->invalid = true; // it would wait for work outside of its graph
        return captureUnjoined + 1;     // isolation
    }
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
    if (const int code = forbiddenInCapture(); code != success)
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
    if (const int code = forbiddenInCapture(); code != success)
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

/// Adds a step to the capture of the stream, where there is one; `taken` says so.
int MachineImpl::capturing(Stream& stream, const Work& work, bool& taken)
{
    taken = stream.capture != nullptr;
    if (!taken)
        return success;
    Capture& capture = *stream.capture;
    if (++capture.operations == settings().breakCapture)
        capture.invalid = true;
    if (capture.invalid)
        return captureInvalidated;
    capture.graph->nodes.push_back(std::make_unique<GraphNode>(GraphNode{++m_nodes, work}));
    capture.last = {capture.graph->nodes.back().get()};
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
    double slower = jitter(m_works++);
    if (settings().throttle != 0)
        slower *= kThrottled;
    constexpr double kWhole = 100;
    if (const int load = std::min(settings().otherLoad, 95); load > 0 && gpuOf(stream.device) == 0)
        slower *= kWhole / (kWhole - load);
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
    if (const int code = capturing(stream, work, taken); code != success || taken)
        return code;
    if (&stream == &deviceOf(stream).main)
        // The default stream waits for streams that are captured, which cannot be.
        for (const auto& capture : m_captures)
            if (meets(*capture)) {
                capture->invalid = true;
                return captureImplicit;
            }
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
    spinUntil(monotonicNow() + settings().launchCost);
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
    work.duration = duration;
    if (duration == 0) {
        const double threads = static_cast<double>(grid.x) * grid.y * grid.z * block.x * block.y * block.z;
        const std::string_view kernel = name;
        const bool half =
            kernel.find("Half") != std::string_view::npos || kernel.find("BFloat16") != std::string_view::npos;
        work.duration = settings().kernelTime +
                        static_cast<std::int64_t>(threads * kBytesOfThread / card.bandwidth / (half ? 2 : 1));
    }
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
    const double rate = out && in     ? settings().card->bandwidth / 2
                        : !out && !in ? kHostRate
                        : pageable    ? kPageableRate
                                      : kPinnedRate;
    work.duration = kCopyTime + static_cast<std::int64_t>(static_cast<double>(bytes) / rate);
    if (!async && stream.capture) {
        stream.capture->invalid = true;
        return captureUnsupported;
    }
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
    work.duration = kCopyTime + static_cast<std::int64_t>(static_cast<double>(bytes) / settings().card->bandwidth);
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
    if (const int code = capturing(stream, {}, taken); code != success || taken)
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
    auto capture = std::make_shared<Capture>();
    capture->id = ++m_ids;
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->origin = &stream;
    capture->graph = std::make_unique<Graph>();
    capture->graph->id = ++m_ids;
    stream.capture = capture;
    m_captures.push_back(std::move(capture));
    return success;
}

int MachineImpl::endCapture(Stream* handle, Graph** graph)
{
    const std::lock_guard lock(m_mutex);
    *graph = nullptr;
    Stream& stream = resolve(handle);
    const std::shared_ptr<Capture> capture = stream.capture;
    if (!capture || capture->origin != &stream)
        return captureUnsupported;
    if (capture->mode != CaptureMode::relaxed && capture->thread != std::this_thread::get_id())
        return captureWrongThread;
    stream.capture.reset();
    for (Stream* joined : capture->joined)
        joined->capture.reset();
    std::erase(m_captures, capture);
    if (capture->invalid)
        return captureInvalidated;
    *graph = capture->graph.release();
    return m_lasting;
}

CaptureInfo MachineImpl::captureInfo(Stream* handle)
{
    const std::lock_guard lock(m_mutex);
    const Stream& stream = resolve(handle);
    CaptureInfo info;
    if (!stream.capture)
        return info;
    Capture& capture = *stream.capture;
    info.state = capture.invalid ? CaptureState::invalidated : CaptureState::active;
    info.id = capture.id;
    info.graph = capture.graph.get();
    info.dependencies = capture.last.data();
    info.dependencyCount = capture.last.size();
    return info;
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
    spinUntil(monotonicNow() + settings().launchCost);
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

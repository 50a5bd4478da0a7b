// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/cupti_session.h"

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/base/stop_wait.h"
#include "core/model/gpu_obstacles.h"
#include "core/trace/trace_merge.h"
#include "profilers/cupti/buffer_pool.h"
#include "profilers/cupti/cupti_library.h"
#include "profilers/cupti/cupti_operators.h"
#include "profilers/cupti/errors.h"
#include "profilers/cupti/reasons.h"
#include "profilers/cupti/record_decoder.h"
#include "profilers/cupti/record_file.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <functional>
#include <thread>

namespace apertune::profilers {

using base::Error;
using base::ErrorCode;
using trace::EventKind;
using trace::LossSeverity;

namespace {

/// The time that CUPTI gets to hand over its last buffers after the final flush.
constexpr auto kTailWait = std::chrono::seconds(2);

struct Kind
{
    CUpti_ActivityKind kind;
    const base::MessageKind* what; ///< name of the records, for the message when the kind cannot be enabled
    bool essential = false;        ///< without this kind a recording is worthless, so start() fails
    bool existing = false;         ///< objects that exist before the recording are reported, too
};

/// The kinds, in the order in which they are enabled. CONCURRENT_KERNEL and not KERNEL, because that one would
/// serialize kernels.
constexpr std::array kKinds{
    Kind{CUPTI_ACTIVITY_KIND_DEVICE, &cupti::reasons::kDeviceProperties, false, true},
    Kind{CUPTI_ACTIVITY_KIND_CONTEXT, &cupti::reasons::kContexts, false, true},
    Kind{CUPTI_ACTIVITY_KIND_STREAM, &cupti::reasons::kStreams, false, true},
    Kind{CUPTI_ACTIVITY_KIND_RUNTIME, &cupti::reasons::kRuntimeCalls, true},
    Kind{CUPTI_ACTIVITY_KIND_DRIVER, &cupti::reasons::kDriverCalls},
    Kind{CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, &cupti::reasons::kOperatorsBehind},
    Kind{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, &cupti::reasons::kKernels, true},
    Kind{CUPTI_ACTIVITY_KIND_MEMCPY, &cupti::reasons::kCopies, true},
    Kind{CUPTI_ACTIVITY_KIND_MEMSET, &cupti::reasons::kFills},
    Kind{CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, &cupti::reasons::kSynchronisation},
    Kind{CUPTI_ACTIVITY_KIND_CUDA_EVENT, &cupti::reasons::kCudaEvents},
    Kind{CUPTI_ACTIVITY_KIND_MEMORY2, &cupti::reasons::kAllocations},
    Kind{CUPTI_ACTIVITY_KIND_MEMORY_POOL, &cupti::reasons::kMemoryPools},
    Kind{CUPTI_ACTIVITY_KIND_OVERHEAD, &cupti::reasons::kOverhead},
    Kind{CUPTI_ACTIVITY_KIND_MARKER, &cupti::reasons::kNvtxRanges},
    Kind{CUPTI_ACTIVITY_KIND_NAME, &cupti::reasons::kNames},
    Kind{CUPTI_ACTIVITY_KIND_JIT, &cupti::reasons::kCompilation},
    Kind{CUPTI_ACTIVITY_KIND_PCIE, &cupti::reasons::kLinkSpeed, false, true},
};

/// Calls that a framework makes several times for each operator, and that say nothing about its work.
constexpr std::array kSilentRuntime{
    CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaSetDevice_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaPeekAtLastError_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_v10000,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_ptsz_v10000,
};
constexpr std::array kSilentDriver{
    CUPTI_DRIVER_TRACE_CBID_cuKernelGetAttribute,
    CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxGetState,
    CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent,
};

std::uint64_t timestamp()
{
    return static_cast<std::uint64_t>(base::monotonicNow().count);
}

class CuptiSession;

/// CUPTI's buffer callbacks carry no user data, so the session is a global. A session that ends waits until no callback
/// runs.
std::atomic<CuptiSession*> g_session{nullptr};
std::atomic<int> g_inside{0};

class CuptiSession final : public trace::ProfilerSession
{
public:
    CuptiSession(const CuptiApi& api, const CuptiOptions& options)
        // Some buffers are made before the recording, so that callbacks seldom have to make one.
        : m_api(api), m_options(options),
          m_pool(std::make_unique<BufferPool>(options.readyBuffers, options.mostBuffers)),
          m_origin(base::monotonicNow().count), m_decoder(api, m_events, m_origin)
    {
        m_events.head().originMonotonic = m_origin;
    }

    ~CuptiSession() override { end(); }

    base::Status start();
    base::Status stop(trace::TraceBuilder& into) override;

    std::uint8_t* takeBuffer()
    {
        std::uint8_t* const buffer = m_pool->take();
        // CUPTI drops records without a buffer, and the loss is counted.
        if (!buffer)
            m_refused.fetch_add(1, std::memory_order_relaxed);
        return buffer;
    }

    void completed(std::uint8_t* buffer, std::size_t valid)
    {
        {
            const base::Lock lock(m_mutex);
            m_full.push_back({buffer, valid});
        }
        m_arrived.notify_one();
    }

    void gaveUp(const CUpti_StateData* why)
    {
        const char* const message = why ? why->notification.message : nullptr;
        std::string text =
            message && *message ? message : m_api.textOf(why ? why->notification.result : CUPTI_ERROR_UNKNOWN);
        const base::Lock lock(m_mutex);
        // The first reason counts; those that follow are its consequences.
        if (m_end.empty())
            m_end = std::move(text);
    }

    const CuptiApi& api() const { return m_api; }

private:
    struct Full
    {
        std::uint8_t* buffer;
        std::size_t valid;
    };

    base::Status subscribe();
    void takeNvtx();
    base::Status enableKinds();
    void end();
    void writeLoop(const std::stop_token& stop);
    void keepRecords(std::uint8_t* buffer, std::size_t valid);
    void flushLoop(const std::stop_token& stop);
    void addLosses();
    Error refused(base::Message what, CUptiResult result) const;

    const CuptiApi& m_api;
    CuptiOptions m_options;
    std::unique_ptr<BufferPool> m_pool;
    std::int64_t m_origin;
    std::vector<std::function<void()>> m_undo; ///< actions that undo the start; the last one runs first
    std::vector<base::Message> m_missing;

    base::Mutex m_mutex; ///< no lock is taken and no function of CUPTI is called while it is held
    std::condition_variable_any m_arrived;
    std::deque<Full> m_full APERTUNE_GUARDED_BY(m_mutex);
    std::string m_end APERTUNE_GUARDED_BY(m_mutex); ///< reason why CUPTI stopped by itself; empty when it did not
    std::atomic<std::uint64_t> m_refused{0};        ///< number of buffers that could not be given
    std::atomic<std::uint64_t> m_dropped{0};        ///< number of records that CUPTI reports as dropped
    std::int64_t m_clockOffset = 0;                 ///< correction of CUPTI's own clock, where it refused ours

    trace::TraceBuilder m_events; ///< only the writer uses it and the decoder while it runs
    RecordDecoder m_decoder;
    int m_kept = 0; ///< number of files of records; only the writer uses it
    std::jthread m_writer;
    std::jthread m_flusher;
};

/// The session that a buffer callback uses. It keeps the session alive for as long as the callback runs.
class Inside
{
public:
    Inside()
    {
        // Counted before the session is read: end() clears the session first and then waits for the count.
        g_inside.fetch_add(1);
        m_session = g_session.load();
    }
    ~Inside() { g_inside.fetch_sub(1); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    CuptiSession* operator->() const { return m_session; }
    explicit operator bool() const { return m_session != nullptr; }

private:
    CuptiSession* m_session;
};

void CUPTIAPI requestBuffer(std::uint8_t** buffer, std::size_t* size, std::size_t* mostRecords)
{
    const Inside session;
    *mostRecords = 0; // 0: as many as fit
    *buffer = session ? session->takeBuffer() : nullptr;
    *size = *buffer ? BufferPool::kBufferBytes : 0;
}

void CUPTIAPI completeBuffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid)
{
    const Inside session;
    if (session && buffer)
        session->completed(buffer, valid);
}

void CUPTIAPI watchState(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data)
{
    const Inside session;
    if (session && domain == CUPTI_CB_DOMAIN_STATE && id == CUPTI_CBID_STATE_FATAL_ERROR)
        session->gaveUp(static_cast<const CUpti_StateData*>(data));
}

Error CuptiSession::refused(base::Message what, CUptiResult result) const
{
    // CUPTI reports an old driver as an unknown error.
    if (result == CUPTI_ERROR_UNKNOWN || result == CUPTI_ERROR_NOT_INITIALIZED) {
        const base::Status driver = checkDriver(m_api.driverVersion);
        Error error = driver ? Error{ErrorCode::unsupported,
                                     base::message<cupti::errors::kDoesNotStart>(),
                                     {},
                                     base::message<model::gpu_obstacles::kRunSmiForGpu>()}
                             : driver.error();
        error.context = m_api.textOf(result);
        return error;
    }
    if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
        return {ErrorCode::unsupported, base::message<cupti::errors::kNotAllowed>(), m_api.textOf(result),
                base::message<cupti::errors::kUnrestrict>()};
    return {ErrorCode::internal, base::message<cupti::errors::kRefused>(std::move(what)), m_api.textOf(result),
            base::message<cupti::errors::kCheckFit>()};
}

base::Status CuptiSession::subscribe()
{
    std::array<char, 128> holder{};
    CUpti_SubscriberParams parameters{};
    parameters.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    parameters.subscriberName = "Apertune";
    parameters.oldSubscriberName = holder.data();
    parameters.oldSubscriberSize = holder.size();
    CUpti_SubscriberHandle subscriber = nullptr;
    const CUptiResult result = m_api.subscribe(&subscriber, watchState, nullptr, &parameters);
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
        return Error{ErrorCode::busy,
                     // The name of the other tool helps a user to end it.
                     holder[0] ? base::message<cupti::errors::kToolAttached>(holder.data())
                               : base::message<cupti::errors::kOtherToolAttached>(),
                     m_api.textOf(result), base::message<cupti::errors::kEndOther>()};
    if (result != CUPTI_SUCCESS)
        return refused(base::message<cupti::reasons::kSubscriber>(), result);
    m_undo.emplace_back([this, subscriber] { m_api.unsubscribe(subscriber); });
    if (m_api.enableCallback) // a fatal error ends CUPTI during the recording, and only this callback reports it
        m_api.enableCallback(1, subscriber, CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR);
    return {};
}

/// Makes CUPTI the receiver of NVTX ranges. The first NVTX call of a library reads the receiver from the environment. A
/// tool that is named there already keeps the ranges.
void CuptiSession::takeNvtx()
{
    constexpr const char* kReceiver = "NVTX_INJECTION64_PATH";
    if (m_api.file.empty())
        return;
    ::setenv(kReceiver, m_api.file.c_str(), 0);
    if (const std::string receiver = std::getenv(kReceiver); receiver != m_api.file)
        m_missing.push_back(base::message<cupti::reasons::kNvtxElsewhere>(receiver));
}

base::Status CuptiSession::enableKinds()
{
    std::vector<Kind> kinds(kKinds.begin(), kKinds.end());
    if (m_options.graphs == trace::GraphRecords::launches) {
        kinds.push_back({CUPTI_ACTIVITY_KIND_GRAPH_TRACE, &cupti::reasons::kCudaGraphs});
        m_missing.push_back(base::message<cupti::reasons::kWholeGraphs>());
    }
    for (const Kind& kind : kinds) {
        // A kind that dumps also reports what existed before the recording began.
        const bool dump = kind.existing && m_api.activityEnableAndDump;
        const CUptiResult result = dump ? m_api.activityEnableAndDump(kind.kind) : m_api.activityEnable(kind.kind);
        if (result == CUPTI_SUCCESS)
            m_undo.emplace_back([this, kind] { m_api.activityDisable(kind.kind); });
        else if (kind.essential)
            return refused(base::message(*kind.what), result);
        else
            m_missing.push_back(
                base::message<cupti::reasons::kDoesNotRecord>(base::message(*kind.what), m_api.textOf(result)));
    }
    // After the kinds, because enabling a kind enables all of its calls again.
    if (m_api.activityEnableRuntimeApi)
        for (const auto call : kSilentRuntime)
            m_api.activityEnableRuntimeApi(call, 0);
    if (m_api.activityEnableDriverApi)
        for (const auto call : kSilentDriver)
            m_api.activityEnableDriverApi(call, 0);
    return {};
}

base::Status CuptiSession::start()
{
    // Kineto's daemon would attach in the middle of the recording.
    if (std::getenv("KINETO_USE_DAEMON"))
        return Error{ErrorCode::busy, base::message<cupti::errors::kKinetoAttached>(), "KINETO_USE_DAEMON",
                     base::message<cupti::errors::kUnsetDaemon>()};
    CuptiSession* none = nullptr;
    // Callbacks have no user data, so the session is global and there is one at a time.
    if (!g_session.compare_exchange_strong(none, this))
        return Error{ErrorCode::busy,
                     base::message<cupti::errors::kRecordsAlready>(),
                     {},
                     base::message<cupti::errors::kStopFirst>()};
    // First in, so that it runs last: from then on no callback can reach this session.
    m_undo.emplace_back([] {
        g_session = nullptr;
        while (g_inside.load() != 0)
            std::this_thread::yield();
    });
    // One subscriber at a time is CUPTI's rule. Its fatal-error callback has to exist before any kind is enabled.
    if (auto status = subscribe(); !status)
        return status;
    takeNvtx();
    std::uint8_t zeroed = 1; // otherwise CUPTI zeroes buffers in the application's own calls
    std::size_t size = sizeof zeroed;
    m_api.activitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed);
    // System thread ids are those of the operators' events, so calls and operators share their tracks.
    m_api.setThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
    // Times come from our clock. CUPTI's own follows the time of day, which can be set during a recording.
    if (m_api.activityRegisterTimestampCallback(timestamp) != CUPTI_SUCCESS) {
        std::uint64_t theirs = 0;
        const std::int64_t before = base::monotonicNow().count;
        m_api.getTimestamp(&theirs);
        // The offset is taken between two readings of our clock.
        m_clockOffset = (before + base::monotonicNow().count) / 2 - static_cast<std::int64_t>(theirs);
        m_missing.push_back(base::message<cupti::reasons::kOwnClock>());
    }
    if (const CUptiResult result = m_api.activityRegisterCallbacks(requestBuffer, completeBuffer);
        result != CUPTI_SUCCESS)
        return refused(base::message<cupti::reasons::kItsBuffers>(), result);
    if (auto status = enableKinds(); !status)
        return status;
    if (m_api.activityEnableAllSyncRecords)
        m_api.activityEnableAllSyncRecords(0); // without records of polling that found nothing ready
    if (m_api.activityEnableAllocationSource)
        m_api.activityEnableAllocationSource(1);
    m_writer = std::jthread([this](const std::stop_token& stop) { writeLoop(stop); });
    m_flusher = std::jthread([this](const std::stop_token& stop) { flushLoop(stop); });
    return {};
}

void CuptiSession::writeLoop(const std::stop_token& stop)
{
    while (true) {
        Full full{};
        {
            base::Lock lock(m_mutex);
            m_arrived.wait(lock, stop, [this]() APERTUNE_REQUIRES(m_mutex) { return !m_full.empty(); });
            if (m_full.empty())
                return; // stop was requested and no buffer is left
            full = m_full.front();
            m_full.pop_front();
        }
        keepRecords(full.buffer, full.valid);
        m_decoder.decode(full.buffer, full.valid);
        // A decoded buffer goes back to the pool.
        m_pool->give(full.buffer, full.valid);
    }
}

/// Writes the first buffers to the folder that the environment names, if any. Test fixtures come from there.
void CuptiSession::keepRecords(std::uint8_t* buffer, std::size_t valid)
{
    // The files become test fixtures, so a few small ones suffice.
    constexpr int kMostFiles = 4;
    constexpr std::size_t kMostBytes = std::size_t{64} << 10;
    const char* const folder = std::getenv("APERTUNE_CUPTI_RECORDS");
    if (!folder || m_kept >= kMostFiles)
        return;
    const std::string name = std::to_string(::getpid()) + "-" + std::to_string(m_kept++) + ".cuptirec";
    if (const auto written = writeRecords(m_api, buffer, valid, kMostBytes, std::filesystem::path(folder) / name);
        !written)
        m_missing.push_back(base::message<cupti::reasons::kRecordsNotKept>(written.error().message));
}

void CuptiSession::flushLoop(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        if (!base::waitForStop(stop, m_options.flushPeriod))
            // A regular flush also returns buffers that are not full, so that decoding keeps up with the recording.
            m_api.activityFlushAll(0);
        std::size_t dropped = 0;
        if (m_api.activityGetNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS)
            m_dropped.fetch_add(dropped);
    }
}

/// Ends the recording in this order: disable the kinds, flush, decode everything, then remove the subscriber and the
/// callbacks. In any other order records are lost, or CUPTI writes to memory that was freed.
void CuptiSession::end()
{
    if (m_flusher.joinable()) {
        m_flusher.request_stop();
        m_flusher.join();
    }
    // The first two entries are the callbacks and the subscriber, which have to outlive the flush.
    while (m_undo.size() > 2) {
        m_undo.back()();
        m_undo.pop_back();
    }
    if (m_writer.joinable()) {
        m_api.activityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        std::size_t dropped = 0;
        if (m_api.activityGetNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS)
            m_dropped.fetch_add(dropped);
        // Buffers may still be on their way on a thread of CUPTI.
        const auto deadline = std::chrono::steady_clock::now() + kTailWait;
        // A buffer that CUPTI keeps is counted as lost.
        while (m_pool->outstanding() > 0 && std::chrono::steady_clock::now() < deadline)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    while (!m_undo.empty()) {
        m_undo.back()();
        m_undo.pop_back();
    }
    if (m_writer.joinable()) {
        m_writer.request_stop();
        m_writer.join();
    }
}

void CuptiSession::addLosses()
{
    // The kind of these records is unknown and kernels may be among them, so the loss counts as an error.
    const auto lose = [this](std::uint64_t count, base::Message reason) {
        if (count > 0)
            m_events.addLoss(
                {{}, EventKind::kernel, static_cast<std::int64_t>(count), LossSeverity::error, std::move(reason)});
    };
    lose(m_dropped.load(), base::message<cupti::reasons::kDropped>());
    lose(m_refused.load(), base::message<cupti::reasons::kMemoryCap>());
    lose(m_pool->outstanding(), base::message<cupti::reasons::kBuffersKept>());
    std::string end;
    {
        const base::Lock lock(m_mutex);
        end = m_end;
    }
    if (!end.empty())
        m_events.addLoss({{}, EventKind::kernel, 0, LossSeverity::error, base::message<cupti::reasons::kStopped>(end)});
    for (const base::Message& reason : m_missing)
        m_events.addLoss({{}, EventKind::other, 0, LossSeverity::notice, reason});
}

/// Removes the events before `instant`. CUPTI has to be there before the first CUDA call, so loading and warm-up are
/// recorded, too. Allocations are kept, because they say how much memory is in use when the recording begins.
void leaveOutBefore(trace::Trace& trace, std::int64_t instant)
{
    for (trace::Series& s : trace.series) {
        // Memory that was allocated before still exists.
        if (s.kind == EventKind::deviceMemory)
            continue;
        // Events are sorted by their starts: behind a long one that still counts there are short ones that do not.
        std::size_t first = 0;
        while (first < s.events.size() && s.events.end(first) >= instant)
            ++first;
        if (first == s.events.size())
            continue;
        trace::EventColumns kept;
        for (std::size_t i = 0; i < s.events.size(); ++i)
            if (s.events.end(i) >= instant)
                kept.append(s.events.at(i));
        s.events = std::move(kept);
    }
    std::erase_if(trace.series, [](const trace::Series& s) { return s.events.empty(); });
}

base::Status CuptiSession::stop(trace::TraceBuilder& into)
{
    end();
    m_decoder.finish();
    addLosses();
    trace::Trace events = m_events.finish(false);
    events.originMonotonic += m_clockOffset;
    leaveOutBefore(events, into.head().originMonotonic - events.originMonotonic);
    trace::append(into, std::move(events));
    return {};
}

} // namespace

base::Result<std::unique_ptr<trace::ProfilerSession>> startCupti(const CuptiApi& api, const CuptiOptions& options)
{
    auto session = std::make_unique<CuptiSession>(api, options);
    if (auto status = session->start(); !status)
        return status.error();
    return std::unique_ptr<trace::ProfilerSession>(std::move(session));
}

void enterOperator(std::uint64_t link)
{
    const Inside session;
    if (session)
        // PyTorch's own profiler uses the kinds CUSTOM0 and CUSTOM1.
        session->api().activityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, link);
}

void leaveOperator()
{
    const Inside session;
    std::uint64_t last = 0;
    if (session)
        session->api().activityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, &last);
}

} // namespace apertune::profilers

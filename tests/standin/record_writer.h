// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/standin/observer.h"

#include <cupti.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace apertune::standin {

/// Writes records of CUPTI 13.0 into buffers of the program, as CUPTI does:
///
/// * Calls are written on the thread that makes them, into a buffer of that thread.
/// * A thread of the writer writes the work of GPUs, after it is done and in random order.
/// * Only that thread returns buffers. Each holds at most settings().bufferRecords records.
/// * A record without a buffer, and every settings().dropRecord-th record, is dropped and counted.
///
/// It outlives the process. Thread-safe. No lock is held while the program's callbacks run.
class RecordWriter final : public Observer
{
public:
    using Clock = std::uint64_t (*)();

    RecordWriter();

    void setBuffers(CUpti_BuffersCallbackRequestFunc onRequest, CUpti_BuffersCallbackCompleteFunc onComplete);
    void setClock(Clock clock);
    void setSystemThreads(bool system) { m_systemThreads = system; }
    /// Starts or stops records of one kind. With `existing`, contexts and devices that exist already are reported at
    /// once.
    void enable(CUpti_ActivityKind kind, bool on, bool existing);
    void enableCall(bool driver, std::uint32_t callback, bool on);
    /// Delivers the records of completed work; if `forced`, also those of running work, without an end time.
    void flush(bool forced);
    std::uint64_t takeDropped() { return m_dropped.exchange(0); }
    void push(CUpti_ExternalCorrelationKind kind, std::uint64_t link);
    /// Returns false when nothing was pushed.
    bool pop(CUpti_ExternalCorrelationKind kind, std::uint64_t* last);

    void call(const CallRecord& record) override;
    void work(const WorkRecord& record) override;
    void waited(const WaitRecord& record) override;
    void allocation(const AllocationRecord& record) override;
    void graph(const GraphRecord& record) override;
    void event(const EventRecord& record) override;
    void contextCreated(std::uint32_t device) override;
    void streamCreated(std::uint32_t device, std::uint32_t stream) override;

private:
    /// A record of a GPU. The size is that of the largest one, a kernel's.
    struct Pending
    {
        std::int64_t end = 0; ///< when it is done
        std::size_t bytes = 0;
        alignas(8) std::array<std::uint8_t, sizeof(CUpti_ActivityKernel10)> record{};
    };
    struct Buffer
    {
        std::uint8_t* memory = nullptr;
        std::size_t size = 0;
        std::size_t used = 0;
        std::size_t records = 0;
        std::size_t most = 0;
    };
    struct ThreadBuffer
    {
        std::mutex mutex;
        Buffer buffer;
    };

    bool wants(CUpti_ActivityKind kind) const { return m_enabled[kind]; }
    std::uint64_t stamp(std::int64_t time) const;
    ThreadBuffer& ofThisThread();
    template <typename Record>
    void writeHere(const Record& record);
    template <typename Record>
    void writeLater(const Record& record, std::int64_t end);
    Buffer request();
    bool append(Buffer& buffer, const void* record, std::size_t bytes);
    bool isDropped();
    void hand(Buffer& buffer);
    void reportDevices();
    void reportContext(std::uint32_t device);
    void deliver();
    std::vector<Pending> takeDone(bool forced);
    void writeAll(std::vector<Pending> done);

    std::array<std::atomic<bool>, CUPTI_ACTIVITY_KIND_COUNT> m_enabled{};
    std::array<std::atomic<bool>, CUPTI_RUNTIME_TRACE_CBID_SIZE> m_silentRuntime{};
    std::array<std::atomic<bool>, CUPTI_DRIVER_TRACE_CBID_SIZE> m_silentDriver{};
    std::atomic<CUpti_BuffersCallbackRequestFunc> m_request{nullptr};
    std::atomic<CUpti_BuffersCallbackCompleteFunc> m_complete{nullptr};
    std::atomic<std::int64_t> m_offset{0}; ///< the program's clock minus CLOCK_MONOTONIC
    std::atomic<bool> m_systemThreads{false};
    std::atomic<std::uint64_t> m_dropped{0};
    std::atomic<std::uint64_t> m_written{0};

    std::mutex m_mutex; ///< guards everything below
    std::condition_variable m_wake;
    std::condition_variable m_delivered;
    std::vector<std::shared_ptr<ThreadBuffer>> m_threadBuffers;
    std::vector<Pending> m_pending;
    std::deque<Buffer> m_full;
    std::uint64_t m_flushesWanted = 0;
    std::uint64_t m_flushesDone = 0;
    bool m_forced = false;
    std::thread m_thread;
    std::mt19937 m_order; ///< only the writer's thread uses it
};

} // namespace apertune::standin

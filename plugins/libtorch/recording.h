// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"
#include "plugins/libtorch/shape_recall.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#ifdef __x86_64__
#include <x86intrin.h>
#endif

/// The buffers into which the hooks of LibTorch write while a recording runs. There is one recording a process. The
/// measuring thread calls begin() and end(); any thread may call the rest. No LibTorch type appears here, because
/// LibTorch's headers are slow to compile.
namespace apertune::libtorch::recording {

/// Nanoseconds of CLOCK_MONOTONIC.
inline std::int64_t now()
{
    timespec t; // NOLINT: filled by the call
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

/// State that all threads share and each hook reads. The operator that ran between two hooks has replaced the contents
/// of the caches, so the cost of a hook is about the number of cache lines that it touches. This state fills one line.
struct alignas(64) Shared
{
    std::atomic<bool> active{false}; ///< a recording runs
    std::atomic<bool> memory{false}; ///< the recording includes allocations
    /// end() can make the kernel put a memory barrier into every thread (membarrier). If not, each hook has its own.
    std::atomic<bool> remoteBarrier{false};
    bool counter = false; ///< ticks() reads the processor's counter; written by begin() only
};
inline Shared g_shared;

/// The time of an event. Where the kernel trusts the processor's counter (TSC), this reads it, which takes a third of
/// the time of a clock call. end() converts it to nanoseconds with the two clocks at both ends of the recording.
/// Elsewhere it is now().
inline std::int64_t ticks()
{
#ifdef __x86_64__
    if (g_shared.counter)
        return static_cast<std::int64_t>(__rdtsc());
#endif
    return now();
}

/// An event as it is stored until end(). Two records fill one cache line, because moving a record into the caches and
/// out again costs as much as all other steps of recording it.
struct Record
{
    std::int64_t start; ///< ticks
    union {
        std::int64_t value; ///< operator: its end in ticks, or kOpen; allocation: bytes; kSequence: number of the
                            ///< operator before
        Record* around;     ///< running operator: the record of the operator around it, or null
    };
    std::uint64_t what; ///< operator: index of its name, and of its shapes in the upper half; allocation: address
    std::uint32_t link;
    std::int16_t kind; ///< apertune_trace_kind, or kSequence
    std::int16_t device;

    static constexpr std::int64_t kOpen = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int16_t kSequence = -1;
};
static_assert(sizeof(Record) == 32);

/// The events of one thread. Its owner appends between enter() and leave() while a recording runs. begin() and end()
/// use it alone while none runs: end() first waits until the owner has left.
class alignas(64) ThreadBuffer
{
public:
    ThreadBuffer();

    /// Returns whether a recording runs. The caller has to call leave() in either case; see Entry.
    ///
    /// Each hook calls this, so it takes no lock. The owner stores m_busy and then loads `active`; end() does the
    /// reverse. At least one of them sees the other's store if both sides have a barrier in between. end() can set the
    /// owner's barrier from outside (membarrier).
    bool enter()
    {
        m_busy.store(true, std::memory_order_relaxed);
        if (g_shared.remoteBarrier.load(std::memory_order_relaxed))
            std::atomic_signal_fence(std::memory_order_seq_cst);
        else
            std::atomic_thread_fence(std::memory_order_seq_cst);
        return g_shared.active.load(std::memory_order_acquire);
    }
    void leave() { m_busy.store(false, std::memory_order_release); }

    // All following functions REQUIRE: enter() returned true.

    /// A list of shapes is built by shapesBegin(), shape() for each input, and shapesEnd(). An input that is no tensor
    /// has rank kNoTensor and no sizes.
    void shapesBegin() { m_shapesEnd = m_shapesStart; }
    void shape(const std::int64_t* sizes, std::int64_t rank)
    {
        const auto count = static_cast<std::size_t>(rank > 0 ? rank : 0);
        if (m_shapesEnd + count >= m_shapes.size())
            m_shapes.resize(2 * (m_shapes.size() + count) + 1);
        std::int64_t* const to = m_shapes.data() + m_shapesEnd;
        to[0] = rank;
        for (std::size_t i = 0; i < count; ++i)
            to[i + 1] = sizes[i];
        m_shapesEnd += count + 1;
    }
    std::uint32_t shapesEnd(); ///< index of the list; 0 when it is empty

    /// Begins a pass on this thread. `input` identifies its input set by an address. Returns whether the shapes of the
    /// pass's operators have to be read.
    bool passBegins(const void* input);

    /// Returns the value for the parameter `what` of open(). `shapes` is a result of shapesEnd(). `stays` means that
    /// `text` is never freed.
    std::uint64_t read(const char* text, bool stays, std::uint32_t shapes);

    /// Like read(), but with the shapes of the operator at the same place of an earlier pass, if it is known.
    std::uint64_t recall(const char* text, bool stays)
    {
        const ShapeRecall::Place* const place = m_recall.next(text);
        return place ? what(place->name, place->shapes | kRecalled) : recallByName(text, stays);
    }

    /// Begin and end an operator or a range. They nest. An end without a beginning is ignored.
    void open(apertune_trace_kind kind, std::uint64_t what, std::int64_t sequence, std::uint32_t link)
    {
        Record* const record = append();
        if (!record) {
            ++m_openLost;
            return;
        }
        record->around = m_innermost;
        m_innermost = record;
        record->what = what;
        record->link = link;
        record->kind = static_cast<std::int16_t>(kind);
        if (sequence >= 0) // LibTorch gives sequence numbers only while gradients are on
            addSequence(sequence);
        // The clock last, so that looking up texts is not charged to the operator.
        record->start = ticks();
    }
    void close()
    {
        const std::int64_t end = ticks();
        if (m_openLost > 0) {
            --m_openLost; // there is no room for one that begins later than one that was lost
            return;
        }
        Record* const record = m_innermost;
        if (!record)
            return;
        m_innermost = record->around;
        record->value = end;
    }

    void allocation(std::int64_t bytes, std::uint64_t address, std::int32_t device);

    static constexpr std::int64_t kNoTensor = -1;

private:
    friend ThreadBuffer& registerThread();
    friend void begin(std::uint64_t limit);
    friend void end(apertune_trace_sink sink, void* user);

    struct NameSlot
    {
        const char* pointer = nullptr;
        std::uint32_t index = 0;
    };
    struct ShapeSlot
    {
        std::uint64_t hash = 0;
        std::uint32_t index = 0; ///< into m_lists; 0: free
    };
    /// Bit of an event's detail: its shapes were taken over from an earlier pass.
    static constexpr std::uint32_t kRecalled = 0x80000000u;

    struct ShapeList
    {
        std::size_t first = 0;
        std::size_t count = 0;
        std::uint32_t next = 0; ///< the list that followed this one last time, because passes repeat themselves
    };

    static std::uint64_t what(std::uint32_t name, std::uint32_t shapes)
    {
        return name | static_cast<std::uint64_t>(shapes) << 32;
    }

    /// Returns the place of the next event. Returns null when there is no room, and counts the event as lost.
    Record* append() { return m_next != m_chunkEnd ? m_next++ : appendToNextChunk(); }
    Record* appendToNextChunk();
    void addSequence(std::int64_t sequence);
    std::uint32_t name(const char* text, bool stays);
    std::uint64_t recallByName(const char* text, bool stays);
    /// Marks the events that still run as events without an end.
    void markOpen();
    /// Calls work(record, sequence number or -1) for each event that has ended, in the order in which they began.
    template <typename Work>
    void eachRecord(Work work) const;
    void waitUntilLeft() const;
    void reset(std::uint64_t limit);
    std::uint32_t findShapes(const std::int64_t* fresh, std::size_t count);
    void growShapeSlots();
    void release();

    // The members that each hook touches come first, so that they share cache lines.
    std::atomic<bool> m_busy{false};
    Record* m_next = nullptr;      ///< next free record of the last chunk
    Record* m_chunkEnd = nullptr;  ///< end of the part of it that may be written
    Record* m_innermost = nullptr; ///< the innermost operator that runs, or null
    std::uint64_t m_openLost = 0;  ///< operators that run and are not recorded, all inside m_innermost
    ShapeRecall m_recall;

    std::uint32_t m_thread = 0;
    std::uint64_t m_left = 0; ///< number of events that further chunks may hold
    std::uint64_t m_lost = 0;
    std::vector<std::unique_ptr<Record[]>> m_chunks;

    std::vector<NameSlot> m_nameSlots;
    std::vector<std::string> m_names;
    std::unordered_map<std::string, std::uint32_t> m_nameIndex;

    std::vector<std::int64_t> m_shapes; ///< rank and sizes of each tensor, list behind list; longer than is used
    std::size_t m_shapesStart = 0;      ///< end of the lists that are kept, and begin of the list that is being built
    std::size_t m_shapesEnd = 0;        ///< end of the list that is being built
    std::vector<ShapeList> m_lists;
    std::uint32_t m_lastList = 0;
    std::vector<ShapeSlot> m_shapeSlots;

    bool m_runsPasses = false;
};

ThreadBuffer& registerThread();

/// It uses eight bytes of static thread-local storage. A lookup in dynamic storage would cost as much as storing an
/// event.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local ThreadBuffer* t_buffer;

/// Returns the calling thread's own buffer; the first call of a thread registers it.
inline ThreadBuffer& ofThisThread()
{
    return t_buffer ? *t_buffer : registerThread();
}

/// Marks the calling thread as inside its buffer as long as this object lives.
class Entry
{
public:
    explicit Entry(ThreadBuffer& buffer) : m_buffer(buffer), m_active(buffer.enter()) {}
    ~Entry() { m_buffer.leave(); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    explicit operator bool() const { return m_active; } ///< true while a recording runs

private:
    ThreadBuffer& m_buffer;
    bool m_active;
};

/// Records a host or device allocation. Does nothing when no recording with memory runs.
void addAllocation(std::int64_t bytes, std::uint64_t address, std::int32_t device);
inline void noteAllocation(std::int64_t bytes, const void* address, std::int32_t device)
{
    if (g_shared.memory.load(std::memory_order_relaxed))
        addAllocation(bytes, reinterpret_cast<std::uint64_t>(address), device);
}

/// Drops the events of an earlier recording, and begins a new one. `limit` is the number of events for each thread.
///
/// REQUIRES: no recording runs.
void begin(std::uint64_t limit);

/// Ends the recording and passes its events to `sink`. A null sink discards them.
///
/// REQUIRES: a recording runs.
void end(apertune_trace_sink sink, void* user);

} // namespace apertune::libtorch::recording

// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/recording.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>

namespace apertune::libtorch::recording {

namespace {

/// Sizes that hold a large model without growing: events of a chunk (512 KiB), slots of both hash tables (kShapeSlots
/// is a power of two, because findShapes() masks), and rank and sizes of shapes. A batch for the sink has kBatch
/// events.
constexpr std::size_t kChunk = 16384;
constexpr std::size_t kNameSlots = 1024;
constexpr std::size_t kShapeSlots = 1024;
constexpr std::size_t kShapeValues = 16384;
constexpr std::uint64_t kDefaultLimit = 4'000'000;
constexpr std::size_t kBatch = 8192;

using Chunk = std::unique_ptr<Record[]>;

/// Chunks whose pages are already mapped. The first write to a page costs more than recording an event, so a recording
/// begins with kReady of them and uses the chunks of the one before again.
class ChunkPool
{
public:
    void fill()
    {
        const std::lock_guard lock(m_mutex);
        while (m_ready.size() < kReady)
            m_ready.push_back(std::make_unique<Record[]>(kChunk)); // zeroed, which touches each page
    }
    Chunk take()
    {
        {
            const std::lock_guard lock(m_mutex);
            if (!m_ready.empty()) {
                Chunk chunk = std::move(m_ready.back());
                m_ready.pop_back();
                return chunk;
            }
        }
        return std::make_unique_for_overwrite<Record[]>(kChunk);
    }
    void giveBack(std::vector<Chunk>& chunks)
    {
        const std::lock_guard lock(m_mutex);
        for (Chunk& chunk : chunks)
            if (m_ready.size() < kReady)
                m_ready.push_back(std::move(chunk));
        chunks.clear();
    }

private:
    static constexpr std::size_t kReady = 16; ///< 8 MiB, 262,144 events
    std::mutex m_mutex;                       ///< guards m_ready; no other lock is taken while it is held
    std::vector<Chunk> m_ready;
};

ChunkPool& chunkPool()
{
    static ChunkPool& pool = *new ChunkPool; // never destroyed: threads may record while the process ends
    return pool;
}

std::mutex g_threadsMutex; ///< guards threads() and g_limit
std::uint64_t g_limit = 0; ///< limit of events for each thread

/// Operators ran on a thread that runs no passes, so their place in a pass is unknown.
std::atomic<bool> g_elsewhere{false};

/// Both clocks, read at one instant.
struct Instant
{
    std::int64_t ticks = 0;
    std::int64_t nanoseconds = 0;
};
Instant g_begin; ///< the begin of the recording

Instant instant()
{
    // The narrowest one of eight pairs is taken, because an interrupt widens a pair.
    Instant best;
    std::int64_t width = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < 8; ++i) {
        const std::int64_t before = ticks();
        const std::int64_t time = now();
        const std::int64_t after = ticks();
        if (after - before < width) {
            width = after - before;
            best = {before + width / 2, time};
        }
    }
    return best;
}

/// Returns whether the kernel offers the counter as a clock. It does so only if the counter runs evenly and equally on
/// all processors.
bool kernelTrustsCounter()
{
    std::ifstream stream("/sys/devices/system/clocksource/clocksource0/available_clocksource");
    for (std::string word; stream >> word;)
        if (word == "tsc")
            return true;
    return false;
}

/// Converts ticks to nanoseconds, linearly between both ends of the recording. It keeps the order of events.
class Timescale
{
public:
    Timescale(const Instant& begin, const Instant& end)
        : m_begin(begin), m_scale(end.ticks > begin.ticks ? static_cast<double>(end.nanoseconds - begin.nanoseconds) /
                                                                static_cast<double>(end.ticks - begin.ticks)
                                                          : 1.0)
    {
    }
    std::int64_t operator()(std::int64_t ticks) const
    {
        return m_begin.nanoseconds +
               static_cast<std::int64_t>(std::floor(static_cast<double>(ticks - m_begin.ticks) * m_scale));
    }

private:
    Instant m_begin;
    double m_scale;
};

/// The list is never destroyed: threads may record until the very end of the process, and a buffer outlives its thread.
std::vector<std::unique_ptr<ThreadBuffer>>& threads()
{
    static auto* const list = new std::vector<std::unique_ptr<ThreadBuffer>>;
    return *list;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

/// "[[1, 3, 224, 224], [], []]". An input that is no tensor has no sizes.
std::string shapesText(const std::int64_t* values, std::size_t count)
{
    std::string text = "[";
    for (std::size_t i = 0; i < count;) {
        const std::int64_t rank = values[i++];
        text += text.size() > 1 ? ", [" : "[";
        for (std::int64_t k = 0; k < rank; ++k) {
            if (k > 0)
                text += ", ";
            text += std::to_string(values[i++]);
        }
        text += "]";
    }
    return text + "]";
}

/// Numbers the texts and sends events to the sink in batches.
class Sender
{
public:
    Sender(apertune_trace_sink sink, void* user) : m_sink(sink), m_user(user) { m_events.reserve(kBatch); }

    std::uint32_t string(const std::string& text)
    {
        if (text.empty())
            return 0;
        const auto [it, added] = m_known.try_emplace(text, m_next);
        if (added) {
            m_fresh.push_back(it->first.c_str());
            ++m_next;
        }
        return it->second;
    }

    void add(const apertune_trace_event& event)
    {
        m_events.push_back(event);
        if (m_events.size() == kBatch)
            flush(0);
    }

    void flush(std::uint64_t lost)
    {
        if (m_events.empty() && lost == 0)
            return;
        const apertune_trace_batch batch{sizeof batch,
                                         m_next - static_cast<std::uint32_t>(m_fresh.size()),
                                         m_fresh.size(),
                                         m_fresh.data(),
                                         m_events.size(),
                                         m_events.data(),
                                         lost};
        m_sink(m_user, &batch);
        m_fresh.clear();
        m_events.clear();
    }

private:
    apertune_trace_sink m_sink;
    void* m_user;
    std::unordered_map<std::string, std::uint32_t> m_known;
    std::vector<const char*> m_fresh; ///< texts of m_known, whose nodes are never moved
    std::uint32_t m_next = 1;
    std::vector<apertune_trace_event> m_events;
};

} // namespace

ThreadBuffer::ThreadBuffer() : m_thread(static_cast<std::uint32_t>(::syscall(SYS_gettid)))
{
}

std::uint32_t ThreadBuffer::name(const char* text, bool stays)
{
    // The address of the text finds nearly all names. An address may be used again for another text, so a name that can
    // be freed is also compared.
    const auto slotNumber = mixed(0, reinterpret_cast<std::uint64_t>(text)) % kNameSlots;
    NameSlot& slot = m_nameSlots[slotNumber];
    if (slot.pointer == text && (stays || std::strcmp(m_names[slot.index].c_str(), text) == 0))
        return slot.index;
    const auto [it, added] = m_nameIndex.try_emplace(text, static_cast<std::uint32_t>(m_names.size()));
    if (added)
        m_names.push_back(it->first);
    slot = {text, it->second};
    return it->second;
}

std::uint32_t ThreadBuffer::shapesEnd()
{
    const std::size_t count = m_shapesEnd - m_shapesStart;
    if (count == 0)
        return 0;
    const std::int64_t* const fresh = m_shapes.data() + m_shapesStart;
    // Passes repeat themselves, so the list that followed the last one before is compared first. It needs no hash.
    const std::uint32_t expected = m_lists[m_lastList].next;
    const ShapeList& list = m_lists[expected];
    if (list.count == count && std::memcmp(m_shapes.data() + list.first, fresh, count * sizeof *fresh) == 0)
        return m_lastList = expected;
    const std::uint32_t found = findShapes(fresh, count);
    m_lists[m_lastList].next = found;
    return m_lastList = found;
}

std::uint32_t ThreadBuffer::findShapes(const std::int64_t* fresh, std::size_t count)
{
    std::uint64_t hash = count;
    for (std::size_t i = 0; i < count; ++i)
        hash = mixed(hash, static_cast<std::uint64_t>(fresh[i]));
    // At most half of the slots are in use, so that a search ends after a few steps.
    if (m_lists.size() * 2 > m_shapeSlots.size())
        growShapeSlots();
    const std::size_t mask = m_shapeSlots.size() - 1;
    std::size_t at = hash & mask;
    for (; m_shapeSlots[at].index != 0; at = (at + 1) & mask) {
        const ShapeList& known = m_lists[m_shapeSlots[at].index];
        if (m_shapeSlots[at].hash == hash && known.count == count &&
            std::memcmp(m_shapes.data() + known.first, fresh, count * sizeof *fresh) == 0)
            return m_shapeSlots[at].index;
    }
    const auto index = static_cast<std::uint32_t>(m_lists.size());
    m_lists.push_back({m_shapesStart, count});
    // The shapes were written behind the kept lists. Moving the border keeps them without a copy.
    m_shapesStart = m_shapesEnd;
    m_shapeSlots[at] = {hash, index};
    return index;
}

void ThreadBuffer::growShapeSlots()
{
    std::vector<ShapeSlot> old(m_shapeSlots.size() * 2);
    old.swap(m_shapeSlots);
    const std::size_t mask = m_shapeSlots.size() - 1;
    for (const ShapeSlot& slot : old) {
        if (slot.index == 0)
            continue;
        std::size_t at = slot.hash & mask;
        while (m_shapeSlots[at].index != 0)
            at = (at + 1) & mask;
        m_shapeSlots[at] = slot;
    }
}

bool ThreadBuffer::passBegins(const void* input)
{
    m_runsPasses = true;
    // The operators of other threads cannot be matched to places of a pass, so nothing is taken over then.
    if (g_elsewhere.load(std::memory_order_relaxed))
        m_recall.giveUp();
    return m_recall.passBegins(input);
}

std::uint64_t ThreadBuffer::read(const char* text, bool stays, std::uint32_t shapes)
{
    const std::uint32_t number = name(text, stays);
    if (m_runsPasses)
        m_recall.read({stays ? text : nullptr, number, shapes});
    else
        g_elsewhere.store(true, std::memory_order_relaxed);
    return what(number, shapes);
}

std::uint64_t ThreadBuffer::recallByName(const char* text, bool stays)
{
    const std::uint32_t number = name(text, stays);
    const ShapeRecall::Place* const place = m_recall.next(number);
    return what(number, place ? place->shapes | kRecalled : 0);
}

void ThreadBuffer::allocation(std::int64_t bytes, std::uint64_t address, std::int32_t device)
{
    const std::int64_t time = ticks();
    if (Record* const record = append())
        *record = {time, {bytes}, address, 0, APERTUNE_TRACE_ALLOCATION, static_cast<std::int16_t>(device)};
}

void ThreadBuffer::addSequence(std::int64_t sequence)
{
    if (Record* const record = append()) {
        record->kind = Record::kSequence;
        record->value = sequence;
    }
}

Record* ThreadBuffer::appendToNextChunk()
{
    if (m_left == 0) {
        ++m_lost;
        return nullptr;
    }
    const std::size_t room = std::min<std::uint64_t>(kChunk, m_left);
    m_left -= room;
    m_next = m_chunks.emplace_back(chunkPool().take()).get();
    m_chunkEnd = m_next + room;
    return m_next++;
}

void ThreadBuffer::markOpen()
{
    for (Record* record = std::exchange(m_innermost, nullptr); record;) {
        Record* const around = record->around;
        record->value = Record::kOpen;
        record = around;
    }
}

template <typename Work>
void ThreadBuffer::eachRecord(Work work) const
{
    const Record* last = nullptr;
    std::int64_t sequence = -1;
    // A sequence number stands behind its operator, so an operator is handed over when the next one is seen.
    const auto pass = [&] {
        if (last && last->value != Record::kOpen) // an operator that still runs has no end
            work(*last, std::exchange(sequence, -1));
    };
    for (std::size_t c = 0; c < m_chunks.size(); ++c) {
        const Record* const first = m_chunks[c].get();
        const Record* const behind = c + 1 == m_chunks.size() ? m_next : first + kChunk;
        for (const Record& record : std::span(first, behind)) {
            if (record.kind == Record::kSequence) {
                sequence = record.value;
                continue;
            }
            pass();
            last = &record;
        }
    }
    pass();
}

void ThreadBuffer::reset(std::uint64_t limit)
{
    release();
    m_left = limit;
    m_lost = 0;
    m_nameSlots.assign(kNameSlots, {});
    m_names.assign(1, {});
    m_shapes.resize(kShapeValues);
    m_lists.assign(1, {});
    m_shapeSlots.assign(kShapeSlots, {});
}

void ThreadBuffer::release()
{
    chunkPool().giveBack(m_chunks);
    m_next = m_chunkEnd = m_innermost = nullptr;
    m_openLost = 0;
    m_nameIndex.clear();
    m_names.clear();
    m_shapes.clear();
    m_shapesStart = m_shapesEnd = 0;
    m_lists.clear();
    m_lastList = 0;
    m_runsPasses = false;
    m_recall = {};
}

void ThreadBuffer::waitUntilLeft() const
{
    while (m_busy.load(std::memory_order_acquire))
        ::sched_yield();
}

constinit thread_local ThreadBuffer* t_buffer = nullptr;

ThreadBuffer& registerThread()
{
    const std::lock_guard lock(g_threadsMutex);
    ThreadBuffer& buffer = *threads().emplace_back(std::make_unique<ThreadBuffer>());
    buffer.reset(g_limit);
    t_buffer = &buffer;
    return buffer;
}

void addAllocation(std::int64_t bytes, std::uint64_t address, std::int32_t device)
{
    ThreadBuffer& buffer = ofThisThread();
    if (const Entry entry(buffer); entry)
        buffer.allocation(bytes, address, device);
}

void begin(std::uint64_t limit)
{
    chunkPool().fill();
    const std::lock_guard lock(g_threadsMutex);
    g_limit = limit > 0 ? limit : kDefaultLimit;
    for (const auto& buffer : threads())
        buffer->reset(g_limit);
    // Registered once a process. Kernels without membarrier leave the barrier to each hook.
    static const bool remote = ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
    g_shared.remoteBarrier.store(remote);
    static const bool trusted = kernelTrustsCounter();
    g_shared.counter = trusted;
    g_elsewhere.store(false);
    g_begin = instant();
    // Last, because hooks record as soon as they see it.
    g_shared.active.store(true);
}

void end(apertune_trace_sink sink, void* user)
{
    g_shared.memory.store(false);
    g_shared.active.store(false);
    const std::lock_guard lock(g_threadsMutex);
    if (g_shared.remoteBarrier.load())
        ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    // A thread that was inside its buffer when the recording ended may still be adding an event.
    for (const auto& buffer : threads())
        buffer->waitUntilLeft();
    const Timescale nanoseconds(g_begin, instant());
    Sender sender(sink, user);
    for (const auto& buffer : threads()) {
        buffer->markOpen();
        if (sink) {
            std::vector<std::uint32_t> names;
            for (const std::string& name : buffer->m_names)
                names.push_back(sender.string(name));
            std::vector<std::uint32_t> lists{0};
            for (std::size_t i = 1; i < buffer->m_lists.size(); ++i)
                lists.push_back(sender.string(
                    shapesText(buffer->m_shapes.data() + buffer->m_lists[i].first, buffer->m_lists[i].count)));
            buffer->eachRecord([&](const Record& record, std::int64_t sequence) {
                const auto start = nanoseconds(record.start);
                if (record.kind == APERTUNE_TRACE_ALLOCATION) {
                    sender.add({start, 0, record.value, record.what, APERTUNE_TRACE_ALLOCATION, buffer->m_thread, 0, 0,
                                0, record.device});
                    return;
                }
                const auto shapes = static_cast<std::uint32_t>(record.what >> 32);
                // A refuted recall means that shapes were taken over which may be wrong: no shapes are better than
                // those.
                const bool wrong = shapes & ThreadBuffer::kRecalled && buffer->m_recall.refuted();
                sender.add({start, nanoseconds(record.value) - start, sequence, 0,
                            static_cast<std::uint32_t>(record.kind), buffer->m_thread,
                            names[static_cast<std::uint32_t>(record.what)],
                            wrong ? 0 : lists[shapes & ~ThreadBuffer::kRecalled], record.link, -1});
            });
            sender.flush(buffer->m_lost);
        }
        buffer->release();
    }
}

} // namespace apertune::libtorch::recording

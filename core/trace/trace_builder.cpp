// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_builder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace apertune::trace {

namespace {

struct TextHash
{
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

template <typename Detail>
std::uint32_t internDetail(std::map<Detail, std::uint32_t>& index, std::vector<Detail>& rows, const Detail& detail)
{
    // An empty detail is row 0, which every table has.
    if (detail == Detail{})
        return 0;
    const auto [it, added] = index.try_emplace(detail, static_cast<std::uint32_t>(rows.size()));
    if (added)
        rows.push_back(detail);
    return it->second;
}

/// All fields of a launch except occupancy, as whole words without gaps. They are compared and hashed as words, because
/// doing so field by field takes longer than everything else that is done for a kernel.
using LaunchWords = std::array<std::uint64_t, 8>;

LaunchWords wordsOf(const KernelDetail& d)
{
    static_assert(offsetof(KernelDetail, recordedOccupancy) == sizeof(LaunchWords));
    LaunchWords words{};
    std::memcpy(words.data(), &d, sizeof words);
    return words;
}

// Words are combined before the one comparison, so there is no branch for each.
bool same(const KernelDetail& row, const LaunchWords& words, float occupancy)
{
    const LaunchWords known = wordsOf(row);
    std::uint64_t different = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
        different |= known[i] ^ words[i];
    return different == 0 && row.recordedOccupancy == occupancy;
}

std::uint64_t hashOf(const LaunchWords& words, float occupancy)
{
    // Each word has its own factor, so the products do not wait for each other.
    constexpr std::array<std::uint64_t, 8> kFactors = {0x9e3779b97f4a7c15u, 0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u,
                                                       0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu, 0xd6e8feb86659fd93u,
                                                       0xa0761d6478bd642fu, 0xe7037ed1a0b428dbu};
    std::uint64_t sum = std::bit_cast<std::uint32_t>(occupancy + 0.0F); // adding 0 turns -0 into 0
    for (std::size_t i = 0; i < words.size(); ++i)
        sum += words[i] * kFactors[i];
    return sum ^ (sum >> 32);
}

/// Finds known launches by their content. Every kernel that ran needs one lookup, so this is open addressing over row
/// numbers: one hash and usually one comparison.
class KernelIndex
{
public:
    std::uint32_t number(std::vector<KernelDetail>& rows, const KernelDetail& detail)
    {
        const LaunchWords words = wordsOf(detail);
        if (same(KernelDetail{}, words, detail.recordedOccupancy))
            return 0;
        const std::uint64_t hash = hashOf(words, detail.recordedOccupancy);
        // The size is a power of two, so the mask is the remainder.
        std::size_t slot = hash & (m_slots.size() - 1);
        for (; m_slots[slot].row != 0; slot = (slot + 1) & (m_slots.size() - 1))
            if (m_slots[slot].hash == static_cast<std::uint32_t>(hash) &&
                same(rows[m_slots[slot].row], words, detail.recordedOccupancy))
                return m_slots[slot].row;
        const auto row = static_cast<std::uint32_t>(rows.size());
        rows.push_back(detail);
        m_slots[slot] = {static_cast<std::uint32_t>(hash), row};
        // At most half full, so that a search ends after about one comparison.
        if (++m_used * 2 > m_slots.size())
            grow();
        return row;
    }

private:
    struct Slot
    {
        std::uint32_t hash = 0;
        std::uint32_t row = 0; ///< 0: a free slot
    };

    void grow()
    {
        std::vector<Slot> old(m_slots.size() * 2);
        old.swap(m_slots);
        // A slot keeps its hash, so growing reads no rows.
        for (const Slot& s : old) {
            // Free slots are skipped by the condition.
            std::size_t slot = s.hash & (m_slots.size() - 1);
            while (s.row != 0 && m_slots[slot].row != 0)
                slot = (slot + 1) & (m_slots.size() - 1);
            if (s.row != 0)
                m_slots[slot] = s;
        }
    }

    std::vector<Slot> m_slots = std::vector<Slot>(256);
    std::size_t m_used = 0;
};

/// The fields by which tracks are equal. Counters also compare the label.
auto identity(const Track& t)
{
    return std::tuple(t.type, t.process, t.thread, t.device, t.context, t.stream,
                      t.type == TrackType::counter ? t.label : std::string());
}
using Identity = decltype(identity(std::declval<Track>()));

} // namespace

struct TraceBuilder::Index
{
    std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> strings{{std::string(), 0}};
    std::map<Identity, std::uint32_t> tracks;
    KernelIndex kernels;
    std::map<CopyDetail, std::uint32_t> copies;
    std::map<SynchronizationDetail, std::uint32_t> synchronizations;
    std::map<OperatorDetail, std::uint32_t> operators;
    std::map<MemoryDetail, std::uint32_t> memory;
    std::map<NoteDetail, std::uint32_t> notes;
    /// Sorted as Trace::series. A map, because its columns stay in place while callers hold references to them.
    std::map<std::pair<std::uint32_t, EventKind>, EventColumns> series;
};

TraceBuilder::TraceBuilder() : m_index(std::make_unique<Index>())
{
}
TraceBuilder::~TraceBuilder() = default;
TraceBuilder::TraceBuilder(TraceBuilder&&) noexcept = default;
TraceBuilder& TraceBuilder::operator=(TraceBuilder&&) noexcept = default;

StringId TraceBuilder::intern(std::string_view text)
{
    const auto it = m_index->strings.find(text);
    if (it != m_index->strings.end())
        return {it->second};
    const auto id = static_cast<std::uint32_t>(m_trace.strings.size());
    m_trace.strings.emplace_back(text);
    m_index->strings.emplace(text, id);
    return {id};
}

TrackId TraceBuilder::track(const Track& track)
{
    // The number of a track is its position, so tracks are only added.
    const auto [it, added] =
        m_index->tracks.try_emplace(identity(track), static_cast<std::uint32_t>(m_trace.tracks.size()));
    if (added)
        m_trace.tracks.push_back(track);
    else if (Track& known = m_trace.tracks[it->second]; known.label.empty())
        known.label = track.label;
    return {it->second};
}

void TraceBuilder::setLabel(TrackId track, std::string label)
{
    m_trace.tracks[track.value].label = std::move(label);
}

std::uint32_t TraceBuilder::detail(const KernelDetail& detail)
{
    return m_index->kernels.number(m_trace.details.kernels, detail);
}
std::uint32_t TraceBuilder::detail(const CopyDetail& detail)
{
    return internDetail(m_index->copies, m_trace.details.copies, detail);
}
std::uint32_t TraceBuilder::detail(const SynchronizationDetail& detail)
{
    return internDetail(m_index->synchronizations, m_trace.details.synchronizations, detail);
}
std::uint32_t TraceBuilder::detail(const OperatorDetail& detail)
{
    return internDetail(m_index->operators, m_trace.details.operators, detail);
}
std::uint32_t TraceBuilder::detail(const MemoryDetail& detail)
{
    return internDetail(m_index->memory, m_trace.details.memory, detail);
}
std::uint32_t TraceBuilder::detail(const NoteDetail& detail)
{
    return internDetail(m_index->notes, m_trace.details.notes, detail);
}

EventColumns& TraceBuilder::columns(TrackId track, EventKind kind)
{
    return m_index->series[{track.value, kind}];
}

void TraceBuilder::addLoss(Loss loss)
{
    // Equal losses are counted and not listed, because a recorder may report millions.
    const auto known = std::find_if(m_trace.losses.begin(), m_trace.losses.end(), [&](const Loss& other) {
        return other.kind == loss.kind && other.reason == loss.reason;
    });
    if (known == m_trace.losses.end()) {
        m_trace.losses.push_back(std::move(loss));
        return;
    }
    known->count += loss.count;
    known->time = std::min(known->time, loss.time);
    known->severity = std::max(known->severity, loss.severity);
}

Trace& TraceBuilder::head()
{
    return m_trace;
}

std::size_t TraceBuilder::eventCount() const
{
    std::size_t events = 0;
    for (const auto& [key, columns] : m_index->series)
        events += columns.size();
    return events;
}

Trace TraceBuilder::finish(bool rebase)
{
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (auto& [key, columns] : m_index->series) {
        if (columns.empty())
            continue;
        columns.sort();
        // Sorted columns begin with their earliest event.
        first = std::min(first, columns.start.front());
    }
    const std::int64_t shift = rebase && first != std::numeric_limits<std::int64_t>::max() ? first : 0;
    for (auto& [key, columns] : m_index->series) {
        if (columns.empty())
            continue;
        if (shift != 0)
            for (std::int64_t& start : columns.start)
                start -= shift;
        m_trace.series.push_back({{key.first}, key.second, std::move(columns)});
    }
    // Losses lie on the same time line as the events.
    for (Loss& loss : m_trace.losses)
        loss.time.count -= shift;
    // Only known clocks move; 0 means unknown.
    if (m_trace.originMonotonic != 0)
        m_trace.originMonotonic += shift;
    if (m_trace.originEpoch != 0)
        m_trace.originEpoch += shift;
    Trace finished = std::exchange(m_trace, Trace{});
    // The builder can be used again for another trace.
    m_index = std::make_unique<Index>();
    return finished;
}

std::size_t Trace::eventCount() const
{
    std::size_t events = 0;
    for (const Series& s : series)
        events += s.events.size();
    return events;
}

base::Nanoseconds Trace::begin() const
{
    // The columns of a finished trace are sorted.
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const Series& s : series)
        first = std::min(first, s.events.start.front());
    return {series.empty() ? 0 : first};
}

base::Nanoseconds Trace::end() const
{
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const Series& s : series)
        for (std::size_t i = 0; i < s.events.size(); ++i)
            // The longest event need not be the last one.
            last = std::max(last, s.events.end(i));
    return {series.empty() ? 0 : last};
}

const Series* Trace::find(TrackId track, EventKind kind) const
{
    const auto at =
        std::lower_bound(series.begin(), series.end(), std::pair(track.value, kind),
                         [](const Series& s, const auto& key) { return std::pair(s.track.value, s.kind) < key; });
    return at != series.end() && at->track == track && at->kind == kind ? &*at : nullptr;
}

const DeviceProperties* Trace::device(std::int64_t id) const
{
    const auto at =
        std::find_if(devices.begin(), devices.end(), [id](const DeviceProperties& d) { return d.id == id; });
    return at == devices.end() ? nullptr : &*at;
}

} // namespace apertune::trace

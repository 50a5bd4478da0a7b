// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/chunk_codec.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <type_traits>
#include <utility>

namespace apertune::trace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

constexpr std::uint8_t kChunkMagic = 0xc7;
constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 8;
constexpr std::size_t kEntryBytes = 8;

// Persistent, see chunk_format.md.
constexpr std::uint8_t kConstant = 1;
constexpr std::uint8_t kPlain = 2;
constexpr std::uint8_t kDelta = 3;

constexpr std::uint64_t zigzag(std::uint64_t value)
{
    return (value << 1) ^ (0 - (value >> 63));
}
constexpr std::uint64_t unzigzag(std::uint64_t value)
{
    return (value >> 1) ^ (0 - (value & 1));
}

/// Bytes of a varint of so many bits: a seventh of them, rounded up.
constexpr std::size_t varintBytes(std::size_t bits)
{
    return (bits * 9 + 64) / 64;
}

constexpr std::size_t varintSize(std::uint64_t value)
{
    return varintBytes(static_cast<std::size_t>(std::bit_width(value | 1)));
}

void putU32(char* out, std::uint32_t value)
{
    for (int i = 0; i < 4; ++i)
        out[i] = static_cast<char>(value >> (8 * i));
}

/// The bits that say "another byte follows", for numbers of a bit width.
constexpr auto kFollows = [] {
    std::array<std::uint32_t, 29> marks{};
    for (std::size_t width = 1; width < marks.size(); ++width)
        marks[width] = 0x80808080u & ((std::uint32_t{1} << (8 * (varintBytes(width) - 1))) - 1);
    return marks;
}();

/// May write up to four bytes, whatever the value's length is.
char* putVarint(char* out, std::uint64_t value)
{
    if (value < 1u << 28) { // most of them. Their lengths vary from one to the next: without a branch
        const auto bits = static_cast<std::uint32_t>(value);
        const auto width = static_cast<std::size_t>(std::bit_width(bits | 1));
        putU32(out, (bits & 0x7f) | (bits & 0x3f80) << 1 | (bits & 0x1fc000) << 2 | (bits & 0xfe00000) << 3 |
                        kFollows[width]);
        return out + varintBytes(width);
    }
    for (; value >= 0x80; value >>= 7)
        *out++ = static_cast<char>(value | 0x80);
    *out++ = static_cast<char>(value);
    return out;
}

/// Numbers whose varints are written at once.
using Group = std::array<std::uint64_t, 16>;

/// In most columns neighbours are equally long: then the compiler takes many of them in one instruction.
char* putVarints(char* out, const Group& values)
{
    std::uint64_t all = 0;
    for (const std::uint64_t value : values)
        all |= value;
    if (all < 1u << 7) {
        for (std::size_t i = 0; i < values.size(); ++i)
            out[i] = static_cast<char>(values[i]);
        return out + values.size();
    }
    std::uint64_t below = 0; // the highest bit, once one value is shorter than two bytes
    for (const std::uint64_t value : values)
        below |= value - (1u << 7);
    if (all < 1u << 14 && below >> 63 == 0) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            out[2 * i] = static_cast<char>(values[i] | 0x80);
            out[2 * i + 1] = static_cast<char>(values[i] >> 7);
        }
        return out + 2 * values.size();
    }
    for (const std::uint64_t value : values)
        out = putVarint(out, value);
    return out;
}

std::uint32_t getU32(const char* in)
{
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(in[i])) << (8 * i);
    return value;
}

/// nullptr when the bytes end, or are longer than a value can be.
inline const char* getVarint(const char* in, const char* end, std::uint64_t& value)
{
    std::uint64_t result = 0;
    for (int shift = 0; shift < 64 && in != end; shift += 7) {
        const auto byte = static_cast<unsigned char>(*in++);
        if (shift == 63 && byte > 1)
            return nullptr;
        result |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) {
            value = result;
            return in;
        }
    }
    return nullptr;
}

/// Values that may be negative are stored zigzag; durations are not, for they never are.
template <Column C>
constexpr bool kSigned = C == Column::start || C == Column::value;

template <Column C, typename T>
std::uint64_t toPlain(T value)
{
    const auto bits = static_cast<std::uint64_t>(value);
    return kSigned<C> ? zigzag(bits) : bits;
}

/// The column's vector in an EventColumns, const or not.
template <Column C, typename Events>
auto& columnOf(Events& events)
{
    if constexpr (C == Column::start)
        return events.start;
    else if constexpr (C == Column::duration)
        return events.duration;
    else if constexpr (C == Column::name)
        return events.name;
    else if constexpr (C == Column::correlation)
        return events.correlation;
    else if constexpr (C == Column::link)
        return events.link;
    else if constexpr (C == Column::detail)
        return events.detail;
    else if constexpr (C == Column::value)
        return events.value;
    else
        return events.address;
}

/// Calls work.template operator()<C>() for each column in order.
template <typename Work>
void forEachColumn(Work&& work)
{
    [&]<std::size_t... I>(std::index_sequence<I...>)
    {
        (work.template operator()<kColumns[I]>(), ...);
    }
    (std::make_index_sequence<kColumns.size()>());
}

/// Which encoding is the shortest, judged by up to 256 values spread over the column: measuring each value would take
/// as long as writing it. 0 when nothing has to be stored.
template <Column C, typename T>
std::uint8_t chooseEncoding(const T* values, std::size_t count)
{
    if (std::all_of(values, values + count, [first = values[0]](T value) { return value == first; }))
        return values[0] == T{} ? 0 : kConstant;
    std::size_t plain = 0;
    std::size_t delta = 0;
    const std::size_t step = std::max<std::size_t>(count / 256, 1);
    for (std::size_t i = 0; i < count; i += step) {
        const auto before = i == 0 ? std::uint64_t{0} : static_cast<std::uint64_t>(values[i - 1]);
        plain += varintSize(toPlain<C>(values[i]));
        delta += varintSize(zigzag(static_cast<std::uint64_t>(values[i]) - before));
    }
    return delta < plain ? kDelta : kPlain;
}

/// Writes bits(1) … bits(count - 1).
template <typename Bits>
char* writeVarints(Bits bits, std::size_t count, char* out)
{
    std::size_t i = 1;
    for (Group group; i + group.size() <= count; i += group.size()) {
        for (std::size_t k = 0; k < group.size(); ++k)
            group[k] = bits(i + k);
        out = putVarints(out, group);
    }
    for (; i < count; ++i)
        out = putVarint(out, bits(i));
    return out;
}

template <Column C, typename T>
char* writeColumn(std::uint8_t encoding, const T* values, std::size_t count, char* out)
{
    if (encoding == kDelta) {
        const auto difference = [values](std::size_t i) {
            return zigzag(static_cast<std::uint64_t>(values[i]) - static_cast<std::uint64_t>(values[i - 1]));
        };
        out = putVarint(out, zigzag(static_cast<std::uint64_t>(values[0])));
        return writeVarints(difference, count, out);
    }
    out = putVarint(out, toPlain<C>(values[0]));
    return encoding == kConstant ? out
                                 : writeVarints([values](std::size_t i) { return toPlain<C>(values[i]); }, count, out);
}

Error damaged(const char* why)
{
    return {ErrorCode::corrupt,
            std::string("A piece of the trace is damaged: ") + why + ".",
            {},
            "Import the recording again, or restore a copy of the workspace."};
}

/// Stores bits as T; false when they do not fit.
template <Column C, typename T>
bool store(std::uint64_t bits, T& out)
{
    out = static_cast<T>(bits);
    if constexpr (C == Column::duration)
        return static_cast<std::int64_t>(bits) >= 0;
    else if constexpr (sizeof(T) < sizeof(bits))
        return bits <= std::numeric_limits<T>::max();
    else
        return true;
}

/// One column; the reason when it is damaged.
template <Column C, typename T>
const char* readColumn(std::uint8_t encoding, std::string_view bytes, T* out, std::size_t count)
{
    const char* in = bytes.data();
    const char* const end = in + bytes.size();
    bool fits = true;
    std::uint64_t value = 0;
    if (encoding == kConstant) {
        in = getVarint(in, end, value);
        T constant{};
        fits = store<C>(kSigned<C> ? unzigzag(value) : value, constant);
        if (in)
            std::fill_n(out, count, constant);
    } else if (encoding == kPlain) {
        for (std::size_t i = 0; i < count && in; ++i) {
            in = getVarint(in, end, value);
            fits &= store<C>(kSigned<C> ? unzigzag(value) : value, out[i]);
        }
    } else {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < count && in; ++i) {
            in = getVarint(in, end, value);
            sum += unzigzag(value); // unsigned arithmetic wraps, as it did in the writer
            fits &= store<C>(sum, out[i]);
        }
    }
    if (!in)
        return "a column ends too early";
    if (in != end)
        return "a column has bytes left over";
    return fits ? nullptr : "a value is out of range";
}

} // namespace

std::string encodeChunk(const EventColumns& events, std::size_t first, std::size_t count)
{
    assert(count <= kChunkEvents && first + count <= events.size());
    constexpr std::size_t kLongestVarint = 10;
    constexpr std::size_t kLongestHeader = kHeaderBytes + kColumns.size() * kEntryBytes;
    // The columns behind the longest header: it is put right before them when its length is known.
    const auto room = std::make_unique_for_overwrite<char[]>(kLongestHeader + kColumns.size() * kLongestVarint * count);
    char* const columns = room.get() + kLongestHeader;
    char* end = columns;
    std::array<char, kLongestHeader> header{};
    header[0] = static_cast<char>(kChunkMagic);
    header[1] = static_cast<char>(kVersion);
    putU32(header.data() + 4, static_cast<std::uint32_t>(count));
    char* entry = header.data() + kHeaderBytes;
    forEachColumn([&]<Column C>() {
        const auto& column = columnOf<C>(events);
        if (column.empty() || count == 0)
            return;
        const auto* const values = column.data() + first;
        const std::uint8_t encoding = chooseEncoding<C>(values, count);
        if (encoding == 0)
            return;
        char* const begin = std::exchange(end, writeColumn<C>(encoding, values, count, end));
        entry[0] = static_cast<char>(C);
        entry[1] = static_cast<char>(encoding);
        putU32(entry + 4, static_cast<std::uint32_t>(end - begin));
        entry += kEntryBytes;
        ++header[2];
    });
    char* const data = columns - (entry - header.data());
    std::copy(header.data(), entry, data);
    return {data, end};
}

Chunk makeChunk(TrackId track, EventKind kind, const EventColumns& events, std::size_t first, std::size_t count)
{
    Chunk chunk{track, kind, static_cast<std::uint32_t>(count), 0, 0, encodeChunk(events, first, count)};
    if (count == 0)
        return chunk;
    chunk.begin = std::numeric_limits<std::int64_t>::max();
    chunk.end = std::numeric_limits<std::int64_t>::min();
    for (std::size_t i = first; i < first + count; ++i) {
        chunk.begin = std::min(chunk.begin, events.start[i]);
        chunk.end = std::max(chunk.end, events.end(i));
    }
    return chunk;
}

Result<ChunkReader> ChunkReader::open(std::string_view bytes)
{
    if (bytes.size() < kHeaderBytes || static_cast<std::uint8_t>(bytes[0]) != kChunkMagic)
        return damaged("it is not a chunk of events");
    if (static_cast<std::uint8_t>(bytes[1]) != kVersion)
        return Error{
            ErrorCode::unsupported, "A newer version of Apertune wrote this trace.", {}, "Update Apertune to read it."};
    const auto stored = static_cast<std::uint8_t>(bytes[2]);
    ChunkReader reader;
    reader.m_events = getU32(bytes.data() + 4);
    if (reader.m_events > kChunkEvents)
        return damaged("it claims too many events");
    std::size_t at = kHeaderBytes + stored * kEntryBytes;
    if (at > bytes.size())
        return damaged("its header is cut off");
    for (std::size_t i = 0; i < stored; ++i) {
        const char* entry = bytes.data() + kHeaderBytes + i * kEntryBytes;
        const auto column = static_cast<std::uint8_t>(entry[0]);
        const auto encoding = static_cast<std::uint8_t>(entry[1]);
        const std::size_t length = getU32(entry + 4);
        if (length > bytes.size() - at)
            return damaged("a column is cut off");
        if (column == 0 || encoding < kConstant || encoding > kDelta)
            return damaged("a column has an unknown encoding");
        if (column < reader.m_parts.size()) { // others are of a later version and mean nothing here
            if (reader.m_parts[column].encoding != 0)
                return damaged("a column is there twice");
            reader.m_parts[column] = {encoding, bytes.substr(at, length)};
        }
        at += length;
    }
    if (at != bytes.size())
        return damaged("it has bytes left over");
    return reader;
}

Status ChunkReader::read(ColumnSet columns, EventColumns& out, std::size_t at) const
{
    const char* problem = nullptr;
    forEachColumn([&]<Column C>() {
        auto& column = columnOf<C>(out);
        if (problem || column.empty() || !columns.contains(C))
            return;
        assert(column.size() >= at + m_events);
        auto* const target = column.data() + at;
        const Part& part = m_parts[static_cast<std::size_t>(C)];
        if (part.encoding == 0)
            std::fill_n(target, m_events, 0);
        else
            problem = readColumn<C>(part.encoding, part.bytes, target, m_events);
    });
    if (!problem && columns.contains(Column::start) && columns.contains(Column::duration) && !out.start.empty())
        for (std::size_t i = at; i < at + m_events; ++i)
            if (out.start[i] > std::numeric_limits<std::int64_t>::max() - out.duration[i])
                problem = "an event ends after the end of time";
    return problem ? Status(damaged(problem)) : Status();
}

Status ChunkReader::append(ColumnSet columns, EventColumns& out) const
{
    const std::size_t before = out.size();
    const std::size_t after = before + m_events;
    if (m_events == 0)
        return {};
    forEachColumn([&]<Column C>() {
        auto& column = columnOf<C>(out);
        constexpr bool kAlways = C == Column::start || C == Column::duration || C == Column::name;
        if (kAlways || !column.empty() || (columns.contains(C) && has(C)))
            column.resize(after);
    });
    return read(columns, out, before);
}

/// Whole events, so that keeping one is one store; they become columns when the chunk is full.
struct ChunkWriter::Pending
{
    TrackId track;
    EventKind kind = EventKind::other;
    std::size_t count = 0;
    std::array<Event, kChunkEvents> events;
};

ChunkWriter::ChunkWriter(Sink sink) : m_sink(std::move(sink))
{
}
ChunkWriter::~ChunkWriter() = default;
ChunkWriter::ChunkWriter(ChunkWriter&&) noexcept = default;
ChunkWriter& ChunkWriter::operator=(ChunkWriter&&) noexcept = default;

ChunkWriter::Pending& ChunkWriter::begin(TrackId track, EventKind kind, std::size_t at)
{
    m_pending.resize(std::max(m_pending.size(), (track.value + std::size_t{1}) * kEventKinds.size()));
    m_pending[at] = std::make_unique<Pending>();
    m_pending[at]->track = track;
    m_pending[at]->kind = kind;
    return *m_pending[at];
}

void ChunkWriter::append(TrackId track, EventKind kind, const Event& event)
{
    const auto number = static_cast<std::size_t>(kind);
    const std::size_t slot = number < kEventKinds.size() ? number - 1 : kEventKinds.size() - 1;
    const std::size_t at = track.value * kEventKinds.size() + slot;
    Pending* series = at < m_pending.size() ? m_pending[at].get() : nullptr;
    if (!series)
        series = &begin(track, kind, at);
    series->events[series->count++] = event;
    if (series->count == kChunkEvents)
        handOver(*series);
}

void ChunkWriter::flush()
{
    for (auto& series : m_pending)
        if (series && series->count > 0)
            handOver(*series);
}

std::size_t ChunkWriter::pendingEvents() const
{
    std::size_t events = 0;
    for (const auto& series : m_pending)
        events += series ? series->count : 0;
    return events;
}

void ChunkWriter::handOver(Pending& series)
{
    m_columns.assign({series.events.data(), series.count});
    m_columns.sort();
    series.count = 0;
    m_sink(makeChunk(series.track, series.kind, m_columns, 0, m_columns.size()));
}

} // namespace apertune::trace

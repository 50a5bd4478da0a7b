// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/column_codec.h"
#include "core/trace/event.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::trace {

/// Events of a chunk at most. Small enough that a view decodes little more than it shows, large enough that a row of
/// the store costs nothing.
inline constexpr std::size_t kChunkEvents = 16'384;

/// A column of EventColumns. The numbers are persistent: they stand in chunks.
enum class Column : std::uint8_t {
    start = 1,
    duration = 2,
    name = 3,
    correlation = 4,
    link = 5,
    detail = 6,
    value = 7,
    address = 8,
};
inline constexpr std::array kColumns = {Column::start, Column::duration, Column::name,  Column::correlation,
                                        Column::link,  Column::detail,   Column::value, Column::address};

/// Which columns to decode.
class ColumnSet
{
public:
    constexpr ColumnSet() = default;
    constexpr ColumnSet(std::initializer_list<Column> columns)
    {
        for (const Column column : columns)
            add(column);
    }
    static constexpr ColumnSet all()
    {
        return {Column::start, Column::duration, Column::name,  Column::correlation,
                Column::link,  Column::detail,   Column::value, Column::address};
    }
    constexpr void add(Column column) { m_bits = static_cast<std::uint16_t>(m_bits | bit(column)); }
    constexpr bool contains(Column column) const { return (m_bits & bit(column)) != 0; }
    constexpr bool operator==(const ColumnSet&) const = default;

private:
    static constexpr unsigned bit(Column column) { return 1u << static_cast<unsigned>(column); }
    std::uint16_t m_bits = 0;
};

/// One encoded piece of a series, as collectors send it and the store keeps it.
struct Chunk
{
    TrackId track;
    EventKind kind = EventKind::other;
    std::uint32_t events = 0;
    std::int64_t begin = 0; ///< earliest start
    std::int64_t end = 0;   ///< latest end
    std::string data;       ///< see chunk_format.md
};

/// Encodes events [first, first + count). Pure. REQUIRES: count <= kChunkEvents, first + count <= events.size().
std::string encodeChunk(const EventColumns& events, std::size_t first, std::size_t count);

/// The same with what a Chunk says about itself.
Chunk makeChunk(TrackId track, EventKind kind, const EventColumns& events, std::size_t first, std::size_t count);

/// Reads one chunk, column by column. The bytes may come from anywhere: whatever they hold, nothing but an Error comes
/// of it. They must outlive the reader. Reading is const and may happen on several threads.
class ChunkReader
{
public:
    /// Looks at the header only. Failures: corrupt; unsupported (a newer version of the format).
    static base::Result<ChunkReader> open(std::string_view bytes);

    std::size_t size() const { return m_events; }
    /// False when the column is 0 for every event; then nothing is stored and nothing needs to be decoded.
    bool has(Column column) const { return m_parts[static_cast<std::size_t>(column)].encoding != Encoding::absent; }

    /// Decodes the chosen columns to positions [at, at + size()). Columns that are empty in `out` are left so; the
    /// others are overwritten, with 0 where the chunk lacks them.
    /// REQUIRES: each column of `out` that is not empty has at least at + size() entries.
    /// Failures: corrupt; then these positions of `out` hold anything.
    base::Status read(ColumnSet columns, EventColumns& out, std::size_t at) const;

    /// Decodes behind the last event of `out`. Start, duration and name always grow, with 0 where they are not chosen.
    base::Status append(ColumnSet columns, EventColumns& out) const;

private:
    struct Part
    {
        Encoding encoding = Encoding::absent;
        std::string_view bytes;
    };
    ChunkReader() = default;
    std::size_t m_events = 0;
    std::array<Part, kColumns.size() + 1> m_parts{}; ///< by the number of the column
};

/// Gathers events by (track, kind) while recording and hands over a chunk whenever one is full. One thread.
/// A chunk is sorted in itself; events that come late go to a later chunk.
class ChunkWriter
{
public:
    using Sink = std::function<void(Chunk&&)>;
    explicit ChunkWriter(Sink sink);
    ~ChunkWriter(); ///< what was not flushed is gone
    ChunkWriter(ChunkWriter&&) noexcept;
    ChunkWriter& operator=(ChunkWriter&&) noexcept;

    /// REQUIRES: track numbers are dense, as TraceBuilder gives them.
    void append(TrackId track, EventKind kind, const Event& event);
    /// Hands over what is left, in the order of tracks and kinds.
    void flush();
    std::size_t pendingEvents() const;

private:
    struct Pending;
    [[gnu::noinline]] Pending& begin(TrackId track, EventKind kind, std::size_t at);
    void handOver(Pending& pending);
    Sink m_sink;
    std::vector<std::unique_ptr<Pending>> m_pending; ///< by track, and within it by kind
    EventColumns m_columns;                          ///< of the chunk that is handed over
};

} // namespace apertune::trace

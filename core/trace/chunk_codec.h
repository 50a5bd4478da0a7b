// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/column_codec.h"
#include "core/trace/event.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::trace {

/// The largest number of events in a chunk. It is so small that a view decodes little more than it shows, and so large
/// that the overhead of a row in the store does not matter.
inline constexpr std::size_t kChunkEvents = 16'384;

/// A column of EventColumns. The numbers are persistent, because chunks contain them.
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

/// The set of columns to decode.
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

/// One encoded piece of a series. Collectors send it and the store keeps it.
struct Chunk
{
    TrackId track;
    EventKind kind = EventKind::other;
    std::uint32_t events = 0;
    std::int64_t begin = 0; ///< earliest start
    std::int64_t end = 0;   ///< latest end
    std::string data;       ///< encoded as chunk_format.md says
};

/// Encodes events [first, first + count). Pure.
/// REQUIRES: count ≤ kChunkEvents, first + count ≤ events.size().
std::string encodeChunk(const EventColumns& events, std::size_t first, std::size_t count);

/// Encodes events in the same way and fills the members that describe the chunk.
Chunk makeChunk(TrackId track, EventKind kind, const EventColumns& events, std::size_t first, std::size_t count);

/// Reads one chunk, column by column. The bytes may come from an untrusted source: damaged bytes only cause an Error.
/// Thread rule: reading is const, and several threads may read at once.
/// REQUIRES: the bytes outlive the reader.
class ChunkReader
{
public:
    /// Parses the header alone. Failures: corrupt, unsupported (a newer version of the format).
    static base::Result<ChunkReader> open(std::string_view bytes);

    std::size_t size() const { return m_events; }
    /// False when the column is 0 for every event. Such a column is not stored and need not be decoded.
    bool has(Column column) const { return m_parts[static_cast<std::size_t>(column)].encoding != Encoding::absent; }

    /// Decodes the chosen columns to the positions [at, at + size()) of `out`. Columns that are empty in `out` stay
    /// empty. The others are overwritten, with 0 when the chunk does not have the column.
    /// REQUIRES: each column of `out` that is not empty has at least at + size() entries.
    /// Failures: corrupt; then the contents of these positions are undefined.
    base::Status read(ColumnSet columns, EventColumns& out, std::size_t at) const;

    /// Decodes behind the last event of `out`. Start, duration and name always grow, with 0 when they are not chosen.
    /// Failures: corrupt.
    base::Status append(ColumnSet columns, EventColumns& out) const;

private:
    struct Part
    {
        Encoding encoding = Encoding::absent;
        std::string_view bytes;
    };
    ChunkReader() = default;
    std::size_t m_events = 0;
    std::array<Part, kColumns.size() + 1> m_parts{}; ///< index by the number of the column
};

} // namespace apertune::trace

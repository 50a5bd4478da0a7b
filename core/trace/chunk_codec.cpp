// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/chunk_codec.h"

#include "core/trace/errors.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace apertune::trace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

// chunk_format.md describes these numbers.
constexpr std::uint8_t kChunkMagic = 0xc7;
constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 8;
constexpr std::size_t kEntryBytes = 8;

// Numbers of the header are little-endian on every machine.
void putU32(char* out, std::uint32_t value)
{
    for (int i = 0; i < 4; ++i)
        out[i] = static_cast<char>(value >> (8 * i));
}

std::uint32_t getU32(const char* in)
{
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(in[i])) << (8 * i);
    return value;
}

// Only a start before the origin and a value can be negative. Start and duration are measured, so they do not repeat.
template <Column C>
constexpr Sign kSign = C == Column::start || C == Column::value ? Sign::either : Sign::none;
template <Column C>
constexpr Runs kRuns = C == Column::start || C == Column::duration ? Runs::never : Runs::seek;

/// Returns the vector of a column, const or not.
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

/// Calls work.template operator()<C>() for each column, in order.
template <typename Work>
void forEachColumn(Work&& work)
{
    [&]<std::size_t... I>(std::index_sequence<I...>)
    {
        (work.template operator()<kColumns[I]>(), ...);
    }
    (std::make_index_sequence<kColumns.size()>());
}

Error damaged(base::Message why)
{
    return {ErrorCode::corrupt,
            base::message<errors::kDamagedPiece>(std::move(why)),
            {},
            base::message<errors::kImportRecordingAgain>()};
}

} // namespace

std::string encodeChunk(const EventColumns& events, std::size_t first, std::size_t count)
{
    // Longer chunks could not be read again; see open().
    assert(count <= kChunkEvents && first + count <= events.size());
    constexpr std::size_t kLongestHeader = kHeaderBytes + kColumns.size() * kEntryBytes;
    const auto scratch = std::make_unique_for_overwrite<std::uint64_t[]>(count);
    // The columns are written behind room for the longest header. The header is put directly before them once its
    // length is known.
    const auto room = std::make_unique_for_overwrite<char[]>(kLongestHeader + kColumns.size() * longestColumn(count));
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
        const EncodedColumn encoded =
            encodeColumn(std::span(column).subspan(first, count), kSign<C>, kRuns<C>, {scratch.get(), count}, end);
        if (encoded.encoding == Encoding::absent)
            return;
        entry[0] = static_cast<char>(C);
        entry[1] = static_cast<char>(encoded.encoding);
        putU32(entry + 4, static_cast<std::uint32_t>(encoded.end - end));
        end = encoded.end;
        entry += kEntryBytes;
        ++header[2];
    });
    // The header is put right before the columns, so the room in front stays unused.
    char* const data = columns - (entry - header.data());
    std::copy(header.data(), entry, data);
    return {data, end};
}

Chunk makeChunk(TrackId track, EventKind kind, const EventColumns& events, std::size_t first, std::size_t count)
{
    Chunk chunk{track, kind, static_cast<std::uint32_t>(count), 0, 0, encodeChunk(events, first, count)};
    if (count == 0)
        return chunk;
    // A chunk knows its time range, so that readers can skip it.
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
    // The magic byte distinguishes a chunk from other blobs before its version is trusted.
    if (bytes.size() < kHeaderBytes || static_cast<std::uint8_t>(bytes[0]) != kChunkMagic)
        return damaged(base::message<errors::kNoChunk>());
    if (static_cast<std::uint8_t>(bytes[1]) > kVersion)
        return Error{
            ErrorCode::unsupported, base::message<errors::kNewerTrace>(), {}, base::message<errors::kUpdateToRead>()};
    const auto stored = static_cast<std::uint8_t>(bytes[2]);
    ChunkReader reader;
    // The number of events is read before the columns, because their sizes follow from it.
    reader.m_events = getU32(bytes.data() + 4);
    // Callers allocate by this number, so a damaged one must not pass.
    if (reader.m_events > kChunkEvents)
        return damaged(base::message<errors::kTooManyEvents>());
    std::size_t at = kHeaderBytes + stored * kEntryBytes;
    if (at > bytes.size())
        return damaged(base::message<errors::kHeaderCutOff>());
    for (std::size_t i = 0; i < stored; ++i) {
        const char* entry = bytes.data() + kHeaderBytes + i * kEntryBytes;
        const auto column = static_cast<std::uint8_t>(entry[0]);
        const auto encoding = static_cast<Encoding>(entry[1]);
        const std::size_t length = getU32(entry + 4);
        // The subtraction cannot wrap, because `at` is within the bytes.
        if (length > bytes.size() - at)
            return damaged(base::message<errors::kColumnCutOff>());
        if (column == 0 || encoding == Encoding::absent || !isKnown(encoding))
            return damaged(base::message<errors::kUnknownEncoding>());
        if (column < reader.m_parts.size()) { // a later version may have more columns, which mean nothing here
            if (reader.m_parts[column].encoding != Encoding::absent)
                return damaged(base::message<errors::kColumnTwice>());
            reader.m_parts[column] = {encoding, bytes.substr(at, length)};
        }
        at += length;
    }
    if (at != bytes.size())
        return damaged(base::message<errors::kBytesLeftOver>());
    return reader;
}

Status ChunkReader::read(ColumnSet columns, EventColumns& out, std::size_t at) const
{
    base::Message problem;
    forEachColumn([&]<Column C>() {
        auto& column = columnOf<C>(out);
        if (!problem.empty() || column.empty() || !columns.contains(C))
            return;
        assert(column.size() >= at + m_events);
        const auto target = std::span(column).subspan(at, m_events);
        const Part& part = m_parts[static_cast<std::size_t>(C)];
        if (part.encoding == Encoding::absent)
            std::fill(target.begin(), target.end(), 0);
        else
            problem = decodeColumn(part.encoding, part.bytes, kSign<C>, target);
    });
    // Everybody computes start + duration, so a damaged chunk must not make that overflow.
    if (problem.empty() && columns.contains(Column::start) && columns.contains(Column::duration) && !out.start.empty())
        for (std::size_t i = at; i < at + m_events; ++i)
            // The sum is compared without computing it, because it would overflow.
            if (out.start[i] > std::numeric_limits<std::int64_t>::max() - out.duration[i])
                problem = base::message<errors::kAfterEndOfTime>();
    return problem.empty() ? Status() : Status(damaged(std::move(problem)));
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
        // A column that the caller did not ask for gets no room, unless others have values there.
        if (kAlways || !column.empty() || (columns.contains(C) && has(C)))
            column.resize(after);
    });
    return read(columns, out, before);
}

} // namespace apertune::trace

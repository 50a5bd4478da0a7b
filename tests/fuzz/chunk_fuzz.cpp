// SPDX-License-Identifier: GPL-3.0-or-later
// Chunks of events, core/trace/chunk_format.md. The input is read as a chunk, and then as events to encode.
#include "core/trace/chunk_codec.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/trace_checks.h"

#include <algorithm>

namespace apertune::fuzz {

using trace::ChunkReader;
using trace::Column;
using trace::ColumnSet;
using trace::EventColumns;

namespace {

template <typename T>
bool sameColumn(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.empty() || b.empty() ? std::all_of(a.begin(), a.end(), [](T value) { return value == T{}; }) &&
                                        std::all_of(b.begin(), b.end(), [](T value) { return value == T{}; })
                                  : a == b;
}

bool sameColumn(Column column, const EventColumns& a, const EventColumns& b)
{
    switch (column) {
    case Column::start:
        return sameColumn(a.start, b.start);
    case Column::duration:
        return sameColumn(a.duration, b.duration);
    case Column::name:
        return sameColumn(a.name, b.name);
    case Column::correlation:
        return sameColumn(a.correlation, b.correlation);
    case Column::link:
        return sameColumn(a.link, b.link);
    case Column::detail:
        return sameColumn(a.detail, b.detail);
    case Column::value:
        return sameColumn(a.value, b.value);
    case Column::address:
        return sameColumn(a.address, b.address);
    }
    return false;
}

/// Requires that decoding returns the events that encodeChunk() wrote.
void requireComesBack(const EventColumns& events)
{
    const std::string bytes = trace::encodeChunk(events, 0, events.size());
    const auto reader = ChunkReader::open(bytes);
    require(reader.ok() && reader->size() == events.size(), "what was encoded opens");
    EventColumns again;
    require(reader->append(ColumnSet::all(), again).ok(), "what was encoded can be read");
    require(sameEvents(events, again), "what was encoded comes back");
}

void examineChunk(std::string_view bytes)
{
    const auto opened = ChunkReader::open(bytes);
    const ChunkReader* const reader = valueOf(opened);
    if (!reader)
        return;
    EventColumns all;
    const base::Status read = reader->append(ColumnSet::all(), all);
    if (!read) {
        requireSentence(read.error());
        return;
    }
    require(all.size() == reader->size(), "as many events are read as the header says");
    for (std::size_t i = 0; i < all.size(); ++i)
        require(all.duration[i] >= 0 && all.end(i) >= all.start[i], "no event ends before it begins");
    for (const Column column : trace::kColumns) {
        EventColumns one;
        require(reader->append({column}, one).ok(), "a column of a sound chunk can be read alone");
        require(sameColumn(column, all, one), "a column read alone is the same");
        require(reader->has(column) || sameColumn(column, all, EventColumns()), "a column that is not stored is 0");
    }
    requireComesBack(all);
}

} // namespace

void examine(std::string_view input)
{
    examineChunk(input);
    const EventColumns events = columnsOf(input);
    if (events.size() <= trace::kChunkEvents)
        requireComesBack(events);
}

std::vector<std::string> seeds()
{
    std::vector<std::string> seeds;
    for (const trace::Series& series : sampleTrace().series)
        seeds.push_back(trace::encodeChunk(series.events, 0, series.events.size()));
    EventColumns repeated; // long enough for runs
    for (std::int64_t i = 0; i < 200; ++i)
        repeated.append({.start = {i * 1000 + i % 7},
                         .duration = {500},
                         .name = {static_cast<std::uint32_t>(i % 20)},
                         .correlation = static_cast<std::uint32_t>(i),
                         .detail = static_cast<std::uint32_t>(i % 5),
                         .value = i % 20 * -300});
    seeds.push_back(trace::encodeChunk(repeated, 0, repeated.size()));
    return seeds;
}

} // namespace apertune::fuzz

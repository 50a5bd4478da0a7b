// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/perfetto/packet_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::interchange::perfetto {

/// Writes events as Chrome's JSON, so that one vocabulary decides their meaning. The names of rocprofv3 are translated
/// to those of Kineto first.
/// Threads: one.
class EventText
{
public:
    /// REQUIRES: `packets` outlives this object, and all packets were read.
    explicit EventText(Packets& packets) : m_packets(packets) {}

    /// The times of an event, in ns of the trace.
    struct Times
    {
        std::int64_t start = 0;
        std::optional<std::int64_t> end; ///< end of a slice; nullopt: the recording has none
    };
    /// Appends an event and a comma. `end` (may be null) is the end of a slice, whose annotations are added. Returns
    /// true when the event has arrows that a trace cannot keep.
    bool append(const PacketEvent& event, const PacketEvent* end, const Times& times, std::string& out);
    /// Appends the names of processes and threads, with commas.
    void appendNames(std::string& out) const;
    /// Returns whether rocprofv3 wrote an event.
    bool fromRocprof() const { return m_fromRocprof; }

private:
    struct Argument
    {
        std::string_view name;
        std::string json;
    };
    /// The fields of the event that is being written.
    struct Decoded
    {
        std::string_view name;
        std::string_view category;
        std::vector<Argument> arguments;
        std::optional<std::uint64_t> flow; ///< the first of its flows, or another id that joins it with other events
        std::optional<std::uint64_t> id;
        std::int64_t thread = -1; ///< -1: the thread of its track
        std::optional<std::int64_t> duration;
        bool tooLong = false; ///< further arguments were left out
    };

    void decode(const PacketEvent& event, bool isEnd);
    void readAnnotation(Message annotation, const InternedTexts& texts, bool top);
    void addArgument(std::string_view name, std::string json);
    std::string taken(std::string_view name);
    bool has(std::string_view name) const;
    bool translateRocprof(const Place& place);

    Packets& m_packets;
    Decoded m_event;
    std::size_t m_size = 0;
    bool m_fromRocprof = false;
};

} // namespace apertune::interchange::perfetto

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/chrome/parsed_block.h"
#include "core/interchange/perfetto/clocks.h"
#include "core/interchange/perfetto/tracks.h"
#include "core/interchange/perfetto/wire.h"
#include "core/trace/counter_unit.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::interchange::perfetto {

/// The interned texts of one sequence of packets. Events refer to them by number, until the sequence is reset.
class InternedTexts
{
public:
    void add(Message internedData);
    /// Returns the text of a number in one of the lists of InternedField; empty when there is none.
    std::string_view find(std::uint32_t list, std::uint64_t number) const;

private:
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::string_view> m_texts;
};

/// An event of a track before it is decoded. The beginning and the end of a slice are separate events.
struct PacketEvent
{
    std::int64_t time = 0; ///< ns of its clock
    std::string_view message;
    std::uint32_t clock = 0; ///< index into Packets::clockIds
    std::uint32_t track = 0;
    std::uint32_t texts = 0; ///< index into Packets::texts
    char phase = 'i';        ///< a letter, as in Chrome's JSON: B, E, i, …
};

/// A sample of a counter.
struct PacketSample
{
    std::int64_t time = 0; ///< ns of its clock
    trace::Sample value;
    std::uint32_t clock = 0;
    std::uint32_t track = 0;
};

/// The contents of the packets of a recording. Texts are views of the bytes that were read.
struct Packets
{
    std::vector<PacketEvent> events;
    std::vector<PacketSample> samples;
    std::deque<InternedTexts> texts;
    Tracks tracks;
    Clocks clocks;
    std::vector<ClockId> clockIds{1}; ///< the first stands for the clock of the trace
    std::deque<std::string> unpacked; ///< packets that were compressed
    // Counts of missing data.
    chrome::NameCounts notRead;
    std::int64_t damaged = 0;      ///< packets
    std::int64_t withoutNames = 0; ///< events that refer to texts in dropped packets
    std::int64_t withoutTime = 0;  ///< events
    std::int64_t noNumbers = 0;    ///< samples
    bool dropped = false;          ///< the recorder dropped packets
    bool cutOff = false;
};

/// Reads packets.
/// Threads: one.
class PacketReader
{
public:
    /// `mostUnpacked` limits the unpacked bytes of compressed packets. Packets beyond the limit count as damaged.
    /// REQUIRES: `packets` outlives this object.
    PacketReader(Packets& packets, std::size_t mostUnpacked) : m_packets(packets), m_left(mostUnpacked) {}

    /// Returns whether a file begins with packets. `whole`: `beginning` is the whole file.
    static bool recognizes(std::string_view beginning, bool whole);

    /// Reads all packets of a text up to its end or the first damage. Calls `keepGoing` now and then. Returns false
    /// when `keepGoing` did.
    /// REQUIRES: the text outlives Packets.
    bool read(std::string_view text, const std::function<bool()>& keepGoing);

private:
    /// The state of a sequence of packets from one writer.
    struct Sequence
    {
        std::uint32_t texts = 0;
        bool complete = true; ///< texts and defaults of the sequence are known
        std::uint64_t track = 0;
        std::uint32_t clock = 0;
        std::vector<std::uint64_t> extraTracks;
        std::vector<std::uint64_t> extraRealTracks;
        std::map<std::uint32_t, double> sums; ///< current values of incremental counters, by track
    };
    /// The encoding of the times of a clock.
    struct ClockForm
    {
        std::int64_t unit = 1; ///< ns
        bool incremental = false;
        std::int64_t last = 0; ///< ns
    };
    struct Packet;
    struct Time
    {
        std::int64_t time = 0;
        std::uint32_t clock = 0;
    };

    bool readText(std::string_view text, bool nested);
    void readPacket(Message message, bool nested);
    void readCompressed(std::string_view packed);
    void readDefaults(Message defaults, Sequence& sequence);
    void readSnapshot(Message snapshot, std::uint32_t sequence);
    void readStats(Message stats);
    void readEvent(std::string_view event, std::optional<Time> time, Sequence& sequence);
    std::optional<Time> timeOf(const Packet& packet, const Sequence& sequence);
    Sequence& sequenceOf(const Packet& packet);
    void addSample(const Time& time, std::uint64_t track, std::optional<std::int64_t> whole, double value,
                   Sequence& sequence);

    Packets& m_packets;
    std::size_t m_left;
    std::function<bool()> m_keepGoing;
    std::size_t m_read = 0;
    std::map<std::uint32_t, Sequence> m_sequences;
    std::map<ClockId, ClockForm> m_clockForms;
    std::map<ClockId, std::uint32_t> m_clockNumbers;
};

} // namespace apertune::interchange::perfetto

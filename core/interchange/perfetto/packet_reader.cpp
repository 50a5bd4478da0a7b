// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/perfetto/packet_reader.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

namespace apertune::interchange::perfetto {

namespace {

using protozero::pbf_wire_type;

constexpr std::uint32_t kPacketTag = 1; ///< the only field of a file

/// Fields of packets about the recording itself. A trace has no place for them, so they are no loss.
constexpr std::array<std::uint32_t, 20> kAboutRecording = {33, 34, 36, 45, 46,  47,  51,  61,  67,  69,
                                                           72, 78, 89, 90, 107, 113, 124, 126, 128, 130};

/// Names of the packets of other data sources, by their field.
constexpr std::pair<std::uint32_t, const char*> kOtherPackets[] = {
    {1, "ftrace_events"},
    {2, "process_tree"},
    {4, "inode_file_map"},
    {5, "chrome_events"},
    {7, "sys_stats"},
    {9, "process_stats"},
    {37, "profile_packet"},
    {38, "battery"},
    {39, "android_log"},
    {40, "power_rails"},
    {43, "process_descriptor"},
    {44, "thread_descriptor"},
    {52, "gpu_counter_event"},
    {53, "gpu_render_stage_event"},
    {54, "streaming_profile_packet"},
    {56, "heap_graph"},
    {57, "graphics_frame_event"},
    {62, "vulkan_memory_event"},
    {65, "vulkan_api_event"},
    {66, "perf_sample"},
    {71, "gpu_mem_total_event"},
    {73, "memory_tracker_snapshot"},
    {76, "frame_timeline_event"},
    {95, "etw_events"},
    {133, "zstd_compressed_packets"},
};

std::string nameOfPacket(std::uint32_t field)
{
    const auto known = std::find_if(std::begin(kOtherPackets), std::end(kOtherPackets),
                                    [field](const auto& packet) { return packet.first == field; });
    return known == std::end(kOtherPackets) ? "packet " + std::to_string(field) : known->second;
}

bool isLetter(std::int64_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Unpacks zlib's data; nullopt when it is damaged or has more than `most` bytes.
std::optional<std::string> unpacked(std::string_view packed, std::size_t most)
{
    struct Inflater : z_stream
    {
        Inflater() : z_stream()
        {
            if (::inflateInit2(this, 15 + 32) != Z_OK) // the largest window; + 32 detects zlib and gzip
                throw std::bad_alloc();
        }
        Inflater(const Inflater&) = delete;
        Inflater& operator=(const Inflater&) = delete;
        ~Inflater() { ::inflateEnd(this); }
    };
    Inflater inflater;
    inflater.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    inflater.avail_in = static_cast<uInt>(packed.size());
    std::string text;
    int code = Z_OK;
    while (code == Z_OK && text.size() <= most) {
        const std::size_t had = text.size();
        const std::size_t more = std::max<std::size_t>(had, 4096);
        text.resize(had + more);
        inflater.next_out = reinterpret_cast<Bytef*>(text.data() + had);
        inflater.avail_out = static_cast<uInt>(more);
        code = ::inflate(&inflater, Z_NO_FLUSH);
        text.resize(had + more - inflater.avail_out);
    }
    return code == Z_STREAM_END && text.size() <= most ? std::optional(std::move(text)) : std::nullopt;
}

/// The fields of a track event that decide its time, its track and its samples.
struct TrackEventFields
{
    std::uint64_t type = 0;
    std::int64_t legacyPhase = 0;
    std::optional<std::uint64_t> track;       ///< nullopt: the default of the sequence
    std::optional<std::int64_t> absoluteTime; ///< ns
    std::optional<std::int64_t> whole;        ///< value of a counter
    double real = 0;                          ///< value of a counter without `whole`
    // Samples of further counters, by their tracks. Without tracks, those of the sequence are meant.
    std::vector<std::uint64_t> tracks;
    std::vector<std::uint64_t> values;
    std::vector<std::uint64_t> realTracks;
    std::vector<double> reals;
};

TrackEventFields trackEventFields(Message event)
{
    TrackEventFields fields;
    while (event.next())
        switch (event.tag()) {
        case EventField::type:
            fields.type = numberOf(event);
            break;
        case EventField::track:
            fields.track = numberOf(event);
            break;
        case EventField::legacy:
            for (Message legacy = messageOf(bytesOf(event)); legacy.next();)
                if (legacy.tag() == LegacyField::phase)
                    fields.legacyPhase = integerOf(legacy);
                else
                    legacy.skip();
            break;
        case EventField::absoluteTime:
            // The field is in microseconds (timestamp_absolute_us).
            if (std::int64_t ns = 0; !__builtin_mul_overflow(integerOf(event), 1000, &ns))
                fields.absoluteTime = fields.absoluteTime.value_or(ns);
            break;
        case EventField::value:
            fields.whole = integerOf(event);
            break;
        case EventField::realValue:
            fields.real = realOf(event);
            break;
        case EventField::extraTracks:
            appendNumbers(event, fields.tracks);
            break;
        case EventField::extraValues:
            appendNumbers(event, fields.values);
            break;
        case EventField::extraRealTracks:
            appendNumbers(event, fields.realTracks);
            break;
        case EventField::extraReals:
            appendReals(event, fields.reals);
            break;
        default:
            event.skip();
        }
    return fields;
}

} // namespace

void InternedTexts::add(Message internedData)
{
    while (internedData.next()) {
        const std::uint32_t list = internedData.tag();
        if (list != InternedField::category && list != InternedField::eventName &&
            list != InternedField::annotationName && list != InternedField::annotationText) {
            internedData.skip();
            continue;
        }
        std::uint64_t number = 0;
        std::string_view text;
        for (Message entry = messageOf(bytesOf(internedData)); entry.next();)
            if (entry.tag() == 1)
                number = numberOf(entry);
            else if (entry.tag() == 2)
                text = bytesOf(entry);
            else
                entry.skip();
        m_texts[{list, number}] = text;
    }
}

std::string_view InternedTexts::find(std::uint32_t list, std::uint64_t number) const
{
    const auto at = m_texts.find({list, number});
    return at == m_texts.end() ? std::string_view() : at->second;
}

/// The fields of a packet. The text of an absent field is empty.
struct PacketReader::Packet
{
    std::optional<std::uint64_t> timestamp;
    std::uint32_t clock = 0;
    std::uint32_t sequence = 0;
    bool cleared = false;
    bool needsState = false;
    bool dropped = false;
    std::string_view event;
    std::string_view descriptor;
    std::string_view interned;
    std::string_view defaults;
    std::string_view snapshot;
    std::string_view stats;
    std::string_view compressed;
};

bool PacketReader::recognizes(std::string_view beginning, bool whole)
try {
    Message file = messageOf(beginning);
    if (!file.next() || file.tag() != kPacketTag || !file.has_wire_type(pbf_wire_type::length_delimited))
        return false;
    // The first packet must consist of fields from its beginning to its end, and be followed by another one.
    std::string_view rest = beginning.substr(1);
    const char* at = rest.data();
    const std::uint64_t size = protozero::decode_varint(&at, rest.data() + rest.size());
    rest.remove_prefix(static_cast<std::size_t>(at - rest.data()));
    const bool complete = size <= rest.size();
    bool any = false;
    try {
        for (Message packet = messageOf(rest.substr(0, size)); packet.next(); any = true)
            packet.skip();
    } catch (const protozero::end_of_buffer_exception&) {
        return any && !complete;
    }
    if (!complete || size == rest.size())
        return any && (complete || !whole || !rest.empty());
    return any && rest[size] == beginning.front();
} catch (const protozero::exception&) {
    return false;
}

bool PacketReader::read(std::string_view text, const std::function<bool()>& keepGoing)
{
    m_keepGoing = keepGoing;
    return readText(text, false);
}

bool PacketReader::readText(std::string_view text, bool nested)
{
    Message packets = messageOf(text);
    while (true) {
        std::string_view packet;
        try {
            if (!packets.next())
                return true;
            if (packets.tag() != kPacketTag || !packets.has_wire_type(pbf_wire_type::length_delimited))
                throw protozero::invalid_tag_exception();
            packet = bytesOf(packets);
        } catch (const protozero::exception&) {
            m_packets.cutOff = m_packets.cutOff || !nested;
            m_packets.damaged += nested ? 1 : 0;
            return true;
        }
        try {
            readPacket(messageOf(packet), nested);
        } catch (const protozero::exception&) {
            ++m_packets.damaged;
        }
        // Asking after each packet would cost more than reading it.
        if ((++m_read & 0xffff) == 0 && !m_keepGoing())
            return false;
    }
}

void PacketReader::readPacket(Message message, bool nested)
{
    Packet packet;
    std::uint32_t other = 0;
    while (message.next())
        switch (message.tag()) {
        case PacketField::timestamp:
            packet.timestamp = numberOf(message);
            break;
        case PacketField::clock:
            packet.clock = static_cast<std::uint32_t>(numberOf(message));
            break;
        case PacketField::sequence:
            packet.sequence = static_cast<std::uint32_t>(numberOf(message));
            break;
        case PacketField::sequenceFlags: {
            // SEQ_INCREMENTAL_STATE_CLEARED is 1 and SEQ_NEEDS_INCREMENTAL_STATE is 2.
            const std::uint64_t flags = numberOf(message);
            packet.cleared = packet.cleared || (flags & 1) != 0;
            packet.needsState = (flags & 2) != 0;
            break;
        }
        case PacketField::stateCleared:
            packet.cleared = numberOf(message) != 0 || packet.cleared;
            break;
        case PacketField::previousDropped:
            packet.dropped = numberOf(message) != 0;
            break;
        case PacketField::trackEvent:
            packet.event = bytesOf(message);
            break;
        case PacketField::trackDescriptor:
            packet.descriptor = bytesOf(message);
            break;
        case PacketField::internedData:
            packet.interned = bytesOf(message);
            break;
        case PacketField::defaults:
            packet.defaults = bytesOf(message);
            break;
        case PacketField::clockSnapshot:
            packet.snapshot = bytesOf(message);
            break;
        case PacketField::traceStats:
            packet.stats = bytesOf(message);
            break;
        case PacketField::compressed:
            packet.compressed = bytesOf(message);
            break;
        default:
            if (message.has_wire_type(pbf_wire_type::length_delimited) &&
                std::find(kAboutRecording.begin(), kAboutRecording.end(), message.tag()) == kAboutRecording.end())
                other = message.tag();
            message.skip();
        }
    if (other != 0)
        m_packets.notRead.count(nameOfPacket(other));
    if (!packet.compressed.empty()) {
        // Writers compress packets once. More levels are made to fill the memory.
        if (nested)
            ++m_packets.damaged;
        else
            readCompressed(packet.compressed);
    }
    Sequence& sequence = sequenceOf(packet);
    // Without the earlier packets of the sequence, the numbers of its texts would name other texts.
    if (packet.needsState && !sequence.complete) {
        m_packets.withoutNames += packet.event.empty() ? 0 : 1;
        return;
    }
    if (!packet.defaults.empty())
        readDefaults(messageOf(packet.defaults), sequence);
    if (!packet.interned.empty())
        m_packets.texts[sequence.texts].add(messageOf(packet.interned));
    if (!packet.snapshot.empty())
        readSnapshot(messageOf(packet.snapshot), packet.sequence);
    if (!packet.stats.empty())
        readStats(messageOf(packet.stats));
    const std::optional<Time> time = timeOf(packet, sequence);
    if (!packet.descriptor.empty())
        m_packets.tracks.describe(messageOf(packet.descriptor));
    if (!packet.event.empty())
        readEvent(packet.event, time, sequence);
}

PacketReader::Sequence& PacketReader::sequenceOf(const Packet& packet)
{
    const auto [at, added] = m_sequences.try_emplace(packet.sequence);
    Sequence& sequence = at->second;
    if (packet.dropped) {
        // The tracing service sets this flag on the first packet of every sequence, too.
        m_packets.dropped = m_packets.dropped || !added;
        sequence.complete = false;
    }
    if (added || packet.cleared) {
        const bool complete = sequence.complete || packet.cleared;
        sequence = {};
        sequence.complete = complete;
        sequence.texts = static_cast<std::uint32_t>(m_packets.texts.size());
        m_packets.texts.emplace_back();
    }
    return sequence;
}

void PacketReader::readCompressed(std::string_view packed)
{
    std::optional<std::string> text = unpacked(packed, m_left);
    if (!text) {
        ++m_packets.damaged;
        return;
    }
    m_left -= text->size();
    readText(m_packets.unpacked.emplace_back(std::move(*text)), true);
}

void PacketReader::readDefaults(Message defaults, Sequence& sequence)
{
    sequence.track = 0;
    sequence.clock = 0;
    sequence.extraTracks.clear();
    sequence.extraRealTracks.clear();
    while (defaults.next())
        if (defaults.tag() == PacketField::clock) {
            sequence.clock = static_cast<std::uint32_t>(numberOf(defaults));
        } else if (defaults.tag() == PacketField::trackEvent) {
            for (Message event = messageOf(bytesOf(defaults)); event.next();)
                if (event.tag() == EventField::track)
                    sequence.track = numberOf(event);
                else if (event.tag() == EventField::extraTracks)
                    appendNumbers(event, sequence.extraTracks);
                else if (event.tag() == EventField::extraRealTracks)
                    appendNumbers(event, sequence.extraRealTracks);
                else
                    event.skip();
        } else {
            defaults.skip();
        }
}

void PacketReader::readSnapshot(Message snapshot, std::uint32_t sequence)
{
    std::vector<Clocks::Reading> readings;
    while (snapshot.next()) {
        if (snapshot.tag() == 2) {
            if (const std::uint64_t clock = numberOf(snapshot); clock != 0)
                m_packets.clocks.setTraceClock(static_cast<std::uint32_t>(clock));
            continue;
        }
        if (snapshot.tag() != 1) {
            snapshot.skip();
            continue;
        }
        std::uint32_t clock = 0;
        std::int64_t time = 0;
        ClockForm form;
        for (Message reading = messageOf(bytesOf(snapshot)); reading.next();)
            switch (reading.tag()) {
            case 1:
                clock = static_cast<std::uint32_t>(numberOf(reading));
                break;
            case 2:
                time = integerOf(reading);
                break;
            case 3:
                form.incremental = numberOf(reading) != 0;
                break;
            case 4:
                form.unit = std::max<std::int64_t>(1, integerOf(reading));
                break;
            default:
                reading.skip();
            }
        if (clock == 0 || time < 0 || __builtin_mul_overflow(time, form.unit, &form.last))
            continue;
        const ClockId id = Clocks::id(clock, sequence);
        m_clockForms[id] = form;
        readings.push_back({id, form.last});
    }
    m_packets.clocks.addSnapshot(std::move(readings));
}

void PacketReader::readStats(Message stats)
{
    // Fields of TraceStats.BufferStats in Perfetto's trace_stats.proto; field 1 of TraceStats lists these.
    constexpr std::uint32_t kOverwritten = 3;
    constexpr std::uint32_t kDiscarded = 18;
    constexpr std::uint32_t kLost = 19;
    while (stats.next()) {
        if (stats.tag() != 1) {
            stats.skip();
            continue;
        }
        for (Message buffer = messageOf(bytesOf(stats)); buffer.next();)
            if (buffer.tag() == kOverwritten || buffer.tag() == kDiscarded || buffer.tag() == kLost)
                m_packets.dropped = numberOf(buffer) != 0 || m_packets.dropped;
            else
                buffer.skip();
    }
}

std::optional<PacketReader::Time> PacketReader::timeOf(const Packet& packet, const Sequence& sequence)
{
    Time time;
    if (!packet.timestamp || __builtin_add_overflow(*packet.timestamp, 0, &time.time))
        return std::nullopt;
    const std::uint32_t clock = packet.clock != 0 ? packet.clock : sequence.clock;
    if (clock == 0)
        return time;
    const ClockId id = Clocks::id(clock, packet.sequence);
    const auto [number, added] = m_clockNumbers.try_emplace(id, static_cast<std::uint32_t>(m_packets.clockIds.size()));
    if (added)
        m_packets.clockIds.push_back(id);
    time.clock = number->second;
    const auto known = m_clockForms.find(id);
    if (known == m_clockForms.end())
        return time;
    // The times of an incremental clock are differences to the previous packet, in the clock's own unit.
    ClockForm& form = known->second;
    if (__builtin_mul_overflow(time.time, form.unit, &time.time) ||
        (form.incremental && __builtin_add_overflow(time.time, form.last, &time.time)))
        return std::nullopt;
    form.last = time.time;
    return time;
}

void PacketReader::readEvent(std::string_view event, std::optional<Time> time, Sequence& sequence)
{
    enum : std::uint64_t { begin = 1, end = 2, instant = 3, counter = 4, state = 5 };
    const TrackEventFields fields = trackEventFields(messageOf(event));
    if (!time && fields.absoluteTime)
        time = Time{*fields.absoluteTime, 0};
    if (!time) {
        ++m_packets.withoutTime;
        return;
    }
    const std::vector<std::uint64_t>& of = fields.tracks.empty() ? sequence.extraTracks : fields.tracks;
    for (std::size_t i = 0; i < std::min(of.size(), fields.values.size()); ++i)
        addSample(*time, of[i], static_cast<std::int64_t>(fields.values[i]), 0, sequence);
    const std::vector<std::uint64_t>& ofReals =
        fields.realTracks.empty() ? sequence.extraRealTracks : fields.realTracks;
    for (std::size_t i = 0; i < std::min(ofReals.size(), fields.reals.size()); ++i)
        addSample(*time, ofReals[i], std::nullopt, fields.reals[i], sequence);
    const std::uint64_t track = fields.track.value_or(sequence.track);
    std::int64_t phase = fields.legacyPhase;
    switch (fields.type) {
    case begin:
        phase = 'B';
        break;
    case end:
        phase = 'E';
        break;
    case instant:
        phase = 'i';
        break;
    case counter:
        return addSample(*time, track, fields.whole, fields.real, sequence);
    case state:
        return m_packets.notRead.count("track_event states");
    default:
        // Events of older macros have a letter instead of a type.
        if (isLetter(phase))
            break;
        ++m_packets.damaged;
        return;
    }
    m_packets.events.push_back(
        {time->time, event, time->clock, m_packets.tracks.number(track), sequence.texts, static_cast<char>(phase)});
}

void PacketReader::addSample(const Time& time, std::uint64_t trackId, std::optional<std::int64_t> whole, double value,
                             Sequence& sequence)
{
    const std::uint32_t track = m_packets.tracks.number(trackId);
    const double factor = m_packets.tracks.factor(track);
    std::optional<trace::Sample> sample;
    if (whole && factor == 1 && !m_packets.tracks.isIncremental(track)) {
        sample = trace::Sample{*whole, 0};
    } else {
        value = whole ? static_cast<double>(*whole) : value;
        if (m_packets.tracks.isIncremental(track))
            value = sequence.sums[track] += value;
        sample = trace::sampleOf(value * factor);
    }
    if (sample)
        m_packets.samples.push_back({time.time, *sample, time.clock, track});
    else
        ++m_packets.noNumbers;
}

} // namespace apertune::interchange::perfetto

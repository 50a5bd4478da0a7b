// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/perfetto/trace_assembly.h"

#include "core/base/errors.h"
#include "core/interchange/chrome/event_parser.h"
#include "core/interchange/chrome/trace_merger.h"
#include "core/interchange/files/errors.h"
#include "core/interchange/perfetto/errors.h"
#include "core/interchange/perfetto/event_text.h"
#include "core/interchange/perfetto/reasons.h"
#include "core/trace/recorder.h"

#include <algorithm>
#include <set>

namespace apertune::interchange::perfetto {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using chrome::LossReason;

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;
/// Limit of the JSON text for each byte of the packets. Names that many events share give a ratio of about ten.
constexpr std::size_t kMostTextOfAByte = 256;
constexpr std::size_t kSmallText = std::size_t{64} << 20;
/// Times beyond it are damaged (73 years in ns).
constexpr std::int64_t kLatest = std::int64_t{1} << 61;

class Assembly
{
public:
    Assembly(Packets& packets, chrome::FileFacts facts, std::size_t recorded,
             const std::function<bool(std::size_t)>& keepGoing)
        : m_packets(packets), m_facts(std::move(facts)), m_mostText(kSmallText + kMostTextOfAByte * recorded),
          m_keepGoing(keepGoing), m_merger(2, m_facts), m_text(packets), m_open(packets.tracks.size())
    {
    }

    Result<trace::Trace> run()
    {
        // Clocks are related after all packets were read, because a later snapshot may connect two of them.
        m_packets.clocks.relate();
        m_facts.baseTime = m_packets.clocks.atZero({kRealTimeClock});
        if (const Status added = addSamples(); !added)
            return added.error();
        if (const Status added = addEvents(); !added)
            return added.error();
        m_text.appendNames(m_json);
        lost(LossReason::badTime).count += m_packets.withoutTime;
        lost(LossReason::badSample).count += m_packets.noNumbers;
        if (const Status flushed = flush(); !flushed)
            return flushed.error();
        if (m_merger.eventCount() == 0 && (m_packets.cutOff || m_packets.damaged > 0))
            return Error{ErrorCode::corrupt,
                         base::message<errors::kCutOffEarly>(),
                         {},
                         base::message<files::errors::kCopyOrRecord>()};
        if (m_merger.eventCount() == 0)
            return Error{ErrorCode::corrupt,
                         base::message<errors::kNoEvents>(),
                         {},
                         base::message<errors::kRecordTrackEvents>()};
        m_facts.head.source = toString(m_text.fromRocprof() ? trace::Recorder::rocprofv3 : trace::Recorder::perfetto);
        addLosses();
        return m_merger.finish(m_facts);
    }

private:
    chrome::LossCount& lost(LossReason reason) { return m_own.losses[static_cast<std::size_t>(reason)]; }

    /// Converts a time to the clock of the trace. When no snapshot relates the clocks, it stays as it is.
    std::optional<std::int64_t> timeOf(std::uint32_t clock, std::int64_t time)
    {
        if (clock != 0) {
            const auto converted = m_packets.clocks.toTraceTime(m_packets.clockIds[clock], time);
            m_used.insert(converted ? 0 : clock);
            time = converted.value_or(time);
        } else {
            m_used.insert(0);
        }
        // Sums of start and duration must not overflow.
        if (time >= -kLatest && time <= kLatest)
            return time;
        lost(LossReason::badTime).add(0);
        return std::nullopt;
    }

    /// The samples need no vocabulary, so they do not become text.
    Status addSamples()
    {
        std::vector<std::uint32_t> numbers(m_packets.tracks.size()); // the merger's number of each track; 0: none yet
        std::uint32_t known = 0;
        for (const PacketSample& sample : m_packets.samples) {
            const auto time = timeOf(sample.clock, sample.time);
            if (!time)
                continue;
            const Place& place = m_packets.tracks.place(sample.track);
            std::uint32_t& number = numbers[sample.track];
            if (number == 0) {
                number = ++known;
                chrome::RawTrack track;
                track.track.type = trace::TrackType::counter;
                track.track.process = place.process;
                track.track.label = place.label;
                track.track.unit = place.unit;
                m_own.tracks.push_back(std::move(track));
                m_own.texts.push_back(place.label);
            }
            chrome::RawEvent event;
            event.kind = trace::EventKind::counter;
            event.start = *time;
            event.name = number;
            event.track = number;
            event.value = sample.value.value;
            event.detail = static_cast<std::uint32_t>(sample.value.decimals);
            m_own.events.push_back(event);
            if (m_own.events.size() >= kBlock / sizeof event)
                if (const Status flushed = flush(); !flushed)
                    return flushed;
        }
        return {};
    }

    /// Writers take turns in the file, and a slice may begin in one and end in another. So events are joined by time.
    Status addEvents()
    {
        m_order.reserve(m_packets.events.size());
        for (std::uint32_t i = 0; i < m_packets.events.size(); ++i)
            if (const auto time = timeOf(m_packets.events[i].clock, m_packets.events[i].time))
                m_order.push_back({*time, i});
        // Stable, because begin and end of an event may have the same time.
        std::stable_sort(m_order.begin(), m_order.end(),
                         [](const Timed& a, const Timed& b) { return a.time < b.time; });
        for (const Timed& timed : m_order) {
            const PacketEvent& event = m_packets.events[timed.event];
            std::vector<Timed>& open = m_open[event.track];
            if (event.phase == 'B') {
                open.push_back(timed);
            } else if (event.phase != 'E') {
                append(timed, nullptr);
            } else if (open.empty()) {
                lost(LossReason::endWithoutBegin).add(timed.time);
            } else {
                append(open.back(), &timed);
                open.pop_back();
            }
            if (m_json.size() >= kBlock)
                if (const Status flushed = flush(); !flushed)
                    return flushed;
        }
        for (const std::vector<Timed>& open : m_open)
            for (const Timed& timed : open) {
                append(timed, nullptr); // never ended
                if (m_json.size() >= kBlock)
                    if (const Status flushed = flush(); !flushed)
                        return flushed;
            }
        return {};
    }

    struct Timed
    {
        std::int64_t time = 0;
        std::uint32_t event = 0;
    };

    void append(const Timed& begin, const Timed* end)
    try {
        EventText::Times times{begin.time, {}};
        if (end)
            times.end = end->time;
        if (m_text.append(m_packets.events[begin.event], end ? &m_packets.events[end->event] : nullptr, times, m_json))
            lost(LossReason::foreignFlow).add(begin.time);
    } catch (const protozero::exception&) {
        ++m_packets.damaged; // no text was written, because an event is decoded completely before it is written
    }

    Status flush()
    {
        m_written += m_json.size();
        if (m_written > m_mostText)
            return Error{ErrorCode::unsupported,
                         base::message<errors::kTooMuchText>(),
                         {},
                         base::message<files::errors::kRecordShorter>()};
        m_parser.parse(m_json, m_block);
        // The numbers of texts and tracks in the two blocks are independent, so the merger treats them as two parsers.
        m_merger.add(0, m_block, true);
        m_merger.add(1, m_own, true);
        m_own.clear();
        m_json.clear();
        if (m_keepGoing(m_merger.eventCount()))
            return {};
        return Error{ErrorCode::cancelled, base::message<base::errors::kCancelled>()};
    }

    void addLosses()
    {
        const auto add = [this](base::Message reason, std::int64_t count,
                                trace::LossSeverity severity = trace::LossSeverity::warning) {
            m_facts.head.losses.push_back({.count = count, .severity = severity, .reason = std::move(reason)});
        };
        if (m_packets.cutOff)
            add(base::message<reasons::kCutOff>(), 0);
        if (m_packets.dropped)
            add(base::message<reasons::kDroppedPackets>(), 0);
        if (m_packets.damaged > 0)
            add(base::message<reasons::kDamagedPackets>(), m_packets.damaged);
        if (m_packets.withoutNames > 0)
            add(base::message<reasons::kLostNames>(), m_packets.withoutNames);
        if (m_used.size() > 1)
            add(base::message<reasons::kUnrelatedClocks>(), 0);
        for (const auto& [packets, count] : m_packets.notRead.all())
            add(base::message<reasons::kPacketsNotRead>(packets.empty() ? "…" : packets), count,
                trace::LossSeverity::notice);
    }

    Packets& m_packets;
    chrome::FileFacts m_facts;
    std::size_t m_mostText;
    const std::function<bool(std::size_t)>& m_keepGoing;
    chrome::TraceMerger m_merger;
    chrome::EventParser m_parser{false};
    chrome::ParsedBlock m_block;
    chrome::ParsedBlock m_own; ///< samples and losses, which do not become text
    EventText m_text;
    std::string m_json;
    std::size_t m_written = 0;
    std::vector<Timed> m_order;
    std::vector<std::vector<Timed>> m_open; ///< slices that began, by track, the innermost last
    std::set<std::uint32_t> m_used;         ///< clocks of events that no snapshot relates; 0: all others
};

} // namespace

Result<trace::Trace> assembled(Packets& packets, chrome::FileFacts facts, std::size_t recorded,
                               const std::function<bool(std::size_t)>& keepGoing)
{
    return Assembly(packets, std::move(facts), recorded, keepGoing).run();
}

} // namespace apertune::interchange::perfetto

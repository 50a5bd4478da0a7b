// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/event_row.h"
#include "core/trace/counter_unit.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace apertune::interchange::chrome {

namespace {

constexpr std::size_t kLongestText = std::size_t{64} << 10;

bool isNumber(char c)
{
    return (c >= '0' && c <= '9') || c == '-';
}

/// Reads 7, "7" and "stream 7" as 7. Returns nullopt for other texts.
std::optional<std::int64_t> parseTrackId(std::string_view token)
{
    if (const auto number = parseInteger(token))
        return number;
    if (token.starts_with("\"stream ") && token.ends_with('"'))
        return parseInteger(token.substr(8, token.size() - 9));
    return std::nullopt;
}

bool isDevicePlace(trace::EventKind kind)
{
    return trace::isDeviceWork(kind) || kind == trace::EventKind::synchronization ||
           kind == trace::EventKind::deviceRange;
}

/// True for "cuLaunchKernel" but not for "cudaLaunchKernel". Early recorders put both into one category.
bool isDriverName(std::string_view token)
{
    return token.size() > 4 && token[1] == 'c' && token[2] == 'u' && token[3] >= 'A' && token[3] <= 'Z';
}

} // namespace

void EventRows::add(const Tokens& tokens, const Fields& fields, ParsedBlock& block)
{
    m_block = &block;
    Row row{tokens, fields, block};
    const std::string_view phase = row.token(Field::phase);
    if (phase.size() != 3 || phase.front() != '"')
        return row.lose(LossReason::malformed);
    const char p = phase[1];
    if (p == 'M')
        return addLabel(row);
    row.category = category(row.token(Field::category), row.knownCategory);
    if (p == 's' || p == 't' || p == 'f') {
        if (!row.category.flow && !m_own)
            row.lose(LossReason::foreignFlow);
        return;
    }
    if (!readTime(row))
        return row.lose(LossReason::badTime);
    block.kinetoWords = block.kinetoWords || (row.knownCategory && !row.category.node);
    switch (p) {
    case 'X':
    case 'B':
    case 'E':
        return addInterval(row, p);
    case 'i':
    case 'I':
    case 'R':
        return addInstant(row);
    case 'C':
        return addCounter(row);
    case 'b':
    case 'e':
    case 'n':
    case 'S':
    case 'F':
        return addAsync(row, p);
    default:
        return row.lose(LossReason::phase);
    }
}

bool EventRows::readTime(Row& row)
{
    const auto time = row.has(Field::time) ? parseMicroseconds(row.token(Field::time)) : std::nullopt;
    row.event.start = time.value_or(0);
    return time.has_value();
}

void EventRows::addInterval(Row& row, char phase)
{
    RawEvent& event = row.event;
    event.kind = row.knownCategory ? row.category.kind : trace::EventKind::range;
    if (row.category.mixed)
        event.kind = workFromName(row.word(Field::name));
    const bool node = row.category.node && row.has(Field::operation) && !nodeFromName(row.word(Field::name)).empty();
    if (node)
        event.kind = trace::EventKind::operatorCall;
    if (phase == 'X') {
        if (!row.has(Field::duration)) {
            row.lose(LossReason::noDuration);
        } else {
            const auto duration = parseMicroseconds(row.token(Field::duration));
            if (!duration)
                return row.lose(LossReason::badTime);
            if (*duration < 0)
                return row.lose(LossReason::negativeDuration);
            event.duration = *duration;
        }
    } else {
        event.phase = phase == 'B' ? RawPhase::begin : RawPhase::end;
    }
    event.name = text(row, row.token(node ? Field::operation : Field::name));
    if (!m_own && event.kind == trace::EventKind::runtimeCall && isDriverName(row.token(Field::name)))
        event.kind = trace::EventKind::driverCall;
    event.track = trackOf(row);
    readIds(row);
    readDetail(row);
    row.block.events.push_back(event);
    if (event.kind == trace::EventKind::profilerRange && !m_own)
        addMetrics(row);
}

void EventRows::addInstant(Row& row)
{
    RawEvent& event = row.event;
    const std::string_view name = row.token(Field::name);
    event.kind = row.knownCategory ? row.category.kind : trace::EventKind::other;
    if (!m_own && (name == "\"[memory]\"" || name == "\"[OutOfMemory]\""))
        event.kind = trace::EventKind::tensorMemory;
    event.name = text(row, name);
    event.track = trackOf(row);
    readIds(row);
    readDetail(row);
    row.block.events.push_back(event);
    if (event.kind == trace::EventKind::tensorMemory && !m_own)
        addTotals(row);
}

/// Adds the allocator's totals after an event as samples of counters.
void EventRows::addTotals(const Row& row)
{
    for (const auto& [field, label] : {std::pair{Field::totalAllocated, trace::kAllocatedMemory},
                                       std::pair{Field::totalReserved, trace::kReservedMemory}}) {
        const std::int64_t total = row.integer(field, -1);
        if (total < 0)
            continue;
        RawTrack track;
        track.track.type = trace::TrackType::counter;
        track.track.device = row.integer(Field::deviceId, -1);
        track.track.label = label;
        track.track.unit = "B";
        RawEvent sample;
        sample.kind = trace::EventKind::counter;
        sample.start = row.event.start;
        sample.name = textNumber(label, row.block);
        sample.track = trackNumber(track);
        sample.value = total;
        row.block.events.push_back(sample);
    }
}

void EventRows::addAsync(Row& row, char phase)
{
    RawEvent& event = row.event;
    event.kind = trace::EventKind::other;
    event.name = text(row, row.token(Field::name));
    RawTrack track;
    track.track.type = trace::TrackType::process;
    if (const auto process = parseTrackId(row.token(Field::process)))
        track.track.process = *process;
    else
        track.processText = unescape(row.token(Field::process));
    event.track = trackNumber(track);
    if (phase != 'n') {
        event.phase = phase == 'b' || phase == 'S' ? RawPhase::asyncBegin : RawPhase::asyncEnd;
        event.address =
            mixBits(hashText(wholeToken(row, Field::id)) ^ event.track, hashText(row.token(Field::category)) | 1);
    }
    row.block.events.push_back(event);
}

void EventRows::readIds(Row& row)
{
    const auto id = [&row](Field field) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.integer(field, 0)));
    };
    RawEvent& event = row.event;
    event.correlation = id(Field::correlation);
    event.link = id(Field::externalId);
    if (event.correlation != 0 && event.link != 0)
        ++(event.correlation == event.link ? row.block.sameIds : row.block.differentIds);
}

Category EventRows::category(std::string_view token, bool& known)
{
    // A recording has few categories, so a small cache (one slot per hash) avoids the search for each event.
    known = false;
    if (token.size() < 3 || token.front() != '"')
        return {};
    const std::string_view word = token.substr(1, token.size() - 2);
    const std::size_t slot =
        (word.size() * 5 + static_cast<unsigned char>(word.front()) + static_cast<unsigned char>(word.back()) * 3u) %
        m_categories.size();
    CategoryMemo& memo = m_categories[slot];
    if (memo.word != word) {
        const auto found = categoryFromString(word);
        memo = {std::string(word), found.value_or(Category{}), found.has_value()};
    }
    known = memo.known;
    return memo.category;
}

std::uint32_t EventRows::textNumber(std::string_view token, ParsedBlock& block)
{
    const auto [number, fresh] = m_texts.number(token);
    if (fresh) {
        std::string plain = token.starts_with('"')                       ? unescape(token)
                            : token.find('\n') != std::string_view::npos ? onOneLine(token)
                                                                         : std::string(token);
        if (plain.size() > kLongestText && !m_own) {
            std::size_t end = kLongestText;
            while (end > 0 && (static_cast<unsigned char>(plain[end]) & 0xc0) == 0x80)
                --end; // the first bytes of a character must not stay alone
            plain.resize(end);
            ++block.losses[static_cast<std::size_t>(LossReason::longText)].count;
        }
        block.texts.push_back(std::move(plain));
    }
    return number;
}

std::uint32_t EventRows::text(const Row& row, std::string_view token)
{
    return token.empty() || token == "\"\"" || token == "null" ? 0 : textNumber(token, row.block);
}

std::uint32_t EventRows::trackNumber(const RawTrack& track)
{
    // Neighbours are mostly on the same track, which saves the hash.
    if (m_lastTrackNumber == 0 || !(m_lastTrack == track)) {
        m_lastTrack = track;
        m_lastTrackNumber = m_tracks.number(track, m_block->tracks);
    }
    return m_lastTrackNumber;
}

std::uint32_t EventRows::trackOf(const Row& row)
{
    RawTrack raw;
    trace::Track& track = raw.track;
    const trace::EventKind kind = row.event.kind;
    const auto process = parseTrackId(row.token(Field::process));
    const auto thread = parseTrackId(row.token(Field::thread));
    if (!m_own && isDevicePlace(kind)) {
        track.device = row.integer(Field::device, process.value_or(-1));
        track.stream =
            row.has(Field::stream) ? parseTrackId(row.token(Field::stream)).value_or(-1) : thread.value_or(-1);
        track.context = row.integer(Field::context, -1);
        // A wait for a whole context has no stream. Some versions write -1 as an unsigned number.
        const bool whole = track.stream < 0 || track.stream == std::numeric_limits<std::uint32_t>::max();
        track.type = whole ? trace::TrackType::device : trace::TrackType::stream;
        if (whole)
            track.stream = track.context = -1;
        return trackNumber(raw);
    }
    if (!m_own && kind == trace::EventKind::profilerRange) {
        track.type = trace::TrackType::device;
        track.device = process.value_or(-1);
        return trackNumber(raw);
    }
    const std::string_view processToken = row.token(Field::process);
    if (!m_own && (row.category.recorder || processToken == "\"Traces\"" || processToken == "\"Spans\"" ||
                   processToken == "\"\"" || process == -1)) {
        track.type = trace::TrackType::process;
        track.label = "Recorder";
        return trackNumber(raw);
    }
    track.type = trace::TrackType::hostThread;
    track.process = process.value_or(-1);
    track.thread = thread.value_or(-1);
    if (!process)
        raw.processText = unescape(processToken);
    if (!thread)
        raw.threadText = unescape(row.token(Field::thread));
    return trackNumber(raw);
}

void EventRows::addLabel(const Row& row)
{
    const std::string_view name = row.token(Field::name);
    RawLabel label;
    if (name == "\"process_name\"")
        label.what = RawLabel::What::processName;
    else if (name != "\"thread_name\"")
        return;
    label.label = unescape(row.token(Field::argName));
    const auto process = parseTrackId(row.token(Field::process));
    const auto thread = parseTrackId(row.token(Field::thread));
    label.process = process.value_or(-1);
    label.thread = thread.value_or(-1);
    if (!process)
        label.processText = unescape(row.token(Field::process));
    if (!thread)
        label.threadText = unescape(row.token(Field::thread));
    while (!label.label.empty() && label.label.back() == ' ')
        label.label.pop_back();
    if (!label.label.empty())
        row.block.labels.push_back(std::move(label));
}

bool EventRows::readSample(const Row& row, std::string_view token, RawEvent& sample)
{
    bool exact = true;
    const auto value = parseSample(token, exact);
    if (!value) {
        row.lose(LossReason::badSample);
        return false;
    }
    if (!exact)
        row.lose(LossReason::roundedSample);
    sample.value = value->value;
    sample.detail = static_cast<std::uint32_t>(value->decimals);
    return true;
}

void EventRows::addCounter(Row& row)
{
    RawEvent& event = row.event;
    event.kind = trace::EventKind::counter;
    if (m_own) {
        event.name = text(row, row.token(Field::name));
        event.track = trackOf(row);
        readSample(row, row.token(Field::value), event);
        readIds(row);
        row.block.events.push_back(event);
        return;
    }
    RawTrack base;
    base.track.type = trace::TrackType::counter;
    if (const auto process = parseTrackId(row.token(Field::process)))
        base.track.process = *process;
    else
        base.processText = unescape(row.token(Field::process));
    base.track.label = unescape(row.token(Field::name));
    const std::uint32_t args = row.fields[Field::args];
    if (args == 0 || row.tokens.first(args) != '{')
        return row.lose(LossReason::badSample);
    const std::uint32_t end = row.tokens.skipValue(args);
    std::uint32_t members = 0;
    // Several members are several curves of one counter. Each gets its own track, named after the member.
    for (std::uint32_t i = args + 1; i + 2 < end; i = row.tokens.skipValue(i + 2) + 1)
        ++members;
    for (std::uint32_t i = args + 1; i + 2 < end; i = row.tokens.skipValue(i + 2) + 1) {
        if (!readSample(row, row.tokens.token(i + 2), event))
            continue;
        RawTrack track = base;
        if (members > 1)
            track.track.label += " " + unescape(row.tokens.token(i));
        event.name = text(row, row.token(Field::name));
        event.track = trackNumber(track);
        row.block.events.push_back(event);
    }
}

void EventRows::addMetrics(const Row& row)
{
    const std::uint32_t args = row.fields[Field::args];
    if (args == 0 || row.tokens.first(args) != '{')
        return;
    const std::uint32_t end = row.tokens.skipValue(args);
    for (std::uint32_t i = args + 1; i + 2 < end; i = row.tokens.skipValue(i + 2) + 1) {
        const std::string_view name = row.tokens.token(i);
        if (!isNumber(row.tokens.first(i + 2)) || argumentField(name.substr(1, name.size() - 2)) != Field::none)
            continue;
        RawEvent sample;
        if (!readSample(row, row.tokens.token(i + 2), sample))
            continue;
        RawTrack track;
        track.track.type = trace::TrackType::counter;
        track.track.device = parseTrackId(row.token(Field::process)).value_or(-1);
        track.track.label = unescape(name);
        sample.kind = trace::EventKind::counter;
        sample.start = row.event.start;
        sample.name = text(row, name);
        sample.track = trackNumber(track);
        row.block.events.push_back(sample);
    }
}

} // namespace apertune::interchange::chrome

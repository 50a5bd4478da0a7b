// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/event_rows.h"

#include "core/interchange/chrome/json_values.h"
#include "core/trace/counter_unit.h"
#include "core/trace/import_options.h"

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

/// Reads 7, "7" and "stream 7" as 7. Returns nullopt for other texts, and for numbers of more than 63 bits: these would
/// turn into negative ones, which other tracks have.
std::optional<std::int64_t> parseTrackId(std::string_view token)
{
    if (const auto number = parseInteger(token))
        return *number < 0 && token.find('-') == std::string_view::npos ? std::nullopt : number;
    if (token.starts_with("\"stream ") && token.ends_with('"'))
        return parseInteger(token.substr(8, token.size() - 9));
    return std::nullopt;
}

std::string plainText(std::string_view token)
{
    return token.starts_with('"') ? unescape(token) : std::string(token);
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

/// Reads [a, b, c]. Shorter lists are padded with 1; anything else gives zeros.
std::array<std::uint32_t, 3> readExtent(const Tokens& tokens, std::uint32_t list)
{
    std::array<std::uint32_t, 3> extent{};
    if (list == 0 || tokens.first(list) != '[')
        return extent;
    std::size_t n = 0;
    for (std::uint32_t i = list + 1; n < 3 && i < tokens.count && tokens.first(i) != ']'; ++i) {
        if (tokens.first(i) == ',')
            continue;
        const auto value = parseInteger(tokens.token(i));
        if (!value || *value < 0 || *value > std::numeric_limits<std::uint32_t>::max())
            return {};
        extent[n++] = static_cast<std::uint32_t>(*value);
    }
    // A list with fewer extents leaves the others at 1.
    for (; n > 0 && n < 3; ++n)
        extent[n] = 1;
    return extent;
}

/// [{"float":[1,3]},{"int64":[]}] becomes [[1, 3], []].
std::string shapesWithoutTypes(std::string_view list)
{
    std::string shapes;
    bool inType = false;
    for (const char c : list) {
        // Types stand between a brace and a colon.
        inType = (inType || c == '{') && c != ':';
        if (inType || c == ':' || c == '}' || c == ' ')
            continue;
        shapes += c;
        if (c == ',')
            shapes += ' ';
    }
    return shapes;
}

} // namespace

/// An event whose row is being made.
struct EventRows::Row
{
    const Tokens& tokens;
    const Fields& fields;
    ParsedBlock& block;
    std::span<const std::string_view> unknown;
    RawEvent event{};
    Category category{};
    bool knownCategory = false;

    std::string_view token(Field field) const
    {
        const std::uint32_t i = fields[field];
        return i == 0 ? std::string_view() : tokens.token(i);
    }
    bool has(Field field) const { return fields[field] != 0; }
    std::int64_t integer(Field field, std::int64_t otherwise) const
    {
        return has(field) ? parseInteger(token(field)).value_or(otherwise) : otherwise;
    }
    template <typename T>
    T small(Field field, T otherwise) const
    {
        const std::int64_t value = integer(field, otherwise);
        // A number that does not fit is as good as none.
        return value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max() ? otherwise
                                                                                              : static_cast<T>(value);
    }
    /// Returns a string without its quotes. Escapes stay, because no name in the vocabulary has one.
    std::string_view word(Field field) const
    {
        const std::string_view t = token(field);
        return t.size() >= 2 && t.front() == '"' && t.back() == '"' ? t.substr(1, t.size() - 2) : std::string_view();
    }
    /// Returns a size in bytes. One larger than any memory reads as 0 and is counted as a loss.
    std::int64_t size(std::int64_t bytes) const
    {
        // Sizes beyond any memory are errors of the recorder.
        if (bytes >= -trace::kMostBytes && bytes <= trace::kMostBytes)
            return bytes;
        lose(LossReason::largeSize);
        return 0;
    }
    void lose(LossReason reason) const { block.losses[static_cast<std::size_t>(reason)].add(event.start); }
};

void EventRows::add(const Tokens& tokens, const Fields& fields, std::span<const std::string_view> unknown,
                    ParsedBlock& block)
{
    m_block = &block;
    Row row{tokens, fields, block, unknown};
    const std::string_view phase = row.token(Field::phase);
    // A phase is one letter in quotes.
    if (phase.size() != 3 || phase.front() != '"')
        return row.lose(LossReason::malformed);
    const char p = phase[1];
    if (p == 'M')
        return addLabel(row);
    row.category = category(row.token(Field::category), row.knownCategory);
    if (p == 's' || p == 't' || p == 'f') {
        if (!row.category.flow && !m_own)
            row.lose(LossReason::foreignFlow);
        // Arrows from calls to their work follow from what is kept; those of the backward pass do only in part.
        if (row.category.backward && p == 's')
            block.dropped.count("arrows to backward operators");
        return;
    }
    if (!readTime(row))
        return row.lose(LossReason::badTime);
    block.kinetoNames = block.kinetoNames || (row.knownCategory && !row.category.node);
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
    else
        countDropped(row);
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
    countDropped(row);
    if (event.kind == trace::EventKind::tensorMemory && !m_own)
        addTotals(row);
}

void EventRows::countDropped(const Row& row)
{
    for (const std::string_view name : row.unknown)
        row.block.dropped.count(name);
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
        track.processText = plainText(row.token(Field::process));
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
        raw.processText = plainText(processToken);
    if (!thread)
        raw.threadText = plainText(row.token(Field::thread));
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
        label.processText = plainText(row.token(Field::process));
    if (!thread)
        label.threadText = plainText(row.token(Field::thread));
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
        base.processText = plainText(row.token(Field::process));
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

void EventRows::readDetail(Row& row)
{
    RawEvent& event = row.event;
    switch (event.kind) {
    case trace::EventKind::kernel:
    case trace::EventKind::graphLaunch:
        event.detail = kernelDetail(row);
        break;
    case trace::EventKind::copy:
    case trace::EventKind::memset:
        event.detail = copyDetail(row);
        event.value = row.size(row.integer(Field::bytes, row.integer(Field::size, 0)));
        if (m_own)
            event.address = static_cast<std::uint64_t>(row.integer(Field::address, 0));
        return;
    case trace::EventKind::synchronization:
        event.detail = synchronizationDetail(row);
        break;
    case trace::EventKind::operatorCall:
        event.detail = operatorDetail(row);
        break;
    case trace::EventKind::deviceMemory:
    case trace::EventKind::tensorMemory:
        event.detail = memoryDetail(row);
        event.value = row.size(row.integer(Field::bytes, 0));
        event.address = static_cast<std::uint64_t>(row.integer(Field::address, 0));
        return;
    case trace::EventKind::compilation:
    case trace::EventKind::overhead:
        event.detail = m_notes.number({{text(row, row.token(Field::note))}}, row.block.notes);
        break;
    case trace::EventKind::runtimeCall:
    case trace::EventKind::driverCall:
        if (!m_own)
            readCall(row);
        break;
    default:
        break;
    }
    // Only our export uses these names for this purpose. Other recorders give them other meanings.
    if (m_own) {
        event.value = row.integer(Field::value, 0);
        event.address = static_cast<std::uint64_t>(row.integer(Field::address, 0));
    }
}

std::uint32_t EventRows::kernelDetail(const Row& row)
{
    trace::KernelDetail d;
    d.grid = readExtent(row.tokens, row.fields[Field::grid]);
    d.block = readExtent(row.tokens, row.fields[Field::block]);
    d.cluster = readExtent(row.tokens, row.fields[Field::cluster]);
    d.registersPerThread = row.small<std::uint32_t>(Field::registers, 0);
    d.staticSharedBytes = std::max(0, row.small<std::int32_t>(Field::staticSharedMemory, 0));
    d.dynamicSharedBytes =
        // The file holds the sum of both.
        std::max(0, row.small<std::int32_t>(Field::sharedMemory, 0)) - d.staticSharedBytes;
    d.localBytesPerThread = row.small<std::uint32_t>(Field::localMemory, 0);
    d.graph = row.small<std::uint32_t>(Field::graph, 0);
    d.graphNode = static_cast<std::uint64_t>(row.integer(Field::graphNode, 0));
    if (row.has(Field::occupancy))
        if (const auto percent = parseNumber(row.token(Field::occupancy)); percent && *percent >= 0)
            d.recordedOccupancy = static_cast<float>(*percent / 100);
    return m_kernels.number(d, row.block.kernels);
}

std::uint32_t EventRows::copyDetail(const Row& row)
{
    trace::CopyDetail d;
    if (!m_own && row.event.kind == trace::EventKind::copy)
        d = copyFromName(row.word(Field::name));
    if (const trace::CopyDirection direction = directionFromWord(row.word(Field::copyKind));
        direction != trace::CopyDirection::unknown)
        d.direction = direction;
    if (row.has(Field::source))
        d.source = memoryFromWord(row.word(Field::source));
    if (row.has(Field::target))
        d.target = memoryFromWord(row.word(Field::target));
    if (!m_own && row.event.kind == trace::EventKind::memset) {
        // The name is "Memset (Device)".
        const std::string_view name = row.word(Field::name);
        const std::size_t open = name.find('(');
        if (open != std::string_view::npos && name.ends_with(')'))
            d.target = memoryFromWord(name.substr(open + 1, name.size() - open - 2));
    }
    d.asynchronous = row.token(Field::asynchronous) == "true";
    d.sourceDevice = row.small<std::int32_t>(Field::sourceDevice, -1);
    d.targetDevice = row.small<std::int32_t>(Field::targetDevice, -1);
    d.graph = row.small<std::uint32_t>(Field::graph, 0);
    d.graphNode = static_cast<std::uint64_t>(row.integer(Field::graphNode, 0));
    return m_copies.number(d, row.block.copies);
}

std::uint32_t EventRows::synchronizationDetail(const Row& row)
{
    trace::SynchronizationDetail d;
    std::string_view word = row.word(Field::syncKind);
    if (word.empty() && !m_own)
        word = row.word(Field::name);
    d.type = synchronizationFromWord(word);
    d.event = row.small<std::uint32_t>(Field::waitEvent, 0);
    d.stream = row.integer(Field::stream, -1);
    if (d.stream == std::numeric_limits<std::uint32_t>::max())
        d.stream = -1;
    return m_synchronizations.number(d, row.block.synchronizations);
}

std::uint32_t EventRows::operatorDetail(const Row& row)
{
    trace::OperatorDetail d;
    if (row.category.node) {
        d.inputShapes.value = text(row, shapesWithoutTypes(wholeToken(row, Field::shapesByTypes)));
        d.module.value = text(row, '"' + std::string(nodeFromName(row.word(Field::name))) + '"');
        return m_operators.number(d, row.block.operators);
    }
    d.inputShapes.value = text(row, wholeToken(row, Field::inputShapes));
    d.inputStrides.value = text(row, wholeToken(row, Field::inputStrides));
    d.inputTypes.value = text(row, wholeToken(row, Field::inputTypes));
    d.module.value = text(row, wholeToken(row, Field::module));
    if (row.has(Field::collective))
        d.collective.value = text(row, collectiveObject(row));
    d.sequence = row.integer(Field::sequence, -1);
    return m_operators.number(d, row.block.operators);
}

/// Returns the recorded facts about a collective as one JSON object.
std::string EventRows::collectiveObject(const Row& row)
{
    std::string object;
    for (auto i = static_cast<std::size_t>(Field::collective); i < kFields; ++i) {
        const auto field = static_cast<Field>(i);
        if (row.has(field))
            object.append(object.empty() ? "{\"" : ",\"")
                .append(argumentName(field))
                .append("\":")
                .append(wholeToken(row, field));
    }
    return object + "}";
}

std::uint32_t EventRows::memoryDetail(const Row& row)
{
    trace::MemoryDetail d;
    if (m_own) {
        d.kind = memoryFromWord(row.word(Field::memoryKind));
        d.device = row.small<std::int32_t>(Field::deviceId, -1);
        d.owner.value = text(row, row.token(Field::owner));
    } else if (row.has(Field::deviceType)) {
        const bool host = row.integer(Field::deviceType, 0) == 0; // 0 is the CPU in c10::DeviceType
        d.kind = host ? trace::MemoryKind::pageable : trace::MemoryKind::device;
        d.device = host ? -1 : row.small<std::int32_t>(Field::deviceId, -1);
    }
    return m_memory.number(d, row.block.memory);
}

void EventRows::readCall(const Row& row)
{
    if (row.event.correlation == 0 || (!row.has(Field::size) && !row.has(Field::grid)))
        return;
    CallFact fact;
    fact.correlation = row.event.correlation;
    fact.bytes = std::max<std::int64_t>(0, row.size(row.integer(Field::size, 0)));
    fact.launch.grid = readExtent(row.tokens, row.fields[Field::grid]);
    fact.launch.block = readExtent(row.tokens, row.fields[Field::block]);
    fact.launch.dynamicSharedBytes = row.small<std::int32_t>(Field::sharedMemory, 0);
    row.block.facts.push_back(fact);
}

std::string_view EventRows::wholeToken(const Row& row, Field field)
{
    const std::uint32_t i = row.fields[field];
    if (i == 0)
        return {};
    const char c = row.tokens.first(i);
    if (c != '[' && c != '{')
        return row.tokens.token(i);
    const std::uint32_t end = row.tokens.skipValue(i); // the token before it is the closing bracket
    return row.tokens.text.substr(row.tokens.at[i], row.tokens.at[end - 1] + 1 - row.tokens.at[i]);
}

} // namespace apertune::interchange::chrome

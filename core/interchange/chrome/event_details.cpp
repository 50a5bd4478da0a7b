// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/event_row.h"

#include <algorithm>

namespace apertune::interchange::chrome {

namespace {

template <typename... Values>
std::size_t hashOf(const Values&... values)
{
    std::uint64_t hash = 0x9e3779b97f4a7c15u;
    ((hash = mixBits(hash ^ static_cast<std::uint64_t>(values), 0xff51afd7ed558ccdu)), ...);
    return hash;
}

std::uint64_t hashExtent(const std::array<std::uint32_t, 3>& e)
{
    return e[0] + (std::uint64_t{e[1]} << 24) + (std::uint64_t{e[2]} << 48);
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

std::size_t DetailHash::operator()(const trace::KernelDetail& d) const
{
    return hashOf(hashExtent(d.grid), hashExtent(d.block), d.registersPerThread, d.dynamicSharedBytes, d.graphNode,
                  static_cast<std::int64_t>(static_cast<double>(d.recordedOccupancy) * 1e6));
}
std::size_t DetailHash::operator()(const trace::CopyDetail& d) const
{
    return hashOf(d.direction, d.source, d.target, d.asynchronous, d.sourceDevice, d.targetDevice, d.graphNode);
}
std::size_t DetailHash::operator()(const trace::SynchronizationDetail& d) const
{
    return hashOf(d.type, d.event, d.stream);
}
std::size_t DetailHash::operator()(const trace::OperatorDetail& d) const
{
    return hashOf(d.inputShapes.value, d.inputTypes.value, d.module.value, d.sequence);
}
std::size_t DetailHash::operator()(const trace::MemoryDetail& d) const
{
    return hashOf(d.kind, d.device, d.owner.value);
}
std::size_t DetailHash::operator()(const trace::NoteDetail& d) const
{
    return hashOf(d.note.value);
}
std::size_t DetailHash::operator()(const RawTrack& t) const
{
    return hashOf(t.track.type, t.track.process, t.track.thread, t.track.device, t.track.context, t.track.stream,
                  hashText(t.track.label), hashText(t.processText), hashText(t.threadText));
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
    d.inputTypes.value = text(row, wholeToken(row, Field::inputTypes));
    d.module.value = text(row, wholeToken(row, Field::module));
    d.sequence = row.integer(Field::sequence, -1);
    return m_operators.number(d, row.block.operators);
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

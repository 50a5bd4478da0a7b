// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/event_writer.h"

#include "core/base/json.h"
#include "core/interchange/chrome/json_values.h"
#include "core/interchange/chrome/vocabulary.h"
#include "core/trace/counter_unit.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::interchange::chrome {

void appendMicroseconds(std::string& out, std::int64_t nanoseconds)
{
    if (nanoseconds < 0)
        out += '-';
    const std::uint64_t magnitude =
        // Negating without a sign is defined for the smallest number, too.
        nanoseconds < 0 ? 0 - static_cast<std::uint64_t>(nanoseconds) : static_cast<std::uint64_t>(nanoseconds);
    appendNumber(out, magnitude / 1000);
    const std::uint64_t fraction = magnitude % 1000;
    if (fraction == 0)
        return;
    // Written by hand: a double would round the nanoseconds of long recordings, and printf is slow for millions of
    // events.
    const char digits[] = {'.', static_cast<char>('0' + fraction / 100), static_cast<char>('0' + fraction / 10 % 10),
                           static_cast<char>('0' + fraction % 10)};
    out.append(digits, sizeof digits);
}

void appendQuoted(std::string& out, std::string_view text)
{
    out += '"';
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        const std::size_t length = utf8Length(text, i);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += text[i];
        } else if (c < ' ') {
            static constexpr char kHex[] = "0123456789abcdef";
            out += "\\u00";
            out += kHex[c >> 4];
            out += kHex[c & 15];
        } else if (length == 0) {
            // A byte that is no UTF-8 would make the whole file unreadable.
            out += '?';
        } else {
            out.append(text, i, length);
        }
        i += length == 0 ? 1 : length;
    }
    out += '"';
}

EventWriter::EventWriter(const trace::Trace& trace)
    : m_trace(trace), m_quoted(trace.strings.size()), m_isJson(trace.strings.size(), -1)
{
    for (const trace::Series& series : trace.series)
        for (const std::string_view label : {trace::kAllocatedMemory, trace::kReservedMemory})
            if (const trace::Track& track = trace.track(series);
                series.kind == trace::EventKind::counter && track.label == label)
                m_totals.emplace(std::pair{track.device, label}, &series.events);
}

const std::string& EventWriter::quoted(trace::StringId id)
{
    std::string& text = m_quoted[id.value];
    if (text.empty())
        appendQuoted(text, m_trace.text(id));
    return text;
}

void EventWriter::member(std::string& out, Field field)
{
    out += m_first ? "\"" : ",\"";
    out += argumentName(field);
    out += "\":";
    m_first = false;
}

void EventWriter::number(std::string& out, Field field, std::int64_t value, std::int64_t absent)
{
    if (value == absent)
        return;
    member(out, field);
    appendNumber(out, value);
}

void EventWriter::extent(std::string& out, Field field, const std::array<std::uint32_t, 3>& extent)
{
    if (extent == std::array<std::uint32_t, 3>{})
        return;
    member(out, field);
    out += '[';
    for (std::size_t i = 0; i < extent.size(); ++i) {
        if (i > 0)
            out += ',';
        appendNumber(out, extent[i]);
    }
    out += ']';
}

void EventWriter::word(std::string& out, Field field, std::string_view word)
{
    if (word.empty())
        return;
    member(out, field);
    appendQuoted(out, word);
}

void EventWriter::list(std::string& out, Field field, trace::StringId id)
{
    if (!id)
        return;
    member(out, field);
    if (isJson(id))
        out += m_trace.text(id);
    else
        out += quoted(id);
}

void EventWriter::members(std::string& out, trace::StringId id)
{
    const std::string_view text = m_trace.text(id);
    if (!id || text.size() <= 2 || !text.starts_with('{') || !isJson(id))
        return;
    if (!m_first)
        out += ',';
    out += text.substr(1, text.size() - 2);
    m_first = false;
}

bool EventWriter::isJson(trace::StringId id)
{
    const std::string_view text = m_trace.text(id);
    signed char& known = m_isJson[id.value];
    if (known < 0)
        known = ((text.starts_with('[') && text.ends_with(']')) || (text.starts_with('{') && text.ends_with('}'))) &&
                text.find('\n') == std::string_view::npos && base::Json::accept(text);
    return known == 1;
}

void EventWriter::appendArguments(std::string& out, const trace::Series& series, std::size_t i)
{
    const trace::Event event = series.events.at(i);
    const trace::Track& track = m_trace.track(series);
    const trace::Details& details = m_trace.details;
    m_first = true;
    out += '{';
    number(out, Field::externalId, event.link);
    number(out, Field::correlation, event.correlation);
    const bool onDevice = track.type == trace::TrackType::stream || track.type == trace::TrackType::device;
    if (onDevice) {
        number(out, Field::device, track.device, -1);
        number(out, Field::context, track.context, -1);
        if (series.kind != trace::EventKind::synchronization)
            number(out, Field::stream, track.stream, -1);
    }
    switch (series.kind) {
    case trace::EventKind::kernel:
    case trace::EventKind::graphLaunch:
        kernel(out, details.kernels[event.detail]);
        break;
    case trace::EventKind::copy:
    case trace::EventKind::memset:
        copy(out, details.copies[event.detail]);
        number(out, Field::bytes, event.value);
        number(out, Field::address, static_cast<std::int64_t>(event.address));
        out += '}';
        return;
    case trace::EventKind::synchronization:
        synchronization(out, details.synchronizations[event.detail]);
        break;
    case trace::EventKind::operatorCall:
        operatorCall(out, details.operators[event.detail]);
        break;
    case trace::EventKind::deviceMemory:
    case trace::EventKind::tensorMemory:
        memory(out, details.memory[event.detail]);
        if (series.kind == trace::EventKind::tensorMemory)
            totals(out, details.memory[event.detail].device, event.start.count);
        number(out, Field::bytes, event.value);
        number(out, Field::address, static_cast<std::int64_t>(event.address));
        out += '}';
        return;
    case trace::EventKind::compilation:
    case trace::EventKind::overhead:
        if (const trace::StringId note = details.notes[event.detail].note) {
            member(out, Field::note);
            out += quoted(note);
        }
        break;
    default:
        break;
    }
    number(out, Field::value, event.value);
    number(out, Field::address, static_cast<std::int64_t>(event.address));
    out += '}';
}

void EventWriter::kernel(std::string& out, const trace::KernelDetail& d)
{
    extent(out, Field::grid, d.grid);
    extent(out, Field::block, d.block);
    extent(out, Field::cluster, d.cluster);
    number(out, Field::registers, d.registersPerThread);
    number(out, Field::sharedMemory, std::int64_t{d.staticSharedBytes} + d.dynamicSharedBytes);
    number(out, Field::staticSharedMemory, d.staticSharedBytes);
    number(out, Field::localMemory, d.localBytesPerThread);
    number(out, Field::graph, d.graph);
    number(out, Field::graphNode, static_cast<std::int64_t>(d.graphNode));
    if (d.recordedOccupancy >= 0) {
        member(out, Field::occupancy);
        appendNumber(out, static_cast<double>(d.recordedOccupancy) * 100);
    }
}

void EventWriter::copy(std::string& out, const trace::CopyDetail& d)
{
    word(out, Field::copyKind, toWord(d.direction));
    word(out, Field::source, toWord(d.source));
    word(out, Field::target, toWord(d.target));
    if (d.asynchronous) {
        member(out, Field::asynchronous);
        out += "true";
    }
    number(out, Field::sourceDevice, d.sourceDevice, -1);
    number(out, Field::targetDevice, d.targetDevice, -1);
    number(out, Field::graph, d.graph);
    number(out, Field::graphNode, static_cast<std::int64_t>(d.graphNode));
}

void EventWriter::synchronization(std::string& out, const trace::SynchronizationDetail& d)
{
    word(out, Field::syncKind, toWord(d.type));
    number(out, Field::waitEvent, d.event);
    number(out, Field::stream, d.stream, -1);
}

void EventWriter::operatorCall(std::string& out, const trace::OperatorDetail& d)
{
    list(out, Field::inputShapes, d.inputShapes);
    list(out, Field::inputStrides, d.inputStrides);
    list(out, Field::inputTypes, d.inputTypes);
    list(out, Field::module, d.module);
    members(out, d.collective);
    number(out, Field::sequence, d.sequence, -1);
}

void EventWriter::memory(std::string& out, const trace::MemoryDetail& d)
{
    number(out, Field::deviceType, d.device >= 0 ? 1 : 0, 0);
    number(out, Field::deviceId, d.device, -1);
    word(out, Field::memoryKind, toWord(d.kind));
    if (d.owner) {
        member(out, Field::owner);
        out += quoted(d.owner);
    }
}

void EventWriter::totals(std::string& out, std::int32_t device, std::int64_t time)
{
    const auto write = [&](Field field, std::string_view label) {
        const auto found = m_totals.find({device, label});
        if (found == m_totals.end())
            return;
        const trace::EventColumns& samples = *found->second;
        const auto after = std::upper_bound(samples.start.begin(), samples.start.end(), time);
        // The total that held at that time is the last sample before it.
        if (after != samples.start.begin())
            number(out, field,
                   trace::valueAt(samples.value, static_cast<std::size_t>(after - samples.start.begin()) - 1), -1);
    };
    write(Field::totalAllocated, trace::kAllocatedMemory);
    write(Field::totalReserved, trace::kReservedMemory);
}

} // namespace apertune::interchange::chrome

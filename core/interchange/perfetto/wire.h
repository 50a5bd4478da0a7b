// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <protozero/pbf_reader.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace apertune::interchange::perfetto {

// Functions that read values of protobuf messages. A value with an unexpected wire type is skipped and reads as 0 or
// empty. All functions throw protozero::exception when the bytes of the message end early. Private to this folder.

/// A message whose fields are read in their order.
using Message = protozero::pbf_reader;

inline Message messageOf(std::string_view bytes)
{
    return {bytes.data(), bytes.size()};
}

inline std::string_view bytesOf(Message& message)
{
    if (!message.has_wire_type(protozero::pbf_wire_type::length_delimited)) {
        message.skip();
        return {};
    }
    const protozero::data_view view = message.get_view();
    return {view.data(), view.size()};
}

/// Returns an integer, a flag or an enumerator; negative ones as their bit pattern.
inline std::uint64_t numberOf(Message& message)
{
    switch (message.wire_type()) {
    case protozero::pbf_wire_type::varint:
        return message.get_uint64();
    case protozero::pbf_wire_type::fixed64:
        return message.get_fixed64();
    default:
        message.skip();
        return 0;
    }
}

inline std::int64_t integerOf(Message& message)
{
    return static_cast<std::int64_t>(numberOf(message));
}

inline double realOf(Message& message)
{
    if (message.has_wire_type(protozero::pbf_wire_type::fixed64))
        return message.get_double();
    message.skip();
    return 0;
}

/// Appends the value, or all values, of a repeated field, which may be packed.
template <typename Value, typename ReadOne, typename ReadPacked>
void appendRepeated(Message& message, std::vector<Value>& to, ReadOne readOne, ReadPacked readPacked)
{
    if (!message.has_wire_type(protozero::pbf_wire_type::length_delimited))
        return to.push_back(readOne(message));
    for (const Value value : readPacked(message))
        to.push_back(value);
}
inline void appendNumbers(Message& message, std::vector<std::uint64_t>& to)
{
    appendRepeated(message, to, numberOf, [](Message& packed) { return packed.get_packed_uint64(); });
}
inline void appendReals(Message& message, std::vector<double>& to)
{
    appendRepeated(message, to, realOf, [](Message& packed) { return packed.get_packed_double(); });
}

// The numbers of the fields that are read (Perfetto's protos/perfetto/trace). "Interned" fields refer to texts by
// number.

struct PacketField
{
    enum : std::uint32_t {
        clockSnapshot = 6,
        timestamp = 8,
        sequence = 10,
        trackEvent = 11,
        internedData = 12,
        sequenceFlags = 13,
        traceStats = 35,
        stateCleared = 41,
        previousDropped = 42,
        compressed = 50,
        clock = 58,
        defaults = 59,
        trackDescriptor = 60,
    };
};

struct EventField
{
    enum : std::uint32_t {
        internedCategories = 3,
        annotation = 4,
        legacy = 6,
        type = 9,
        internedName = 10,
        track = 11,
        extraValues = 12,
        absoluteTime = 16, ///< µs
        category = 22,
        name = 23,
        value = 30,
        extraTracks = 31,
        oldFlows = 36,
        oldEndingFlows = 42,
        realValue = 44,
        extraRealTracks = 45,
        extraReals = 46,
        flows = 47,
        endingFlows = 48,
        correlation = 52,
    };
};

/// Fields of events that come from the macros of Chrome's older tracing.
struct LegacyField
{
    enum : std::uint32_t { internedName = 1, phase = 2, duration = 3, id = 6, localId = 10, globalId = 11 };
};

struct AnnotationField
{
    enum : std::uint32_t {
        internedName = 1,
        flag = 2,
        natural = 3,
        integer = 4,
        real = 5,
        text = 6,
        pointer = 7,
        json = 9,
        name = 10,
        member = 11,
        element = 12,
        internedText = 17,
    };
};

/// Lists of texts in interned data. Each entry has its number and its text.
struct InternedField
{
    enum : std::uint32_t { category = 1, eventName = 2, annotationName = 3, annotationText = 29 };
};

} // namespace apertune::interchange::perfetto

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/chrome/vocabulary.h"
#include "core/trace/trace.h"

#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::interchange::chrome {

/// Appends a number as decimal text.
template <typename Number>
void appendNumber(std::string& out, Number number)
{
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, number);
    out.append(text, end);
}

/// Appends nanoseconds as exact microseconds: "4203669604595.407".
void appendMicroseconds(std::string& out, std::int64_t nanoseconds);

/// Appends a JSON string. Bytes that are not UTF-8 become '?'.
void appendQuoted(std::string& out, std::string_view text);

/// Writes the facts of events besides name, time and track.
class EventWriter
{
public:
    /// REQUIRES: `trace` outlives this object.
    explicit EventWriter(const trace::Trace& trace);

    /// Appends "args" as an object. Members that are 0 or unknown are left out.
    void appendArguments(std::string& out, const trace::Series& series, std::size_t i);
    /// Returns the text as a JSON string.
    const std::string& quoted(trace::StringId id);

private:
    void member(std::string& out, Field field);
    void number(std::string& out, Field field, std::int64_t value, std::int64_t absent = 0);
    void extent(std::string& out, Field field, const std::array<std::uint32_t, 3>& extent);
    void word(std::string& out, Field field, std::string_view word);
    void list(std::string& out, Field field, trace::StringId id);
    /// Appends the members of a text that is a JSON object. Any other text is left out.
    void members(std::string& out, trace::StringId id);
    /// Returns whether a text is a JSON list or object.
    bool isJson(trace::StringId id);
    void kernel(std::string& out, const trace::KernelDetail& d);
    void copy(std::string& out, const trace::CopyDetail& d);
    void synchronization(std::string& out, const trace::SynchronizationDetail& d);
    void operatorCall(std::string& out, const trace::OperatorDetail& d);
    void memory(std::string& out, const trace::MemoryDetail& d);
    /// Appends the allocator's totals on a device at a time, because other tools expect them in each event.
    void totals(std::string& out, std::int32_t device, std::int64_t time);

    const trace::Trace& m_trace;
    /// The allocator's totals by device and label of the counter.
    std::map<std::pair<std::int64_t, std::string_view>, const trace::EventColumns*> m_totals;
    bool m_first = true;
    std::vector<std::string> m_quoted; ///< JSON strings by StringId; empty: not made yet
    std::vector<signed char> m_isJson; ///< flag by StringId: isJson(); -1: not checked yet
};

} // namespace apertune::interchange::chrome

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace apertune::test {

/// Writes packets in Perfetto's binary format, as its libraries do.
class PerfettoWriter
{
public:
    /// A debug annotation: a number, a text, a list of numbers or a dictionary.
    struct Annotation
    {
        std::string name;
        std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<Annotation>> value;
    };
    struct Event
    {
        enum Type : std::int32_t { none, begin, end, instant, counter };
        Type type = begin;
        std::uint64_t track = 0; ///< 0: the default of the sequence
        std::string name = {};
        std::uint64_t internedName = 0;
        std::string category = {};
        std::uint64_t internedCategory = 0;
        std::vector<Annotation> annotations = {};
        std::vector<std::uint64_t> flows = {};
        std::variant<std::monostate, std::int64_t, double> value = {};
        char legacyPhase = 0;
        std::uint64_t legacyId = 0;
        std::int64_t legacyDuration = 0; ///< µs
    };

    /// Settings of the packets that follow.
    std::uint32_t sequence = 1;
    std::uint32_t clock = 0; ///< 0: the default

    void event(std::uint64_t time, const Event& event);
    void slice(std::uint64_t start, std::uint64_t end, Event begin);

    struct Track
    {
        std::uint64_t id = 0;
        std::string name = {};
        std::uint64_t parent = 0;
        std::int32_t process = -1;
        std::int32_t thread = -1; ///< -1 with a process: the track of the process
        bool counter = false;
        std::string unit = {};
        std::int64_t factor = 0;
        bool incremental = false;
    };
    void track(const Track& track);

    struct Clock
    {
        std::uint32_t id = 0;
        std::uint64_t time = 0;
        bool incremental = false;
        std::uint64_t unit = 0;
    };
    void snapshot(const std::vector<Clock>& clocks, std::uint32_t traceClock = 0);

    /// Begins the sequence anew, with a default track and clock.
    void clear(std::uint64_t defaultTrack = 0, std::uint32_t defaultClock = 0);
    /// Gives a text of a list of interned data (1: categories, 2: names, 3: names of annotations) a number.
    void intern(std::uint32_t list, std::uint64_t number, std::string_view text);
    /// A packet of another data source, or one that tells that earlier packets were dropped.
    void other(std::uint32_t field);
    void dropped();
    /// Packs all packets so far into one.
    void compress();

    const std::string& bytes() const { return m_bytes; }
    std::string& bytes() { return m_bytes; }

private:
    void add(const std::string& packet);

    std::string m_bytes;
};

/// A recording with everything that a writer can write.
std::string perfettoSample();

} // namespace apertune::test

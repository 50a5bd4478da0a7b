// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/perfetto/wire.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace apertune::interchange::perfetto {

/// The place where the events of a track happened. A number that does not apply is -1.
struct Place
{
    std::int64_t process = -1;
    std::int64_t thread = -1;
    std::string label; ///< name of the track; unique among the tracks of a process that are no threads
    std::string unit;  ///< unit of a counter
};

/// The tracks of a recording, by the ids that its events use.
/// Threads: one.
class Tracks
{
public:
    /// Returns the number of a track, from 0. A track may be described before or after its first event, or never.
    std::uint32_t number(std::uint64_t id);
    std::size_t size() const { return m_tracks.size(); }

    /// Reads a descriptor. Later descriptors of a track complete earlier ones.
    void describe(Message descriptor);
    /// Returns the factor of a counter's samples.
    double factor(std::uint32_t track) const { return m_tracks[track].factor; }
    /// Returns whether the samples of a counter are differences from their predecessors.
    bool isIncremental(std::uint32_t track) const { return m_tracks[track].incremental; }

    /// REQUIRES: all descriptors were read.
    const Place& place(std::uint32_t track);

    const std::map<std::int64_t, std::string>& processNames() const { return m_processes; }
    /// Names of threads, by process and thread.
    const std::map<std::pair<std::int64_t, std::int64_t>, std::string>& threadNames() const { return m_threads; }

private:
    struct Track
    {
        std::uint64_t parent = 0; ///< 0: none
        std::string name;
        std::string unit;
        double factor = 1;
        std::int64_t process = -1;
        std::int64_t thread = -1;
        bool counter = false;
        bool incremental = false;
        bool placed = false;
        Place place;
    };

    void describeCounter(Message descriptor, Track& track);

    std::unordered_map<std::uint64_t, std::uint32_t> m_numbers;
    std::vector<Track> m_tracks;
    std::map<std::int64_t, std::string> m_processes;
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> m_threads;
    std::map<std::pair<std::int64_t, std::string>, int> m_labels; ///< number of tracks by process and label
};

} // namespace apertune::interchange::perfetto

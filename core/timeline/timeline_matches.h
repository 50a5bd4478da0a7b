// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"
#include "core/trace/time_mip.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::timeline {

/// The events that match a search, by row and lane. Each lane has its own mip, so matches are drawn as fast as all
/// events.
struct TimelineMatches
{
    std::string pattern;
    std::vector<char> name; ///< 1 at each StringId whose text matches
    /// One list per row, like its lanes; a lane without a match has size 0.
    std::vector<std::vector<trace::LaneMip>> lanes;
    std::size_t count = 0;

    /// Returns the next match that begins after `time` (or the last before it), ordered by time, then row. Returns
    /// nullopt when there is none on that side.
    std::optional<EventRef> next(const Timeline& timeline, std::int64_t time, bool forward) const;
    /// Returns the number of matches that begin before `time`.
    std::size_t before(const Timeline& timeline, std::int64_t time) const;
};
using MatchesPtr = std::shared_ptr<const TimelineMatches>;

/// Finds the events whose name contains every word of `pattern`, in any case. A pattern in double quotes matches only
/// the name between them, in the same case. An empty pattern matches nothing. Returns nullptr when stopped.
MatchesPtr findMatches(const Timeline& timeline, std::string_view pattern, std::stop_token stop = {});

/// Decides whether the name of an event matches.
using NameTest = std::function<bool(std::string_view name)>;

/// Finds the events whose names pass the test, which is called once for each name of the trace. `pattern` becomes
/// TimelineMatches::pattern. Returns nullptr when stopped.
MatchesPtr findMatches(const Timeline& timeline, std::string_view pattern, const NameTest& test,
                       std::stop_token stop = {});

/// Returns the pattern that matches this name alone.
std::string wholeName(std::string_view name);

} // namespace apertune::timeline

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace apertune::trace::kineto {

/// The process and thread under which a track is drawn.
struct TrackPlace
{
    std::int64_t process = 0;
    std::int64_t thread = 0;
    auto operator<=>(const TrackPlace&) const = default;
};

/// A place of its own for each track: what Kineto writes where that is free and not negative (viewers read unsigned
/// numbers), and otherwise a number that no system gives.
std::vector<TrackPlace> placeTracks(const std::vector<Track>& tracks);

} // namespace apertune::trace::kineto

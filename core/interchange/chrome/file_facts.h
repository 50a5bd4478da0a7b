// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace apertune::interchange::chrome {

/// The schema that writeChromeTrace() puts into its files.
inline constexpr const char* kOwnSchema = "apertune.chrome/1";

/// What the members around the list of events say.
struct FileFacts
{
    bool own = false;           ///< written by writeChromeTrace()
    bool kineto = false;        ///< has members that only Kineto writes
    std::int64_t baseTime = 0;  ///< ns since 1970 of time 0 of the file; 0 when not said
    std::int64_t ownOffset = 0; ///< ns that our export added to every time
    std::map<std::pair<std::int64_t, std::int64_t>, trace::Track>
        ownTracks; ///< tracks by their process and thread in the file
    std::vector<std::pair<std::int64_t, std::int64_t>> ownTrackOrder;
    trace::Trace head; ///< name, source, version, clocks, devices, losses; nothing else
};

/// Adds what the members of an object say, though they be written as JSON does not allow it (NaN, paths of Windows);
/// when they cannot be read at all that is a loss. Failures: corrupt (so it is with an export of our own), unsupported
/// (an export of a newer version).
base::Status readMembers(const std::string& json, FileFacts& facts);

} // namespace apertune::interchange::chrome

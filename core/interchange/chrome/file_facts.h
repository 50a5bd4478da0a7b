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

/// The facts in the members around the list of events.
struct FileFacts
{
    bool own = false;           ///< written by writeChromeTrace()
    bool kineto = false;        ///< has members that only Kineto writes
    std::int64_t baseTime = 0;  ///< the file's time 0 in ns since 1970; 0: unknown
    std::int64_t ownOffset = 0; ///< ns that our export added to every time
    std::map<std::pair<std::int64_t, std::int64_t>, trace::Track>
        ownTracks; ///< tracks, by their process and thread in the file
    std::vector<std::pair<std::int64_t, std::int64_t>> ownTrackOrder;
    trace::Trace head; ///< name, source, version, clocks, devices, losses; nothing else
};

/// Adds the facts in the members of an object.
///  - Text that JSON does not allow (NaN, unescaped Windows paths) is read too.
///  - Members that cannot be read at all are a loss.
/// Failures: corrupt (the members of our own export cannot be read), unsupported (an export of a newer version).
base::Status readMembers(const std::string& json, FileFacts& facts);

} // namespace apertune::interchange::chrome

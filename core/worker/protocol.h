// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::worker {

/// The conversation between a supervisor and an apertune-worker over the worker's stdin and stdout.
/// A frame is a 4-byte little-endian length followed by that many bytes of UTF-8 JSON, one object, at most
/// kMaxFrame. Every object has "t" (its type) and may have "id" (the command it answers). The full list of
/// messages with their members stands in protocol.md beside this file.
///
///   worker → hello  {"proto":1,"pid","backend","describe":{…plugin's describe…}}  or  fatal {"code","message","hint"}
///   → prepare   {"id","session","request":{…plugin open request…},…}   ← prepared   {"load_ns","first_ns",…}
///   → measure   {"id","session","min_block_ns","blocks","max_ns",…}    ← measured   {"blocks","iterations_ns",…}
///   → reference {"id","session","out":FILE,"sets"}                     ← referenced {"samples"}
///   → assess    {"id","session","reference":FILE|null,"sets"}          ← assessed   {"quality":{…}|null,"notes"}
///   → report    {"id","session"}                                       ← reported   {"applied","memory","notes"}
///   → attach    {"id"}                                                ← attached   {"recording","reason"}
///   → trace     {"id","session","out":FILE,"iterations",…}             ← traced     {"events","bare_ns","traced_ns"}
///   → release   {"id","session"}                                       ← released
///   → quit                                                             the worker exits 0
///   any command ← progress {"id","phase",…}* before its answer, or error {"id","code","message","hint","detail"}
///   heartbeat {"phase"} once a second from a thread of its own
///
/// stdout belongs to the frames: the worker moves the original descriptor away, so that a library's print cannot
/// corrupt it. End of file on stdin ends the worker.
inline constexpr std::uint32_t kMaxFrame = 16u << 20;
inline constexpr int kProtocolVersion = 1;

/// One object as a frame; bytes that are not UTF-8 become U+FFFD. REQUIRES: its text is at most kMaxFrame bytes.
std::string encodeFrame(const base::Json& message);

/// Takes bytes as they come and hands out whole messages. Not thread-safe.
class FrameReader
{
public:
    /// Appends bytes and calls `sink` for each complete message, in order. Failure: ErrorCode::corrupt when a length
    /// exceeds kMaxFrame or a body is not a JSON object; the stream is unusable then.
    base::Status feed(std::string_view bytes, const std::function<void(const base::Json&)>& sink);

private:
    std::string m_buffer;
    bool m_broken = false;
};

} // namespace apertune::worker

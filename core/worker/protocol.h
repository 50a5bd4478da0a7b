// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/message.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::worker {

/// The protocol between a supervisor and an apertune-worker over the worker's stdin and stdout. protocol.md beside this
/// file lists all messages with their members.
///  - A frame is a 4-byte little-endian length and as many bytes of UTF-8 JSON: one object, at most kMaxFrame bytes.
///  - Every object has "t" (its type) and may have "id" (the command that it answers).
///
/// The messages, each command (→) with its answer (←):
///  - worker → hello  {"proto":1,"pid","backend","describe":{…plugin's describe…}}  or  fatal {"code","message","hint"}
///  - → prepare   {"id","session","request":{…plugin open request…},…}   ← prepared   {"load_ns","first_ns",…}
///  - → measure   {"id","session","min_block_ns","blocks","max_ns",…}    ← measured   {"blocks","iterations_ns",…}
///  - → reference {"id","session","out":FILE,"sets"}                     ← referenced {"samples"}
///  - → assess    {"id","session","reference":FILE|null,"sets"}          ← assessed   {"quality":{…}|null,"notes"}
///  - → report    {"id","session"}                                       ← reported   {"applied","memory","notes"}
///  - → attach    {"id"}                                                 ← attached   {"recording","reason"}
///  - → trace     {"id","session","out":FILE,"iterations",…}             ← traced     {"events","bare_ns","traced_ns"}
///  - → release   {"id","session"}                                       ← released
///  - → quit                                                             the worker exits 0
///  - any command ← progress {"id","phase",…}* before its answer, or error {"id","code","message","hint","detail"}
///  - heartbeat {"phase"} once a second from a thread of its own
///
/// Only frames go to stdout: the worker moves the original descriptor away, so that a library's print cannot corrupt
/// the stream. End of file on stdin ends the worker.
inline constexpr std::uint32_t kMaxFrame = 16u << 20;
inline constexpr int kProtocolVersion = 1;

/// Encodes an object as a frame. Bytes that are not UTF-8 become U+FFFD.
/// REQUIRES: the object's text has at most kMaxFrame bytes.
std::string encodeFrame(const base::Json& message);

/// Adds what a message says to an object of the protocol: the English sentence under `name`, and in the member "typed"
/// the message under the same name, which the other side can say in another language.
void writeMessage(base::Json& object, const std::string& name, const base::Message& message);

/// Reads what writeMessage() wrote. A message that only another version knows, or none, gives the sentence as foreign
/// text; without either the result is empty.
base::Message readMessage(const base::Json& object, const std::string& name);

/// A list of remarks for an answer: objects with "note" as writeMessage() writes it.
base::Json notesJson(const std::vector<base::Message>& notes);

/// Reads the member "notes" of an answer: such objects, or the sentences of a backend. Throws base::Json::exception for
/// a member of another form.
std::vector<base::Message> readNotes(const base::Json& answer);

/// Collects bytes and passes whole messages on.
/// Threads: one.
class FrameReader
{
public:
    /// Appends bytes and calls `sink` for each complete message, in order.
    /// Failures: corrupt (a length exceeds kMaxFrame, or a body is not a JSON object). The stream is then unusable.
    base::Status feed(std::string_view bytes, const std::function<void(const base::Json&)>& sink);

private:
    std::string m_buffer;
    bool m_broken = false;
};

} // namespace apertune::worker

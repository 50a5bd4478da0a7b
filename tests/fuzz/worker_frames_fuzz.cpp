// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of the protocol between supervisor and worker, core/worker/protocol.h.
#include "core/worker/protocol.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::fuzz {

using base::Json;
using worker::FrameReader;

namespace {

struct Heard
{
    std::vector<Json> messages;
    base::Status status;
};

Heard hear(std::string_view bytes, std::size_t piece)
{
    Heard heard;
    FrameReader reader;
    for (std::size_t at = 0; at < bytes.size() && heard.status; at += piece)
        heard.status =
            reader.feed(bytes.substr(at, piece), [&](const Json& message) { heard.messages.push_back(message); });
    return heard;
}

} // namespace

void examine(std::string_view input)
{
    const Heard whole = hear(input, std::max<std::size_t>(input.size(), 1));
    const Heard pieces = hear(input, 1 + input.size() % 13);
    require(whole.messages == pieces.messages && whole.status.ok() == pieces.status.ok(),
            "how the bytes arrive changes nothing");
    if (!whole.status)
        requireSentence(whole.status.error());
    for (const Json& message : whole.messages) {
        require(message.is_object(), "a message is an object");
        const std::string frame = worker::encodeFrame(message);
        const Heard again = hear(frame, frame.size());
        require(again.status.ok() && again.messages == std::vector<Json>{message}, "a message comes back");
    }
}

std::vector<std::string> seeds()
{
    const std::string hello = worker::encodeFrame({{"t", "hello"}, {"proto", 1}, {"describe", Json::object()}});
    const std::string progress = worker::encodeFrame({{"t", "progress"}, {"id", 1}, {"phase", "load"}});
    return {hello, hello + progress, hello.substr(0, 10), std::string("\xff\xff\xff\x7f", 4)};
}

} // namespace apertune::fuzz

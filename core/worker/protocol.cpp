// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/protocol.h"

#include <nlohmann/json.hpp>

namespace apertune::worker {

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

constexpr std::size_t kHeader = 4;

std::uint32_t readLength(std::string_view header)
{
    std::uint32_t length = 0;
    for (std::size_t i = 0; i < kHeader; ++i)
        length |= static_cast<std::uint32_t>(static_cast<unsigned char>(header[i])) << (8 * i);
    return length;
}

Error corrupt(std::string message)
{
    return {ErrorCode::corrupt,
            std::move(message),
            {},
            "The other side is not an apertune-worker of this version; reinstall so that both match."};
}

} // namespace

std::string encodeFrame(const Json& message)
{
    // Text from models and libraries need not be UTF-8; a bad byte must not end the conversation.
    const std::string body = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    const auto length = static_cast<std::uint32_t>(body.size());
    std::string frame;
    frame.reserve(kHeader + body.size());
    for (std::size_t i = 0; i < kHeader; ++i)
        frame.push_back(static_cast<char>((length >> (8 * i)) & 0xff));
    return frame += body;
}

base::Status FrameReader::feed(std::string_view bytes, const std::function<void(const Json&)>& sink)
{
    if (m_broken)
        return corrupt("The stream was already unreadable.");
    m_buffer.append(bytes);
    std::size_t start = 0;
    while (m_buffer.size() - start >= kHeader) {
        const std::uint32_t length = readLength(std::string_view(m_buffer).substr(start, kHeader));
        if (length > kMaxFrame) {
            m_broken = true;
            return corrupt("A frame claims " + std::to_string(length) + " bytes, the limit is " +
                           std::to_string(kMaxFrame) + ".");
        }
        if (m_buffer.size() - start - kHeader < length)
            break;
        const auto body = std::string_view(m_buffer).substr(start + kHeader, length);
        const Json message = Json::parse(body, nullptr, /*allow_exceptions=*/false);
        if (!message.is_object()) {
            m_broken = true;
            return corrupt("A frame of " + std::to_string(length) + " bytes holds no JSON object.");
        }
        sink(message);
        start += kHeader + length;
    }
    m_buffer.erase(0, start);
    return {};
}

} // namespace apertune::worker

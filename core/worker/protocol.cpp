// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/protocol.h"

#include "core/sentences/sentences.h"
#include "core/worker/errors.h"

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
        // The length is little-endian on every machine.
        length |= static_cast<std::uint32_t>(static_cast<unsigned char>(header[i])) << (8 * i);
    return length;
}

Error corrupt(base::Message message)
{
    return {ErrorCode::corrupt, std::move(message), {}, base::message<errors::kReinstallBoth>()};
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

void writeMessage(Json& object, const std::string& name, const base::Message& message)
{
    object[name] = sentences::sentence(message);
    // Sentences of others have no typed form.
    if (!message.empty() && message.id != base::kForeignText.id)
        object["typed"][name] = base::toJson(message);
}

base::Message readMessage(const Json& object, const std::string& name)
{
    if (const auto typed = object.find("typed"); typed != object.end() && typed->is_object() && typed->contains(name))
        // A message of a newer version has no template here, so its sentence is used.
        if (base::Message message = base::messageFromJson(typed->at(name)); !sentences::sentence(message).empty())
            return message;
    const auto text = object.find(name);
    return text != object.end() && text->is_string() ? base::foreignText(text->get<std::string>()) : base::Message();
}

Json notesJson(const std::vector<base::Message>& notes)
{
    Json list = Json::array();
    for (const base::Message& note : notes)
        writeMessage(list.emplace_back(Json::object()), "note", note);
    return list;
}

std::vector<base::Message> readNotes(const Json& answer)
{
    std::vector<base::Message> notes;
    for (const Json& note : answer.value("notes", Json::array()))
        notes.push_back(note.is_object() ? readMessage(note, "note") : base::foreignText(note.get<std::string>()));
    return notes;
}

base::Status FrameReader::feed(std::string_view bytes, const std::function<void(const Json&)>& sink)
{
    if (m_broken)
        // After a broken frame the position of the next one is unknown.
        return corrupt(base::message<errors::kAlreadyUnreadable>());
    m_buffer.append(bytes);
    std::size_t start = 0;
    while (m_buffer.size() - start >= kHeader) {
        const std::uint32_t length = readLength(std::string_view(m_buffer).substr(start, kHeader));
        // A length from the wire must not make this process allocate without limit.
        if (length > kMaxFrame) {
            m_broken = true;
            return corrupt(base::message<errors::kFrameTooLong>(length, kMaxFrame));
        }
        // The rest of the frame comes with the next bytes.
        if (m_buffer.size() - start - kHeader < length)
            break;
        const auto body = std::string_view(m_buffer).substr(start + kHeader, length);
        const Json message = Json::parse(body, nullptr, /*allow_exceptions=*/false);
        if (!message.is_object()) {
            m_broken = true;
            return corrupt(base::message<errors::kFrameWithoutObject>(length));
        }
        sink(message);
        start += kHeader + length;
    }
    m_buffer.erase(0, start);
    return {};
}

} // namespace apertune::worker

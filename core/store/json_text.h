// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"
#include "core/store/errors.h"
#include "core/store/failure.h"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace apertune::store {

/// Returns compact JSON text for a column. Bytes that are not UTF-8 are replaced.
inline std::string jsonText(const base::Json& json)
{
    return json.dump(-1, ' ', false, base::Json::error_handler_t::replace);
}

/// Parses a column's text as JSON. Failures: corrupt.
inline base::Json jsonFromText(const std::string& text)
{
    return unwrap(model::parseJson(text));
}

/// Parses a column's text as a plain list or number. Failures: corrupt (the text holds something else).
template <typename T>
T valueFromText(const std::string& text)
{
    const base::Json json = jsonFromText(text);
    try {
        return json.get<T>();
    } catch (const base::Json::exception& e) {
        fail({base::ErrorCode::corrupt,
              base::message<errors::kDamaged>(e.what()),
              {},
              base::message<errors::kRestoreCopy>()});
    }
}

/// Returns a message as a column's text; empty for an empty message.
inline std::string messageText(const base::Message& message)
{
    return message.empty() ? std::string() : jsonText(base::toJson(message));
}

/// Reads a text of messageText(). A message that only a newer version knows, and any other text, give the sentence of
/// another column as foreign text; `english` holds that sentence.
inline base::Message messageFromText(const std::string& text, std::string english)
{
    base::Message message = base::messageFromJson(base::Json::parse(text, nullptr, false));
    return sentences::sentence(message).empty() ? base::foreignText(std::move(english)) : message;
}

} // namespace apertune::store

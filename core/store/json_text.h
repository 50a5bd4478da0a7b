// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/json_codec.h"
#include "core/store/errors.h"
#include "core/store/failure.h"

#include <nlohmann/json.hpp>

#include <string>

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

/// Reads a text of messageText(). Any other text gives an empty message; then the English sentence in another column is
/// used.
inline base::Message messageFromText(const std::string& text)
{
    return base::messageFromJson(base::Json::parse(text, nullptr, false));
}

} // namespace apertune::store

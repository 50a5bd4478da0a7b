// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/json_codec.h"
#include "core/store/failure.h"

#include <nlohmann/json.hpp>
#include <string>

namespace apertune::store {

/// Compact JSON text for a column; bytes that are not UTF-8 are replaced.
inline std::string jsonText(const base::Json& json)
{
    return json.dump(-1, ' ', false, base::Json::error_handler_t::replace);
}

/// A column's text as JSON. Failure: corrupt.
inline base::Json jsonFromText(const std::string& text)
{
    return unwrap(model::parseJson(text));
}

/// A column's text as a plain list or number. Failure: corrupt when it is something else.
template <typename T>
T valueFromText(const std::string& text)
{
    const base::Json json = jsonFromText(text);
    try {
        return json.get<T>();
    } catch (const base::Json::exception& e) {
        fail({base::ErrorCode::corrupt,
              std::string("The workspace is damaged: ") + e.what() + ".",
              {},
              "Restore a copy of the file."});
    }
}

} // namespace apertune::store

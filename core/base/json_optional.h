// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/units.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace apertune::base {

/// Returns the value as JSON, or null without one. Only sources include this header, because it needs the whole of
/// nlohmann's.
template <typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

inline Json orNull(const std::optional<Bytes>& size)
{
    return size ? Json(size->count) : Json(nullptr);
}

} // namespace apertune::base

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <simdjson.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace apertune::interchange::rocprof {

// Functions that read values from the JSON of rocprofv3. A value that is missing or has another type reads as
// "unknown". Private to this folder.

/// Returns the member at the end of a path of keys; nullopt when there is none.
std::optional<simdjson::dom::element> member(simdjson::dom::element of, std::initializer_list<std::string_view> keys);
/// Returns a whole number. Ids use all 64 bits, so those above the largest signed one keep their bits.
std::int64_t integer(simdjson::dom::element of, std::initializer_list<std::string_view> keys,
                     std::int64_t otherwise = 0);
/// Returns a whole number from 0 to 2^31 - 1.
int smallInteger(simdjson::dom::element of, std::string_view key);
std::string_view text(simdjson::dom::element of, std::initializer_list<std::string_view> keys);
std::vector<simdjson::dom::element> list(simdjson::dom::element of, std::initializer_list<std::string_view> keys);

/// Returns the properties of a GPU, all but its number.
trace::DeviceProperties propertiesOf(simdjson::dom::element agent);

} // namespace apertune::interchange::rocprof

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"

#include <string>
#include <string_view>
#include <vector>

namespace apertune::store {

/// Single iteration times as a BLOB: the difference to the one before, zigzag, then 7 bits a byte, low bits first,
/// the high bit set on all but the last byte. Neighbouring times are alike, so most take 2 or 3 bytes.
std::string encodeTimes(const std::vector<base::Nanoseconds>& times);

/// Failures: corrupt, when the bytes do not hold exactly `count` values.
base::Result<std::vector<base::Nanoseconds>> decodeTimes(std::string_view bytes, std::int64_t count);

} // namespace apertune::store

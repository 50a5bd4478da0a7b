// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"

#include <string>
#include <string_view>
#include <vector>

namespace apertune::store {

/// Encodes the times of single iterations as a BLOB.
///  - Each value is the zigzag of the difference to the time before.
///  - It is stored with 7 bits a byte, low bits first; the high bit is set on all bytes but the last.
/// Neighbouring times are similar, so most values take 2 or 3 bytes.
std::string encodeTimes(const std::vector<base::Nanoseconds>& times);

/// Decodes `count` times.
/// Failures: corrupt (the bytes do not hold exactly `count` values).
base::Result<std::vector<base::Nanoseconds>> decodeTimes(std::string_view bytes, std::int64_t count);

} // namespace apertune::store

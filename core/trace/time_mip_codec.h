// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/time_mip.h"

#include <cstddef>
#include <span>
#include <vector>

namespace apertune::trace {

/// Encodes mips for storage beside the trace, in 2–3 bytes per event. The bytes are little-endian on every machine.
std::vector<std::byte> encodeMip(const std::vector<LaneMip>& lanes);
/// Decodes the bytes of encodeMip(). Failures: corrupt, when they do not describe a series of `events` events.
base::Result<SeriesMip> decodeMip(std::span<const std::byte> bytes, std::size_t events);

} // namespace apertune::trace

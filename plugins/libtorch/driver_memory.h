// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace apertune::libtorch {

/// Bytes in use on the GPU with this UUID ("GPU-…"), by all processes, as the driver counts them. Needs no
/// CUDA context, so that what a context takes can be seen too. None where the driver's management library is
/// missing or refuses.
std::optional<std::int64_t> usedDeviceMemory(const std::string& uuid);

} // namespace apertune::libtorch

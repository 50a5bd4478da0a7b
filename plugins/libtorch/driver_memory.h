// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace apertune::libtorch {

/// Returns the bytes in use on the GPU with this UUID ("GPU-…"), summed over all processes, as the driver counts them.
/// The call needs no CUDA context, so it can also measure the memory of a context. Returns nullopt when the driver's
/// management library (NVML) is missing or refuses.
std::optional<std::int64_t> usedDeviceMemory(const std::string& uuid);

} // namespace apertune::libtorch

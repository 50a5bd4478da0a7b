// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/nvml.h"

#include <functional>
#include <string>

namespace apertune::worker {

/// Tells at each call whether the GPU of that UUID runs slower now than it could because it is too hot or because its
/// supply asks for it (NVML's clock event reasons: hardware slowdown, thermal slowdown by hardware or software, power
/// brake). The power cap is none of these: a GPU under full load lives at it. Empty where the driver does not tell, or
/// knows no such GPU. One thread; a call takes some tens of microseconds, so it belongs between blocks.
std::function<bool()> deviceSlowdown(const base::NvmlApi* nvml, const std::string& uuid);

} // namespace apertune::worker

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/nvml.h"

#include <functional>
#include <string>

namespace apertune::worker {

/// A function that tells whether the GPU with that UUID is slowed down now by heat or by its power supply. The reasons
/// are NVML's hardware slowdown, hardware or software thermal slowdown, and power brake. The power cap does not count,
/// because a GPU under full load is always at it. The function is empty where the driver does not report reasons, or
/// has no such GPU. One thread may call it. A call takes some tens of microseconds, so it belongs between blocks.
std::function<bool()> deviceSlowdown(const base::NvmlApi* nvml, const std::string& uuid);

} // namespace apertune::worker

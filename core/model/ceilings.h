// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/measurement.h"

#include <string>
#include <string_view>
#include <vector>

namespace apertune::model {

/// One thing that a device was measured to reach.
struct Ceiling
{
    /// A precision ("fp32", "bf16", …: FLOP/s of a large matrix product), or a copy in bytes/s: "copy" (within the
    /// device, read + written), "pinned" and "pageable" (from such host memory to the device; GPU only).
    std::string quantity;
    Interval rate;   ///< median of blocks
    int samples = 0; ///< blocks
    std::string how; ///< "2048 × 2048 × 2048, 2 threads"
};

/// What a device was measured to reach, with all its threads. Kept in the workspace once a device.
struct DeviceCeilings
{
    std::string device;  ///< ceilingKey()
    std::string backend; ///< that measured
    std::string measuredUtc;
    std::vector<Ceiling> rates; ///< in the order of measuring

    const Ceiling* find(std::string_view quantity) const; ///< nullptr when not measured
    /// Measured without much disturbance: no interval is wider than ±10 %. Else the device may reach more.
    bool steady() const;
};

/// Of each quantity the higher rate: whatever was reached once can be reached. Backend and time are those of `later`.
DeviceCeilings higherOf(const DeviceCeilings& earlier, const DeviceCeilings& later);

/// What tells a device from others whose ceilings differ: the uuid of a GPU; name, cores and threads of a CPU.
std::string ceilingKey(const Device& device);

} // namespace apertune::model

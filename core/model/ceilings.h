// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/measurement.h"

#include <string>
#include <string_view>
#include <vector>

namespace apertune::model {

/// One measured peak rate of a device.
struct Ceiling
{
    /// A precision ("fp32", "bf16", …: FLOP/s of a large matrix product), or a copy in bytes/s: "copy" (within the
    /// device, read + written), "pinned" and "pageable" (from such host memory to the device; GPU only).
    std::string quantity;
    Interval rate;   ///< median of blocks
    int samples = 0; ///< blocks
    std::string how; ///< "2048 × 2048 × 2048, 2 threads"
};

/// Measured peak rates of a device, with all its threads. The workspace keeps one set for each device.
struct DeviceCeilings
{
    std::string device;  ///< ceilingKey()
    std::string backend; ///< backend of the measurement
    std::string measuredUtc;
    std::vector<Ceiling> rates; ///< in the order of measuring

    const Ceiling* find(std::string_view quantity) const; ///< nullptr when not measured
    /// Returns whether no interval is wider than ±10 %. Otherwise the measurement was disturbed and the device may
    /// reach more.
    bool steady() const;
};

/// Merges two measurements. The higher rate of each quantity is kept, because the device did reach it. Backend and time
/// are those of `later`.
DeviceCeilings higherOf(const DeviceCeilings& earlier, const DeviceCeilings& later);

/// Returns a key that identifies a device for its ceilings: the UUID of a GPU, or name, cores and threads of a CPU.
std::string ceilingKey(const Device& device);

} // namespace apertune::model

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <cstdint>

namespace apertune::sandbox {

/// Limits of each process of a child. Private to this folder, like all below.
struct ResourceLimits
{
    std::uint64_t memory = 0;    ///< private memory in bytes; 0: no limit
    std::uint64_t processes = 0; ///< processes and threads of the user; 0: no limit

    /// The limits for that memory. The user may have 4,096 more processes and threads than the machine has now.
    static ResourceLimits of(base::Bytes memory);

    /// Sets them for this process and those that it starts, and switches core dumps off. Safe after fork(). Returns
    /// errno, or 0.
    int enforce() const noexcept;
};

/// Whether this process has rights of root that a child can give up.
bool hasCapabilities();

/// Gives up the rights of root that measuring does not need, for this process and those that it starts. Kept are those
/// on files, scheduling and locked memory; with `gpu` also those that NVIDIA's driver asks for before it shows
/// counters. Safe after fork(). Returns errno, or 0.
int giveUpCapabilities(bool gpu) noexcept;

} // namespace apertune::sandbox

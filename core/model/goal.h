// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <optional>
#include <string_view>

namespace apertune::model {

/// What "best" means. Stored by value: never renumber.
enum class Objective { throughput = 0, latency = 1, memory = 2 };

std::string_view toString(Objective objective);
std::optional<Objective> objectiveFromString(std::string_view text);

/// An objective under bounds. Bounds act on measured values; a trial outside them stays visible and
/// is never recommended.
struct Goal
{
    Objective objective = Objective::throughput;
    std::optional<base::Nanoseconds> maxLatency{}; ///< median latency of one forward pass
    std::optional<base::Bytes> maxMemory{};        ///< peak of the device (GPU) or the process (CPU)
    double minQuality = 0.99;                      ///< cosine similarity to the O0 fp32 outputs, 0…1
};

} // namespace apertune::model

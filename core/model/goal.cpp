// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/goal.h"

namespace apertune::model {

std::string_view toString(Objective objective)
{
    switch (objective) {
    case Objective::throughput:
        return "throughput";
    case Objective::latency:
        return "latency";
    case Objective::memory:
        return "memory";
    }
    return "throughput";
}

std::optional<Objective> objectiveFromString(std::string_view text)
{
    for (Objective o : {Objective::throughput, Objective::latency, Objective::memory})
        if (toString(o) == text)
            return o;
    return std::nullopt;
}

} // namespace apertune::model

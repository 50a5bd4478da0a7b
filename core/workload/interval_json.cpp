// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/interval_json.h"

#include <nlohmann/json.hpp>

namespace apertune::workload {

using base::Json;

Json intervalJson(const model::Interval& interval, double scale)
{
    return {{"value", interval.value * scale},
            {"lo", interval.lo * scale},
            {"hi", interval.hi * scale},
            {"confidence", interval.confidence}};
}

Json optionalMs(const std::optional<double>& ns)
{
    return ns ? Json(*ns * 1e-6) : Json(nullptr);
}

} // namespace apertune::workload

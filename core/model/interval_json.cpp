// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/interval_json.h"

#include <nlohmann/json.hpp>

namespace apertune::model {

using base::Json;

Json intervalJson(const char* first, const Interval& interval, double scale)
{
    const bool known = interval.confidence > 0;
    return {{first, interval.value * scale},
            {"lo", known ? Json(interval.lo * scale) : Json(nullptr)},
            {"hi", known ? Json(interval.hi * scale) : Json(nullptr)}};
}

Json fullIntervalJson(const Interval& interval, double scale)
{
    return {{"value", interval.value * scale},
            {"lo", interval.lo * scale},
            {"hi", interval.hi * scale},
            {"confidence", interval.confidence}};
}

Json millisecondsJson(const std::optional<double>& ns)
{
    return ns ? Json(*ns * 1e-6) : Json(nullptr);
}

} // namespace apertune::model

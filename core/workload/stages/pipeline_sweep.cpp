// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/stages/pipeline_sweep.h"

#include <nlohmann/json.hpp>

namespace apertune::workload {

std::string_view toString(PipelineGoal goal)
{
    return goal == PipelineGoal::rate ? "rate" : "latency";
}

std::optional<std::size_t> PipelineSweep::nearest() const
{
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < contenders.size(); ++i)
        if (contenders[i].ratio && (!best || contenders[i].ratio->value > contenders[*best].ratio->value))
            best = i;
    return best;
}

base::Json toJson(const PipelineSetting& setting)
{
    base::Json document = toJson(setting.plan);
    document["threads"] = setting.threads > 0 ? base::Json(setting.threads) : base::Json(nullptr);
    return document;
}

} // namespace apertune::workload

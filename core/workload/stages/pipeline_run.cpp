// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/stages/pipeline_run.h"

#include "core/base/units.h"
#include "core/model/interval_json.h"
#include "core/workload/stages/errors.h"

#include <nlohmann/json.hpp>

namespace apertune::workload {

using base::Json;

Json toJson(const PipelineRun& run)
{
    return {
        {"plan", toJson(run.plan)},       {"batch", run.batch},
        {"threads", run.threads},         {"source", run.source},
        {"images", run.images},           {"image_bytes", run.imageBytes},
        {"reading", run.reading},         {"answered", run.answered},
        {"summary", toJson(run.summary)}, {"model_only_ms", model::fullIntervalJson(run.modelOnlyNs, base::kMsPerNs)}};
}

base::Result<PipelineRun> pipelineRunFromJson(const Json& document)
{
    try {
        PipelineRun run;
        auto plan = pipelinePlanFromJson(document.at("plan"));
        if (!plan)
            return plan.error();
        auto summary = pipelineSummaryFromJson(document.at("summary"));
        if (!summary)
            return summary.error();
        run.plan = *plan;
        run.summary = *summary;
        run.batch = document.at("batch").get<int>();
        run.threads = document.value("threads", 0);
        run.source = document.at("source").get<std::string>();
        run.images = document.at("images").get<std::int64_t>();
        run.imageBytes = document.value("image_bytes", std::int64_t{0});
        run.reading = document.at("reading").get<std::string>();
        run.answered = document.value("answered", std::int64_t{0});
        const Json& alone = document.at("model_only_ms");
        run.modelOnlyNs = {alone.at("value").get<double>() / base::kMsPerNs,
                           alone.at("lo").get<double>() / base::kMsPerNs, alone.at("hi").get<double>() / base::kMsPerNs,
                           alone.at("confidence").get<double>()};
        return run;
    } catch (const std::exception& e) {
        return base::Error{base::ErrorCode::corrupt, base::message<stage_errors::kUnreadableRun>(), e.what(),
                           base::message<stage_errors::kRunPipelineAgain>()};
    }
}

base::Result<PipelineRun> pipelineRunFromText(const std::string& document)
{
    return pipelineRunFromJson(Json::parse(document, nullptr, false));
}

} // namespace apertune::workload

// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and pipelines as a workspace keeps them.
#include "core/workload/load/scenario.h"
#include "core/workload/stages/pipeline_summary.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

namespace apertune::fuzz {

using base::Json;

namespace {

template <typename Value>
const Value* examineCodec(const Json& json, base::Result<Value> (*read)(const Json&), base::Result<Value>& into)
{
    into = read(json);
    const Value* const value = valueOf(into);
    if (!value)
        return nullptr;
    const std::string written = toJson(*value).dump();
    const base::Result<Value> again = read(Json::parse(written));
    require(again.ok(), "what was written can be read");
    require(toJson(*again).dump() == written, "what was written comes back");
    return value;
}

void examineScenario(const Json& json)
{
    base::Result<workload::Scenario> read{base::Error{}};
    if (const workload::Scenario* const s = examineCodec(json, workload::scenarioFromJson, read)) {
        require(workload::check(*s).ok(), "a scenario that was read passes its check");
        require(s->kind != workload::ScenarioKind::camera || s->framePeriod().count > 0, "a camera has a frame period");
        require(s->kind != workload::ScenarioKind::camera || s->frameDeadline().count > 0, "a frame has a deadline");
    }
}

} // namespace

void examine(std::string_view input)
{
    const Json json = Json::parse(input, nullptr, false);
    examineScenario(json);
    base::Result<workload::PipelinePlan> plan{base::Error{}};
    if (examineCodec(json, workload::pipelinePlanFromJson, plan))
        if (const auto status = workload::check(*plan, 4); !status)
            requireSentence(status.error());
    const auto summary = workload::pipelineSummaryFromJson(json); // times are kept as milliseconds, which round
    static_cast<void>(valueOf(summary));
}

std::vector<std::string> seeds()
{
    std::vector<std::string> seeds;
    for (const workload::ScenarioKind kind :
         {workload::ScenarioKind::singleStream, workload::ScenarioKind::server, workload::ScenarioKind::camera}) {
        workload::Scenario s = workload::defaultScenario(kind);
        s.rate = 5;
        seeds.push_back(toJson(s).dump());
    }
    workload::PipelinePlan plan;
    plan.queueWait = base::fromMilliseconds(3);
    seeds.push_back(toJson(plan).dump());
    workload::PipelineSummary summary;
    summary.images = 100;
    summary.passes = 25;
    summary.latencyNs = {5e6, 4e6, 6e6, 0.95};
    summary.p90Ns = 7e6;
    for (workload::StageFigure& stage : summary.stages)
        stage = {{1e6, 9e5, 1.1e6, 0.95}, 1e6, 0.5};
    seeds.push_back(toJson(summary).dump());
    return seeds;
}

} // namespace apertune::fuzz

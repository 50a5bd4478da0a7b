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
    base::Result<scenario::Scenario> read{base::Error{}};
    if (const scenario::Scenario* const s = examineCodec(json, scenario::scenarioFromJson, read)) {
        require(scenario::check(*s).ok(), "a scenario that was read passes its check");
        require(s->kind != scenario::Kind::camera || s->framePeriod().count > 0, "a camera has a frame period");
        require(s->kind != scenario::Kind::camera || s->frameDeadline().count > 0, "a frame has a deadline");
    }
}

} // namespace

void examine(std::string_view input)
{
    const Json json = Json::parse(input, nullptr, false);
    examineScenario(json);
    base::Result<pipeline::Plan> plan{base::Error{}};
    if (examineCodec(json, pipeline::planFromJson, plan))
        if (const auto status = pipeline::check(*plan, 4); !status)
            requireSentence(status.error());
    const auto summary = pipeline::summaryFromJson(json); // times are kept as milliseconds, which round
    static_cast<void>(valueOf(summary));
}

std::vector<std::string> seeds()
{
    std::vector<std::string> seeds;
    for (const scenario::Kind kind : {scenario::Kind::singleStream, scenario::Kind::server, scenario::Kind::camera}) {
        scenario::Scenario s = scenario::defaults(kind);
        s.rate = 5;
        seeds.push_back(toJson(s).dump());
    }
    pipeline::Plan plan;
    plan.queueWait = base::fromMilliseconds(3);
    seeds.push_back(toJson(plan).dump());
    pipeline::Summary summary;
    summary.images = 100;
    summary.passes = 25;
    summary.latencyNs = {5e6, 4e6, 6e6, 0.95};
    summary.p90Ns = 7e6;
    for (pipeline::StageFigure& stage : summary.stages)
        stage = {{1e6, 9e5, 1.1e6, 0.95}, 1e6, 0.5};
    seeds.push_back(toJson(summary).dump());
    return seeds;
}

} // namespace apertune::fuzz

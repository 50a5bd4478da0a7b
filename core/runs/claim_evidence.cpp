// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/claim_evidence.h"

#include "core/models/zoo.h"
#include "core/study/study_runner.h"
#include "core/workload/stages/pipeline_run.h"

#include <algorithm>

namespace apertune::runs {

namespace {

/// The entries of the zoo that the workspace does not know. The number of parameters is known without an import.
void addZoo(std::vector<model::ModelRef>& models)
{
    for (const models::ZooEntry& entry : models::zoo()) {
        if (std::any_of(models.begin(), models.end(),
                        [&entry](const model::ModelRef& model) { return model.source == entry.source; }))
            continue;
        model::ModelRef& model = models.emplace_back();
        model.name = entry.name;
        model.source = entry.source;
        model.taskType = entry.task;
        model.parameters = entry.parameters;
    }
}

} // namespace

base::Result<claims::ClaimEvidence> claimEvidence(const store::Store& store, const std::vector<model::Device>& devices)
{
    claims::ClaimEvidence evidence;
    evidence.devices = devices;
    const auto studies = store.studies();
    if (!studies)
        return studies.error();
    for (const store::StudySummary& summary : *studies) {
        if (summary.purpose == model::StudyPurpose::imported)
            continue; // not measured here
        auto snapshot = study::loadStudy(store, summary.id);
        if (!snapshot)
            continue;
        for (const model::Trial& trial : snapshot->trials)
            if (const auto runs = store.pipelines(trial.id); runs && !runs->empty())
                if (auto run = workload::pipelineRunFromText(runs->back().document))
                    evidence.pipelines.emplace_back(trial.id, std::move(*run));
        evidence.studies.push_back(std::make_shared<const model::StudySnapshot>(std::move(*snapshot)));
    }
    for (const model::Device& device : devices)
        if (auto ceilings = store.ceilings(device); ceilings && *ceilings)
            evidence.ceilings.push_back(std::move(**ceilings));
    auto models = store.models();
    if (!models)
        return models.error();
    evidence.models = std::move(*models);
    addZoo(evidence.models);
    return evidence;
}

claims::ClaimEvidence claimEvidence(const std::vector<model::Device>& devices)
{
    claims::ClaimEvidence evidence;
    evidence.devices = devices;
    addZoo(evidence.models);
    return evidence;
}

} // namespace apertune::runs

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html.h"

#include "core/base/text.h"
#include "core/claims/claims_report.h"
#include "core/report/documents.h"
#include "core/report/html_matrix.h"
#include "core/report/html_sections.h"
#include "core/report/html_tradeoff.h"
#include "core/report/robustness_report.h"
#include "core/text/format.h"
#include "core/text/mustache.h"

#include <nlohmann/json.hpp>
#include <report_templates.h>

#include <set>

namespace apertune::report {

namespace {

using base::Json;

std::string subtitle(const model::StudySnapshot& snapshot)
{
    std::size_t measured = 0;
    std::set<std::string> devices;
    for (const model::Trial& trial : snapshot.trials) {
        measured += trial.state == model::TrialState::ok ? 1u : 0u;
        devices.insert(trial.device);
    }
    std::string text = std::to_string(measured) + " of " +
                       base::counted(static_cast<std::int64_t>(snapshot.trials.size()), "configuration") + " measured";
    for (const std::string& id : devices) {
        const model::Device* device = snapshot.device(id);
        text += " · " + (device && !device->name.empty() ? device->name : id);
    }
    text += " · " + snapshot.study.environment.host + " · " + snapshot.study.createdUtc;
    if (snapshot.study.state != model::StudyState::finished)
        text += " · " + std::string(model::toString(snapshot.study.state));
    return text;
}

Json sentences(const model::StudySnapshot& snapshot)
{
    Json all = Json::array({recommendationSentence(snapshot)});
    for (const std::string& line : shortlistLines(snapshot))
        all.push_back("Not confirmed: " + line + ".");
    for (const std::string& loss : losses(snapshot))
        all.push_back(loss);
    return all;
}

/// Null without a pipeline of this study.
Json pipelines(const model::StudySnapshot& snapshot,
               const std::vector<std::pair<model::TrialId, workload::PipelineRun>>& measured)
{
    const text::ConfigurationNames names(snapshot);
    Json runs = Json::array();
    for (const auto& [id, run] : measured)
        if (const model::Trial* trial = snapshot.find(id))
            runs.push_back(pipelineValues(run, names.longName(*trial)));
    return runs.empty() ? Json() : Json{{"runs", std::move(runs)}};
}

} // namespace

std::string htmlReport(const model::StudySnapshot& snapshot, const std::vector<model::TrialId>& front,
                       const std::vector<std::pair<model::TrialId, workload::PipelineRun>>& measured,
                       const std::vector<std::pair<model::TrialId, model::Accuracy>>& accuracies,
                       const std::optional<model::Robustness>& robustness)
{
    const model::Study& study = snapshot.study;
    const Json values{{"title", study.name.empty() ? study.model.name : study.name},
                      {"subtitle", subtitle(snapshot)},
                      {"sentences", sentences(snapshot)},
                      {"pipelines", pipelines(snapshot, measured)},
                      {"cards", cardValues(snapshot)},
                      {"tradeoff", tradeoffValues(snapshot, front)},
                      {"matrix", matrixValues(snapshot)},
                      {"measured", trialValues(snapshot)},
                      {"effects", effectsValues(snapshot)},
                      {"claims", claims::claimValues(snapshot, measured)},
                      {"robustness", robustnessValues(robustness, snapshot)},
                      {"accuracy", accuracyValues(snapshot, accuracies)},
                      {"unmeasured", unmeasuredValues(snapshot)},
                      {"notInEffect", notInEffectValues(snapshot)},
                      {"environment", environmentValues(snapshot)},
                      {"method", methodValues(snapshot)},
                      {"commandLine", study.commandLine.empty() ? Json() : Json(study.commandLine)},
                      {"version", study.environment.apertune},
                      {"uuid", study.uuid}};
    return text::filled("{{>page.mustache}}", values, text::Escape::html, templates::kReport);
}

} // namespace apertune::report

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kept_runs.h"

#include "core/base/text.h"
#include "core/model/json_codec.h"
#include "core/report/pipeline_report.h"
#include "core/text/format.h"
#include "core/workload/stages/pipeline_run.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

LoadTable::LoadTable()
    : m_documents(std::make_shared<Json>(Json::array())), m_table({{"Trial"},
                                                                   {"Scenario"},
                                                                   {"Rate", text::Align::right},
                                                                   {"Latency ms", text::Align::right},
                                                                   {"Largest rate", text::Align::right},
                                                                   {"Missed", text::Align::right, false, 1},
                                                                   {"When", text::Align::left, false, 2}})
{
}

void LoadTable::add(model::TrialId trial, base::RateUnit rate, const std::string& kind, const Json& document,
                    const std::string& when)
{
    // A value that a kind of load does not have is a dash.
    const auto number = [](const Json& value, double scale) {
        return value.is_number() ? base::formatSignificant(value.get<double>() * scale) : std::string("–");
    };
    Json entry{{"trial", text::toText(trial)}, {"created", when}};
    entry.update(document);
    m_documents->push_back(std::move(entry));
    const Json summary = document.value("summary", Json::object());
    const Json capacity = document.value("capacity", Json());
    const Json frames = summary.value("frames", Json());
    m_table.addRow({text::toText(trial), kind,
                    // Documents of older versions may lack members.
                    number(summary.value("samples_per_s", Json::object()).value("value", Json()), 1) + " " +
                        std::string(base::toString(rate)),
                    number(summary.value("latency_ms", Json::object()).value("value", Json()), 1),
                    capacity.is_object() ? number(capacity.value("holds", Json()), 1) + " /s" : "–",
                    frames.is_object() ? number(frames.value("miss_share", Json()), 100) + " %" : "–", when});
}

base::Result<LoadTable> loadsOf(const store::Store& store, const std::vector<model::TrialId>& trials)
{
    LoadTable table;
    for (const model::TrialId id : trials) {
        const auto scenarios = store.scenarios(id);
        if (!scenarios)
            return scenarios.error();
        if (scenarios->empty())
            continue;
        const auto trial = store.trial(id);
        if (!trial)
            return trial.error();
        const auto study = store.study(trial->study);
        if (!study)
            return study.error();
        for (const store::Scenario& s : *scenarios) {
            const auto parsed = model::parseJson(s.document);
            if (!parsed)
                return parsed.error();
            table.add(id, study->model.rateUnit(), s.kind, parsed.value(), s.createdUtc);
        }
    }
    return table;
}

base::Result<KeptRuns> keptRuns(const store::Store& store, model::TrialId trial, int width)
{
    const auto loads = loadsOf(store, {trial});
    if (!loads)
        return loads.error();
    const auto pipelines = store.pipelines(trial);
    if (!pipelines)
        return pipelines.error();
    KeptRuns kept;
    if (!loads->documents().empty())
        kept.text += "\nUnder load\n" + loads->render(width);
    Json runs = Json::array();
    for (const store::Pipeline& p : *pipelines) {
        const auto parsed = model::parseJson(p.document);
        if (!parsed)
            return parsed.error();
        const auto run = workload::pipelineRunFromJson(parsed.value());
        if (!run)
            return run.error();
        Json entry{{"created", p.createdUtc}};
        entry.update(parsed.value());
        runs.push_back(std::move(entry));
        kept.text += "\nFrom JPEG to answer, " + p.createdUtc + "\n" + report::pipelineText(run.value());
    }
    kept.documents = std::make_shared<const Json>(Json{{"scenarios", loads->documents()}, {"pipelines", runs}});
    return kept;
}

} // namespace apertune::cli

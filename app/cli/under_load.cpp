// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/under_load.h"

#include "app/cli/kept_runs.h"
#include "app/cli/trial_run.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/report/robustness_report.h"
#include "core/search/recommend.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace apertune::cli {

using base::Json;

namespace {

/// The recommended trial or the first of the shortlist, then the other trials of the front.
std::vector<model::TrialId> trialsToLoad(const model::StudySnapshot& snapshot, int most)
{
    std::vector<model::TrialId> trials;
    if (const model::Recommendation* leading = snapshot.leading())
        trials.push_back(leading->trial);
    for (const model::TrialId id : search::paretoFront(snapshot.trials, snapshot.study.goal))
        if (std::find(trials.begin(), trials.end(), id) == trials.end())
            trials.push_back(id);
    trials.resize(std::min(trials.size(), static_cast<std::size_t>(most)));
    return trials;
}

} // namespace

void noteTooFew(Terminal& terminal, const workload::Scenario& s)
{
    if (const auto few = workload::tooFewQueries(s))
        terminal.note("About " + base::formatSignificant(few->expected, 3) + " queries come in " +
                      base::formatDuration(s.duration) + " at " + text::plainNumber(s.rate) + " a second; " +
                      text::percentileName(s.percentile) + " needs " + std::to_string(few->needed) +
                      ". Give --duration " + text::plainNumber(std::ceil(few->duration.seconds())) +
                      "s, or a higher --rate.");
}

std::string measureRobustness(engine::Workbench& workbench, const model::StudySnapshot& snapshot, Session& session,
                              Json& document)
{
    const auto result = workbench.robustness(snapshot, statusOf(session.terminal, "beside a competing program"),
                                             session.interrupt.token());
    session.terminal.status({});
    if (!result) {
        session.terminal.note("Beside a competing program: " + sentences::describe(result.error()));
        return {};
    }
    document = model::toJson(*result);
    return report::robustnessText(*result, snapshot, session.terminal.width());
}

UnderLoad putUnderLoad(engine::Workbench& workbench, const model::StudySnapshot& snapshot, const Tune& options,
                       Session& session, Json& documents)
{
    Terminal& terminal = session.terminal;
    LoadTable table;
    bool interrupted = false;
    for (const workload::Scenario& scenario : options.scenarios)
        noteTooFew(terminal, scenario);
    for (const workload::Scenario& scenario : options.scenarios)
        for (const model::TrialId id : trialsToLoad(snapshot, options.loadTrials)) {
            if (interrupted)
                break;
            const std::string what = text::toText(id) + " " + std::string(toString(scenario.kind));
            const auto result =
                workbench.runTrialScenario(id, scenario, statusOf(terminal, what), session.interrupt.token());
            terminal.status({});
            if (result)
                table.add(id, snapshot.study.model.rateUnit(), std::string(toString(scenario.kind)),
                          runs::toJson(result.value()), base::utcNow());
            else if (!(interrupted = result.error().code == base::ErrorCode::cancelled))
                terminal.note(what + ": " + sentences::describe(result.error()));
        }
    documents = table.documents();
    return {documents.empty() ? std::string() : table.render(terminal.width()), interrupted};
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kept_runs.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

struct TrialLoads
{
    std::string trial; ///< a trial or a study; empty: the last study
};

int run(const TrialLoads& options, Session& session)
{
    return withStore(session, [&](const store::Store& store) -> int {
        std::vector<model::TrialId> trials;
        if (namesTrial(store, options.trial)) {
            const auto found = findTrial(store, options.trial);
            if (!found)
                return session.terminal.fail(found.error());
            trials.push_back(found->id);
        } else {
            const auto study = loadStudyOf(store, options.trial.empty() ? "last" : options.trial);
            if (!study)
                return session.terminal.fail(study.error());
            for (const model::Trial& trial : study->trials)
                trials.push_back(trial.id);
        }
        const auto table = loadsOf(store, trials);
        if (!table)
            return session.terminal.fail(table.error());
        session.terminal.document({{"schema", "apertune.scenarios/1"}, {"scenarios", table->documents()}});
        session.terminal.text(table->documents().empty()
                                  ? "Nothing was put under load yet. Run one: apertune load best --scenario offline"
                                  : table->render(session.terminal.width()));
        return kDone;
    });
}

Action declareTrialLoads(CLI::App& app)
{
    auto options = std::make_shared<TrialLoads>();
    app.add_option("WHAT", options->trial, "Trial or study (default: the last study)")->type_name("");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb trialLoadsVerb()
{
    return {.path = {"trial", "loads"},
            .group = Group::manage,
            .summary = "List the results of trials under load",
            .examples = R"(  apertune trial loads
  apertune trial loads t12 --json)",
            .takes = Takes::workspace,
            .declare = declareTrialLoads};
}

} // namespace apertune::cli

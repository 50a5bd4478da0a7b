// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/baseline.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"

namespace apertune::cli {

namespace {

struct TrialStar
{
    std::string trial;
    std::optional<std::string> name{};
    bool replace = false;
};

int run(const TrialStar& options, Session& session)
{
    const auto change = [&options](store::Store& store, model::TrialId trial) {
        return options.name ? store.nameBaseline(trial, *options.name, options.replace)
                            : store.setBaseline(trial, true);
    };
    return changeBaseline(options.trial, change,
                          options.name && !options.name->empty()
                              ? "is the baseline " + *options.name + " now: `apertune compare " + *options.name +
                                    " best --gate 5%`."
                              : "is a baseline now.",
                          session);
}

Action declareTrialStar(CLI::App& app)
{
    auto options = std::make_shared<TrialStar>();
    addArgument(app, "TRIAL", options->trial, kTrialHelp);
    app.add_option(
           "--as", options->name,
           "Name by which every verb finds the trial; it replaces the trial's earlier name, and \"\" removes it")
        ->type_name("NAME");
    app.add_flag("--replace", options->replace, "Take the name from the trial that has it");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb trialStarVerb()
{
    return {.path = {"trial", "star"},
            .group = Group::manage,
            .summary = "Mark a trial as a baseline, with a name or without",
            .examples = R"(  apertune trial star t12
  apertune trial star best --as release
  apertune trial star t31 --as release --replace   t12 stays a baseline without a name
  apertune compare release best --gate 5%          exit code 1 when it got slower)",
            .takes = Takes::workspace,
            .documents = {{"apertune.baseline/1",
                           "`trial`, `starred`, `name` (null: without), `baselines` (all trials that are marked)"}},
            .declare = declareTrialStar};
}

} // namespace apertune::cli

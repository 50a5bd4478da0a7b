// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/baseline.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"

namespace apertune::cli {

namespace {

struct TrialStar
{
    std::string trial;
};

Action declareTrialStar(CLI::App& app)
{
    auto options = std::make_shared<TrialStar>();
    addArgument(app, "TRIAL", options->trial, kTrialHelp);
    return [options](Session& session) { return setBaseline(options->trial, true, session); };
}

} // namespace

Verb trialStarVerb()
{
    return {.path = {"trial", "star"},
            .group = Group::manage,
            .summary = "Mark a trial as a baseline",
            .examples = R"(  apertune trial star t12)",
            .takes = Takes::workspace,
            .documents = {{"apertune.baseline/1", "`trial`, `starred`, `baselines` (all trials that are marked)"}},
            .declare = declareTrialStar};
}

} // namespace apertune::cli

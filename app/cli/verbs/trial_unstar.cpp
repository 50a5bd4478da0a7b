// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/baseline.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"

namespace apertune::cli {

namespace {

struct TrialUnstar
{
    std::string trial;
};

Action declareTrialUnstar(CLI::App& app)
{
    auto options = std::make_shared<TrialUnstar>();
    addArgument(app, "TRIAL", options->trial, kTrialHelp);
    return [options](Session& session) { return setBaseline(options->trial, false, session); };
}

} // namespace

Verb trialUnstarVerb()
{
    return {.path = {"trial", "unstar"},
            .group = Group::manage,
            .summary = "Remove the baseline mark from a trial",
            .examples = R"(  apertune trial unstar t12)",
            .takes = Takes::workspace,
            .documents = {{"apertune.baseline/1", ""}},
            .declare = declareTrialUnstar};
}

} // namespace apertune::cli

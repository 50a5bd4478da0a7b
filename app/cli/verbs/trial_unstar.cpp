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
    return [options](Session& session) {
        const auto change = [](store::Store& store, model::TrialId trial) { return store.setBaseline(trial, false); };
        return changeBaseline(options->trial, change, "is not a baseline any more.", session);
    };
}

} // namespace

Verb trialUnstarVerb()
{
    return {.path = {"trial", "unstar"},
            .group = Group::manage,
            .summary = "Remove the baseline mark and its name from a trial",
            .examples = R"(  apertune trial unstar t12
  apertune trial unstar release)",
            .takes = Takes::workspace,
            .documents = {{"apertune.baseline/1", ""}},
            .declare = declareTrialUnstar};
}

} // namespace apertune::cli

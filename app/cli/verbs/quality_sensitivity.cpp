// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/quality_document.h"
#include "app/cli/trial_run.h"
#include "app/cli/verb.h"
#include "core/report/evaluation_report.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

struct QualitySensitivity
{
    std::string trial;
    bool refresh = false;
};

int run(const QualitySensitivity& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto trial = openTrial(session.common, options.trial);
    if (!trial)
        return terminal.fail(trial.error());
    const auto sensitivity =
        trial->workbench->sensitivity(trial->found.id, options.refresh, statusOf(terminal), session.interrupt.token());
    terminal.status({});
    if (!sensitivity)
        return failRun(terminal, sensitivity.error());
    terminal.document(qualityDocument("apertune.sensitivity/1", trial->found, toJson(*sensitivity)));
    terminal.text(trial->name() + "\n" + report::sensitivityText(*sensitivity, 0, terminal.width()));
    return kDone;
}

Action declareQualitySensitivity(CLI::App& app)
{
    auto options = std::make_shared<QualitySensitivity>();
    addArgument(app, "TRIAL", options->trial, kTrialHelp);
    app.add_flag("--refresh", options->refresh, "Measure again, even if the workspace has results");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb qualitySensitivityVerb()
{
    return {.path = {"quality", "sensitivity"},
            .group = Group::explain,
            .summary = "Measure the accuracy cost of each layer of an int8 trial",
            .examples = R"(  apertune quality sensitivity t12            measured once, then kept in the workspace
  apertune quality sensitivity t12 --refresh)",
            .takes = Takes::untrustedCode,
            .declare = declareQualitySensitivity};
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trial_run.h"
#include "app/cli/verbs.h"
#include "core/report/format.h"
#include "core/report/pipeline_report.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

int run(const RunPipeline& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto trial = openTrial(options.common, options.trial);
    if (!trial)
        return terminal.fail(trial.error());
    const auto result = trial->workbench->runTrialPipeline(trial->found.id, options.request, statusOf(terminal),
                                                           session.interrupt.token());
    terminal.status({});
    if (!result)
        return failRun(terminal, result.error());
    const Json told = runs::toJson(result.value());
    Json document{{"schema", "apertune.pipeline/1"}, {"trial", report::toText(trial->found.id)}};
    document.update(told);
    terminal.document(document);
    const auto run = report::pipelineFromJson(told);
    if (!run)
        return terminal.fail(run.error());
    terminal.text(trial->name() + ", from JPEG to answer\n\n" + report::pipelineText(run.value()));
    return kDone;
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"
#include "app/cli/trial_run.h"
#include "app/cli/verbs.h"
#include "core/base/text.h"
#include "core/engine/workbench.h"
#include "core/report/format.h"
#include "core/report/pipeline_report.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

int run(const RunPipeline& options, Session& session)
{
    Terminal& terminal = session.terminal;
    auto workbench = engine::Workbench::open(options.common.store);
    if (!workbench)
        return terminal.fail(workbench.error());
    const auto found = findTrial((*workbench)->store(), options.trial);
    if (!found)
        return terminal.fail(found.error());
    const auto result =
        (*workbench)->runTrialPipeline(found->id, options.request, statusOf(terminal), session.interrupt.token());
    terminal.status({});
    if (!result)
        return failRun(terminal, result.error());
    const Json told = engine::toJson(result.value());
    Json document{{"schema", "apertune.pipeline/1"}, {"trial", report::toText(found->id)}};
    document.update(told);
    terminal.document(document);
    const auto run = report::pipelineFromJson(told);
    if (!run)
        return terminal.fail(run.error());
    const report::CellNames names(found->snapshot);
    terminal.text(report::toText(found->id) + "  " + names.longName(found->trial()) + ", from JPEG to answer\n\n" +
                  report::pipelineText(run.value()));
    return kDone;
}

} // namespace apertune::cli

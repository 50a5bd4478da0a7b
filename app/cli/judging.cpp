// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"
#include "app/cli/progress.h"
#include "app/cli/trial_run.h"
#include "app/cli/verbs.h"
#include "core/engine/workbench.h"
#include "core/report/format.h"
#include "core/report/judgement_report.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

std::string titleOf(const FoundTrial& found)
{
    const report::CellNames names(found.snapshot);
    return report::toText(found.id) + "  " + names.longName(found.trial()) + "\n";
}

Json documentOf(const char* schema, const FoundTrial& found, const Json& told)
{
    Json document{{"schema", schema}, {"trial", report::toText(found.id)}};
    document.update(told);
    return document;
}

} // namespace

int run(const JudgeAccuracy& options, Session& session)
{
    Terminal& terminal = session.terminal;
    auto pictures = engine::labelledPicturesAt(options.data);
    if (!pictures)
        return terminal.fail(pictures.error());
    pictures->limit = options.limit;
    auto workbench = engine::Workbench::open(options.common.store);
    if (!workbench)
        return terminal.fail(workbench.error());
    const auto found = findTrial((*workbench)->store(), options.trial);
    if (!found)
        return terminal.fail(found.error());
    const auto judged = (*workbench)->accuracy(found->id, *pictures, statusOf(terminal), session.interrupt.token());
    terminal.status({});
    if (!judged)
        return failRun(terminal, judged.error());
    terminal.document(documentOf("apertune.accuracy/1", *found, toJson(*judged)));
    terminal.text(titleOf(*found) + report::accuracyText(*judged, terminal.width()));
    return kDone;
}

int run(const JudgeSensitivity& options, Session& session)
{
    Terminal& terminal = session.terminal;
    auto workbench = engine::Workbench::open(options.common.store);
    if (!workbench)
        return terminal.fail(workbench.error());
    const auto found = findTrial((*workbench)->store(), options.trial);
    if (!found)
        return terminal.fail(found.error());
    const auto judged =
        (*workbench)->sensitivity(found->id, options.refresh, statusOf(terminal), session.interrupt.token());
    terminal.status({});
    if (!judged)
        return failRun(terminal, judged.error());
    terminal.document(documentOf("apertune.sensitivity/1", *found, toJson(*judged)));
    terminal.text(titleOf(*found) + report::sensitivityText(*judged, 0, terminal.width()));
    return kDone;
}

int run(const MixPrecision& options, Session& session)
{
    Terminal& terminal = session.terminal;
    auto workbench = engine::Workbench::open(options.common.store);
    if (!workbench)
        return terminal.fail(workbench.error());
    const auto found = findTrial((*workbench)->store(), options.trial);
    if (!found)
        return terminal.fail(found.error());
    engine::MixOptions mix = options.mix;
    mix.commandLine = session.repeatLine;
    Progress progress(terminal);
    const auto done =
        (*workbench)->mix(found->id, mix, statusOf(terminal), std::ref(progress), session.interrupt.token());
    terminal.status({});
    if (!done)
        return failRun(terminal, done.error());
    const auto trial = [](model::TrialId id) { return id ? Json(report::toText(id)) : Json(nullptr); };
    Json gain(nullptr);
    if (done->gain && done->gain->ratio.confidence > 0)
        gain = {{"value", done->gain->ratio.value}, {"lo", done->gain->ratio.lo}, {"hi", done->gain->ratio.hi}};
    terminal.document(documentOf("apertune.mix/1", *found,
                                 {{"study", report::toText(done->study)},
                                  {"best", trial(done->best)},
                                  {"fp32", trial(done->plain)},
                                  {"float_layers", done->kept},
                                  {"layers", done->layers},
                                  {"steps", done->steps},
                                  {"speedup", gain},
                                  {"sentence", done->sentence}}));
    terminal.text(done->sentence + "\n" + report::toText(done->study) + ": apertune show " +
                  report::toText(done->study));
    return done->best ? kDone : kGateFailed;
}

} // namespace apertune::cli

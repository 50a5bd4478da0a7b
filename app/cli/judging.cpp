// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress.h"
#include "app/cli/trial_run.h"
#include "app/cli/verbs.h"
#include "core/base/text.h"
#include "core/report/evaluation_report.h"
#include "core/report/format.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

Json documentOf(const char* schema, const FoundTrial& found, const Json& told)
{
    Json document{{"schema", schema}, {"trial", report::toText(found.id)}};
    document.update(told);
    return document;
}

} // namespace

int run(const EvaluateAccuracy& options, Session& session)
{
    Terminal& terminal = session.terminal;
    auto pictures = runs::labelledPicturesAt(options.data);
    if (!pictures)
        return terminal.fail(pictures.error());
    pictures->limit = options.limit;
    const auto trial = openTrial(options.common, options.trial);
    if (!trial)
        return terminal.fail(trial.error());
    const auto judged =
        trial->workbench->accuracy(trial->found.id, *pictures, statusOf(terminal), session.interrupt.token());
    terminal.status({});
    if (!judged)
        return failRun(terminal, judged.error());
    terminal.document(documentOf("apertune.accuracy/1", trial->found, toJson(*judged)));
    terminal.text(trial->name() + "\n" + report::accuracyText(*judged, terminal.width()));
    return kDone;
}

int run(const EvaluateSensitivity& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto trial = openTrial(options.common, options.trial);
    if (!trial)
        return terminal.fail(trial.error());
    const auto judged =
        trial->workbench->sensitivity(trial->found.id, options.refresh, statusOf(terminal), session.interrupt.token());
    terminal.status({});
    if (!judged)
        return failRun(terminal, judged.error());
    terminal.document(documentOf("apertune.sensitivity/1", trial->found, toJson(*judged)));
    terminal.text(trial->name() + "\n" + report::sensitivityText(*judged, 0, terminal.width()));
    return kDone;
}

int run(const SearchMixedPrecision& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto trial = openTrial(options.common, options.trial);
    if (!trial)
        return terminal.fail(trial.error());
    runs::MixedPrecisionOptions mixedPrecision = options.mixedPrecision;
    mixedPrecision.commandLine = session.repeatLine;
    Progress progress(terminal);
    const auto done = trial->workbench->mixedPrecision(trial->found.id, mixedPrecision, statusOf(terminal),
                                                       std::ref(progress), session.interrupt.token());
    terminal.status({});
    if (!done)
        return failRun(terminal, done.error());
    const auto named = [](model::TrialId id) { return id ? Json(report::toText(id)) : Json(nullptr); };
    Json gain(nullptr);
    if (done->gain && done->gain->ratio.confidence > 0)
        gain = {{"value", done->gain->ratio.value}, {"lo", done->gain->ratio.lo}, {"hi", done->gain->ratio.hi}};
    terminal.document(documentOf("apertune.mix/1", trial->found,
                                 {{"study", report::toText(done->study)},
                                  {"best", named(done->best)},
                                  {"fp32", named(done->plain)},
                                  {"float_layers", done->kept.size()},
                                  {"float_layer_names", done->kept},
                                  {"layers", done->layers},
                                  {"steps", done->steps},
                                  {"speedup", gain},
                                  {"sentence", done->sentence}}));
    std::string next = "Next:\n";
    if (done->best) {
        const std::string best = report::toText(done->best);
        if (!done->kept.empty())
            next = "In float: " + base::join(done->kept) + "\n\n" + next;
        next += "  apertune show " + best + "\n  apertune export " + best + " --target python --out " + best + "\n";
    }
    terminal.text(done->sentence + "\n" + next + "  apertune show " + report::toText(done->study) + "   # every step");
    return done->best ? kDone : kGateFailed;
}

} // namespace apertune::cli

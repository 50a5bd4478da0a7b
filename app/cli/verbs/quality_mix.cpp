// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/quality_document.h"
#include "app/cli/trial_run.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "core/runs/mixed_precision.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

struct QualityMix
{
    std::string trial;
    runs::MixedPrecisionOptions mixedPrecision;
};

int run(const QualityMix& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto trial = openTrial(session.common, options.trial);
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
    const auto named = [](model::TrialId id) { return id ? Json(text::toText(id)) : Json(nullptr); };
    Json gain(nullptr);
    if (done->gain && done->gain->ratio.confidence > 0)
        gain = {{"value", done->gain->ratio.value}, {"lo", done->gain->ratio.lo}, {"hi", done->gain->ratio.hi}};
    terminal.document(qualityDocument("apertune.mix/1", trial->found,
                                      {{"study", text::toText(done->study)},
                                       {"best", named(done->best)},
                                       {"fp32", named(done->plain)},
                                       {"float_layers", done->kept.size()},
                                       {"float_layer_names", done->kept},
                                       {"layers", done->layers},
                                       {"steps", done->steps},
                                       {"speedup", gain},
                                       {"sentence", sentences::sentence(done->message)}}));
    const std::string store = text::storeOption(session.common.store);
    std::string next = "Next:\n";
    if (done->best) {
        const std::string best = text::toText(done->best);
        if (!done->kept.empty())
            next = "In float: " + base::join(done->kept) + "\n\n" + next;
        next += "  apertune show " + best + store + "\n  apertune export " + best + " --target python --out " + best +
                store + "\n";
    }
    terminal.text(sentences::sentence(done->message) + "\n" + next + "  apertune show " + text::toText(done->study) +
                  store + "   # every step");
    return done->best ? kDone : kGateFailed;
}

Action declareQualityMix(CLI::App& app)
{
    auto options = std::make_shared<QualityMix>();
    addArgument(app, "TRIAL", options->trial, "Int8 trial: t12, best (of the last study) or s3:best");
    addTime(app, "--budget", options->mixedPrecision.budget, "Measuring time; converting is not counted (default: 3m)");
    addText(app, "--min-quality", "Least cosine similarity to the float outputs (default: the study's)",
            [options](const std::string& text) -> base::Status {
                model::Goal goal;
                if (auto set = model::setMinQuality(goal, "--min-quality", text); !set)
                    return set;
                options->mixedPrecision.minQuality = goal.minQuality;
                return {};
            })
        ->type_name("COSINE");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb qualityMixVerb()
{
    return {.path = {"quality", "mix"},
            .group = Group::explain,
            .summary = "Find the fastest int8 and float mix within the quality bound",
            .examples = R"(  apertune quality mix t12                    exit code 0 found, 1 none
  apertune quality mix t12 --min-quality 0.995 --budget 5m)",
            .takes = Takes::untrustedCode,
            .declare = declareQualityMix};
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/quality_document.h"
#include "app/cli/trial_run.h"
#include "app/cli/verb.h"
#include "core/report/evaluation_report.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

struct QualityAccuracy
{
    std::string trial;
    std::filesystem::path data;
    int limit = 0; ///< 0: no limit
};

int run(const QualityAccuracy& options, Session& session)
{
    Terminal& terminal = session.terminal;
    auto labelled = runs::labelledImagesAt(options.data);
    if (!labelled)
        return terminal.fail(labelled.error());
    labelled->limit = options.limit;
    const auto trial = openTrial(session.common, options.trial);
    if (!trial)
        return terminal.fail(trial.error());
    const auto accuracy =
        trial->workbench->accuracy(trial->found.id, *labelled, statusOf(terminal), session.interrupt.token());
    terminal.status({});
    if (!accuracy)
        return failRun(terminal, accuracy.error());
    terminal.document(qualityDocument("apertune.accuracy/1", trial->found, toJson(*accuracy)));
    terminal.text(trial->name() + "\n" + report::accuracyText(*accuracy, terminal.width()));
    return kDone;
}

Action declareQualityAccuracy(CLI::App& app)
{
    auto options = std::make_shared<QualityAccuracy>();
    addArgument(app, "TRIAL", options->trial, kTrialHelp);
    app.add_option("--data", options->data,
                   "Folder with one folder of images for each class, named by number or name; or a COCO JSON file "
                   "beside its images")
        ->type_name("DIR|JSON")
        ->required();
    addCount(app, "--limit", options->limit, "Number of images to use, spread evenly (default: all)", 1, 10'000'000);
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb qualityAccuracyVerb()
{
    return {.path = {"quality", "accuracy"},
            .group = Group::explain,
            .summary = "Measure accuracy on labelled images, against the float model",
            .examples = R"(  apertune quality accuracy t12 --data val                  top-1 and top-5, mIoU or mAP
  apertune quality accuracy best --data instances_val2017.json --limit 500)",
            .takes = Takes::untrustedCode,
            .declare = declareQualityAccuracy};
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/files.h"
#include "core/report/documents.h"
#include "core/report/html.h"
#include "core/report/study_csv.h"
#include "core/search/recommend.h"
#include "core/text/format.h"
#include "core/workload/stages/pipeline_run.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace apertune::cli {

namespace fs = std::filesystem;

using base::Json;

namespace {

enum class ReportFormat { html, csv, json };

struct Report
{
    std::string study = "last";
    std::filesystem::path out;            ///< empty: stdout
    std::optional<ReportFormat> format{}; ///< none: chosen by the ending of `out`
};

ReportFormat formatOf(const Report& options)
{
    if (options.format)
        return *options.format;
    const std::string ending = options.out.extension().string();
    return ending == ".csv" ? ReportFormat::csv : ending == ".json" ? ReportFormat::json : ReportFormat::html;
}

/// The newest pipeline run of each trial.
std::vector<std::pair<model::TrialId, workload::PipelineRun>> pipelinesOf(const store::Store& store,
                                                                          const model::StudySnapshot& snapshot)
{
    std::vector<std::pair<model::TrialId, workload::PipelineRun>> found;
    for (const model::Trial& trial : snapshot.trials)
        if (const auto kept = store.pipelines(trial.id); kept && !kept.value().empty())
            if (auto run = workload::pipelineRunFromText(kept.value().back().document))
                found.emplace_back(trial.id, std::move(*run));
    return found;
}

/// The newest accuracy evaluation of each trial.
std::vector<std::pair<model::TrialId, model::Accuracy>> accuraciesOf(const store::Store& store,
                                                                     const model::StudySnapshot& snapshot)
{
    std::vector<std::pair<model::TrialId, model::Accuracy>> found;
    for (const model::Trial& trial : snapshot.trials)
        if (const auto kept = store.evaluations(trial.id))
            for (auto it = kept.value().rbegin(); it != kept.value().rend(); ++it)
                if (auto accuracy = model::accuracyFromJson(Json::parse(it->document, nullptr, false));
                    accuracy && it->kind == toString(model::EvaluationKind::accuracy)) {
                    found.emplace_back(trial.id, std::move(*accuracy));
                    break;
                }
    return found;
}

/// The newest robustness of the leading trial.
std::optional<model::Robustness> robustnessOf(const store::Store& store, const model::StudySnapshot& snapshot)
{
    const auto kept = store.evaluations(snapshot.leading() ? snapshot.leading()->trial : model::TrialId{});
    if (!kept)
        return std::nullopt;
    for (auto it = kept.value().rbegin(); it != kept.value().rend(); ++it)
        if (it->kind == toString(model::EvaluationKind::robustness))
            if (auto robustness = model::robustnessFromJson(Json::parse(it->document, nullptr, false)))
                return std::move(*robustness);
    return std::nullopt;
}

std::string content(const store::Store& store, const model::StudySnapshot& snapshot, ReportFormat format)
{
    switch (format) {
    case ReportFormat::csv:
        return report::studyCsv(snapshot);
    case ReportFormat::json:
        return report::studyDocument(snapshot).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    case ReportFormat::html:
        break;
    }
    return report::htmlReport(snapshot, search::paretoFront(snapshot.trials, snapshot.study.goal),
                              pipelinesOf(store, snapshot), accuraciesOf(store, snapshot),
                              robustnessOf(store, snapshot));
}

int run(const Report& options, Session& session)
{
    return withStudy(session, options.study,
                     [&](const store::Store& store, const model::StudySnapshot& snapshot) -> int {
                         const std::string text = content(store, snapshot, formatOf(options));
                         if (options.out.empty()) {
                             session.terminal.raw(text);
                             return kDone;
                         }
                         if (const auto written = base::writeFileAtomically(options.out, text); !written)
                             return session.terminal.fail(written.error());
                         session.terminal.document({{"schema", "apertune.report/1"},
                                                    {"study", text::toText(snapshot.study.id)},
                                                    {"file", fs::absolute(options.out).lexically_normal().string()}});
                         session.terminal.text("Wrote " + options.out.string() + ".");
                         return kDone;
                     });
}

Action declareReport(CLI::App& app)
{
    auto options = std::make_shared<Report>();
    app.add_option("STUDY", options->study, std::string(kStudyHelp) + " (default: last)")->type_name("");
    app.add_option("--out", options->out, "File to write (default: stdout)")->type_name("FILE");
    addChoice<ReportFormat>(app, "--format", options->format,
                            {{"html", ReportFormat::html}, {"csv", ReportFormat::csv}, {"json", ReportFormat::json}},
                            "Format (default: by the file's name, else html)");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb reportVerb()
{
    return {.path = {"report"},
            .group = Group::tune,
            .summary = "Write a study as one self-contained file",
            .examples = R"(  apertune report last --out report.html
  apertune report s3 --format csv > s3.csv)",
            .takes = Takes::workspace,
            .documents = {{"apertune.report/1", "`study`, `file`", "--out"}},
            .declare = declareReport};
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/escape.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/report/documents.h"
#include "core/report/study_table.h"
#include "core/runs/imported_results.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

struct TrialImport
{
    std::filesystem::path file;
    std::string name;
    bool only = false; ///< read, but store nothing
};

/// A name of the file on one line. Commands can be very long.
std::string shownName(const std::string& name)
{
    constexpr int kWidth = 60;
    return text::elide(base::printableLine(name), kWidth);
}

/// What a result says, on one line.
std::string resultText(const model::Trial& trial, base::RateUnit rate)
{
    if (trial.state != model::TrialState::ok)
        return "failed: " + base::printableLine(sentences::sentence(trial.reason.message));
    const model::Measurement& m = trial.measurement;
    return text::formatPlusMinus(m.latencyNs, base::kMsPerNs) + " ms, " + text::formatPlusMinus(m.throughput) + " " +
           std::string(base::toString(rate));
}

/// The remarks on the values of the file, and the number of results that it left out; empty when there are none.
std::string remarksText(const interchange::ForeignResults& results)
{
    std::string text;
    for (const interchange::ForeignResult& result : results.results)
        for (const base::Message& remark : result.remarks)
            text += "\nRemark" + (result.name.empty() ? "" : " on " + shownName(result.name)) + ": " +
                    base::printableLine(sentences::sentence(remark));
    if (results.withoutTime > 0)
        text +=
            "\nLeft out without a time: " + base::counted(static_cast<std::int64_t>(results.withoutTime), "result") +
            ".";
    return text.empty() ? text : text + "\n";
}

Json documentOf(const interchange::ForeignResults& results, const runs::ImportOrigin& origin, const Json& study,
                const std::vector<model::Trial>& trials)
{
    Json list = Json::array();
    for (const model::Trial& trial : trials)
        list.push_back(report::trialDocument(trial));
    return {{"schema", "apertune.imported/1"},
            {"tool", results.tool},
            {"version", results.version.empty() ? Json() : Json(results.version)},
            {"file", origin.file},
            {"sha256", origin.sha256},
            {"study", study},
            {"trials", list}};
}

/// The name of the model: the one that was asked for, else the only one that the file names, else the file's.
std::string nameFor(const TrialImport& options, const interchange::ForeignResults& results)
{
    if (!options.name.empty())
        return options.name;
    if (results.kit)
        return results.kit->model.name;
    // Several results may be of several models, of which none can name the study.
    if (results.results.size() == 1 && !results.results.front().name.empty())
        return std::filesystem::path(results.results.front().name).stem().string();
    return options.file.stem().string();
}

int run(const TrialImport& options, Session& session)
{
    const auto results = interchange::readForeignResults(options.file);
    if (!results)
        return session.terminal.fail(results.error());
    const auto hash = base::sha256File(options.file);
    if (!hash)
        return session.terminal.fail(hash.error());
    const runs::ImportOrigin origin{nameFor(options, *results), options.file.filename().string(), *hash};
    runs::ImportedStudy imported = runs::importedStudy(*results, origin);
    const std::string head = base::counted(static_cast<std::int64_t>(imported.trials.size()), "result") + " of " +
                             results->tool + (results->version.empty() ? "" : " " + results->version);
    if (options.only) {
        std::string text = head + ":\n";
        for (std::size_t i = 0; i < imported.trials.size(); ++i)
            text += "  " + shownName(results->results[i].name.empty() ? origin.name : results->results[i].name) + ": " +
                    resultText(imported.trials[i], imported.study.model.rateUnit()) + "\n";
        text += remarksText(*results);
        session.terminal.document(documentOf(*results, origin, Json(), imported.trials));
        session.terminal.text(text);
        return kDone;
    }
    return withStore(
        session,
        [&](store::Store& store) -> int {
            const auto study = runs::storeImported(store, std::move(imported));
            if (!study)
                return session.terminal.fail(study.error());
            const auto snapshot = loadStudyOf(store, text::toText(*study));
            if (!snapshot)
                return session.terminal.fail(snapshot.error());
            session.terminal.document(documentOf(*results, origin, text::toText(*study), snapshot->trials));
            session.terminal.text("Study " + text::toText(*study) + " holds " + head + ".\n\n" +
                                  report::studyTable(*snapshot, session.terminal.width()) + "\n" +
                                  remarksText(*results) + text::originText(snapshot->study));
            return kDone;
        },
        store::OpenMode::readWrite);
}

Action declareTrialImport(CLI::App& app)
{
    auto options = std::make_shared<TrialImport>();
    addArgument(
        app, "FILE", options->file,
        "Result of a measuring kit (trials.json), trtexec (--exportTimes, log), benchmark_app (JSON, CSV), NVBench, "
        "perf_analyzer (-f), genai-perf, hyperfine, or the log of ONNX's test program");
    app.add_option("--name", options->name, "Name of the model (default: the one in the file, else the file's)")
        ->type_name("NAME");
    app.add_flag("--only-check", options->only, "Read and summarise the file, store nothing");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb trialImportVerb()
{
    return {
        .path = {"trial", "import"},
        .group = Group::manage,
        .summary = "Import what another tool measured, as trials of its own",
        .examples = R"(  apertune trial import times.json             trtexec --exportTimes=times.json
  apertune trial import benchmark_report.json  benchmark_app -report_type no_counters -json_stats
  apertune trial import perf.csv --name inception
  apertune trial import trials.json            what `apertune kit` measured on another machine
  apertune trial import bench.json --only-check)",
        .takes = Takes::workspace,
        .documents = {{"apertune.imported/1",
                       "`tool`, `version` (or null), `file`, `sha256`, `study` (null with `--only-check`), `trials` "
                       "as above. A study of imported results has the purpose `imported`; its trials are ranked with "
                       "no other"}},
        .declare = declareTrialImport};
}

} // namespace apertune::cli

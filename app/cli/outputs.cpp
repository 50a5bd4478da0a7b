// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"
#include "app/cli/verbs.h"
#include "core/base/escape.h"
#include "core/base/files.h"
#include "core/engine/workbench.h"
#include "core/models/exported_program.h"
#include "core/models/trust.h"
#include "core/report/documents.h"
#include "core/report/exporter.h"
#include "core/report/format.h"
#include "core/report/html.h"
#include "core/search/recommend.h"
#include "core/worker/installation.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace apertune::cli {

namespace fs = std::filesystem;

using base::Json;
using base::Result;

namespace {

std::string targetName(report::ExportTarget target)
{
    switch (target) {
    case report::ExportTarget::json:
        return "json";
    case report::ExportTarget::cpp:
        return "cpp";
    case report::ExportTarget::python:
        return "python";
    }
    return {};
}

/// The compiled package of a trial or the file that its engine opens; empty when the trial needs none.
Result<fs::path> packageOf(const FoundTrial& found, const std::vector<const model::Trial*>& others,
                           const Common& common, Session& session)
{
    if (!report::needsPackage(found.trial().config))
        return fs::path();
    auto workbench = engine::Workbench::open(common.store, store::OpenMode::readOnly);
    if (!workbench)
        return workbench.error();
    return (*workbench)
        ->packageOf(found.snapshot, found.trial(), others, importObserver(session.terminal), session.interrupt.token());
}

std::string nextSteps(const Export& options, const std::string& backend)
{
    const std::string dir = base::shellQuoted(options.dir.string());
    const fs::path root = models::programRoot(backend, worker::Installation::locate());
    switch (options.target) {
    case report::ExportTarget::python:
        return "  python3 " + base::shellQuoted((options.dir / "run.py").string()) + "\n  apertune verify " + dir;
    case report::ExportTarget::cpp:
        return "  cmake -S " + dir + " -B " + base::shellQuoted((options.dir / "build").string()) + " -D" +
               report::rootOption(backend).first + "=" +
               (root.empty() ? report::rootOption(backend).second : base::shellQuoted(root.string())) +
               "\n  apertune verify " + dir;
    case report::ExportTarget::json:
        break;
    }
    return "  apertune verify " + dir;
}

/// Runs the written program once and keeps what came of it; nothing with --no-check.
report::ExportTrialRun tryOut(const FoundTrial& found, const Export& options, Session& session,
                              std::optional<models::ExportCheck>& check)
{
    if (options.noCheck)
        return {};
    return [&](const fs::path& dir) -> base::Status {
        const std::string backend = found.trial().config.backend;
        const model::Device* const device = found.snapshot.device(found.trial().device);
        auto checked = models::checkExported(
            {dir, backend, report::rootOption(backend).first, report::verifierProgram(backend)},
            device ? *device : model::Device(), worker::Installation::locate(),
            [&](const std::string& what) { session.terminal.status(what); }, session.interrupt.token());
        if (!checked)
            return checked.error();
        check = std::move(*checked);
        return {};
    };
}

std::string checkSentence(const std::optional<models::ExportCheck>& check)
{
    if (!check)
        return "It was not run (--no-check).";
    return check->ran ? "It " + check->told + "." : "It was not run here: " + check->told;
}

/// The newest run from image to answer of each trial.
std::vector<std::pair<model::TrialId, report::PipelineRun>> pipelinesOf(const store::Store& store,
                                                                        const model::StudySnapshot& snapshot)
{
    std::vector<std::pair<model::TrialId, report::PipelineRun>> found;
    for (const model::Trial& trial : snapshot.trials)
        if (const auto kept = store.pipelines(trial.id); kept && !kept.value().empty())
            if (auto run = report::pipelineFromText(kept.value().back().document))
                found.emplace_back(trial.id, std::move(*run));
    return found;
}

/// The newest evaluation of each trial on labelled pictures.
std::vector<std::pair<model::TrialId, model::Accuracy>> accuraciesOf(const store::Store& store,
                                                                     const model::StudySnapshot& snapshot)
{
    std::vector<std::pair<model::TrialId, model::Accuracy>> found;
    for (const model::Trial& trial : snapshot.trials)
        if (const auto kept = store.evaluations(trial.id))
            for (auto it = kept.value().rbegin(); it != kept.value().rend(); ++it)
                if (auto told = model::accuracyFromJson(Json::parse(it->document, nullptr, false));
                    told && it->kind == "accuracy") {
                    found.emplace_back(trial.id, std::move(*told));
                    break;
                }
    return found;
}

std::string content(const store::Store& store, const model::StudySnapshot& snapshot, Report::Format format)
{
    switch (format) {
    case Report::Format::csv:
        return report::studyCsv(snapshot);
    case Report::Format::json:
        return report::studyDocument(snapshot).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    case Report::Format::html:
        break;
    }
    return report::htmlReport(snapshot, search::paretoFront(snapshot.trials, snapshot.study.goal),
                              pipelinesOf(store, snapshot), accuraciesOf(store, snapshot));
}

} // namespace

int run(const Print& options, Session& session)
{
    session.terminal.raw(options.text);
    return kDone;
}

int run(const Export& options, Session& session)
{
    auto store = store::Store::open(options.common.store, store::OpenMode::readOnly);
    if (!store)
        return session.terminal.fail(store.error());
    const auto found = findTrial(*store, options.trial);
    if (!found)
        return session.terminal.fail(found.error());
    const auto others =
        options.allBatches ? report::otherBatches(found->snapshot, found->trial()) : std::vector<const model::Trial*>();
    if (options.allBatches && others.empty())
        return session.terminal.fail({base::ErrorCode::invalidArgument,
                                      "Trial " + report::toText(found->id) + " is the only batch of its package.",
                                      {},
                                      "--all-batches is for trials that were compiled ahead of time for one batch, "
                                      "when others were measured, too."});
    // The program is run once, and what is exported here is trusted later.
    if (const auto allowed = models::requireTrustedModel(found->snapshot.study.model); !allowed)
        return session.terminal.fail(allowed.error());
    const auto package = packageOf(*found, others, options.common, session);
    if (!package)
        return session.terminal.fail(package.error());
    const auto converted = [&](const std::string& format) {
        return models::convertedFile(found->snapshot.study.model, format, found->trial().config.batch);
    };
    const auto files = report::planExport(found->snapshot, found->trial(), options.target, *package, others, converted);
    if (!files)
        return session.terminal.fail(files.error());
    std::optional<models::ExportCheck> check;
    if (const auto written =
            report::writeExport(*files, options.dir, options.force, tryOut(*found, options, session, check));
        !written)
        return session.terminal.fail(written.error());
    models::trustFolder(options.dir);
    Json names = Json::array();
    for (const report::ExportFile& file : *files)
        names.push_back(file.path.string());
    session.terminal.document({{"schema", "apertune.export/1"},
                               {"trial", report::toText(found->id)},
                               {"target", targetName(options.target)},
                               {"dir", fs::absolute(options.dir).lexically_normal().string()},
                               {"files", names},
                               {"check", check ? Json{{"ran", check->ran}, {"told", check->told}} : Json(nullptr)}});
    session.terminal.text("Wrote " + std::to_string(files->size()) + " files into " + options.dir.string() + ". " +
                          checkSentence(check) + "\nNext:\n" + nextSteps(options, found->trial().config.backend));
    return kDone;
}

int run(const Report& options, Session& session)
{
    const auto store = store::Store::open(options.common.store, store::OpenMode::readOnly);
    if (!store)
        return session.terminal.fail(store.error());
    const auto snapshot = loadStudyOf(*store, options.study);
    if (!snapshot)
        return session.terminal.fail(snapshot.error());
    const std::string text = content(*store, *snapshot, options.format);
    if (options.out.empty()) {
        session.terminal.raw(text);
        return kDone;
    }
    if (const auto written = base::writeFileAtomically(options.out, text); !written)
        return session.terminal.fail(written.error());
    session.terminal.document({{"schema", "apertune.report/1"},
                               {"study", report::toText(snapshot->study.id)},
                               {"file", fs::absolute(options.out).lexically_normal().string()}});
    session.terminal.text("Wrote " + options.out.string() + ".");
    return kDone;
}

int run(const Gui& options, Session& session)
{
    const fs::path program = base::installPrefix() / "bin" / "apertune-gui";
    std::vector<std::string> words{program.string(), "--store", options.common.store.string()};
    words.insert(words.end(), options.arguments.begin(), options.arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    sigset_t none;
    sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr); // the window handles its signals itself
    ::execv(program.c_str(), argv.data());
    return session.terminal.fail({base::ErrorCode::notFound,
                                  "The window cannot be started: " + std::string(std::strerror(errno)) + ".",
                                  program.string(),
                                  "This installation may be headless; `apertune report last --out report.html` writes "
                                  "the same as a page."});
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/imported.h"
#include "app/cli/importing.h"
#include "app/cli/lookup.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/engine/workbench.h"
#include "core/exports/exporter.h"
#include "core/exports/write_export.h"
#include "core/models/exported_program.h"
#include "core/models/trust.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "core/worker/installation.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace fs = std::filesystem;

using base::Json;
using base::Result;

namespace {

struct Export
{
    std::string trial;
    exports::ExportTarget target = exports::ExportTarget::json;
    std::filesystem::path dir;
    bool force = false;
    bool allBatches = false;
    std::string batchWait; ///< a duration; empty: the export chooses it
    bool noCheck = false;  ///< do not run the program before the folder gets its name
};

/// The settings of an export that answers requests: what the user asks for, and the load that the trial served best.
Result<exports::ServingChoice> servingChoice(const std::string& batchWait, const store::Store& store,
                                             model::TrialId trial)
{
    exports::ServingChoice choice;
    if (!batchWait.empty()) {
        const auto wait = base::parseDuration("--batch-wait", batchWait);
        if (!wait)
            return wait.error();
        choice.batchWait = *wait;
    }
    auto load = exports::bestServedLoad(store, trial);
    if (!load)
        return load.error();
    choice.load = std::move(*load);
    return choice;
}

/// The compiled package of a trial, or the file that its engine opens; empty when the trial needs none.
Result<fs::path> packageOf(const FoundTrial& found, const std::vector<const model::Trial*>& others, Session& session)
{
    if (!exports::needsPackage(found.trial().config))
        return fs::path();
    auto workbench = engine::Workbench::open(session.common.store, store::OpenMode::readOnly);
    if (!workbench)
        return workbench.error();
    return (*workbench)
        ->packageOf(found.snapshot, found.trial(), others, importObserver(session.terminal), session.interrupt.token());
}

std::string nextSteps(const Export& options, const std::string& backend)
{
    const std::string dir = base::shellQuoted(options.dir.string());
    const worker::Installation installation = worker::Installation::locate();
    const fs::path& python = installation.python; // it has the packages that run.py needs
    const fs::path root = models::programRoot(backend, installation);
    const std::string verify = "  apertune verify " + dir;
    switch (options.target) {
    case exports::ExportTarget::python:
        return "  " + base::shellQuoted(python.empty() ? "python3" : python.string()) + " " +
               base::shellQuoted((options.dir / "run.py").string()) + "\n" + verify;
    case exports::ExportTarget::server:
        return "  pip install -r " + base::shellQuoted((options.dir / "requirements.txt").string()) + "\n  python3 " +
               base::shellQuoted((options.dir / "server.py").string()) + "\n" + verify;
    case exports::ExportTarget::cpp:
        return "  cmake -S " + dir + " -B " + base::shellQuoted((options.dir / "build").string()) + " -D" +
               exports::rootOption(backend).first + "=" +
               (root.empty() ? exports::rootOption(backend).second : base::shellQuoted(root.string())) + "\n" + verify;
    case exports::ExportTarget::triton:
    case exports::ExportTarget::json:
        break;
    }
    return verify;
}

/// Runs the written program once and keeps the result. Does nothing with --no-check.
exports::ExportFolderCheck checkFolder(const FoundTrial& found, const Export& options, Session& session,
                                       std::optional<models::ExportCheck>& check)
{
    if (options.noCheck)
        return {};
    return [&](const fs::path& dir) -> Result<std::vector<exports::ExportFile>> {
        // The engine decides which program verifies a JSON export.
        const std::string backend = found.trial().config.backend;
        const model::Device* const device = found.snapshot.device(found.trial().device);
        auto checked = models::checkExported(
            {dir, backend, exports::rootOption(backend).first, exports::verifierProgram(backend)},
            device ? *device : model::Device(), worker::Installation::locate(),
            [&](const base::Message& step) { session.terminal.status(sentences::sentence(step)); },
            session.interrupt.token());
        if (!checked)
            return checked.error();
        check = std::move(*checked);
        // Without a record, the folder has no reference for later checks.
        std::vector<exports::ExportFile> record;
        if (!check->record.empty())
            record.push_back({models::kCheckFile, check->record});
        return record;
    };
}

std::string checkSentence(const std::optional<models::ExportCheck>& check)
{
    if (!check)
        return "It was not run (--no-check).";
    return check->ran ? "It " + sentences::sentence(check->message) + "."
                      : "It was not run here: " + sentences::sentence(check->message);
}

int run(const Export& options, Session& session)
{
    auto store = store::Store::open(session.common.store, store::OpenMode::readOnly);
    if (!store)
        return session.terminal.fail(store.error());
    const auto found = findTrial(*store, options.trial);
    if (!found)
        return session.terminal.fail(found.error());
    if (const auto refusal = whyNotRun(found->snapshot.study, text::toText(found->id)))
        return session.terminal.fail(*refusal);
    // Only packages of one batch each can be joined.
    const auto others = options.allBatches ? exports::otherBatches(found->snapshot, found->trial())
                                           : std::vector<const model::Trial*>();
    if (options.allBatches && others.empty())
        return session.terminal.fail(
            base::plainError(base::ErrorCode::invalidArgument,
                             "Trial " + text::toText(found->id) + " is the only batch of its package.", {},
                             "--all-batches is for trials that were compiled ahead of time for one batch, "
                             "when others were measured, too."));
    if (!options.batchWait.empty() && !exports::servesRequests(options.target))
        return session.terminal.fail(
            base::plainError(base::ErrorCode::invalidArgument,
                             "--batch-wait has no meaning for --target " + std::string(toString(options.target)) + ".",
                             {}, "It is for --target server and triton, which join requests into batches."));
    const auto serving = servingChoice(options.batchWait, *store, found->id);
    if (!serving)
        return session.terminal.fail(serving.error());
    // The export runs the program once and trusts the folder afterwards, so the model has to be trusted.
    if (const auto allowed = models::requireTrustedModel(found->snapshot.study.model); !allowed)
        return session.terminal.fail(allowed.error());
    const auto package = packageOf(*found, others, session);
    if (!package)
        return session.terminal.fail(package.error());
    // The export copies a converted model where the cache has one.
    const auto converted = [&](const std::string& format) {
        return models::convertedFile(found->snapshot.study.model, format, found->trial().config.batch);
    };
    const auto files =
        exports::planExport(found->snapshot, found->trial(), options.target, *package, others, converted, *serving);
    if (!files)
        return session.terminal.fail(files.error());
    std::optional<models::ExportCheck> check;
    const auto written =
        // The check runs before the folder gets its name, so that a failed export leaves nothing.
        exports::writeExport(*files, options.dir, options.force, checkFolder(*found, options, session, check));
    if (!written)
        return session.terminal.fail(written.error());
    // The folder was written here, so its program may run without a question.
    models::trustFolder(options.dir);
    Json names = Json::array();
    for (const fs::path& file : *written)
        names.push_back(file.string());
    session.terminal.document(
        {{"schema", "apertune.export/1"},
         {"trial", text::toText(found->id)},
         {"target", toString(options.target)},
         {"dir", fs::absolute(options.dir).lexically_normal().string()},
         {"files", names},
         {"check", check ? Json{{"ran", check->ran},
                                {"message", sentences::sentence(check->message)},
                                {"verdict", check->verdict ? Json(toString(*check->verdict)) : Json(nullptr)}}
                         : Json(nullptr)}});
    session.terminal.text("Wrote " + base::counted(static_cast<std::int64_t>(written->size()), "file") + " into " +
                          options.dir.string() + ". " + checkSentence(check) + "\nNext:\n" +
                          nextSteps(options, found->trial().config.backend));
    return kDone;
}

Action declareExport(CLI::App& app)
{
    auto options = std::make_shared<Export>();
    addArgument(app, "TRIAL", options->trial, kTrialHelp);
    Choices<exports::ExportTarget> targets;
    for (const auto& [target, word] : exports::kExportTargets)
        targets.emplace_back(word, target);
    addChoice<exports::ExportTarget>(app, "--target", options->target, targets,
                                     "Kind of folder to write: a program, the configuration alone (json), an HTTP "
                                     "server, or a model repository for NVIDIA Triton")
        ->required();
    app.add_option("--out", options->dir, "Folder to write")->type_name("DIR")->required();
    app.add_flag("--force", options->force, "Write into a folder that is not empty");
    app.add_flag("--no-check", options->noCheck, "Write the folder without running its program once");
    app.add_flag("--all-batches", options->allBatches,
                 "Put every measured batch of a compiled trial into one package; the program takes --batch");
    app.add_option("--batch-wait", options->batchWait,
                   "Longest wait of a request for a full batch, server and triton only (default: that of the best "
                   "server load of the trial, else half of a pass)")
        ->type_name("TIME");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb exportVerb()
{
    return {.path = {"export"},
            .group = Group::tune,
            .summary = "Export a trial as a folder with a program that runs it",
            .examples = R"(  apertune export best --target python --out r50
  apertune export t14 --target cpp --out r50-cpp --force
  apertune export best --target server --out r50-server --batch-wait 2ms
  apertune verify r50                       still as fast as measured?)",
            .takes = Takes::untrustedCode,
            .documents = {{"apertune.export/1",
                           "`trial`, `target`, `dir`, `files`, `check`: null with `--no-check`, else `ran`, "
                           "`message` (what came of running the program once, or why it could not be run on this "
                           "machine) and `verdict` (`inside`, `outside`: faster than measured, `cannot_tell`; null: "
                           "its time was not measured)"}},
            .declare = declareExport};
}

} // namespace apertune::cli

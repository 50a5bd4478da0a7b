// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_sheet.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "core/base/clock.h"
#include "core/text/text_table.h"
#include "core/worker/added_engines.h"
#include "core/worker/installation.h"

#include <nlohmann/json.hpp>

#include <atomic>

namespace apertune::cli {

using base::Json;

namespace {

struct EngineAdd
{
    std::string name;
    std::string index;
    bool again = false;
};

Json addedDocument(const worker::EngineState& engine, const std::vector<worker::AddedPackage>& packages)
{
    Json list = Json::array();
    for (const worker::AddedPackage& package : packages)
        list.push_back({{"name", package.name},
                        {"version", package.version},
                        {"sha256", package.sha256.empty() ? Json(nullptr) : Json(package.sha256)}});
    return {{"schema", "apertune.engine_added/1"}, {"engine", engineJson(engine)}, {"packages", list}};
}

int run(const EngineAdd& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto installation = worker::Installation::locate();
    auto engine = findEngine(worker::engineStates(installation), options.name);
    if (!engine)
        return terminal.fail(engine.error());
    if (!engine->missing && !engine->folder.empty() && !options.again) {
        terminal.document(addedDocument(*engine, {}));
        terminal.text(titleWithVersion(*engine) + " is there already: " + engine->folder.string() +
                      "\nInstall it into Apertune's own folder nevertheless: apertune engine add " + engine->backend +
                      " --again");
        return kDone;
    }
    if (!worker::canBeAdded(*engine))
        return terminal.fail(engine->missing
                                 ? *engine->missing
                                 : base::plainError(base::ErrorCode::unsupported,
                                                    "There are no packages of " + engine->title + " to install.", {},
                                                    "Install it as its vendor describes."));

    terminal.note("Installing " + base::join(engine->requirements, " ") + " into " +
                  worker::addedEngineFolder(engine->backend).string());
    const auto bytes = std::make_shared<std::atomic<std::int64_t>>(0);
    const auto begin = base::monotonicNow();
    terminal.liveStatus([bytes, begin, title = engine->title](base::Nanoseconds now) {
        return "Adding " + title + ": " + base::formatBytes({bytes->load()}) + " so far, " + elapsedText(now - begin);
    });
    const auto added = worker::addEngine(
        installation, *engine, options.index, [&](base::Bytes now) { *bytes = now.count; }, session.interrupt.token());
    terminal.status("");
    if (!added)
        return terminal.fail(added.error());
    const auto now = findEngine(worker::engineStates(worker::Installation::locate()), engine->backend);
    if (now->missing)
        return terminal.fail(*now->missing);
    terminal.document(addedDocument(*now, added->packages));
    text::TextTable table({{"Package"}, {"Version"}, {"SHA-256 of its wheel"}});
    for (const worker::AddedPackage& package : added->packages)
        table.addRow(
            {package.name, package.version, package.sha256.empty() ? "–" : package.sha256.substr(0, 16) + "…"});
    terminal.text(table.render(terminal.width()) + "\n" + titleWithVersion(*now) + " was added in " +
                  elapsedText(base::monotonicNow() - begin) + ": " + base::formatBytes(added->size) + " in " +
                  added->folder.string() + "\nCheck it: apertune device list; remove it: apertune engine remove " +
                  now->backend);
    return kDone;
}

Action declareEngineAdd(CLI::App& app)
{
    auto options = std::make_shared<EngineAdd>();
    addArgument(app, "NAME", options->name, "Engine as `apertune engine list` names it");
    addText(app, "--index-url", "Package index (default: the one that pip is configured for)",
            [options](const std::string& text) -> base::Status {
                options->index = text;
                return {};
            })
        ->type_name("URL");
    app.add_flag("--again", options->again, "Reinstall an engine that is there already");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb engineAddVerb()
{
    return {.path = {"engine", "add"},
            .group = Group::manage,
            .summary = "Install an inference engine into Apertune's own folder, with pip",
            .examples = R"(  apertune engine add libtorch
  apertune engine add libtorch --again --index-url URL)",
            .takes = Takes::json,
            .documents = {{"apertune.engine_added/1",
                           "`engine` as in `apertune.engines/1`, `packages` that were installed (`name`, `version`, "
                           "`sha256` of its wheel); empty when the engine was there"}},
            .declare = declareEngineAdd};
}

} // namespace apertune::cli

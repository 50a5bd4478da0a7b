// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/exports/platform_matrix.h"
#include "core/model/interval_json.h"
#include "core/probe/device_probe.h"
#include "core/sentences/sentences.h"
#include "core/study/study_runner.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

constexpr int kWidestName = 60;

struct PlatformList
{
    std::string platform; ///< the only one to show; empty: all
    std::vector<std::filesystem::path> also;
};

/// What the matrix is made from. Each study knows the workspace that it was loaded from.
struct Known
{
    std::vector<model::StudySnapshot> studies;
    std::vector<model::ModelRef> models;
};

base::Status addWorkspace(const std::filesystem::path& file, Known& known)
{
    const auto store = store::Store::open(file, store::OpenMode::readOnly);
    if (!store)
        return store.error();
    const auto studies = store->studies();
    if (!studies)
        return studies.error();
    for (const store::StudySummary& summary : *studies) {
        auto snapshot = study::loadStudy(*store, summary.id);
        if (!snapshot)
            return snapshot.error();
        known.studies.push_back(std::move(*snapshot));
    }
    auto models = store->models();
    if (!models)
        return models.error();
    std::move(models->begin(), models->end(), std::back_inserter(known.models));
    return {};
}

const model::Trial& bestOf(const Known& known, const exports::PlatformCell& cell)
{
    return *known.studies[cell.best->study].find(cell.best->trial);
}

Json bestJson(const Known& known, const exports::PlatformCell& cell)
{
    if (!cell.best)
        return nullptr;
    const model::StudySnapshot& snapshot = known.studies[cell.best->study];
    const model::Trial& trial = bestOf(known, cell);
    Json latency = model::intervalJson("median", trial.measurement.latencyNs, base::kMsPerNs);
    latency["confidence"] = trial.measurement.latencyNs.confidence;
    latency["blocks"] = trial.measurement.blocks.size();
    return {{"workspace", snapshot.workspace.string()},
            {"study", text::toText(snapshot.study.id)},
            {"trial", text::toText(trial.id)},
            {"model", snapshot.study.model.name},
            {"device", cell.best->device},
            {"backend", trial.config.backend},
            {"precision", model::toString(trial.config.precision)},
            {"batch", trial.config.batch},
            {"latency_ms", latency}};
}

Json rowJson(const Known& known, const exports::PlatformRow& row)
{
    Json cells = Json::array();
    for (const exports::PlatformCell& cell : row.cells)
        cells.push_back({{"family", model::toString(cell.family)},
                         {"state", toString(cell.state)},
                         {"here", cell.here},
                         {"there", cell.there},
                         {"best", bestJson(known, cell)},
                         {"command", cell.command.empty() ? Json() : Json(cell.command)}});
    const exports::Platform& platform = *row.platform;
    return {{"name", platform.name},           {"title", platform.title},
            {"device", platform.device},       {"engine", exports::engineOf(platform).title},
            {"kit", !platform.target.empty()}, {"requirement", platform.requirement},
            {"remark", platform.remark},       {"cells", cells}};
}

std::string timeText(const model::Trial& trial)
{
    return text::formatPlusMinus(trial.measurement.latencyNs, base::kMsPerNs) + " ms b" +
           std::to_string(trial.config.batch);
}

/// "here 12: 3.21 ± 0.02 ms b1"; empty where nothing was tried, so that a narrow terminal shows what there is.
std::string cellText(const Known& known, const exports::PlatformCell& cell)
{
    if (cell.state == exports::CellState::exportable)
        return "exportable";
    if (!cell.best)
        return {};
    return (cell.here > 0 ? "here " + std::to_string(cell.here) : "there " + std::to_string(cell.there)) + ": " +
           timeText(bestOf(known, cell));
}

std::string matrixText(const Known& known, const std::vector<exports::PlatformRow>& rows, int width)
{
    std::vector<text::TextTable::Column> columns{{"Platform"}};
    for (const model::ModelFamily family : model::kAllFamilies)
        columns.push_back({std::string(model::titleOf(family)), text::Align::right});
    text::TextTable table(columns);
    for (const exports::PlatformRow& row : rows) {
        std::vector<std::string> cells{row.platform->name};
        for (const exports::PlatformCell& cell : row.cells)
            cells.push_back(cellText(known, cell));
        table.addRow(std::move(cells));
    }
    return table.render(width) + "\nhere: Apertune measured so many trials; there: a measuring kit did, on another "
                                 "machine. The time is that of the trial with the shortest one of a sample.\n"
                                 "exportable: `apertune kit` can write a kit of a model of the workspace. Nothing: "
                                 "never tried.\n"
                                 "`apertune platform list PLATFORM` shows what would measure the others.";
}

std::string stateText(const exports::PlatformCell& cell)
{
    switch (cell.state) {
    case exports::CellState::measuredHere:
        return "measured here";
    case exports::CellState::measuredThere:
        return "measured there";
    case exports::CellState::exportable:
        return "exportable";
    case exports::CellState::neverTried:
        break;
    }
    return "never tried";
}

std::string platformText(const Known& known, const exports::PlatformRow& row, int width)
{
    const exports::Platform& platform = *row.platform;
    text::TextTable table({{"Model family"},
                           {"State"},
                           {"Here", text::Align::right},
                           {"There", text::Align::right},
                           {"Best", text::Align::left, true}});
    std::string commands; // A column would cut them.
    for (const exports::PlatformCell& cell : row.cells) {
        std::string best;
        if (cell.best) {
            const model::StudySnapshot& snapshot = known.studies[cell.best->study];
            best = timeText(bestOf(known, cell)) + ", " + text::toText(cell.best->trial) + " of " +
                   text::elide(base::printableLine(snapshot.study.model.name), kWidestName) + " on " +
                   text::elide(base::printableLine(cell.best->device), kWidestName);
        }
        table.addRow({std::string(model::titleOf(cell.family)), stateText(cell), std::to_string(cell.here),
                      std::to_string(cell.there), best});
        if (!cell.command.empty())
            commands += "\n  " + cell.command;
    }
    return platform.title + ", through " + exports::engineOf(platform).title + "\nNeeds " + platform.requirement +
           ".\nNote: " + platform.remark + ".\n\n" + table.render(width) +
           (commands.empty() ? "" : "\nTo measure the others:" + commands);
}

int run(const PlatformList& options, Session& session)
{
    Known known;
    std::vector<std::filesystem::path> files{session.common.store};
    files.insert(files.end(), options.also.begin(), options.also.end());
    for (const std::filesystem::path& file : files) {
        const auto added = addWorkspace(file, known);
        // The platforms are there before the first workspace is.
        if (!added && added.error().code == base::ErrorCode::notFound && file == session.common.store)
            session.terminal.note(sentences::sentence(added.error().message) + " So nothing was measured.");
        else if (!added)
            return session.terminal.fail(added.error());
    }
    std::vector<exports::PlatformRow> rows =
        exports::platformMatrix(known.studies, known.models, probe::probeDevices());
    if (!options.platform.empty()) {
        std::erase_if(
            rows, [&](const exports::PlatformRow& row) { return row.platform->name != base::lower(options.platform); });
        if (rows.empty()) {
            std::vector<std::string> names;
            for (const exports::Platform& platform : exports::platforms())
                names.push_back(platform.name);
            return session.terminal.fail(invalidValue("PLATFORM", options.platform, names));
        }
    }
    for (exports::PlatformRow& row : rows)
        for (exports::PlatformCell& cell : row.cells)
            if (!cell.command.empty())
                cell.command += text::storeOption(session.common.store);
    Json list = Json::array();
    for (const exports::PlatformRow& row : rows)
        list.push_back(rowJson(known, row));
    session.terminal.document({{"schema", "apertune.platforms/1"}, {"platforms", list}});
    session.terminal.text(options.platform.empty() ? matrixText(known, rows, session.terminal.width())
                                                   : platformText(known, rows.front(), session.terminal.width()));
    return kDone;
}

Action declarePlatformList(CLI::App& app)
{
    auto options = std::make_shared<PlatformList>();
    app.add_option("PLATFORM", options->platform, "Show this one alone, with the commands that measure its cells")
        ->type_name("");
    app.add_option("--also", options->also, "A further workspace; repeatable")
        ->type_name("FILE")
        ->allow_extra_args(false);
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb platformListVerb()
{
    return {.path = {"platform", "list"},
            .group = Group::manage,
            .summary = "Show which families of models were measured on which platforms",
            .examples = R"(  apertune platform list
  apertune platform list rocm                         with the commands that would measure each family
  apertune platform list --also other.apertune --json)",
            .takes = Takes::workspace,
            .documents = {{"apertune.platforms/1",
                           "`platforms`: each `name`, `title`, `device` (id in trials), `engine`, `kit` (there is a "
                           "measuring kit), `requirement`, `remark`, `cells`: each `family` (`vit`, `resnet`, `detr`, "
                           "`swin`, `convnext`, `diffusion`), `state` (`measured_here`, `measured_there`: by a kit, "
                           "`exportable`, `never_tried`), `here` and `there` (measured trials), `best` (null, or the "
                           "trial with the shortest time of a sample: `workspace`, `study`, `trial`, `model`, "
                           "`device`, `backend`, `precision`, `batch`, `latency_ms` with `median`, `lo`, `hi`, "
                           "`confidence`, `blocks`), `command` (what would measure it; null where trials are, and "
                           "where nothing here can)"}},
            .declare = declarePlatformList};
}

} // namespace apertune::cli

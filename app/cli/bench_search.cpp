// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"
#include "app/cli/tpe_search.h"
#include "app/cli/verbs.h"
#include "core/base/escape.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/report/text_table.h"
#include "core/search/benchmark.h"
#include "core/search/live.h"
#include "core/worker/installation.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::cli {

namespace {

using base::Json;
using search::Contestant;

std::string percentText(const model::Interval& share)
{
    const auto text = [](double value) { return base::formatSignificant(value * 100, 3); };
    const std::string value = text(share.value);
    return share.confidence > 0 ? value + " [" + text(share.lo) + ", " + text(share.hi) + "]" : value;
}

Json intervalJson(const model::Interval& i)
{
    return {{"value", i.value}, {"lo", i.lo}, {"hi", i.hi}, {"confidence", i.confidence}};
}

base::Result<std::vector<search::BruteTable>> tablesOf(const BenchSearch& options)
{
    std::vector<search::BruteTable> tables;
    for (const std::filesystem::path& file : options.tables) {
        auto loaded = search::loadTables(file, options.variants);
        if (!loaded) {
            base::Error error = loaded.error();
            error.context = file.string();
            return error;
        }
        for (search::BruteTable& table : *loaded)
            tables.push_back(std::move(table));
    }
    if (options.fromStudies.empty())
        return tables;
    const auto store = store::Store::open(options.common.store, store::OpenMode::readOnly);
    if (!store)
        return store.error();
    for (const std::string& study : options.fromStudies) {
        const auto snapshot = loadStudyOf(*store, study);
        if (!snapshot)
            return snapshot.error();
        std::vector<std::string> devices;
        for (const model::Trial& trial : snapshot->trials)
            if (std::find(devices.begin(), devices.end(), trial.device) == devices.end())
                devices.push_back(trial.device);
        for (const std::string& device : devices) {
            auto table = search::tableFromStudy(*snapshot, device, options.role);
            if (!table)
                return table.error();
            tables.push_back(std::move(*table));
        }
    }
    return tables;
}

int record(const BenchSearch& options, const std::vector<search::BruteTable>& tables, Session& session)
{
    if (const auto written = base::writeFileAtomically(options.record, search::toJson(tables).dump() + "\n"); !written)
        return session.terminal.fail(written.error());
    std::size_t cells = 0;
    for (const search::BruteTable& table : tables)
        cells += table.cells.size();
    session.terminal.document({{"schema", "apertune.recorded_table/1"},
                               {"file", options.record.string()},
                               {"tables", tables.size()},
                               {"cells", cells}});
    session.terminal.text("Recorded " + std::to_string(cells) + " cells of " + std::to_string(tables.size()) +
                          (tables.size() == 1 ? " table: " : " tables: ") + options.record.string() +
                          "\nNext: apertune bench-search " + base::shellQuoted(options.record.string()) + "\n");
    return kDone;
}

/// A search that a study made beside the brute force of another.
int compareLive(const BenchSearch& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto store = store::Store::open(options.common.store, store::OpenMode::readOnly);
    if (!store)
        return terminal.fail(store.error());
    const auto brute = loadStudyOf(*store, options.fromStudies.front());
    const auto searched = loadStudyOf(*store, options.live);
    if (!brute || !searched)
        return terminal.fail(!brute ? brute.error() : searched.error());
    const auto result = search::compareLive(*brute, *searched);
    if (!result)
        return terminal.fail(result.error());
    terminal.document({{"schema", "apertune.live_search/1"},
                       {"search", searched->study.space.search},
                       {"cells", result->cells},
                       {"measured", result->measured},
                       {"best", result->best},
                       {"winner", result->winner},
                       {"regret", result->regret},
                       {"measuring_share", result->measuring},
                       {"wall_share", result->wall}});
    terminal.text(searched->study.space.search + " looked at " + std::to_string(result->measured) + " of " +
                  std::to_string(result->cells) + " cells, for " + base::formatPercent(result->measuring) +
                  " of brute force's measuring time and " + base::formatPercent(result->wall) +
                  " of its wall time.\n  by brute force  " + result->best + "\n  by the search   " + result->winner +
                  ", " + base::formatPercent(result->regret) + " from the best\n");
    return kDone;
}

/// The columns that searches and tables are told in.
report::TextTable figuresOf(const std::string& what)
{
    return report::TextTable({{what, report::Align::left},
                              {"Within 2 %", report::Align::right},
                              {"Regret %", report::Align::right},
                              {"Measuring %", report::Align::right},
                              {"Wall %", report::Align::right}});
}

std::string scoreTable(const search::Benchmark& result, int width)
{
    report::TextTable table = figuresOf("  Search");
    for (const search::Score& score : result.scores)
        table.addRow({"  " + score.name, percentText(score.near), percentText(score.regret),
                      percentText(score.measuring), percentText(score.wall)});
    return table.render(width);
}

std::string tableRows(const search::Score& score, int width)
{
    report::TextTable table = figuresOf("  " + score.name + " on");
    const auto text = [](double share) { return base::formatSignificant(share * 100, 3); };
    for (const search::Score::Table& t : score.byTable)
        table.addRow({"  " + t.name, text(t.near), text(t.regret), text(t.measuring), text(t.wall)});
    return table.render(width) + "\n";
}

/// The first search's regret against that of the others.
std::string ratios(const search::Benchmark& result)
{
    std::string text;
    for (std::size_t i = 1; i < result.scores.size(); ++i)
        if (const search::Score& score = result.scores[i]; score.name != "grid")
            text += "  " + result.scores.front().name + "'s regret is " + percentText(score.firstToThis) + " % of " +
                    score.name + "'s in the same time.\n";
    return text;
}

} // namespace

int run(const BenchSearch& options, Session& session)
{
    if (!options.live.empty())
        return compareLive(options, session);
    const auto tables = tablesOf(options);
    if (!tables)
        return session.terminal.fail(tables.error());
    if (!options.record.empty())
        return record(options, *tables, session);
    for (const search::BruteTable& table : *tables)
        if (!table.best())
            return session.terminal.fail({base::ErrorCode::invalidArgument, "In a table no cell meets the goal.",
                                          table.name, "Record another: `apertune bench-search --from-study`."});

    for (const search::BruteTable& table : *tables)
        if (table.role == "tuning") {
            session.terminal.note("Some of these tables helped to make racing, so they do not judge it.");
            break;
        }

    std::unique_ptr<TpeProcess> tpe;
    std::vector<Contestant> contestants;
    std::vector<std::string> absent;
    for (const std::string& name : options.algorithms) {
        if (const auto algorithm = search::algorithmFromString(name)) {
            const auto budget = name == "racing" ? Contestant::Budget::wall
                                : name == "grid" ? Contestant::Budget::none
                                                 : Contestant::Budget::equal;
            contestants.push_back({name,
                                   [a = *algorithm](const search::SearchTask& task, std::uint64_t seed) {
                                       return search::makeSearcher(a, task, seed);
                                   },
                                   budget});
            continue;
        }
        if (!tpe) {
            const worker::Installation here = worker::Installation::locate();
            auto started = TpeProcess::start(options.python.empty() ? here.python : options.python,
                                             here.exporter.parent_path() / "search" / "tpe.py");
            if (!started) {
                absent.push_back(name + ": " + started.error().message + " " + started.error().hint);
                session.terminal.note(absent.back());
                continue;
            }
            tpe = std::move(*started);
        }
        contestants.push_back({name,
                               [&tpe, quick = name == "tpe-quick"](const search::SearchTask& task, std::uint64_t seed) {
                                   return tpe->make(task, seed, quick);
                               },
                               Contestant::Budget::equal});
    }
    // The others get the time that racing took, so it goes first.
    std::stable_partition(contestants.begin(), contestants.end(),
                          [](const Contestant& c) { return c.budget == Contestant::Budget::wall; });

    search::BenchmarkOptions how;
    how.sweeps = static_cast<std::size_t>(options.sweeps);
    how.wallShare = options.wallShare;
    how.seed = options.seed;
    how.progress = [&](std::size_t done, std::size_t of) {
        session.terminal.status("Sweep " + std::to_string(done) + " of " + std::to_string(of));
        return !session.interrupt.token().stop_requested();
    };
    const search::Benchmark result = search::benchmark(*tables, contestants, how);
    const bool interrupted = session.interrupt.token().stop_requested();

    Json scores = Json::array();
    for (const search::Score& score : result.scores) {
        Json rows = Json::array();
        for (const search::Score::Table& t : score.byTable)
            rows.push_back({{"name", t.name},
                            {"cells", t.cells},
                            {"within_2_percent", t.near},
                            {"regret", t.regret},
                            {"measuring_share", t.measuring},
                            {"wall_share", t.wall}});
        scores.push_back({{"search", score.name},
                          {"sweeps", score.sweeps},
                          {"within_2_percent", intervalJson(score.near)},
                          {"regret", intervalJson(score.regret)},
                          {"regret_of_first_to_this", intervalJson(score.firstToThis)},
                          {"measuring_share", intervalJson(score.measuring)},
                          {"wall_share", intervalJson(score.wall)},
                          {"most_oom_of_a_family", score.mostOutOfMemory},
                          {"tables", rows}});
    }
    session.terminal.document({{"schema", "apertune.search_benchmark/1"},
                               {"tables", result.tables},
                               {"cells", result.cells},
                               {"brute_measuring_s", result.bruteMeasuring.seconds()},
                               {"brute_wall_s", result.bruteWall.seconds()},
                               {"optuna", tpe ? Json(tpe->version()) : Json(nullptr)},
                               {"absent", absent},
                               {"scores", scores}});
    const std::size_t sweeps = result.scores.empty() ? 0 : result.scores.front().sweeps;
    session.terminal.text(std::to_string(sweeps) + " sweeps of " + std::to_string(result.tables) + " tables with " +
                          std::to_string(result.cells) + " cells; brute force measures " +
                          base::formatDuration(result.bruteMeasuring) + " and takes " +
                          base::formatDuration(result.bruteWall) + " for all once.\n\n" +
                          scoreTable(result, session.terminal.width()) + "\n" +
                          (options.byTable ? tableRows(result.scores.front(), session.terminal.width()) : "") +
                          ratios(result) + "  Shares are of brute force's; [95 % intervals].\n");
    return interrupted ? kInterrupted : kDone;
}

} // namespace apertune::cli

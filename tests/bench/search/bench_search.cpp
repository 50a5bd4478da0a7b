// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares searches on grids that were measured to the end. table.md is the format of the files.
//
//   bench_search tests/bench/search/curves_held_out.json --sweeps 500
//   bench_search --store FILE --from-study s3,s4 --record grids.json    keeps grids (tune --search grid)
//   bench_search grid.json --algorithms racing,halving,tpe --json
//
// Ctrl-C ends the comparison; what was done until then is printed, with exit code 130. Exit code 2 is bad input.
#include "core/base/escape.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/search/algorithm.h"
#include "core/sentences/sentences.h"
#include "core/store/store.h"
#include "core/study/study_runner.h"
#include "core/text/text_table.h"
#include "core/worker/installation.h"
#include "tests/bench/search/benchmark.h"
#include "tests/bench/search/live.h"
#include "tests/bench/search/tpe_search.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>

namespace apertune::search::bench {

namespace {

using base::Error;
using base::ErrorCode;
using base::Json;

constexpr int kDone = 0;
constexpr int kBadInput = 2;
constexpr int kInterrupted = 130;
constexpr const char* kSecondRace = "racing-again";
constexpr int kWidth = 0; ///< columns of printed tables; 0: as wide as they are

volatile std::sig_atomic_t g_interrupted = 0;

struct Options
{
    std::filesystem::path store = base::defaultWorkspace();
    bool json = false;
    std::vector<std::filesystem::path> tables;
    std::vector<std::string> fromStudies;
    std::string live;              ///< a study that searched what fromStudies[0] measured to the end; empty: none
    std::filesystem::path record;  ///< file to record tables in; empty: the algorithms are compared
    std::string role = "held_out"; ///< role of the recorded tables (BruteTable::role)
    std::vector<std::string> algorithms{"racing", kSecondRace, "halving", "random", "tpe", "tpe-quick"};
    int sweeps = 500;
    int variants = 10;
    bool byTable = false; ///< whether each table has a line, too
    double wallShare = 0.20;
    std::filesystem::path python; ///< Python for TPE; empty: that of the installation
    std::uint64_t seed = 1;
};

/// Prints the failure on stderr. Returns the exit code.
int fail(const Error& error)
{
    std::fprintf(stderr, "bench_search: %s%s%s%s%s\n", sentences::sentence(error.message).c_str(),
                 error.context.empty() ? "" : " ", error.context.c_str(), error.hint.empty() ? "" : "\n  ",
                 sentences::sentence(error.hint).c_str());
    return kBadInput;
}

void note(const std::string& text)
{
    std::fprintf(stderr, "%s\n", text.c_str());
}

/// Prints the result: the document with --json, the text without.
void print(const Options& options, const Json& document, const std::string& text)
{
    std::printf("%s\n", options.json ? document.dump(2).c_str() : text.c_str());
}

/// "s3" or "3".
base::Result<model::StudySnapshot> loadStudyOf(const store::Store& store, std::string_view text)
{
    text.remove_prefix(text.starts_with('s') ? 1 : 0);
    std::int64_t number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || end != text.data() + text.size())
        return base::plainError(ErrorCode::invalidArgument, "\"" + std::string(text) + "\" is not a study.", {},
                                "Write for example s3; `apertune study list` lists them.");
    return study::loadStudy(store, model::StudyId{number});
}

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

base::Result<std::vector<BruteTable>> tablesOf(const Options& options)
{
    std::vector<BruteTable> tables;
    for (const std::filesystem::path& file : options.tables) {
        auto loaded = loadTables(file, options.variants);
        if (!loaded) {
            Error error = loaded.error();
            error.context = file.string();
            return error;
        }
        for (BruteTable& table : *loaded)
            tables.push_back(std::move(table));
    }
    if (options.fromStudies.empty())
        return tables;
    const auto store = store::Store::open(options.store, store::OpenMode::readOnly);
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
            auto table = tableFromStudy(*snapshot, device, options.role);
            if (!table)
                return table.error();
            tables.push_back(std::move(*table));
        }
    }
    return tables;
}

int record(const Options& options, const std::vector<BruteTable>& tables)
{
    if (const auto written = base::writeFileAtomically(options.record, toJson(tables).dump() + "\n"); !written)
        return fail(written.error());
    std::size_t configurations = 0;
    for (const BruteTable& table : tables)
        configurations += table.configurations.size();
    print(options,
          {{"schema", "apertune.recorded_table/1"},
           {"file", options.record.string()},
           {"tables", tables.size()},
           {"cells", configurations}},
          "Recorded " + std::to_string(configurations) + " configurations of " + std::to_string(tables.size()) +
              (tables.size() == 1 ? " table: " : " tables: ") + options.record.string() + "\nNext: bench_search " +
              base::shellQuoted(options.record.string()));
    return kDone;
}

/// A search that a study made beside the brute force of another.
int printLive(const Options& options)
{
    const auto store = store::Store::open(options.store, store::OpenMode::readOnly);
    if (!store)
        return fail(store.error());
    const auto brute = loadStudyOf(*store, options.fromStudies.front());
    const auto searched = loadStudyOf(*store, options.live);
    if (!brute || !searched)
        return fail(!brute ? brute.error() : searched.error());
    const auto result = compareLive(*brute, *searched);
    if (!result)
        return fail(result.error());
    const std::string searchWord(searched->study.space.search ? toString(*searched->study.space.search) : "");
    print(options,
          {{"schema", "apertune.live_search/1"},
           {"search", searchWord},
           {"cells", result->configurations},
           {"measured", result->measured},
           {"best", result->best},
           {"winner", result->winner},
           {"regret", result->regret},
           {"measuring_share", result->measuring},
           {"wall_share", result->wall}},
          searchWord + " looked at " + std::to_string(result->measured) + " of " +
              std::to_string(result->configurations) + " configurations, for " +
              base::formatPercent(result->measuring) + " of brute force's measuring time and " +
              base::formatPercent(result->wall) + " of its wall time.\n  by brute force  " + result->best +
              "\n  by the search   " + result->winner + ", " + base::formatPercent(result->regret) + " from the best");
    return kDone;
}

/// The columns that searches and tables are told in.
text::TextTable figuresOf(const std::string& what)
{
    return text::TextTable({{what, text::Align::left},
                            {"Within 2 %", text::Align::right},
                            {"Regret %", text::Align::right},
                            {"Measuring %", text::Align::right},
                            {"Wall %", text::Align::right}});
}

std::string scoreTable(const Benchmark& result, int width)
{
    text::TextTable table = figuresOf("  Search");
    for (const Score& score : result.scores)
        table.addRow({"  " + score.name, percentText(score.near), percentText(score.regret),
                      percentText(score.measuring), percentText(score.wall)});
    return table.render(width);
}

std::string tableRows(const Score& score, int width)
{
    text::TextTable table = figuresOf("  " + score.name + " on");
    const auto text = [](double share) { return base::formatSignificant(share * 100, 3); };
    for (const Score::Table& t : score.byTable)
        table.addRow({"  " + t.name, text(t.near), text(t.regret), text(t.measuring), text(t.wall)});
    return table.render(width) + "\n";
}

/// The first search's regret against that of the others.
std::string ratios(const Benchmark& result)
{
    std::string text;
    for (std::size_t i = 1; i < result.scores.size(); ++i)
        if (const Score& score = result.scores[i]; score.name != "grid")
            text += "  " + result.scores.front().name + "'s regret is " + percentText(score.firstToThis) + " % of " +
                    score.name + "'s in the same time.\n";
    return text;
}

/// When the best of each search stays within kSoon of the best configuration, and what failures cost.
std::string timesToGood(const Benchmark& result)
{
    std::string text;
    for (const Score& score : result.scores)
        text += "  " + score.name + " is within " + base::formatPercent(kSoon) + " of the best after " +
                percentText(score.soon) + " % of the wall time; " + percentText(score.failing) +
                " % of its own wall time went into configurations that cannot run.\n";
    return text;
}

int run(const Options& options)
{
    if (!options.live.empty())
        return printLive(options);
    const auto tables = tablesOf(options);
    if (!tables)
        return fail(tables.error());
    if (!options.record.empty())
        return record(options, *tables);
    for (const BruteTable& table : *tables)
        if (!table.best())
            return fail(base::plainError(ErrorCode::invalidArgument, "In a table no configuration meets the goal.",
                                         table.name, "Record another: `bench_search --from-study`."));

    for (const BruteTable& table : *tables)
        if (table.role == "tuning") {
            note("Some of these tables helped to make racing, so they do not judge it.");
            break;
        }

    std::unique_ptr<TpeProcess> tpe;
    std::vector<Candidate> candidates;
    std::vector<std::string> absent;
    for (const std::string& name : options.algorithms) {
        if (const auto algorithm = model::searchAlgorithmFromString(name)) {
            const auto budget = name == "racing" ? Candidate::Budget::wall
                                : name == "grid" ? Candidate::Budget::none
                                                 : Candidate::Budget::equal;
            candidates.push_back({name,
                                  [a = *algorithm](const BruteTable&, const SearchTask& task, std::uint64_t seed) {
                                      return makeSearcher(a, task, seed);
                                  },
                                  budget});
            continue;
        }
        if (name == kSecondRace) {
            candidates.push_back({name, makeSecondRace, Candidate::Budget::wall});
            continue;
        }
        if (!tpe) {
            const std::filesystem::path python =
                options.python.empty() ? worker::Installation::locate().python : options.python;
            auto started = TpeProcess::start(python, APERTUNE_TPE_SCRIPT);
            if (!started) {
                absent.push_back(name + ": " + sentences::sentence(started.error().message) + " " +
                                 sentences::sentence(started.error().hint));
                note(absent.back());
                continue;
            }
            tpe = std::move(*started);
        }
        candidates.push_back(
            {name,
             [&tpe, quick = name == "tpe-quick"](const BruteTable&, const SearchTask& task, std::uint64_t seed) {
                 return tpe->make(task, seed, quick);
             },
             Candidate::Budget::equal});
    }
    // The others get the time that racing took, so it goes first.
    std::stable_partition(candidates.begin(), candidates.end(),
                          [](const Candidate& c) { return c.budget == Candidate::Budget::wall; });

    BenchmarkOptions how;
    how.sweeps = static_cast<std::size_t>(options.sweeps);
    how.wallShare = options.wallShare;
    how.seed = options.seed;
    how.progress = [&](std::size_t done, std::size_t of) {
        if (::isatty(STDERR_FILENO))
            std::fprintf(stderr, "\rSweep %zu of %zu%s", done, of, done == of ? "\n" : "");
        return g_interrupted == 0;
    };
    const Benchmark result = benchmark(*tables, candidates, how);

    Json scores = Json::array();
    for (const Score& score : result.scores) {
        Json rows = Json::array();
        for (const Score::Table& t : score.byTable)
            rows.push_back({{"name", t.name},
                            {"cells", t.configurations},
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
                          {"wall_share_to_5_percent", intervalJson(score.soon)},
                          {"failing_share", intervalJson(score.failing)},
                          {"most_oom_of_a_family", score.mostOutOfMemory},
                          {"tables", rows}});
    }
    const Json document = {{"schema", "apertune.search_benchmark/1"},
                           {"tables", result.tables},
                           {"cells", result.configurations},
                           {"brute_measuring_s", result.bruteMeasuring.seconds()},
                           {"brute_wall_s", result.bruteWall.seconds()},
                           {"optuna", tpe ? Json(tpe->version()) : Json(nullptr)},
                           {"absent", absent},
                           {"scores", scores}};
    const std::size_t sweeps = result.scores.empty() ? 0 : result.scores.front().sweeps;
    print(options, document,
          std::to_string(sweeps) + " sweeps of " + std::to_string(result.tables) + " tables with " +
              std::to_string(result.configurations) + " configurations; brute force measures " +
              base::formatDuration(result.bruteMeasuring) + " and takes " + base::formatDuration(result.bruteWall) +
              " for all once.\n\n" + scoreTable(result, kWidth) + "\n" +
              (options.byTable ? tableRows(result.scores.front(), kWidth) : "") + ratios(result) + timesToGood(result) +
              "  Shares are of brute force's; [95 % intervals].");
    return g_interrupted ? kInterrupted : kDone;
}

const std::vector<std::string>& algorithms()
{
    static const std::vector<std::string> names{"racing", kSecondRace, "halving", "random", "grid", "tpe", "tpe-quick"};
    return names;
}

/// What CLI11 cannot check. `wall`: the text of --wall.
base::Status finish(Options& options, const std::string& wall)
{
    for (const std::string& name : options.algorithms)
        if (std::find(algorithms().begin(), algorithms().end(), name) == algorithms().end()) {
            const std::string nearest = base::closestMatch(name, algorithms());
            return base::plainError(ErrorCode::invalidArgument, "--algorithms: \"" + name + "\" is not a search.", {},
                                    nearest.empty() ? "Known: " + base::join(algorithms()) + "."
                                                    : "Did you mean " + nearest + "?");
        }
    if (!wall.empty()) {
        const auto share = base::parseShare("--wall", wall);
        if (!share)
            return share.error();
        options.wallShare = *share;
    }
    if (!options.live.empty() && (options.fromStudies.size() != 1 || !options.tables.empty()))
        return base::plainError(ErrorCode::invalidArgument, "--live needs the one study that it is compared with.", {},
                                "Name it: --from-study STUDY, the one with --search grid.");
    if (options.tables.empty() && options.fromStudies.empty())
        return base::plainError(
            ErrorCode::invalidArgument, "A table is missing.", {},
            "Name a file, or --from-study STUDY; curves to assemble tables from are in tests/bench/search.");
    return {};
}

int parseAndRun(int argc, char** argv)
{
    CLI::App app("Compares searches on grids that were measured to the end.", "bench_search");
    Options options;
    std::string wall;
    app.add_option("--store", options.store, "Workspace of --from-study (default: the user's own)")->type_name("FILE");
    app.add_flag("--json", options.json, "Print one JSON document on stdout");
    app.add_option("TABLE", options.tables, "Tables, or curves to assemble tables from")->type_name("");
    app.add_option("--from-study", options.fromStudies, "Finished studies as tables, one a device")
        ->type_name("STUDY,…")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--live", options.live,
                   "Compare this study, which searched the grid of --from-study, with the best of that grid")
        ->type_name("STUDY");
    CLI::Option* const record =
        app.add_option("--record", options.record, "Only write all tables to this file")->type_name("FILE");
    app.add_option("--role", options.role,
                   "Role of the recorded tables: held_out judges an algorithm, tuning helps to make it")
        ->needs(record)
        ->check(CLI::IsMember({"held_out", "tuning"}))
        ->capture_default_str();
    app.add_option("--algorithms", options.algorithms,
                   "Searches to compare: racing, racing-again (a race after a first one), halving, random, grid, tpe, "
                   "tpe-quick (default: all but grid; tpe "
                   "needs Optuna; quick: its trials are as short as racing's first round)")
        ->type_name("LIST")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--sweeps", options.sweeps, "Runs of each search, shared by the tables")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    app.add_option("--variants", options.variants, "Tables of each size assembled from curves")
        ->type_name("N")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_flag("--by-table", options.byTable, "Also print how the first search did on each table");
    app.add_option("--wall", wall, "Budget of racing as a share of brute force's wall time (default: 20%)")
        ->type_name("SHARE");
    app.add_option("--python", options.python, "Interpreter that has Optuna")->type_name("PROGRAM");
    app.add_option("--seed", options.seed, "Seed of the first sweep")->type_name("N")->capture_default_str();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kDone : kBadInput;
    }
    if (const base::Status good = finish(options, wall); !good)
        return fail(good.error());
    return run(options);
}

} // namespace

} // namespace apertune::search::bench

int main(int argc, char** argv)
{
    std::signal(SIGINT, [](int) { apertune::search::bench::g_interrupted = 1; });
    return apertune::search::bench::parseAndRun(argc, argv);
}

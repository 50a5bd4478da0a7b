// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb_options.h"
#include "core/base/text.h"

#include <algorithm>

namespace apertune::cli {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

const std::vector<std::string>& algorithms()
{
    static const std::vector<std::string> names{"racing", "halving", "random", "grid", "tpe", "tpe-quick"};
    return names;
}

struct BenchSearchTexts
{
    BenchSearch bench;
    std::string algorithms;
    std::string wall;
};

Result<Invocation> finish(const BenchSearchTexts& texts)
{
    BenchSearch bench = texts.bench;
    if (!texts.algorithms.empty()) {
        bench.algorithms = base::splitList(texts.algorithms);
        for (const std::string& name : bench.algorithms)
            if (std::find(algorithms().begin(), algorithms().end(), name) == algorithms().end()) {
                const std::string nearest = base::closestMatch(name, algorithms());
                return Error{ErrorCode::invalidArgument,
                             "--algorithms: \"" + name + "\" is not a search.",
                             {},
                             nearest.empty() ? "Known: " + base::join(algorithms()) + "."
                                             : "Did you mean " + nearest + "?"};
            }
    }
    if (!texts.wall.empty()) {
        const auto share = base::parseShare("--wall", texts.wall);
        if (!share)
            return share.error();
        bench.wallShare = *share;
    }
    if (!bench.live.empty() && (bench.fromStudies.size() != 1 || !bench.tables.empty()))
        return Error{ErrorCode::invalidArgument,
                     "--live needs the one study that it is compared with.",
                     {},
                     "Name it: --from-study STUDY, the one with --search grid."};
    if (bench.tables.empty() && bench.fromStudies.empty())
        return Error{
            ErrorCode::invalidArgument,
            "A table is missing.",
            {},
            "Name a file, or --from-study STUDY; curves to assemble tables from are in share/apertune/search."};
    return Invocation(std::move(bench));
}

} // namespace

std::vector<Verb> declareBenchSearch(CLI::App& app)
{
    auto texts = std::make_shared<BenchSearchTexts>();
    CLI::App* const verb =
        app.add_subcommand("bench-search", "Compare searches on grids that were measured to the end");
    verb->footer("Examples:\n"
                 "  apertune bench-search share/apertune/search/curves_held_out.json --sweeps 500\n"
                 "  apertune bench-search --from-study s3,s4 --record grids.json   keep grids (tune --search grid)\n"
                 "  apertune bench-search grid.json --algorithms racing,halving,tpe --json");
    BenchSearch& bench = texts->bench;
    addCommonOptions(*verb, bench.common);
    verb->add_option("TABLE", bench.tables, "Tables, or curves to assemble tables from")->type_name("");
    verb->add_option("--from-study", bench.fromStudies, "Finished studies as tables, one a device")
        ->type_name("STUDY,…")
        ->delimiter(',')
        ->allow_extra_args(false);
    verb->add_option(
            "--live", bench.live,
            "A study that searched the cells of --from-study live: how far from the best it ended, and for how "
            "much time")
        ->type_name("STUDY");
    CLI::Option* const record =
        verb->add_option("--record", bench.record, "Only write all tables to this file")->type_name("FILE");
    verb->add_option("--role", bench.role, "What they are for: held_out judges an algorithm, tuning helps to make it")
        ->needs(record)
        ->check(CLI::IsMember({"held_out", "tuning"}))
        ->capture_default_str();
    verb->add_option("--algorithms", texts->algorithms,
                     "Of racing,halving,random,grid,tpe,tpe-quick (default: all but grid; tpe needs Optuna; "
                     "quick: its trials are as short as racing's first look)")
        ->type_name("LIST");
    verb->add_option("--sweeps", bench.sweeps, "Searches by each, shared by the tables")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    verb->add_option("--variants", bench.variants, "Tables of each size assembled from curves")
        ->type_name("N")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    verb->add_flag("--by-table", bench.byTable, "How racing did on each table, too");
    verb->add_option("--wall", texts->wall, "Budget of racing as a share of brute force's wall time (default: 20%)")
        ->type_name("SHARE");
    verb->add_option("--python", bench.python, "Interpreter that has Optuna")->type_name("PROGRAM");
    verb->add_option("--seed", bench.seed, "Of the first sweep")->type_name("N")->capture_default_str();
    return {{verb, [texts] { return finish(*texts); }}};
}

} // namespace apertune::cli

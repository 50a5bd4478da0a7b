// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/study.h"
#include "core/search/searcher.h"

#include <filesystem>

namespace apertune::search::bench {

/// A grid measured to the end, to be searched again without the machine. Format: table.md.
struct BruteTable
{
    struct Configuration
    {
        std::size_t group = 0;
        int batch = 1;
        model::Reason failure{};       ///< empty: it ran
        double passNs = 0;             ///< the truth: median of a pass
        std::vector<double> samples{}; ///< ns a pass, in order; empty: drawn from passNs and the table's noise
        base::Nanoseconds block{};     ///< time of a sample; a longer block has several samples; 0: unknown
        base::Nanoseconds first{};     ///< first pass
        std::optional<base::Bytes> peak{};
    };
    struct Group
    {
        std::string label;
        base::Nanoseconds load{};
        base::Nanoseconds compile{}; ///< 0: nothing is compiled
        std::optional<std::size_t> plain{};
    };
    /// The noise of configurations without samples. Blocks spread normally by `between`. The share `disturbed` of them
    /// takes longer, by the share `longer`.
    struct Noise
    {
        double between = 0.008;
        double disturbed = 0.05;
        double longer = 0.15;
    };

    std::string name;
    std::string source; ///< where the figures come from
    std::string role;   ///< "tuning": looked at while the algorithm was made; "held_out": not
    std::optional<base::Bytes> memory{};
    model::Goal goal;
    Noise noise;
    std::vector<Group> groups;
    std::vector<Configuration> configurations;

    SearchTask task() const;
    double cost(std::size_t configuration)
        const; ///< the truth of the goal's objective; INFINITY where it failed or is not allowed
    std::optional<std::size_t> best() const;
};

base::Json toJson(const BruteTable& table);
/// Failures: corrupt, with what is wrong.
base::Result<BruteTable> tableFromJson(const base::Json& json);

/// Every configuration of a finished study on one device; configurations that were pruned or not measured are left out.
/// `role` as in BruteTable. Failures: notFound (nothing measured).
base::Result<BruteTable> tableFromStudy(const model::StudySnapshot& snapshot, const std::string& device,
                                        const std::string& role = "held_out");

/// The document of one table, or of several.
base::Json toJson(const std::vector<BruteTable>& tables);

/// Published throughput against batch: the material of assembled tables.
struct Curve
{
    std::string source;                         ///< document
    std::string what;                           ///< heading and column there
    std::vector<std::pair<int, double>> points; ///< batch ascending, samples/s
};

/// A grid put together from curves: each group is a curve drawn at random, between its points along straight lines on
/// a double logarithmic scale, scaled so that groups peak at a quarter to all of the same throughput, with memory a +
/// c·batch and load and compile times as networks have them. `compiled`: a third of the groups is compiled, 10 to 60
/// s each, and the device's memory cuts some groups off. About `configurations` configurations. REQUIRES: curves not
/// empty.
BruteTable assembleTable(const std::vector<Curve>& curves, std::size_t configurations, bool compiled,
                         std::uint64_t seed);

/// A file of any kind: tables as they are, curves assembled into tables of 64, 144, 400 and 2,000 configurations with
/// compiled groups and of 48, 96, 320 and 1,600 without, `variants` of each. Failures: io, corrupt.
base::Result<std::vector<BruteTable>> loadTables(const std::filesystem::path& file, int variants = 3);

} // namespace apertune::search::bench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/search/table.h"

#include "core/base/files.h"
#include "core/sentences/sentences.h"
#include "core/stats/block_stats.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace apertune::search::bench {

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

constexpr const char* kTableSchema = "apertune.table/1";
constexpr const char* kTablesSchema = "apertune.tables/1";
constexpr const char* kCurvesSchema = "apertune.curves/1";

Error corrupt(const std::string& what)
{
    return base::plainError(ErrorCode::corrupt, "This is not a table of a search: " + what, {},
                            "Make one with `bench_search --from-study STUDY --record FILE`.");
}

Json optionalCount(const auto& value)
{
    return value ? Json(value->count) : Json(nullptr);
}

template <typename T>
std::optional<T> countFrom(const Json& json, const char* name)
{
    if (!json.contains(name) || json.at(name).is_null())
        return std::nullopt;
    return T{json.at(name).get<std::int64_t>()};
}

BruteTable read(const Json& json)
{
    BruteTable table;
    table.name = json.value("name", "");
    table.source = json.value("source", "");
    table.role = json.value("role", "");
    table.memory = countFrom<base::Bytes>(json, "memory");
    if (json.contains("goal")) {
        const Json& goal = json.at("goal");
        table.goal.objective =
            model::objectiveFromString(goal.value("objective", "throughput")).value_or(model::Objective::throughput);
        table.goal.maxLatency = countFrom<base::Nanoseconds>(goal, "max_latency_ns");
        table.goal.maxMemory = countFrom<base::Bytes>(goal, "max_memory");
    }
    if (json.contains("noise")) {
        const Json& noise = json.at("noise");
        table.noise = {noise.value("between", 0.0), noise.value("disturbed", 0.0), noise.value("longer", 0.0)};
    }
    for (const Json& entry : json.at("families")) {
        BruteTable::Group group;
        group.label = entry.value("label", "");
        group.load = {entry.value("load_ns", std::int64_t{0})};
        group.compile = {entry.value("compile_ns", std::int64_t{0})};
        if (entry.contains("plain") && !entry.at("plain").is_null())
            group.plain = entry.at("plain").get<std::size_t>();
        table.groups.push_back(std::move(group));
    }
    for (const Json& entry : json.at("cells")) {
        BruteTable::Configuration configuration;
        configuration.group = entry.at("family").get<std::size_t>();
        configuration.batch = entry.at("batch").get<int>();
        configuration.passNs = entry.value("pass_ns", 0.0);
        configuration.samples = entry.value("samples_ns", std::vector<double>());
        configuration.block = {entry.value("block_ns", std::int64_t{0})};
        configuration.first = {entry.value("first_ns", std::int64_t{0})};
        configuration.peak = countFrom<base::Bytes>(entry, "peak");
        if (entry.contains("failure"))
            configuration.failure = {model::knownReasonKind(entry.at("failure").value("kind", "internal")),
                                     base::foreignText(entry.at("failure").value("text", ""))};
        table.configurations.push_back(std::move(configuration));
    }
    return table;
}

std::optional<Error> problemOf(const BruteTable& table)
{
    if (table.configurations.empty())
        return corrupt("it has no configurations.");
    for (const BruteTable::Configuration& configuration : table.configurations) {
        if (configuration.group >= table.groups.size() || configuration.batch < 1)
            return corrupt("a configuration names a group or batch that is not there.");
        if (configuration.failure.empty() && !(configuration.passNs > 0 && std::isfinite(configuration.passNs)))
            return corrupt("a configuration that ran has no time.");
        for (const double sample : configuration.samples)
            if (!(sample > 0 && std::isfinite(sample)))
                return corrupt("a sample is not a time.");
    }
    for (const BruteTable::Group& group : table.groups)
        if (group.plain && *group.plain >= table.groups.size())
            return corrupt("a group's plain sibling is not there.");
    return std::nullopt;
}

} // namespace

SearchTask BruteTable::task() const
{
    SearchTask task;
    task.goal = goal;
    task.memory = memory;
    for (const Configuration& configuration : configurations)
        task.configurations.push_back({configuration.group, configuration.batch});
    for (const Group& group : groups)
        task.groups.push_back({group.label, group.compile, group.plain, std::nullopt});
    return task;
}

double BruteTable::cost(std::size_t index) const
{
    const Configuration& configuration = configurations[index];
    if (!configuration.failure.empty())
        return INFINITY;
    if (const auto bound = model::medianBound(goal); bound && configuration.passNs > static_cast<double>(bound->count))
        return INFINITY;
    if (goal.maxMemory && !(configuration.peak && *configuration.peak <= *goal.maxMemory))
        return INFINITY;
    if (goal.objective == model::Objective::memory)
        return configuration.peak ? static_cast<double>(configuration.peak->count) : INFINITY;
    return goal.objective == model::Objective::latency ? configuration.passNs
                                                       : configuration.passNs / configuration.batch;
}

std::optional<std::size_t> BruteTable::best() const
{
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < configurations.size(); ++i)
        if (std::isfinite(cost(i)) && (!best || cost(i) < cost(*best)))
            best = i;
    return best;
}

Json toJson(const BruteTable& table)
{
    Json groups = Json::array();
    for (const BruteTable::Group& group : table.groups) {
        Json entry{{"label", group.label}, {"load_ns", group.load.count}, {"compile_ns", group.compile.count}};
        if (group.plain)
            entry["plain"] = *group.plain;
        groups.push_back(std::move(entry));
    }
    Json configurations = Json::array();
    for (const BruteTable::Configuration& configuration : table.configurations) {
        Json entry{{"family", configuration.group},
                   {"batch", configuration.batch},
                   {"pass_ns", configuration.passNs},
                   {"first_ns", configuration.first.count},
                   {"peak", optionalCount(configuration.peak)}};
        if (!configuration.samples.empty())
            entry["samples_ns"] = configuration.samples;
        if (configuration.block.count > 0)
            entry["block_ns"] = configuration.block.count;
        if (!configuration.failure.empty())
            entry["failure"] = {{"kind", model::toString(configuration.failure.kind)},
                                {"text", sentences::sentence(configuration.failure.message)}};
        configurations.push_back(std::move(entry));
    }
    return {{"schema", kTableSchema},
            {"name", table.name},
            {"source", table.source},
            {"role", table.role},
            {"memory", optionalCount(table.memory)},
            {"goal",
             {{"objective", std::string(model::toString(table.goal.objective))},
              {"max_latency_ns", optionalCount(table.goal.maxLatency)},
              {"max_memory", optionalCount(table.goal.maxMemory)}}},
            {"noise",
             {{"between", table.noise.between}, {"disturbed", table.noise.disturbed}, {"longer", table.noise.longer}}},
            {"families", groups},
            {"cells", configurations}};
}

Json toJson(const std::vector<BruteTable>& tables)
{
    if (tables.size() == 1)
        return toJson(tables.front());
    Json list = Json::array();
    for (const BruteTable& table : tables)
        list.push_back(toJson(table));
    return {{"schema", kTablesSchema}, {"tables", list}};
}

base::Result<BruteTable> tableFromJson(const Json& json)
{
    try {
        if (!json.is_object() || json.value("schema", "") != kTableSchema)
            return corrupt(std::string("its schema is not \"") + kTableSchema + "\".");
        BruteTable table = read(json);
        if (auto problem = problemOf(table))
            return *problem;
        return table;
    } catch (const Json::exception& failure) {
        return corrupt(failure.what());
    }
}

base::Result<BruteTable> tableFromStudy(const model::StudySnapshot& snapshot, const std::string& device,
                                        const std::string& role)
{
    BruteTable table;
    table.name = snapshot.study.model.name + " on " + device;
    table.source = "measured on " + snapshot.study.createdUtc;
    table.role = role;
    table.goal = snapshot.study.goal;
    model::DeviceType type;
    for (const model::Device& known : snapshot.study.environment.devices)
        if (known.id == device) {
            type = known.type;
            table.source += ", " + known.name;
            if (type.isCpu())
                table.source += ", " + std::to_string(known.cores) + " cores";
            if (type.hasOwnMemory())
                table.memory = known.memory;
        }
    std::map<std::string, std::size_t> groups;
    for (const model::Trial& trial : snapshot.trials) {
        if (trial.device != device)
            continue;
        const model::Measurement& m = trial.measurement;
        const bool ran = trial.state == model::TrialState::ok && m.latencyNs.value > 0;
        if (!ran && trial.state != model::TrialState::failed)
            continue;
        const auto [at, added] = groups.emplace(model::groupKey(trial.config, device), table.groups.size());
        if (added)
            table.groups.push_back({model::groupName(trial.config, type), {}, {}, {}});
        BruteTable::Group& group = table.groups[at->second];
        BruteTable::Configuration configuration;
        configuration.group = at->second;
        configuration.batch = trial.config.batch;
        if (ran) {
            std::vector<double> walls;
            for (const model::Block& block : m.blocks)
                if (block.iterations > 0) {
                    configuration.samples.push_back(std::round(block.nsPerIteration()));
                    walls.push_back(static_cast<double>(block.wall.count));
                }
            if (!walls.empty())
                configuration.block = base::Nanoseconds{static_cast<std::int64_t>(stats::median(walls))};
            configuration.passNs = m.latencyNs.value;
            configuration.first = m.first;
            configuration.peak = m.memory.peakOn(type);
            group.load = std::max(group.load, m.load);
            group.compile = std::max(group.compile, m.compile.value_or(base::Nanoseconds{}));
        } else {
            configuration.failure = {trial.reason.kind, trial.reason.message};
        }
        table.configurations.push_back(std::move(configuration));
    }
    if (!table.best())
        return base::plainError(ErrorCode::notFound,
                                "Nothing that meets the goal was measured on " + device + " in this study.", {},
                                "Name a finished study: `apertune study list`.");
    return table;
}

base::Result<std::vector<BruteTable>> loadTables(const std::filesystem::path& file, int variants)
{
    const auto text = base::readFile(file);
    if (!text)
        return text.error();
    const Json json = Json::parse(*text, nullptr, false);
    if (json.is_discarded())
        return corrupt("it is not JSON.");
    const std::string schema = json.is_object() ? json.value("schema", "") : std::string();
    if (schema == kTablesSchema) {
        std::vector<BruteTable> tables;
        for (const Json& entry : json.value("tables", Json::array())) {
            auto table = tableFromJson(entry);
            if (!table)
                return table.error();
            tables.push_back(std::move(*table));
        }
        if (tables.empty())
            return corrupt("it has no tables.");
        return tables;
    }
    if (schema != kCurvesSchema) {
        auto table = tableFromJson(json);
        if (!table)
            return table.error();
        return std::vector<BruteTable>{std::move(*table)};
    }
    std::vector<Curve> curves;
    try {
        for (const Json& entry : json.at("curves"))
            curves.push_back({entry.value("source", ""), entry.value("what", ""),
                              entry.at("points").get<std::vector<std::pair<int, double>>>()});
    } catch (const Json::exception& failure) {
        return corrupt(failure.what());
    }
    for (const Curve& curve : curves)
        for (std::size_t i = 0; i < curve.points.size(); ++i)
            if (curve.points[i].first < 1 || !(curve.points[i].second > 0) ||
                (i > 0 && curve.points[i].first <= curve.points[i - 1].first))
                return corrupt("a curve's batches do not ascend, or it has no throughput.");
    std::erase_if(curves, [](const Curve& curve) { return curve.points.size() < 3; });
    if (curves.empty())
        return corrupt("it has no curve of three points or more.");
    std::vector<BruteTable> tables;
    for (const auto& [compiled, sizes] :
         {std::pair(true, std::vector<std::size_t>{64, 144, 400, 2000}), {false, {48, 96, 320, 1600}}})
        for (const std::size_t configurations : sizes)
            for (int variant = 0; variant < variants; ++variant) {
                tables.push_back(assembleTable(curves, configurations, compiled,
                                               configurations * 100 + static_cast<std::uint64_t>(variant)));
                tables.back().role = json.value("role", "");
            }
    return tables;
}

} // namespace apertune::search::bench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/search/table.h"

#include "core/base/files.h"
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
    return {ErrorCode::corrupt,
            "This is not a table of a search: " + what,
            {},
            "Make one with `bench_search --from-study STUDY --record FILE`."};
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
        BruteTable::Family family;
        family.label = entry.value("label", "");
        family.load = {entry.value("load_ns", std::int64_t{0})};
        family.compile = {entry.value("compile_ns", std::int64_t{0})};
        if (entry.contains("plain") && !entry.at("plain").is_null())
            family.plain = entry.at("plain").get<std::size_t>();
        table.families.push_back(std::move(family));
    }
    for (const Json& entry : json.at("cells")) {
        BruteTable::Cell cell;
        cell.family = entry.at("family").get<std::size_t>();
        cell.batch = entry.at("batch").get<int>();
        cell.passNs = entry.value("pass_ns", 0.0);
        cell.samples = entry.value("samples_ns", std::vector<double>());
        cell.block = {entry.value("block_ns", std::int64_t{0})};
        cell.first = {entry.value("first_ns", std::int64_t{0})};
        cell.peak = countFrom<base::Bytes>(entry, "peak");
        if (entry.contains("failure"))
            cell.failure = {entry.at("failure").value("kind", "failed"), entry.at("failure").value("text", ""), {}};
        table.cells.push_back(std::move(cell));
    }
    return table;
}

std::optional<Error> problemOf(const BruteTable& table)
{
    if (table.cells.empty())
        return corrupt("it has no cells.");
    for (const BruteTable::Cell& cell : table.cells) {
        if (cell.family >= table.families.size() || cell.batch < 1)
            return corrupt("a cell names a family or batch that is not there.");
        if (cell.failure.empty() && !(cell.passNs > 0 && std::isfinite(cell.passNs)))
            return corrupt("a cell that ran has no time.");
        for (const double sample : cell.samples)
            if (!(sample > 0 && std::isfinite(sample)))
                return corrupt("a sample is not a time.");
    }
    for (const BruteTable::Family& family : table.families)
        if (family.plain && *family.plain >= table.families.size())
            return corrupt("a family's plain sibling is not there.");
    return std::nullopt;
}

} // namespace

SearchTask BruteTable::task() const
{
    SearchTask task;
    task.goal = goal;
    task.memory = memory;
    for (const Cell& cell : cells)
        task.cells.push_back({cell.family, cell.batch});
    for (const Family& family : families)
        task.families.push_back({family.label, family.compile, family.plain, std::nullopt});
    return task;
}

double BruteTable::cost(std::size_t index) const
{
    const Cell& cell = cells[index];
    if (!cell.failure.empty())
        return INFINITY;
    if (const auto bound = model::medianBound(goal); bound && cell.passNs > static_cast<double>(bound->count))
        return INFINITY;
    if (goal.maxMemory && !(cell.peak && *cell.peak <= *goal.maxMemory))
        return INFINITY;
    if (goal.objective == model::Objective::memory)
        return cell.peak ? static_cast<double>(cell.peak->count) : INFINITY;
    return goal.objective == model::Objective::latency ? cell.passNs : cell.passNs / cell.batch;
}

std::optional<std::size_t> BruteTable::best() const
{
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (std::isfinite(cost(i)) && (!best || cost(i) < cost(*best)))
            best = i;
    return best;
}

Json toJson(const BruteTable& table)
{
    Json families = Json::array();
    for (const BruteTable::Family& family : table.families) {
        Json entry{{"label", family.label}, {"load_ns", family.load.count}, {"compile_ns", family.compile.count}};
        if (family.plain)
            entry["plain"] = *family.plain;
        families.push_back(std::move(entry));
    }
    Json cells = Json::array();
    for (const BruteTable::Cell& cell : table.cells) {
        Json entry{{"family", cell.family},
                   {"batch", cell.batch},
                   {"pass_ns", cell.passNs},
                   {"first_ns", cell.first.count},
                   {"peak", optionalCount(cell.peak)}};
        if (!cell.samples.empty())
            entry["samples_ns"] = cell.samples;
        if (cell.block.count > 0)
            entry["block_ns"] = cell.block.count;
        if (!cell.failure.empty())
            entry["failure"] = {{"kind", cell.failure.kind}, {"text", cell.failure.text}};
        cells.push_back(std::move(entry));
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
            {"families", families},
            {"cells", cells}};
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
    auto kind = model::DeviceKind::cpu;
    for (const model::Device& known : snapshot.study.environment.devices)
        if (known.id == device) {
            kind = known.kind;
            table.source += ", " + known.name;
            if (kind == model::DeviceKind::cpu)
                table.source += ", " + std::to_string(known.cores) + " cores";
            if (kind != model::DeviceKind::cpu)
                table.memory = known.memory;
        }
    std::map<std::string, std::size_t> families;
    for (const model::Trial& trial : snapshot.trials) {
        if (trial.device != device)
            continue;
        const model::Measurement& m = trial.measurement;
        const bool ran = trial.state == model::TrialState::ok && m.latencyNs.value > 0;
        if (!ran && trial.state != model::TrialState::failed)
            continue;
        const auto [at, added] = families.emplace(model::familyKey(trial.config, device), table.families.size());
        if (added)
            table.families.push_back({model::familyName(trial.config, kind), {}, {}, {}});
        BruteTable::Family& family = table.families[at->second];
        BruteTable::Cell cell;
        cell.family = at->second;
        cell.batch = trial.config.batch;
        if (ran) {
            std::vector<double> walls;
            for (const model::Block& block : m.blocks)
                if (block.iterations > 0) {
                    cell.samples.push_back(std::round(block.nsPerIteration()));
                    walls.push_back(static_cast<double>(block.wall.count));
                }
            if (!walls.empty())
                cell.block = base::Nanoseconds{static_cast<std::int64_t>(stats::median(walls))};
            cell.passNs = m.latencyNs.value;
            cell.first = m.first;
            cell.peak = kind == model::DeviceKind::cpu ? m.memory.processPeak : m.memory.devicePeak;
            family.load = std::max(family.load, m.load);
            family.compile = std::max(family.compile, m.compile.value_or(base::Nanoseconds{}));
        } else {
            cell.failure = {trial.reason.kind, trial.reason.text, {}};
        }
        table.cells.push_back(std::move(cell));
    }
    if (!table.best())
        return Error{ErrorCode::notFound,
                     "Nothing that meets the goal was measured on " + device + " in this study.",
                     {},
                     "Name a finished study: `apertune studies`."};
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
        for (const std::size_t cells : sizes)
            for (int variant = 0; variant < variants; ++variant) {
                tables.push_back(
                    assembleTable(curves, cells, compiled, cells * 100 + static_cast<std::uint64_t>(variant)));
                tables.back().role = json.value("role", "");
            }
    return tables;
}

} // namespace apertune::search::bench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/shards/shard_plan.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/model/json_codec.h"
#include "core/shards/errors.h"
#include "core/study/drift_monitor.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace apertune::shards {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

constexpr const char* kSchema = "apertune.shard-plan/1";
constexpr const char* kSchemaName = "apertune.shard-plan/";
constexpr const char* kPlanFile = "plan.json";
constexpr const char* kModelFolder = "model";
constexpr const char* kWall = "wall";
constexpr const char* kMeasuring = "measuring";
constexpr int kDeepest = 64;      ///< levels of a plan's JSON; a plan has fewer than twenty
constexpr int kCompileWeight = 8; ///< a compilation takes about as long as that many configurations

/// A configuration group, which is not divided.
struct Group
{
    std::string key;
    std::vector<ShardConfiguration> configurations;
    int weight = 0; ///< expected time, in configurations
};

std::vector<Group> groupsOf(const study::StudyPlan& planned)
{
    std::vector<Group> groups;
    int ordinal = 0;
    for (const search::PlannedConfiguration& configuration : planned.configurations) {
        const std::string key = model::groupKey(configuration.config, configuration.device);
        auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.key == key; });
        if (group == groups.end())
            group = groups.insert(groups.end(), {key, {}, 0});
        if (configuration.impossible.empty())
            group->weight += group->weight == 0 && configuration.config.isCompiled() ? 1 + kCompileWeight : 1;
        group->configurations.push_back({++ordinal, configuration});
    }
    return groups;
}

/// The reference that the planned study would take on each device.
study::DriftReferences referencesOf(const study::StudyPlan& planned)
{
    std::vector<model::Trial> trials;
    std::set<std::string> devices;
    for (const search::PlannedConfiguration& configuration : planned.configurations) {
        trials.push_back(search::plannedTrial(configuration));
        devices.insert(configuration.device);
    }
    study::DriftReferences references;
    for (const std::string& device : devices)
        if (const auto reference = study::firstReference(trials, device))
            references.emplace(device, *reference);
    return references;
}

/// Gives each group, the heaviest first, to the shard that has least so far.
std::vector<std::vector<ShardConfiguration>> divided(std::vector<Group> groups, int count)
{
    std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.weight > b.weight; });
    std::vector<std::vector<ShardConfiguration>> shards(static_cast<std::size_t>(count));
    std::vector<int> weights(shards.size());
    for (const Group& group : groups) {
        const auto least = std::min_element(weights.begin(), weights.end());
        *least += group.weight;
        auto& shard = shards[static_cast<std::size_t>(least - weights.begin())];
        shard.insert(shard.end(), group.configurations.begin(), group.configurations.end());
    }
    for (auto& shard : shards)
        std::sort(shard.begin(), shard.end(),
                  [](const ShardConfiguration& a, const ShardConfiguration& b) { return a.ordinal < b.ordinal; });
    return shards;
}

/// Bytes of paths that are not UTF-8 are replaced.
std::string textOf(const Json& json, int indent = -1)
{
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json requestJson(const study::StudyRequest& request)
{
    return {{"goal", model::toJson(request.goal)},
            {"space", model::toJson(request.space)},
            {"budget_ns", request.budget.count},
            {"budget_kind", request.budgetKind == model::BudgetKind::wall ? kWall : kMeasuring},
            {"target", request.target}};
}

std::string hashOfRequest(const study::StudyRequest& request)
{
    return base::sha256(request.model.contentHash + "\n" + textOf(requestJson(request)));
}

Json configurationJson(const ShardConfiguration& configuration)
{
    const model::Reason& impossible = configuration.planned.impossible;
    return {{"ordinal", configuration.ordinal},
            {"device", configuration.planned.device},
            {"config", model::toJson(configuration.planned.config)},
            {"impossible", impossible.empty() ? Json(nullptr)
                                              : Json{{"kind", model::toString(impossible.kind)},
                                                     {"message", base::toJson(impossible.message)}}}};
}

/// The document without its hash.
Json contentOf(const ShardPlan& plan)
{
    Json model = model::toJson(plan.request.model);
    model["artifact"] = kModelFolder;
    Json shards = Json::array();
    for (const auto& shard : plan.shards) {
        Json configurations = Json::array();
        for (const ShardConfiguration& configuration : shard)
            configurations.push_back(configurationJson(configuration));
        shards.push_back({{"shard", shards.size() + 1}, {"configurations", std::move(configurations)}});
    }
    Json references = Json::object();
    for (const auto& [device, config] : plan.request.references)
        references[device] = model::toJson(config);
    return {{"schema", kSchema},
            {"created", plan.createdUtc},
            {"command_line", plan.request.commandLine},
            {"request_hash", plan.requestHash},
            {"content_hash", plan.request.model.contentHash},
            {"model", std::move(model)},
            {"request", requestJson(plan.request)},
            {"references", std::move(references)},
            {"shards", std::move(shards)}};
}

/// Throws the Error of a Result.
template <typename T>
T taken(base::Result<T> result)
{
    if (!result)
        throw result.error();
    return std::move(result).value();
}

ShardConfiguration configurationFrom(const Json& json)
{
    ShardConfiguration configuration{
        json.at("ordinal").get<int>(),
        {json.at("device").get<std::string>(), taken(model::configFromJson(json.at("config"))), {}}};
    if (const Json& impossible = json.at("impossible"); !impossible.is_null())
        configuration.planned.impossible = {model::knownReasonKind(impossible.at("kind").get<std::string>()),
                                            base::messageFromJson(impossible.at("message"))};
    return configuration;
}

/// Throws an Error, or an exception of the JSON library.
ShardPlan planFrom(const Json& json)
{
    ShardPlan plan;
    plan.createdUtc = json.at("created").get<std::string>();
    plan.requestHash = json.at("request_hash").get<std::string>();
    plan.request.commandLine = json.at("command_line").get<std::string>();
    plan.request.model = taken(model::modelFromJson(json.at("model")));
    const Json& request = json.at("request");
    plan.request.goal = taken(model::goalFromJson(request.at("goal")));
    plan.request.space = taken(model::searchSpaceFromJson(request.at("space")));
    plan.request.budget.count = request.at("budget_ns").get<std::int64_t>();
    plan.request.budgetKind = request.at("budget_kind").get<std::string>() == kMeasuring ? model::BudgetKind::measuring
                                                                                         : model::BudgetKind::wall;
    plan.request.target = request.at("target").get<double>();
    for (const auto& [device, config] : json.at("references").items())
        plan.request.references.emplace(device, taken(model::configFromJson(config)));
    for (const Json& shard : json.at("shards")) {
        auto& configurations = plan.shards.emplace_back();
        for (const Json& configuration : shard.at("configurations"))
            configurations.push_back(configurationFrom(configuration));
    }
    return plan;
}

/// Whether JSON has more levels than that. Writing it uses the stack for each level.
bool isDeeperThan(const Json& json, int levels)
{
    return json.is_structured() && (levels == 0 || std::any_of(json.begin(), json.end(), [levels](const Json& member) {
                                        return isDeeperThan(member, levels - 1);
                                    }));
}

Error unreadable(base::Message why, const fs::path& file)
{
    return {ErrorCode::corrupt, base::message<errors::kPlanUnreadable>(std::move(why)), file.string(),
            base::message<errors::kPlanAgain>()};
}

fs::path absoluteOf(const fs::path& folder)
{
    std::error_code ignored;
    const fs::path path = fs::absolute(folder, ignored).lexically_normal();
    // "shards/" and "shards" are one folder.
    return path.has_filename() ? path : path.parent_path();
}

/// Returns a uuid of version 8 (RFC 9562) that follows from a text.
std::string uuidOf(const std::string& text)
{
    std::string uuid = base::sha256(text).substr(0, 32);
    uuid[12] = '8';
    uuid[16] = '8';
    for (const std::size_t at : {8U, 13U, 18U, 23U})
        uuid.insert(at, "-");
    return uuid;
}

} // namespace

base::Result<ShardPlan> makeShardPlan(const study::StudyRequest& request, const study::StudyPlan& planned, int count)
{
    std::vector<Group> groups = groupsOf(planned);
    const auto runnable = std::count_if(groups.begin(), groups.end(), [](const Group& g) { return g.weight > 0; });
    if (runnable == 0)
        return Error{
            ErrorCode::unsupported, base::message<errors::kNothingRuns>(), {}, base::message<errors::kSeeDryRun>()};
    if (count < 1 || count > runnable)
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kTooManyShards>(count, runnable),
                     {},
                     base::message<errors::kFewerShards>(runnable)};
    ShardPlan plan;
    plan.createdUtc = base::utcNow();
    plan.request = request;
    plan.request.configurations.clear();
    // Every shard searches as the whole study would, whatever its own size suggests.
    plan.request.space.search = planned.search;
    plan.request.references = referencesOf(planned);
    plan.requestHash = hashOfRequest(plan.request);
    plan.shards = divided(std::move(groups), count);
    return plan;
}

base::Result<ShardPlan> writeShardPlan(ShardPlan plan, const fs::path& folder)
{
    plan.folder = absoluteOf(folder);
    const fs::path file = plan.folder / kPlanFile;
    std::error_code code;
    if (fs::exists(file, code))
        return Error{ErrorCode::invalidArgument, base::message<errors::kPlanIsThere>(plan.folder.string()),
                     file.string(), base::message<errors::kOtherFolder>()};
    const fs::path model = plan.folder / kModelFolder;
    fs::create_directories(plan.folder, code);
    if (!code)
        // What an earlier attempt left is replaced.
        fs::copy(plan.request.model.artifact, model, fs::copy_options::recursive | fs::copy_options::overwrite_existing,
                 code);
    if (code)
        return Error{ErrorCode::io, base::message<errors::kCannotCopyModel>(plan.request.model.name, code.message()),
                     model.string(), base::message<errors::kOtherFolder>()};
    Json document = contentOf(plan);
    document["plan_hash"] = base::sha256(textOf(document));
    if (auto written = base::writeFileAtomically(file, textOf(document, 1) + "\n"); !written)
        return written.error();
    return readShardPlan(plan.folder);
}

base::Result<ShardPlan> readShardPlan(const fs::path& folder)
{
    const fs::path place = absoluteOf(folder);
    const fs::path file = place / kPlanFile;
    const auto text = base::readFile(file);
    if (!text && text.error().code == ErrorCode::notFound)
        return Error{ErrorCode::notFound, base::message<errors::kNoPlan>(place.string()), file.string(),
                     base::message<errors::kMakePlan>()};
    if (!text)
        return text.error();
    auto json = model::parseJson(*text);
    if (!json)
        return unreadable(json.error().message, file);
    try {
        const auto schema = json->at("schema").get<std::string>();
        if (schema != kSchema && schema.starts_with(kSchemaName))
            return Error{ErrorCode::unsupported, base::message<errors::kNewerPlan>(schema), file.string(),
                         base::message<errors::kUpdate>()};
        const auto hash = json->at("plan_hash").get<std::string>();
        json->erase("plan_hash");
        if (schema != kSchema || isDeeperThan(*json, kDeepest) || base::sha256(textOf(*json)) != hash)
            return Error{ErrorCode::corrupt, base::message<errors::kPlanChanged>(), file.string(),
                         base::message<errors::kPlanAgain>()};
        ShardPlan plan = planFrom(*json);
        plan.folder = place;
        plan.hash = hash;
        plan.request.model.artifact = place / kModelFolder;
        return plan;
    } catch (const Error& error) {
        return unreadable(error.message, file);
    } catch (const nlohmann::json::exception& failure) {
        return unreadable(base::foreignText(failure.what()), file);
    }
}

base::Status requireShard(const ShardPlan& plan, int shard)
{
    if (shard >= 1 && shard <= plan.size())
        return {};
    return Error{ErrorCode::invalidArgument, base::message<errors::kNoShard>(shard, plan.size()), plan.folder.string(),
                 base::message<errors::kNameShard>(plan.size())};
}

fs::path planFile(const ShardPlan& plan)
{
    return plan.folder / kPlanFile;
}

fs::path workspaceOf(const ShardPlan& plan, int shard)
{
    return plan.folder / ("shard-" + std::to_string(shard) + ".apertune");
}

std::string shardUuid(const ShardPlan& plan, int shard)
{
    return uuidOf(plan.hash + " " + std::to_string(shard));
}

std::string mergedUuid(const ShardPlan& plan)
{
    return uuidOf(plan.hash);
}

} // namespace apertune::shards

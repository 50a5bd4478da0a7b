// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/claims.h"

#include <claim_data.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace apertune::claims {

using Data = nlohmann::json;

namespace {

constexpr auto kQuantityNames = std::to_array<std::pair<ClaimQuantity, std::string_view>>({
    {ClaimQuantity::speed, "speed"},
    {ClaimQuantity::tensors, "tensors"},
    {ClaimQuantity::agreement, "agreement"},
    {ClaimQuantity::latency, "latency"},
    {ClaimQuantity::rate, "rate"},
    {ClaimQuantity::parameters, "parameters"},
    {ClaimQuantity::patches, "patches"},
    {ClaimQuantity::convolutions, "convolutions"},
    {ClaimQuantity::preparation, "preparation"},
    {ClaimQuantity::pinned, "pinned"},
});

constexpr auto kBarrierNames = std::to_array<std::pair<ClaimBarrier, std::string_view>>({
    {ClaimBarrier::none, ""},
    {ClaimBarrier::training, "training"},
    {ClaimBarrier::platform, "platform"},
    {ClaimBarrier::ownModel, "own_model"},
    {ClaimBarrier::notOffered, "not_offered"},
    {ClaimBarrier::ratedByEye, "judgement"},
    {ClaimBarrier::advice, "advice"},
});

/// REQUIRES: the table has the name.
template <typename Table>
auto claimValue(const Table& table, const std::string& name)
{
    return std::find_if(table.begin(), table.end(), [&name](const auto& row) { return row.second == name; })->first;
}

std::optional<double> claimNumber(const Data& data, const char* member)
{
    return data.contains(member) ? std::optional(data[member].get<double>()) : std::nullopt;
}

std::optional<model::DeviceKind> claimKind(const Data& data, const char* member)
{
    return data.contains(member) ? model::deviceKindFromString(data[member].get<std::string>()) : std::nullopt;
}

std::vector<std::string> claimTexts(const Data& data, const char* member)
{
    return data.value(member, std::vector<std::string>());
}

ClaimConditions conditionsOf(const Data& data)
{
    // Members are optional: a condition that is missing holds for everything.
    ClaimConditions where;
    where.kind = claimKind(data, "device");
    where.deviceName = data.value("device_name", "");
    where.engine = data.value("engine", "");
    // The engine on a GPU is the same unless it is named.
    where.engineOnGpu = data.value("engine_on_gpu", where.engine);
    where.models = claimTexts(data, "models");
    for (const std::string& task : claimTexts(data, "tasks"))
        where.tasks.push_back(model::taskTypeFromString(task));
    where.precision = model::precisionFromString(data.value("precision", ""));
    where.level = model::levelFromString(data.value("level", ""));
    if (data.contains("batch"))
        where.batch = data["batch"].get<int>();
    where.twoThreadsPerCore = data.value("needs", "") == "two_threads_per_core";
    return where;
}

ClaimFigure figureOf(const Data& data)
{
    ClaimFigure figure;
    figure.quantity = claimValue(kQuantityNames, data.value("quantity", "speed"));
    figure.low = claimNumber(data, "low");
    figure.high = claimNumber(data, "high");
    for (const Data& change : data.value("changes", Data::array()))
        figure.changes.push_back({model::Setting::fromName(change["setting"].get<std::string>()), change["from"],
                                  change["to"], claimKind(change, "on")});
    if (data.contains("variant")) {
        figure.fromModel = data["variant"]["from"];
        figure.toModel = data["variant"]["to"];
    }
    figure.where = conditionsOf(data.value("where", Data::object()));
    figure.example = data.value("example", "");
    figure.barrier = claimValue(kBarrierNames, data.value("barrier", ""));
    figure.what = data.value("what", "");
    return figure;
}

std::vector<Claim> readClaims()
{
    // The text is part of the program and a test reads all of it.
    const Data data = Data::parse(templates::kClaims);
    // The text was checked by a test, so a failure here is an error of the build.
    std::vector<Claim> all;
    for (const Data& entry : data["claims"]) {
        Claim& claim = all.emplace_back();
        claim.id = entry["id"];
        claim.topic = entry["topic"];
        claim.guide = data["guides"][entry["guide"].get<std::string>()];
        claim.section = entry["section"];
        claim.says = entry["says"];
        for (const Data& figure : entry["figures"])
            claim.figures.push_back(figureOf(figure));
    }
    return all;
}

bool matchesSource(const std::string& pattern, const std::string& source)
{
    return pattern.ends_with('*') ? source.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1))
                                  : source == pattern;
}

std::string valueOn(const ClaimChange& change, const std::string& value, const model::Device& device)
{
    if (change.setting.kind() != model::Setting::Kind::threads)
        return value;
    return value == "half"  ? std::to_string(device.threads / 2)
           : value == "all" ? std::to_string(device.threads)
                            : value;
}

} // namespace

std::string_view toString(ClaimQuantity quantity)
{
    return std::find_if(kQuantityNames.begin(), kQuantityNames.end(),
                        [quantity](const auto& row) { return row.first == quantity; })
        ->second;
}

bool isRatio(ClaimQuantity quantity)
{
    return quantity == ClaimQuantity::speed || quantity == ClaimQuantity::tensors || quantity == ClaimQuantity::pinned;
}

bool ClaimFigure::acceptsModel(const std::string& source, model::TaskType task) const
{
    const bool named =
        where.models.empty() || std::any_of(where.models.begin(), where.models.end(),
                                            [&](const std::string& pattern) { return matchesSource(pattern, source); });
    return named &&
           (where.tasks.empty() || std::find(where.tasks.begin(), where.tasks.end(), task) != where.tasks.end());
}

const ClaimChange* ClaimFigure::changeOn(const model::Device& device) const
{
    const auto found = std::find_if(changes.begin(), changes.end(), [&device](const ClaimChange& change) {
        return !change.on || *change.on == device.type.kind;
    });
    return found == changes.end() ? nullptr : &*found;
}

std::string ClaimChange::fromOn(const model::Device& device) const
{
    return valueOn(*this, from, device);
}

std::string ClaimChange::toOn(const model::Device& device) const
{
    return valueOn(*this, to, device);
}

const std::vector<Claim>& publishedClaims()
{
    static const std::vector<Claim> kClaims = readClaims();
    return kClaims;
}

std::vector<std::string> claimTopics()
{
    std::vector<std::string> topics;
    for (const Claim& claim : publishedClaims())
        if (std::find(topics.begin(), topics.end(), claim.topic) == topics.end())
            topics.push_back(claim.topic);
    return topics;
}

} // namespace apertune::claims

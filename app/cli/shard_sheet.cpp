// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/shard_sheet.h"

#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/sentences/sentences.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;
using shards::ShardState;
using shards::ShardStatus;

namespace {

std::string stateText(ShardState state)
{
    return base::replaced(std::string(shards::toString(state)), "_", " ");
}

} // namespace

std::vector<ShardStatus> statesOf(const shards::ShardPlan& plan)
{
    std::vector<ShardStatus> states;
    for (int shard = 1; shard <= plan.size(); ++shard)
        states.push_back(shards::shardStatus(plan, shard));
    return states;
}

Json shardDocument(const shards::ShardPlan& plan, const ShardStatus& status)
{
    return {{"shard", status.shard},
            {"state", shards::toString(status.state)},
            {"workspace", shards::workspaceOf(plan, status.shard).string()},
            {"configurations", status.total},
            {"done", status.isRead ? Json(status.done) : Json(nullptr)},
            {"ok", status.isRead ? Json(status.ok) : Json(nullptr)},
            {"failed", status.isRead ? Json(status.failed) : Json(nullptr)},
            {"host", status.host.empty() ? Json(nullptr) : Json(status.host)},
            {"machine", status.machine.empty() ? Json(nullptr) : Json(status.machine)},
            {"problem", status.problem ? Json(sentences::sentence(status.problem->message)) : Json(nullptr)}};
}

std::string shardTable(const std::vector<ShardStatus>& states, int width)
{
    text::TextTable table({{"Shard", text::Align::right},
                           {"State"},
                           {"Configurations", text::Align::right},
                           {"ok", text::Align::right},
                           {"failed", text::Align::right, false, 1},
                           {"Host", text::Align::left, true, 2},
                           {"Machine", text::Align::left, true}});
    std::string problems;
    for (const ShardStatus& s : states) {
        const auto number = [&s](int count) { return s.isRead ? std::to_string(count) : std::string("–"); };
        table.addRow({std::to_string(s.shard), stateText(s.state), number(s.done) + " of " + std::to_string(s.total),
                      number(s.ok), number(s.failed), base::printableLine(s.host), base::printableLine(s.machine)});
        if (s.problem)
            problems += "\nShard " + std::to_string(s.shard) + ": " + sentences::sentence(s.problem->message) + " " +
                        sentences::sentence(s.problem->hint) + "\n";
    }
    return table.render(width) + problems;
}

std::string shardName(const shards::ShardPlan& plan, int shard)
{
    return "shard " + std::to_string(shard) + " of " + std::to_string(plan.size());
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/shard_sheet.h"
#include "app/cli/verb.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

int showStates(const std::filesystem::path& folder, Session& session)
{
    const auto plan = shards::readShardPlan(folder);
    if (!plan)
        return session.terminal.fail(plan.error());
    const std::vector<shards::ShardStatus> states = statesOf(*plan);
    Json list = Json::array();
    for (const shards::ShardStatus& status : states)
        list.push_back(shardDocument(*plan, status));
    session.terminal.document({{"schema", "apertune.shard-status/1"},
                               {"folder", plan->folder.string()},
                               {"plan_hash", plan->hash},
                               {"model", plan->request.model.name},
                               {"shards", std::move(list)}});
    session.terminal.text(shardTable(states, session.terminal.width()));
    return kDone;
}

Action declareShardStatus(CLI::App& app)
{
    auto folder = std::make_shared<std::filesystem::path>();
    addArgument(app, "FOLDER", *folder, kShardFolderHelp);
    return [folder](Session& session) { return showStates(*folder, session); };
}

} // namespace

Verb shardStatusVerb()
{
    return {
        .path = {"shard", "status"},
        .group = Group::manage,
        .summary = "Show how far each shard is, by its workspace",
        .examples = R"(  apertune shard status /shared/r50
  apertune shard status /shared/r50 --json)",
        .takes = Takes::json,
        .documents = {{"apertune.shard-status/1",
                       "`folder`, `plan_hash`, `model`, `shards`: each `shard` (from 1), `state` (`not_begun`, "
                       "`running`, `interrupted`, `finished`, `failed`), `workspace`, `configurations`, `done` (in a "
                       "final state), `ok`, `failed` (all three null while it runs on a network file system), `host`, "
                       "`machine` (its class; both null before it begins), "
                       "`problem` (null, or why it failed)"}},
        .declare = declareShardStatus};
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/shards/shard_run.h"

#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/shard_sheet.h"
#include "app/cli/verb.h"
#include "core/base/escape.h"
#include "core/engine/workbench.h"

#include <nlohmann/json.hpp>

#include <functional>

namespace apertune::cli {

namespace {

struct RunShard
{
    std::filesystem::path folder;
    int shard = 0;
};

/// Runs the shard. Its workspace is closed again with the return.
base::Result<base::Outcome> measure(const shards::ShardPlan& plan, int shard, Session& session)
{
    const auto workbench = engine::Workbench::open(shards::workspaceOf(plan, shard));
    if (!workbench)
        return workbench.error();
    const auto runner = (*workbench)->makeRunner();
    Progress progress(session.terminal);
    return shards::runShard(plan, shard, (*workbench)->store(), *runner, std::ref(progress), session.interrupt.token());
}

int run(const RunShard& options, Session& session)
{
    const auto plan = shards::readShardPlan(options.folder);
    if (!plan)
        return session.terminal.fail(plan.error());
    if (const auto known = shards::requireShard(*plan, options.shard); !known)
        return session.terminal.fail(known.error());
    const auto outcome = measure(*plan, options.shard, session);
    if (!outcome)
        return session.terminal.fail(outcome.error());
    const std::string folder = base::shellQuoted(plan->folder.string());
    const shards::ShardStatus status = shards::shardStatus(*plan, options.shard);
    base::Json document{{"schema", "apertune.shard-run/1"}, {"folder", plan->folder.string()}};
    document.update(shardDocument(*plan, status));
    session.terminal.document(document);
    session.terminal.text(shardTable({status}, session.terminal.width()) + "\nThe results of " +
                          shardName(*plan, options.shard) + ": apertune show last --store " +
                          base::shellQuoted(shards::workspaceOf(*plan, options.shard).string()) +
                          "\nThose of all shards so far: apertune shard merge " + folder + "\n");
    if (*outcome != base::Outcome::cancelled)
        return status.state == shards::ShardState::failed ? kNoResult : kDone;
    session.terminal.note("Interrupted; the results so far are stored. Go on with: apertune shard run " + folder +
                          " --shard " + std::to_string(options.shard));
    return kInterrupted;
}

Action declareShardRun(CLI::App& app)
{
    auto options = std::make_shared<RunShard>();
    addArgument(app, "FOLDER", options->folder, kShardFolderHelp);
    addCount(app, "--shard", options->shard, "Number of the shard, from 1", 1, 10'000)->required();
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb shardRunVerb()
{
    return {
        .path = {"shard", "run"},
        .group = Group::manage,
        .summary = "Measure a shard on this machine, or go on with it",
        .examples = R"(  apertune shard run /shared/r50 --shard 2)",
        .takes = Takes::shard,
        .documents = {{"apertune.shard-run/1", "`folder`, and the members of a shard in `apertune.shard-status/1`"}},
        .declare = declareShardRun};
}

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/shards/shard_status.h"

#include "core/model/experiment.h"
#include "core/shards/errors.h"
#include "core/shards/network_file_system.h"
#include "core/store/errors.h"

#include <algorithm>
#include <utility>

namespace apertune::shards {

using base::Error;
using base::ErrorCode;

namespace {

/// Reads what the workspace says into `status`.
base::Status readWorkspace(const ShardPlan& plan, ShardStatus& status)
{
    const auto opened = openShard(plan, status.shard);
    if (!opened)
        return opened.error();
    if (!*opened)
        return {};
    const store::StudySummary& summary = (*opened)->study;
    const auto study = (*opened)->workspace.study(summary.id);
    if (!study)
        return study.error();
    status.host = study->environment.host;
    status.machine = model::machineClass(study->environment);
    status.total = summary.trials;
    status.done = summary.trials - summary.remaining;
    status.ok = summary.ok;
    status.failed = summary.failed;
    status.state = summary.remaining > 0 ? ShardState::interrupted : ShardState::finished;
    return {};
}

} // namespace

std::string_view toString(ShardState state)
{
    switch (state) {
    case ShardState::notBegun:
        return "not_begun";
    case ShardState::running:
        return "running";
    case ShardState::interrupted:
        return "interrupted";
    case ShardState::finished:
        return "finished";
    case ShardState::failed:
        break;
    }
    return "failed";
}

ShardStatus shardStatus(const ShardPlan& plan, int shard)
{
    ShardStatus status;
    status.shard = shard;
    status.total = static_cast<int>(plan.shards[static_cast<std::size_t>(shard - 1)].size());
    const std::filesystem::path file = workspaceOf(plan, shard);
    const bool running = store::Store::isBeingWritten(file);
    status.isRead = !(running && isOnNetworkFileSystem(file));
    if (status.isRead)
        if (const auto read = readWorkspace(plan, status); !read)
            status.problem = read.error();
    // A workspace that is being created cannot be read yet.
    if (running)
        status.problem.reset();
    else if (status.state == ShardState::finished && status.ok == 0 && status.failed > 0)
        status.problem = Error{ErrorCode::unsupported, base::message<errors::kNothingMeasured>(status.failed),
                               file.string(), base::message<errors::kSeeShard>()};
    if (running)
        status.state = ShardState::running;
    else if (status.problem)
        status.state = ShardState::failed;
    return status;
}

base::Result<std::optional<OpenShard>> openShard(const ShardPlan& plan, int shard)
{
    std::error_code code;
    if (!std::filesystem::exists(workspaceOf(plan, shard), code))
        return std::optional<OpenShard>();
    auto workspace = store::Store::open(workspaceOf(plan, shard), store::OpenMode::readOnly);
    if (!workspace)
        return workspace.error();
    auto study = shardStudy(plan, shard, *workspace);
    if (!study)
        return study.error();
    if (!*study)
        return std::optional<OpenShard>();
    return std::optional(OpenShard{std::move(*workspace), std::move(**study)});
}

base::Result<std::optional<store::StudySummary>> shardStudy(const ShardPlan& plan, int shard,
                                                            const store::Store& workspace)
{
    if (const base::Message reason = workspace.readOnlyReason(); reason.id == store::errors::kNewerSchema.id)
        return Error{ErrorCode::unsupported, base::message<errors::kNewerShard>(shard, reason),
                     workspace.file().string(), base::message<errors::kUpdate>()};
    const auto studies = workspace.studies();
    if (!studies)
        return studies.error();
    const std::string uuid = shardUuid(plan, shard);
    const auto own = std::find_if(studies->begin(), studies->end(),
                                  [&](const store::StudySummary& study) { return study.uuid == uuid; });
    if (own != studies->end())
        return std::optional(*own);
    if (!studies->empty())
        return Error{ErrorCode::invalidArgument, base::message<errors::kOtherPlan>(shard), workspace.file().string(),
                     base::message<errors::kMoveAway>()};
    return std::optional<store::StudySummary>();
}

} // namespace apertune::shards

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/shards/shard_status.h"

#include <string>
#include <vector>

namespace apertune::cli {

inline constexpr const char* kShardFolderHelp = "Folder of the plan, as `apertune shard plan` wrote it";

/// The states of all shards of a plan.
std::vector<shards::ShardStatus> statesOf(const shards::ShardPlan& plan);

/// A shard as the documents of `apertune shard` hold it.
base::Json shardDocument(const shards::ShardPlan& plan, const shards::ShardStatus& status);

/// The table of shards, and below it the reasons of those that failed.
std::string shardTable(const std::vector<shards::ShardStatus>& states, int width);

/// "shard 2 of 4"
std::string shardName(const shards::ShardPlan& plan, int shard);

} // namespace apertune::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/search/grid.h"
#include "core/study/study_plan.h"
#include "core/study/study_request.h"

#include <filesystem>
#include <string>
#include <vector>

namespace apertune::shards {

/// A configuration of a shard.
struct ShardConfiguration
{
    int ordinal = 0; ///< place in the grid, from 1: the order of the merged study
    search::PlannedConfiguration planned;
};

/// A study that is divided into shards, which several processes or machines measure. A folder holds it:
///   plan.json        the document "apertune.shard-plan/1", which never changes
///   model/           a copy of the model's artifact
///   shard-N.apertune the workspace of shard N, from 1, once it has begun
///
/// Every shard measures the same reference beside its trials, O0 fp32 of the engine that was planned first, so that
/// merging can tell how much faster one machine is than another.
///
/// A configuration group belongs to one shard, so that a package is compiled once. The studies in the workspaces are
/// told from those of another plan by their uuids, which follow from the plan's hash.
struct ShardPlan
{
    std::filesystem::path folder; ///< absolute
    std::string hash{};           ///< SHA-256 of all that the plan says
    std::string requestHash{};    ///< SHA-256 of the request with the content hash of the model
    std::string createdUtc{};
    study::StudyRequest request{}; ///< without configurations; its model lies in the folder; references for all shards
    std::vector<std::vector<ShardConfiguration>> shards{};

    int size() const { return static_cast<int>(shards.size()); }
};

/// Divides a planned study among `count` shards so that their numbers of runnable configurations are as even as whole
/// groups allow; a compilation counts as several configurations. The same request always gives the same shards.
/// Failures: invalidArgument (fewer groups than shards), unsupported (nothing can run here).
base::Result<ShardPlan> makeShardPlan(const study::StudyRequest& request, const study::StudyPlan& planned, int count);

/// Writes the plan and a copy of the model's files to a folder, which is created, and returns the plan as
/// readShardPlan() does. The plan comes last, so that a folder with a plan is complete. Failures: invalidArgument (the
/// folder has a plan), io.
base::Result<ShardPlan> writeShardPlan(ShardPlan plan, const std::filesystem::path& folder);

/// Failures: notFound (no plan there), unsupported (the plan of a newer version), corrupt (changed, or unreadable).
base::Result<ShardPlan> readShardPlan(const std::filesystem::path& folder);

/// Failures: invalidArgument (the plan has no such shard).
base::Status requireShard(const ShardPlan& plan, int shard);

/// Returns the path of the plan's document.
std::filesystem::path planFile(const ShardPlan& plan);

/// Returns the path of a shard's workspace, whether it exists or not.
std::filesystem::path workspaceOf(const ShardPlan& plan, int shard);

/// Return the uuids of the study that a shard measures, and of the merged one.
std::string shardUuid(const ShardPlan& plan, int shard);
std::string mergedUuid(const ShardPlan& plan);

} // namespace apertune::shards

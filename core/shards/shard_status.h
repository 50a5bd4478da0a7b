// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/shards/shard_plan.h"
#include "core/store/store.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace apertune::shards {

enum class ShardState {
    notBegun,    ///< it has no study yet
    running,     ///< a process writes to its workspace
    interrupted, ///< some of its configurations are open, and nobody measures them
    finished,    ///< each of its configurations is in a final state
    failed,      ///< its workspace cannot be used, or none of its configurations that can run was measured
};
std::string_view toString(ShardState state); ///< "not_begun", "running", "interrupted", "finished", "failed"

/// What the workspace of a shard says. No queue is asked, because only the workspace knows what was measured.
struct ShardStatus
{
    int shard = 0;
    ShardState state = ShardState::notBegun;
    int total = 0;  ///< its configurations; more than planned where automatic batches added some
    int done = 0;   ///< those in a final state
    int ok = 0;     ///< measured
    int failed = 0; ///< failed to run
    /// False while it runs on a network file system: its workspace may not be read then, and `done`, `ok` and `failed`
    /// are not known (isOnNetworkFileSystem()).
    bool isRead = true;
    std::string host{};
    std::string machine{};              ///< class of the machine (model::machineClass()); empty: not begun
    std::optional<base::Error> problem; ///< why it failed
};
ShardStatus shardStatus(const ShardPlan& plan, int shard);

/// The workspace of a shard, open for reading, and its study there.
struct OpenShard
{
    store::Store workspace;
    store::StudySummary study;
};

/// Opens the workspace of a shard; nullopt where the shard has not begun. Failures: those of shardStudy() and of the
/// store.
base::Result<std::optional<OpenShard>> openShard(const ShardPlan& plan, int shard);

/// Finds the study of a shard in its workspace; nullopt where it has not begun.
/// Failures: unsupported (the workspace of a newer version), invalidArgument (that of another plan), those of the
/// store.
base::Result<std::optional<store::StudySummary>> shardStudy(const ShardPlan& plan, int shard,
                                                            const store::Store& workspace);

} // namespace apertune::shards

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/shards/shard_plan.h"
#include "core/store/store.h"
#include "core/study/study_event.h"
#include "core/study/study_runner.h"

#include <stop_token>

namespace apertune::shards {

/// Measures the configurations of a shard, or goes on where an earlier run was interrupted. A finished shard stays as
/// it is. Nothing is confirmed and no configuration is tried with fewer threads, because the best one is known only
/// when all shards are merged. The limits of the runner are changed accordingly.
///
/// The writer's lock of the workspace keeps a second process out, so a shard is run once at a time.
/// Returns done when each configuration is in a final state, cancelled when it can be run again.
/// Failures: those of requireShard(), shardStudy() and StudyRunner.
/// REQUIRES: `workspace` is workspaceOf(plan, shard), open for writing, and `runner` writes to it.
base::Result<base::Outcome> runShard(const ShardPlan& plan, int shard, const store::Store& workspace,
                                     study::StudyRunner& runner, const study::StudyObserver& observer,
                                     std::stop_token stop);

} // namespace apertune::shards

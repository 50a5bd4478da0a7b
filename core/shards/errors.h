// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::shards::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kTooManyShards{"shards.too_many_shards", {"shards", "groups"}};
inline constexpr MessageKind kNothingRuns{"shards.nothing_runs"};
inline constexpr MessageKind kPlanIsThere{"shards.plan_is_there", {"folder"}};
inline constexpr MessageKind kCannotCopyModel{"shards.cannot_copy_model", {"model", "why"}};
inline constexpr MessageKind kNoPlan{"shards.no_plan", {"folder"}};
inline constexpr MessageKind kNewerPlan{"shards.newer_plan", {"schema"}};
inline constexpr MessageKind kPlanUnreadable{"shards.plan_unreadable", {"why"}};
inline constexpr MessageKind kPlanChanged{"shards.plan_changed"};
inline constexpr MessageKind kNoShard{"shards.no_shard", {"shard", "shards"}};
inline constexpr MessageKind kOtherPlan{"shards.other_plan", {"shard"}};
inline constexpr MessageKind kNewerShard{"shards.newer_shard", {"shard", "reason"}};
inline constexpr MessageKind kNothingToMerge{"shards.nothing_to_merge"};
inline constexpr MessageKind kMergeIntoShard{"shards.merge_into_shard", {"shard"}};
inline constexpr MessageKind kNothingMeasured{"shards.nothing_measured", {"configurations"}};
inline constexpr MessageKind kBadHost{"shards.bad_host", {"host"}};

// Hints on what to do.
inline constexpr MessageKind kFewerShards{"shards.fewer_shards", {"groups"}};
inline constexpr MessageKind kSeeDryRun{"shards.see_dry_run"};
inline constexpr MessageKind kOtherFolder{"shards.other_folder"};
inline constexpr MessageKind kMakePlan{"shards.make_plan"};
inline constexpr MessageKind kUpdate{"shards.update"};
inline constexpr MessageKind kPlanAgain{"shards.plan_again"};
inline constexpr MessageKind kNameShard{"shards.name_shard", {"shards"}};
inline constexpr MessageKind kMoveAway{"shards.move_away"};
inline constexpr MessageKind kRunShards{"shards.run_shards"};
inline constexpr MessageKind kOtherTarget{"shards.other_target"};
inline constexpr MessageKind kSeeShard{"shards.see_shard"};
inline constexpr MessageKind kNameHosts{"shards.name_hosts"};

inline constexpr std::array kAll{
    kTooManyShards, kNothingRuns, kPlanIsThere, kCannotCopyModel, kNoPlan,         kNewerPlan,      kPlanUnreadable,
    kPlanChanged,   kNoShard,     kOtherPlan,   kNewerShard,      kNothingToMerge, kMergeIntoShard, kNothingMeasured,
    kBadHost,       kFewerShards, kSeeDryRun,   kOtherFolder,     kMakePlan,       kUpdate,         kPlanAgain,
    kNameShard,     kMoveAway,    kRunShards,   kOtherTarget,     kSeeShard,       kNameHosts};

} // namespace apertune::shards::errors

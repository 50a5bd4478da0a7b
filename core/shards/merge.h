// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/model/measurement.h"
#include "core/shards/shard_plan.h"
#include "core/shards/shard_status.h"
#include "core/store/store.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::shards {

struct MergedShard
{
    ShardStatus status;
    int added = 0;                        ///< trials that this merge brought
    std::optional<base::Error> refused{}; ///< why its trials were left out
};

/// How fast a device of one machine class is beside that of another, by the reference that all shards measure.
struct MachineSpeed
{
    std::string device;
    std::string machine;
    std::string against; ///< class of the study's environment
    /// Time of the reference on `against` over that on `machine`: > 1 is faster. It says nothing about other
    /// configurations.
    model::Interval ratio;
};

struct Merged
{
    model::StudyId study{};
    std::vector<MergedShard> shards;    ///< all of the plan
    std::vector<MachineSpeed> speeds{}; ///< one for each device and other machine class
};

/// Brings the results of all shards into one study of `target`, which must be open for writing. It can be called at any
/// time, and again:
///  - Trials in a final state are taken over from the shards as they are now. Running shards may be among them, but not
///    on a network file system (ShardStatus::isRead).
///  - A configuration that has a final state in the target keeps it, such as one that was confirmed there. So a merge
///    changes nothing that an earlier one brought. One that was only left out takes a later result.
///  - A trial that a damaged workspace has lost is not taken over.
///  - The study is finished when each configuration is in a final state, else interrupted: `tune --resume` measures the
///    open ones on this machine.
///
/// Machines. The environment of the study is that of the first shard that has begun. A trial of a machine of another
/// class has its class (model::Conditions::machine), so that the two are not ranked as one. What a shard confirmed for
/// itself counts as a plain measurement, since it took no turns with the trials of other shards.
///
/// A shard with the workspace of another plan or of a newer version, or whose workspace cannot be read, is refused, and
/// the others are merged.
/// Failures: notFound (no shard has results), that of the only shards that have begun, invalidArgument (`target` is a
/// shard), those of the store.
base::Result<Merged> mergeShards(const ShardPlan& plan, store::Store& target);

} // namespace apertune::shards

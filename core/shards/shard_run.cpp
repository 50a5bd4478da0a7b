// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/shards/shard_run.h"

#include "core/shards/shard_status.h"
#include "core/worker/run_limits.h"

#include <utility>

namespace apertune::shards {

base::Result<base::Outcome> runShard(const ShardPlan& plan, int shard, const store::Store& workspace,
                                     study::StudyRunner& runner, const study::StudyObserver& observer,
                                     std::stop_token stop)
{
    if (auto valid = requireShard(plan, shard); !valid)
        return valid.error();
    const auto known = shardStudy(plan, shard, workspace);
    if (!known)
        return known.error();
    worker::RunLimits limits = runner.limits();
    limits.confirmMost = {};
    limits.noisePairs = 0;
    limits.fewerThreads = false;
    runner.setLimits(limits);
    if (*known) {
        if ((*known)->remaining == 0 && (*known)->state == model::StudyState::finished)
            return base::Outcome::done;
        return runner.resume({.study = (*known)->id, .references = plan.request.references}, observer, std::move(stop));
    }
    study::StudyRequest request = plan.request;
    request.uuid = shardUuid(plan, shard);
    for (const ShardConfiguration& configuration : plan.shards[static_cast<std::size_t>(shard - 1)])
        request.configurations.push_back(configuration.planned);
    return runner.run(request, observer, std::move(stop));
}

} // namespace apertune::shards

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/run_child.h"
#include "core/shards/shard_plan.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::shards {

/// How shards are started where they run. The folder of the plan has the same path there.
struct Start
{
    std::string program = "apertune"; ///< the program there, by name or path
    bool trust = false;               ///< --trust: the code of the model may run
    bool noSandbox = false;           ///< --no-sandbox
};

/// A job array of Slurm, with one task a shard.
struct SlurmJob
{
    std::filesystem::path file; ///< where `script` belongs
    std::string script;
    std::vector<std::string> command; ///< submits it
};

/// Makes the job array of some shards. Each task has a node of its own, because whatever else runs there disturbs what
/// is measured, and is not requeued, because a shard goes on when it is submitted again. `options` are further ones for
/// sbatch.
SlurmJob slurmJob(const ShardPlan& plan, const std::vector<int>& shards, const Start& start,
                  const std::vector<std::string>& options);

/// Failures: invalidArgument (no host, or a text that is none: empty, with blanks, or like an option).
base::Status requireHosts(const std::vector<std::string>& hosts);

/// Returns the command that runs a shard on a host. It asks for no password.
std::vector<std::string> sshCommand(const ShardPlan& plan, int shard, const std::string& host, const Start& start);

/// A shard that a host runs or has run.
struct SshRun
{
    int shard = 0;
    std::string host;
    const base::Result<base::ChildResult>* result = nullptr; ///< null: it begins
};

/// Runs shards on hosts, one at a time on each: a host that is done takes the next shard. Blocks until all have ended.
/// A request to stop ends the connections. `observer` is called with one event at a time.
/// REQUIRES: requireHosts().
void runOverSsh(const ShardPlan& plan, const std::vector<int>& shards, const std::vector<std::string>& hosts,
                const Start& start, const std::function<void(const SshRun&)>& observer, const std::stop_token& stop);

} // namespace apertune::shards

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/shards/submission.h"

#include "core/base/escape.h"
#include "core/base/mutex.h"
#include "core/base/text.h"
#include "core/shards/errors.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <thread>

namespace apertune::shards {

using base::Error;
using base::ErrorCode;

namespace {

constexpr base::Nanoseconds kLongest = base::fromSeconds(30 * 24 * 3600); ///< longest run of a shard over ssh

/// The command line of a shard for a shell. `shard` is written as it is, so that it may be a variable.
std::string runLine(const ShardPlan& plan, const std::string& shard, const Start& start)
{
    return base::shellQuoted(start.program) + " shard run " + base::shellQuoted(plan.folder.string()) + " --shard " +
           shard + " --quiet" + (start.trust ? " --trust" : "") + (start.noSandbox ? " --no-sandbox" : "");
}

bool isHost(const std::string& text)
{
    return !text.empty() && !text.starts_with('-') &&
           std::none_of(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) || std::iscntrl(c); });
}

} // namespace

SlurmJob slurmJob(const ShardPlan& plan, const std::vector<int>& shards, const Start& start,
                  const std::vector<std::string>& options)
{
    std::vector<std::string> numbers;
    for (const int shard : shards)
        numbers.push_back(std::to_string(shard));
    SlurmJob job;
    job.file = plan.folder / "array.sbatch";
    job.script = "#!/bin/sh\n"
                 "#SBATCH --job-name=apertune\n"
                 "#SBATCH --nodes=1\n"
                 "#SBATCH --exclusive\n"
                 "#SBATCH --no-requeue\n"
                 "exec " +
                 runLine(plan, "\"$SLURM_ARRAY_TASK_ID\"", start) + "\n";
    job.command = {"sbatch", "--array=" + base::join(numbers, ","),
                   "--output=" + (plan.folder / "slurm-%A_%a.log").string()};
    job.command.insert(job.command.end(), options.begin(), options.end());
    job.command.push_back(job.file.string());
    return job;
}

base::Status requireHosts(const std::vector<std::string>& hosts)
{
    const auto bad = std::find_if_not(hosts.begin(), hosts.end(), isHost);
    if (bad == hosts.end() && !hosts.empty())
        return {};
    return Error{ErrorCode::invalidArgument,
                 base::message<errors::kBadHost>(hosts.empty() ? std::string() : *bad),
                 {},
                 base::message<errors::kNameHosts>()};
}

std::vector<std::string> sshCommand(const ShardPlan& plan, int shard, const std::string& host, const Start& start)
{
    const std::string line = runLine(plan, std::to_string(shard), start);
    return {"ssh", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=15", "--", host, line};
}

void runOverSsh(const ShardPlan& plan, const std::vector<int>& shards, const std::vector<std::string>& hosts,
                const Start& start, const std::function<void(const SshRun&)>& observer, const std::stop_token& stop)
{
    base::Mutex mutex; // no other lock is taken while it is held, but those of the observer
    std::deque<int> waiting(shards.begin(), shards.end());
    const auto next = [&](const std::string& host) {
        const base::Lock lock(mutex);
        if (waiting.empty() || stop.stop_requested())
            return 0;
        const int shard = waiting.front();
        waiting.pop_front();
        observer({shard, host, nullptr});
        return shard;
    };
    // Each host has a thread, which starts its children and outlives them.
    std::vector<std::jthread> threads;
    for (const std::string& host : hosts)
        threads.emplace_back([&, host] {
            for (int shard = next(host); shard > 0; shard = next(host)) {
                const auto result = base::runChild(sshCommand(plan, shard, host, start), kLongest, stop);
                const base::Lock lock(mutex);
                observer({shard, host, &result});
            }
        });
}

} // namespace apertune::shards

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "core/shards/network_file_system.h"
#include "core/shards/submission.h"

#include <gmock/gmock.h>

namespace apertune::shards {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ShardPlan planIn(const std::string& folder)
{
    ShardPlan plan;
    plan.folder = folder;
    plan.shards.resize(4);
    return plan;
}

TEST(NetworkFileSystem, IsToldFromALocalOne)
{
    for (const std::uint64_t type : {0x6969UL, 0xff534d42UL, 0x0bd00bd0UL})
        EXPECT_TRUE(isNetworkType(type)) << type;
    for (const std::uint64_t type : {0xef53UL, 0x58465342UL, 0x01021994UL}) // ext4, XFS, tmpfs
        EXPECT_FALSE(isNetworkType(type)) << type;
}

TEST(Slurm, ATaskRunsTheShardOfItsNumberAloneOnItsNode)
{
    const SlurmJob job = slurmJob(planIn("/shared/a b"), {1, 3}, {"/opt/apertune", true, false}, {"--partition=gpu"});
    EXPECT_EQ(job.file, "/shared/a b/array.sbatch");
    EXPECT_THAT(job.script, HasSubstr("#SBATCH --exclusive\n"));
    EXPECT_THAT(job.script, HasSubstr("#SBATCH --no-requeue\n"));
    EXPECT_THAT(
        job.script,
        HasSubstr("exec /opt/apertune shard run '/shared/a b' --shard \"$SLURM_ARRAY_TASK_ID\" --quiet --trust\n"));
    EXPECT_THAT(job.command, ElementsAre("sbatch", "--array=1,3", "--output=/shared/a b/slurm-%A_%a.log",
                                         "--partition=gpu", "/shared/a b/array.sbatch"));
}

TEST(Ssh, TheCommandIsOneWordForTheShellThere)
{
    EXPECT_THAT(sshCommand(planIn("/shared/it's"), 2, "user@node1", {}),
                ElementsAre("ssh", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=15", "--", "user@node1",
                            "apertune shard run '/shared/it'\\''s' --shard 2 --quiet"));
}

TEST(Ssh, AHostIsNeverTakenForAnOption)
{
    EXPECT_TRUE(requireHosts({"node1", "user@node2"}));
    for (const char* host : {"-oProxyCommand=touch x", "", "a b", "a\nb"})
        EXPECT_FALSE(requireHosts({"node1", host})) << host;
    EXPECT_FALSE(requireHosts({}));
}

} // namespace
} // namespace apertune::shards

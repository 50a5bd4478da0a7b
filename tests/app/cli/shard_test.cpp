// SPDX-License-Identifier: GPL-3.0-or-later
// Studies that several machines share, with programs that stand in for ssh and sbatch.
#include "tests/app/cli/program_fixture.h"

#include <algorithm>

namespace apertune::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;
using test::Program;
using test::Ran;

/// A plan of a scripted model with three configuration groups.
struct PlannedProgram : Program
{
    explicit PlannedProgram(int shards, const Json& script = test::fastScript())
    {
        std::vector<std::string> words =
            tune(model("m", script), {"--levels", "O0,O1,O2", "--budget", "60s", "--shards", std::to_string(shards),
                                      "--out", folder(), "--json"});
        words.front() = "plan";
        words.insert(words.begin(), "shard");
        planned = run(words);
        EXPECT_EQ(planned.code, 0) << planned.err;
    }
    std::string folder() const { return (dir() / "the plan").string(); }
    Ran shard(const std::string& verb, const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> words{"shard", verb, folder()};
        words.insert(words.end(), more.begin(), more.end());
        return run(words, verb == "merge");
    }
    Json states() const { return shard("status", {"--json"}).document()["shards"]; }
    /// A program in a folder that stands first on the PATH of shellLine().
    void standIn(const std::string& name, const std::string& script) const
    {
        write(dir() / "bin" / name, "#!/bin/sh\n" + script);
        fs::permissions(dir() / "bin" / name, fs::perms::owner_all);
    }
    Ran withStandIns(const std::string& arguments) const
    {
        return shell("PATH='" + (dir() / "bin").string() + "':$PATH \"$0\" " + arguments);
    }

    Ran planned;
};

TEST(Shard, AStudyOfThreeShardsIsPlannedMeasuredAndMerged)
{
    const PlannedProgram program(3);
    const Json plan = program.planned.document();
    EXPECT_EQ(plan["schema"], "apertune.shard-plan/1");
    EXPECT_EQ(plan["content_hash"], "hash of m");
    EXPECT_EQ(plan["shards"].size(), 3u);
    for (const Json& shard : program.states())
        EXPECT_EQ(shard["state"], "not_begun");
    const Ran nothing = program.shard("merge");
    EXPECT_EQ(nothing.code, 2);
    EXPECT_NE(nothing.err.find("No shard has results to merge yet."), std::string::npos) << nothing.err;

    for (const char* number : {"1", "2", "3"}) {
        const Ran ran = program.shard("run", {"--shard", number, "--json"});
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(ran.document()["state"], "finished");
        EXPECT_NE(ran.err.find("[1/1]"), std::string::npos) << "progress is missing:\n" << ran.err;
    }
    const Ran merged = program.shard("merge", {"--json"});
    EXPECT_EQ(merged.code, 0) << merged.err;
    const Json document = merged.document();
    EXPECT_EQ(document["added"], 3);
    EXPECT_EQ(document["complete"], true);
    EXPECT_EQ(document["confirmed"], false);
    EXPECT_FALSE(document["shortlist"].empty()) << document;
    EXPECT_EQ(program.shard("merge", {"--json"}).document()["added"], 0);
    EXPECT_NE(program.shard("merge").out.find("confirms them."), std::string::npos);
    const Json study = program.run({"show", document["study"].get<std::string>(), "--json"}).document();
    EXPECT_EQ(study["trials"].size(), 3u);

    const Ran confirmed =
        program.run({"tune", "--resume", document["study"].get<std::string>(), "--budget", "60s", "--json"});
    EXPECT_EQ(confirmed.code, 0) << confirmed.err;
    EXPECT_EQ(confirmed.document()["recommended"]["confirmed"], true) << confirmed.out;
}

TEST(Shard, OneThatWasKilledIsMergedAsItIsAndGoesOn)
{
    Json script = test::fastScript();
    script["faults"] = {{{"at", "run"}, {"n", 3}, {"do", "hang"}, {"when", {{"level", "O2"}}}, {"once", "hangs"}}};
    const PlannedProgram program(1, script);
    auto running = program.start({"shard", "run", program.folder(), "--shard", "1"}, false);
    ASSERT_TRUE(running.waitForFile(fs::path(program.folder()) / "model" / "hangs"));
    EXPECT_EQ(program.states()[0]["state"], "running");
    const Ran second = program.shard("run", {"--shard", "1"});
    EXPECT_EQ(second.code, 2);
    EXPECT_NE(second.err.find("is being written by process"), std::string::npos) << second.err;
    running.signal(SIGKILL);
    EXPECT_EQ(running.finish().code, -SIGKILL);

    const Json half = program.states()[0];
    EXPECT_EQ(half["state"], "interrupted");
    const int done = half["done"].get<int>();
    EXPECT_GE(done, 1);
    EXPECT_LT(done, 3);
    const Json first = program.shard("merge", {"--json"}).document();
    EXPECT_EQ(first["added"], done);
    EXPECT_EQ(first["complete"], false);
    EXPECT_EQ(program.shard("run", {"--shard", "1"}).code, 0);
    const Json last = program.shard("merge", {"--json"}).document();
    EXPECT_EQ(last["added"], 3 - done);
    EXPECT_EQ(last["complete"], true);
    EXPECT_EQ(last["study"], first["study"]);
}

TEST(Shard, HostsTakeTheShardsThatAreOpenOneAfterTheOther)
{
    const PlannedProgram program(3);
    ASSERT_EQ(program.shard("run", {"--shard", "2"}).code, 0);
    // Of ssh, only the last word is run, here. One host fails.
    program.standIn("ssh", "echo \"$6\" >> '" + (program.dir() / "hosts").string() +
                               "'\n[ \"$6\" = broken ] && { echo no route to broken >&2; exit 255; }\n"
                               "for line; do :; done\nexec sh -c \"$line\"\n");
    const std::string line = "shard submit '" + program.folder() + "' --ssh ";
    const Ran dry = program.withStandIns(line + "node1,node2 --dry-run --json");
    EXPECT_EQ(dry.code, 0) << dry.err;
    EXPECT_EQ(dry.document()["shards"], (Json{1, 3}));
    EXPECT_EQ(dry.document()["commands"].size(), 2u);
    EXPECT_FALSE(fs::exists(program.dir() / "hosts"));

    const Ran failing = program.withStandIns(line + "broken");
    EXPECT_EQ(failing.code, 4) << failing.err;
    EXPECT_NE(failing.err.find("broken: shard 1 exit code 255: no route to broken"), std::string::npos) << failing.err;
    const Ran ran = program.withStandIns(line + "node1,node2 --json");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.document()["runs"].size(), 2u);
    for (const Json& shard : program.states())
        EXPECT_EQ(shard["state"], "finished") << shard;
    const Ran nothing = program.withStandIns(line + "node1");
    EXPECT_EQ(nothing.code, 0);
    EXPECT_NE(nothing.out.find("Nothing is left to submit"), std::string::npos) << nothing.out;
}

TEST(Shard, AJobArrayHasATaskForEachOpenShard)
{
    const PlannedProgram program(3);
    ASSERT_EQ(program.shard("run", {"--shard", "1"}).code, 0);
    // The stand-in runs the tasks before it answers.
    program.standIn("sbatch", "for file; do case \"$file\" in --array=*) tasks=${file#--array=};; esac; done\n"
                              "for task in $(echo \"$tasks\" | tr , ' '); do\n"
                              "  SLURM_ARRAY_TASK_ID=$task sh \"$file\" > /dev/null || exit 1\ndone\n"
                              "echo Submitted batch job 7\n");
    const std::string line = "shard submit '" + program.folder() + "' --slurm --sbatch=--partition=gpu";
    const Ran dry = program.withStandIns(line + " --dry-run");
    EXPECT_EQ(dry.code, 0) << dry.err;
    EXPECT_NE(dry.out.find("--array=2,3"), std::string::npos) << dry.out;
    EXPECT_NE(dry.out.find("#SBATCH --exclusive"), std::string::npos) << dry.out;
    EXPECT_FALSE(fs::exists(fs::path(program.folder()) / "array.sbatch"));

    const Ran ran = program.withStandIns(line + " --json");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.document()["answer"], "Submitted batch job 7");
    for (const Json& shard : program.states())
        EXPECT_EQ(shard["state"], "finished") << shard;
}

TEST(Shard, SubmittingAsksWhere)
{
    const PlannedProgram program(1);
    const Ran ran = program.shard("submit");
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("Add --slurm, or --ssh HOST,HOST."), std::string::npos) << ran.err;
    EXPECT_EQ(program.shard("submit", {"--ssh", "-oProxyCommand=x"}).code, 2);
}

} // namespace
} // namespace apertune::cli

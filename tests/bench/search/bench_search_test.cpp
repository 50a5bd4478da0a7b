// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/program_fixture.h"

#include <fstream>

namespace apertune::search::bench {
namespace {

using base::Json;
using cli::test::Program;
using cli::test::Ran;

/// A workspace with a study of a model (s1) and one whose best configuration fails (s2).
class BenchSearch : public testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        s_program = std::make_unique<Program>();
        sweep(s_program->model("m", cli::test::fastScript()));
        Json script = cli::test::fastScript();
        script["faults"] = {{{"at", "run"}, {"n", 2}, {"do", "throw"}, {"when", {{"level", "O1"}}}}};
        sweep(s_program->model("faulty", script));
    }
    static void TearDownTestSuite() { s_program.reset(); }
    static void sweep(const std::string& model)
    {
        const Ran ran = s_program->run(s_program->tune(model, {"--levels", "O0,O1", "--target", "1%"}));
        ASSERT_TRUE(ran.swept()) << ran.err;
    }
    static Ran run(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin(), APERTUNE_BENCH_SEARCH);
        arguments.insert(arguments.end(), {"--store", s_program->store()});
        return s_program->launch(std::move(arguments)).finish();
    }
    static Json json(std::vector<std::string> arguments)
    {
        arguments.push_back("--json");
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return ran.document();
    }
    static std::filesystem::path dir() { return s_program->dir(); }
    static inline std::unique_ptr<Program> s_program;
};

TEST_F(BenchSearch, AStudyBecomesATableThatSearchesAreComparedOn)
{
    const std::string file = (dir() / "grid.json").string();
    EXPECT_EQ(json({"--from-study", "s1", "--record", file})["cells"], 2);
    const Json result = json({file, "--algorithms", "racing,grid", "--sweeps", "10"});
    EXPECT_EQ(result["schema"], "apertune.search_benchmark/1");
    ASSERT_EQ(result["scores"].size(), 2u);
    EXPECT_EQ(result["scores"][0]["search"], "racing");
    EXPECT_EQ(result["scores"][1]["within_2_percent"]["value"], 1.0) << "brute force finds it";
    const Json soon = result["scores"][0]["wall_share_to_5_percent"]["value"];
    EXPECT_GT(soon, 0.0);
    EXPECT_LE(soon, result["scores"][0]["wall_share"]["value"]);
    EXPECT_EQ(result["scores"][0]["failing_share"]["value"], 0.0) << "both configurations run";
    const Ran text = run({file, "--algorithms", "racing", "--sweeps", "5"});
    EXPECT_NE(text.out.find("5 sweeps of 1 tables with 2 configurations"), std::string::npos) << text.out;
    std::ofstream(file) << "{}";
    const Ran damaged = run({file});
    EXPECT_EQ(damaged.code, 2);
    EXPECT_NE(damaged.err.find("not a table"), std::string::npos) << damaged.err;
}

TEST_F(BenchSearch, ALiveSearchIsComparedWithItsGrid)
{
    const Json live = json({"--from-study", "s1", "--live", "s1"});
    EXPECT_EQ(live["regret"], 0.0);
    EXPECT_EQ(live["measuring_share"], 1.0);
    EXPECT_EQ(live["best"], live["winner"]);
    const Json limited = json({"--from-study", "s1", "--live", "s2"});
    EXPECT_GT(limited["regret"], 0.1) << "it could not measure the best";
    EXPECT_EQ(limited["measured"], 1);
}

TEST_F(BenchSearch, RefusesWhatItCannotRead)
{
    for (const auto& [arguments, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{}, "A table is missing."},
             {{"t.json", "--algorithms", "raceing"}, "Did you mean racing?"},
             {{"t.json", "--wall", "200%"}, "--wall"},
             {{"t.json", "--live", "s1"}, "--live needs"},
             {{"--from-study", "many", "--record", "x.json"}, "is not a study"}}) {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 2) << message;
        EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
    }
}

} // namespace
} // namespace apertune::search::bench

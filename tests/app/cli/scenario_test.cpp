// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/program_fixture.h"

namespace apertune::cli {
namespace {

using base::Json;
using test::Program;
using test::Ran;

class Scenario : public testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        s_program = std::make_unique<Program>();
        const std::string model = s_program->model("m", test::fastScript());
        ASSERT_TRUE(s_program->run(s_program->tune(model, {"--levels", "O0,O1"})).swept());
    }
    static void TearDownTestSuite() { s_program.reset(); }
    static Ran run(const std::vector<std::string>& arguments) { return s_program->run(arguments); }
    static inline std::unique_ptr<Program> s_program;
};

TEST_F(Scenario, OfATrialIsPrintedAndKept)
{
    const Ran ran =
        run({"load", "best", "--scenario", "camera", "--fps", "50", "--jitter", "0", "--duration", "300ms", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json document = ran.document();
    EXPECT_EQ(document["schema"], "apertune.scenario/1");
    EXPECT_EQ(document["scenario"]["kind"], "camera");
    EXPECT_EQ(document["summary"]["queries"], 15);
    EXPECT_TRUE(document["summary"]["frames"].is_object());
    const Ran text = run({"load", "best", "--scenario", "offline", "--duration", "200ms"});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("img/s"), std::string::npos);

    const Ran listed = run({"trial", "loads", "--json"});
    ASSERT_EQ(listed.code, 0) << listed.err;
    const Json list = listed.document();
    ASSERT_EQ(list["scenarios"].size(), 2U);
    EXPECT_EQ(list["scenarios"][0]["scenario"]["kind"], "camera");
    EXPECT_EQ(run({"trial", "loads", "best", "--json"}).document()["scenarios"].size(), 2U);
    EXPECT_EQ(run({"show", "best", "--json"}).document()["scenarios"], list["scenarios"]);
    EXPECT_NE(run({"show", "best"}).out.find("Under load"), std::string::npos);
}

TEST_F(Scenario, OfASweepPutsItsBestTrialsUnderLoad)
{
    const std::string model = s_program->model("loaded", test::fastScript());
    const Ran ran = run(s_program->tune(model, {"--levels", "O0,O1", "--scenario", "offline,camera", "--duration",
                                                "200ms", "--load-trials", "1", "--json"}));
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json document = ran.document();
    ASSERT_EQ(document["scenarios"].size(), 2U) << document.dump();
    EXPECT_EQ(document["scenarios"][0]["scenario"]["kind"], "offline");
    EXPECT_EQ(document["scenarios"][1]["scenario"]["kind"], "camera");
    EXPECT_EQ(document["scenarios"][0]["trial"], document["scenarios"][1]["trial"]);
    EXPECT_EQ(run({"trial", "loads", "--json"}).document()["scenarios"].size(), 2U); // the default is the last study

    for (const auto& [options, hint] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"--rate", "5"}, "--scenario"}, {{"--scenario", "server"}, "--max-latency"}}) {
        const Ran refused = run(s_program->tune(model, options));
        EXPECT_EQ(refused.code, 2);
        EXPECT_NE(refused.err.find(hint), std::string::npos) << refused.err;
    }
}

TEST_F(Scenario, OfTooFewQueriesForItsPercentileSaysSoFirstAndInTheResult)
{
    const Ran few = run({"load", "best", "--scenario", "server", "--rate", "20", "--duration", "500ms"});
    ASSERT_EQ(few.code, 0) << few.err;
    EXPECT_NE(few.err.find("About 10.0 queries come in 500 ms at 20 a second; p99 needs 299. Give --duration 15s"),
              std::string::npos)
        << few.err;
    EXPECT_NE(few.out.find("too few queries, it takes 299"), std::string::npos) << few.out;
    const Ran enough =
        run({"load", "best", "--scenario", "server", "--rate", "100", "--duration", "500ms", "--percentile", "p90"});
    ASSERT_EQ(enough.code, 0) << enough.err;
    EXPECT_EQ(enough.err.find("needs"), std::string::npos) << enough.err;
}

TEST_F(Scenario, ThatIsWrongIsRefusedWithWhatWouldBeRight)
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
        {{"--scenario", "cameras"}, "Did you mean camera?"},
        {{"--scenario", "server"}, "--max-latency"},
        {{"--scenario", "camera", "--queue", "0"}, "queue"},
        {{"--scenario", "offline", "--duration", "soon"}, "--duration"}};
    for (const auto& [options, hint] : wrong) {
        std::vector<std::string> arguments{"load", "best"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 2);
        EXPECT_NE(ran.err.find(hint), std::string::npos) << ran.err;
        EXPECT_TRUE(ran.out.empty());
    }
}

TEST_F(Scenario, OfATrialMeasuredAgainSaysWhetherItIsAsFastAsThen)
{
    const Ran ran = run({"verify", "best", "--json"});
    ASSERT_TRUE(ran.code == 0 || ran.code == 1 || ran.code == 3) << ran.err;
    const Json document = ran.document();
    EXPECT_EQ(document["schema"], "apertune.remeasured/1");
    EXPECT_EQ(document["verdict"] == "slower", ran.code == 1);
    EXPECT_TRUE(document["to_sentinel"].is_object());
    const Ran text = run({"verify", "best"});
    EXPECT_NE(text.out.find("then/now"), std::string::npos) << text.out;
    EXPECT_EQ(run({"verify", "t99"}).code, 2);
}

TEST_F(Scenario, OfATrialAgainstItselfIsTheNoiseFloorThatEveryVerbTells)
{
    const Ran ran = run({"device", "noise-floor", "--pairs", "2", "--protocol", "quick", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json document = ran.document();
    EXPECT_EQ(document["schema"], "apertune.noise_floor/1");
    EXPECT_GE(document["comparisons"], 2);
    EXPECT_GE(document["effect"].get<double>(), 0);
    EXPECT_NE(run({"show", "last"}).out.find("cannot be detected on this machine"), std::string::npos);
    EXPECT_NE(run({"device", "list"}).out.find("cannot be detected on this machine"), std::string::npos);
    EXPECT_EQ(run({"device", "list", "--json"}).document()["noise_floors"].size(), 1U);
    EXPECT_EQ(run({"show", "last", "--json"}).document()["noise_floors"].size(), 1U);
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--protocol", "fast"}, {"--pairs", "0"}}) {
        std::vector<std::string> arguments{"device", "noise-floor"};
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        EXPECT_EQ(run(arguments).code, 2);
    }
}

} // namespace
} // namespace apertune::cli

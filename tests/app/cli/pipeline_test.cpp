// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "tests/app/cli/program_fixture.h"

namespace apertune::cli {
namespace {

using base::Json;
using test::Program;
using test::Ran;

/// A model that takes images of 24 x 24 pixels.
std::string imageModel(const Program& program)
{
    std::string model = program.model("m", test::fastScript());
    const auto manifest = std::filesystem::path(model) / "manifest.json";
    Json described = Json::parse(base::readFile(manifest).value());
    described["inputs"][0]["shape"] = {1, 3, 24, 24};
    Program::write(manifest, described.dump());
    return model;
}

TEST(Pipeline, OfATrialIsPrintedKeptAndInTheReport)
{
    const Program program;
    ASSERT_TRUE(program.run(program.tune(imageModel(program), {"--levels", "O0,O1"})).swept());

    const Ran json = program.run({"pipeline", "best", "--generate", "3", "--duration", "300ms", "--json"});
    ASSERT_EQ(json.code, 0) << json.err;
    const Json document = json.document();
    EXPECT_EQ(document["schema"], "apertune.pipeline/1");
    EXPECT_EQ(document["summary"]["stages"].size(), 6U);
    EXPECT_EQ(document["images"], 3);
    EXPECT_EQ(document["reading"], "softmax, top 5");

    const Ran text = program.run({"pipeline", "best", "--generate", "3", "--duration", "300ms", "--prefetch", "0"});
    ASSERT_EQ(text.code, 0) << text.err;
    for (const char* word : {"Decode", "Preprocess", "Copy in", "Infer", "Copy back", "Postprocess", "images/s",
                             "The model alone", "stages take turns"})
        EXPECT_NE(text.out.find(word), std::string::npos) << word << "\n" << text.out;

    EXPECT_EQ(program.run({"show", "best", "--json"}).document()["pipelines"].size(), 2U);
    const Ran shown = program.run({"show", "best"});
    EXPECT_NE(shown.out.find("From JPEG to answer"), std::string::npos) << shown.out;

    const Ran report = program.run({"report", "last", "--format", "html"});
    ASSERT_EQ(report.code, 0) << report.err;
    EXPECT_NE(report.out.find("From image to answer"), std::string::npos);
    EXPECT_NE(report.out.find("Time of an image by stage: Decode"), std::string::npos) << "for who cannot see the bar";
    EXPECT_NE(report.out.find("stages take turns"), std::string::npos) << "the newest run of the trial";

    for (const auto& [arguments, hint] :
         std::vector<std::pair<std::vector<std::string>, std::string>>{{{"--nms", "slow"}, "batched, plain, none"},
                                                                       {{"--prefetch", "-1"}, "--prefetch"},
                                                                       {{"--decode-threads", "0"}, "threads"},
                                                                       {{"--queue-wait", "soon"}, "--queue-wait"},
                                                                       {{"--images", "/no/such/folder"}, "folder"}}) {
        std::vector<std::string> all{"pipeline", "best"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Ran ran = program.run(all);
        EXPECT_EQ(ran.code, 2) << ran.err;
        EXPECT_TRUE(ran.out.empty());
    }
}

TEST(Pipeline, ASweepComparesSettingsInTurns)
{
    const Program program;
    ASSERT_TRUE(program.run(program.tune(imageModel(program), {"--levels", "O0,O1"})).swept());

    const std::vector<std::string> quick{"--generate", "2", "--duration", "30ms"};
    std::vector<std::string> sweep{"pipeline", "best", "--prefetch", "2,0", "--decode-threads", "1", "--json"};
    sweep.insert(sweep.end(), quick.begin(), quick.end());
    const Ran json = program.run(sweep);
    ASSERT_EQ(json.code, 0) << json.err;
    const Json document = json.document();
    EXPECT_EQ(document["schema"], "apertune.pipeline_sweep/1");
    ASSERT_EQ(document["contenders"].size(), 2U);
    EXPECT_GE(document["contenders"][1]["confirmation_ms"].size(), 6U);
    EXPECT_EQ(document["contenders"][1]["setting"]["prefetch"], 0);
    EXPECT_FALSE(document["contenders"][1]["ratio"].is_null());

    EXPECT_EQ(program.run({"show", "best", "--json"}).document()["pipelines"].size(), 2U) << "both were compared";

    std::vector<std::string> tooShort{"pipeline", "best", "--sweep", "--budget", "1ms"};
    tooShort.insert(tooShort.end(), quick.begin(), quick.end());
    const Ran text = program.run(tooShort);
    EXPECT_EQ(text.code, 3) << text.err;
    EXPECT_NE(text.out.find("Give it more time with --budget."), std::string::npos) << text.out;

    EXPECT_EQ(program.run({"pipeline", "best", "--budget", "1m"}).code, 2) << "it is no sweep";
    EXPECT_EQ(program.run({"pipeline", "best", "--prefetch", "1,,2"}).code, 2);
}

} // namespace
} // namespace apertune::cli

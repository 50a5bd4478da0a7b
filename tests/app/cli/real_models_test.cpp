// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "tests/app/cli/program_fixture.h"

#include <fstream>

namespace apertune::cli {
namespace {

using base::Json;
using test::Program;
using test::Ran;

/// The built program with the real exporter and LibTorch, in a home of its own.
struct RealProgram : Program
{
    RealProgram() { python = APERTUNE_TEST_PYTHON; }

    /// A sweep of two levels, small enough for a test.
    Ran sweep(const std::string& source, const std::vector<std::string>& more = {}) const
    {
        // Whether it runs and agrees is asked here, not how fast it is: importing and compiling take what they take
        // where every other test computes too.
        std::vector<std::string> options{"--backends", "libtorch", "--measuring-budget", "300s", "--target",
                                         "20%",        "--json"};
        if (std::find(more.begin(), more.end(), "--levels") == more.end())
            options.insert(options.end(), {"--levels", "O0,O1"});
        options.insert(options.end(), more.begin(), more.end());
        return start(tune(source, options)).finish(base::fromSeconds(1200));
    }
};

/// Each measured, and none away from the O0 fp32 outputs.
void expectAllAgree(const Ran& swept, std::size_t configurations)
{
    ASSERT_TRUE(swept.swept()) << swept.err;
    const Json document = swept.document();
    ASSERT_EQ(document["trials"].size(), configurations);
    for (const Json& trial : document["trials"]) {
        ASSERT_EQ(trial["state"], "ok") << trial.dump();
        EXPECT_GT(trial["quality"]["cosine"].get<double>(), 0.999) << trial.dump();
    }
}

TEST(TiledModel, IsComparedWithTheWholeModelWhateverItsSpeed)
{
    const RealProgram program;
    const Ran swept = program.sweep("zoo:sd_vae_decoder_tiled@160");
    ASSERT_TRUE(swept.swept()) << swept.err;
    const Json document = swept.document();
    ASSERT_EQ(document["trials"].size(), 2u);
    for (const Json& trial : document["trials"]) {
        ASSERT_EQ(trial["state"], "ok") << trial.dump();
        const double cosine = trial["quality"]["cosine"].get<double>();
        EXPECT_LT(cosine, 0.9999) << "the seams of the tiles show, also in O0 fp32: " << trial.dump();
        EXPECT_GT(cosine, 0.9) << trial.dump();
    }
}

/// yolo_nms contains yolo, and the tiles of unet_tiled are those of TiledModel: exporter.families imports both.
class Families : public ::testing::TestWithParam<const char*>
{
};

TEST_P(Families, AreImportedAndTuned)
{
    const RealProgram program;
    expectAllAgree(program.sweep(GetParam()), 2);
}

INSTANTIATE_TEST_SUITE_P(Zoo, Families,
                         ::testing::Values("zoo:yolo_nms@64", "zoo:mobilenet_detector@224", "zoo:detr@64",
                                           "zoo:unet@64", "zoo:sd_text_encoder", "zoo:sd_unet_sliced@64",
                                           "zoo:sd_vae_decoder@64", "zoo:sd_pipeline@64"),
                         [](const auto& instance) {
                             std::string name = instance.param;
                             name = name.substr(name.find(':') + 1);
                             return name.substr(0, name.find('@'));
                         });

/// A study of one of the exporter's test models, fp32 at one thread.
Json studyOf(const RealProgram& program, const std::string& model, const std::string& levels)
{
    const Ran swept = program.sweep("python:" APERTUNE_TEST_EXPORTER_MODELS ":" + model,
                                    {"--levels", levels, "--precisions", "fp32", "--threads", "1"});
    EXPECT_TRUE(swept.swept()) << swept.err;
    return swept.document();
}

TEST(ModelsWithState, AreComparedFromTheSameStateAndLeftOutWhereTheStateIsLost)
{
    const RealProgram program;
    const Json document = studyOf(program, "stateful", "O0,O1,O3");
    ASSERT_EQ(document["trials"].size(), 3u);
    for (const Json& trial : document["trials"]) {
        if (trial["config"]["level"] == "O3") {
            EXPECT_EQ(trial["state"], "pruned");
            EXPECT_NE(trial["reason"].dump().find("keeps state from pass to pass in count"), std::string::npos)
                << trial["reason"];
            continue;
        }
        ASSERT_EQ(trial["state"], "ok") << trial.dump();
        EXPECT_LT(trial["quality"]["max_rel"].get<double>(), 1e-3) << trial["quality"];
    }
}

TEST(ModelsThatDrawRandomNumbers, AreComparedWithTheSameSeed)
{
    const RealProgram program;
    const Json document = studyOf(program, "draws", "O0,O1,O3");
    for (const Json& trial : document["trials"]) {
        if (trial["config"]["level"] == "O3") {
            EXPECT_NE(trial["reason"].dump().find("draws random numbers in each pass"), std::string::npos)
                << trial["reason"];
            continue;
        }
        ASSERT_EQ(trial["state"], "ok") << trial.dump();
        EXPECT_GT(trial["quality"]["cosine"].get<double>(), 0.9999) << trial["quality"];
    }
}

TEST(ModelsThatChangeTheirInput, AreGivenCopies)
{
    const RealProgram program;
    const Json document = studyOf(program, "changes_its_input", "O0,O1");
    for (const Json& trial : document["trials"])
        EXPECT_LT(trial["quality"]["max_rel"].get<double>(), 1e-3) << trial.dump();
}

TEST(Export, IsMeasuredBeforeItIsWrittenAndItsFilesAreKnownAfterwards)
{
    const RealProgram program;
    const Json document = studyOf(program, "tiny", "O1");
    const std::string out = (program.dir() / "deploy").string();
    const Ran exported = program.run({"export", "t1", "--target", "python", "--out", out, "--json"});
    if (exported.code == 2 && exported.err.find("slower than the trial") != std::string::npos)
        GTEST_SKIP() << "this machine was quieter before\n" << exported.err;
    ASSERT_EQ(exported.code, 0) << exported.err;
    EXPECT_TRUE(exported.document()["check"]["verdict"].is_string()) << exported.out;
    const auto record = base::readFile(out + "/apertune-check.json");
    ASSERT_TRUE(record);
    EXPECT_EQ(Json::parse(*record)["schema"], "apertune.check/1");
    const Ran verified = program.run({"verify", out, "--json"});
    EXPECT_NE(verified.code, 2) << verified.err;
    EXPECT_EQ(verified.document()["files"], exported.document()["files"].size() - 1) << "but the manifest itself";
    Program::write(out + "/inputs/0.bin", "damaged");
    const Ran damaged = program.run({"verify", out});
    EXPECT_EQ(damaged.code, 2);
    EXPECT_NE(damaged.err.find("These files were changed after the export: inputs/0.bin."), std::string::npos)
        << damaged.err;
}

TEST(Attention, ItsKernelIsAnAxisAndWhatRanIsRead)
{
    const RealProgram program;
    const Ran swept = program.sweep("zoo:sd_unet@64", {"--levels", "O0", "--switch", "sdpa_math=on,off"});
    ASSERT_NO_FATAL_FAILURE(expectAllAgree(swept, 2));
    const Json document = swept.document();
    std::map<bool, std::string> evidence;
    for (const Json& trial : document["trials"])
        for (const Json& applied : trial["applied"])
            if (applied["switch"] == "sdpa_math")
                evidence[applied["state"] == "on"] = applied["evidence"].get<std::string>();
    ASSERT_EQ(evidence.size(), 2U) << document.dump();
    EXPECT_NE(evidence[true].find("attention_math"), std::string::npos) << evidence[true];
    EXPECT_NE(evidence[false].find("flash_attention"), std::string::npos) << evidence[false];
}

TEST(Attention, ItsKernelIsChosenWhenAPackageIsCompiled)
{
    const RealProgram program;
    const Ran swept = program.sweep("python:" APERTUNE_TEST_EXPORTER_MODELS ":attention",
                                    {"--levels", "O3", "--precisions", "fp32", "--switch", "sdpa_math=on"});
    ASSERT_NO_FATAL_FAILURE(expectAllAgree(swept, 1));
    const Json document = swept.document();
    std::string state;
    for (const Json& applied : document["trials"][0]["applied"])
        if (applied["switch"] == "sdpa_math")
            state = applied["state"].get<std::string>() + ": " + applied["evidence"].get<std::string>();
    EXPECT_EQ(state, "on: attention by attention_math ×1");
}

TEST(Accuracy, ALabelledFolderIsComparedWithTheRealExporter)
{
    const RealProgram program;
    const Ran swept =
        program.sweep("python:" APERTUNE_TEST_EXPORTER_MODELS ":colours", {"--levels", "O0", "--precisions", "fp32"});
    ASSERT_TRUE(swept.swept()) << swept.err;
    // Classes are colours; one picture of the third is labelled as the first.
    const std::string colours[] = {{'\xFF', 0, 0}, {0, '\xFF', 0}, {0, 0, '\xFF'}};
    for (const auto& [place, colour] : {std::pair{"0/red", 0}, {"0/blue", 2}, {"1/green", 1}, {"2/blue", 2}}) {
        std::string pixels;
        for (int i = 0; i < 32 * 32; ++i)
            pixels += colours[colour];
        Program::write(program.dir() / "val" / (std::string(place) + ".ppm"), "P6\n32 32\n255\n" + pixels);
    }
    const Ran evaluated =
        program.run({"quality", "accuracy", "best", "--data", (program.dir() / "val").string(), "--json"});
    ASSERT_EQ(evaluated.code, 0) << evaluated.err;
    const Json document = evaluated.document();
    EXPECT_EQ(document["samples"], 4);
    EXPECT_EQ(document["metrics"][0]["name"], "top1");
    EXPECT_DOUBLE_EQ(document["metrics"][0]["measured"]["value"].get<double>(), 0.75);
    EXPECT_DOUBLE_EQ(document["metrics"][0]["change"]["value"].get<double>(), 0);
    const Ran shown = program.run({"show", "best"});
    EXPECT_NE(shown.out.find("Accuracy on 4 labelled images of val"), std::string::npos) << shown.out;
    const Ran written = program.run({"report", "last", "--out", (program.dir() / "report.html").string()});
    ASSERT_EQ(written.code, 0) << written.err;
    const auto page = base::readFile(program.dir() / "report.html");
    ASSERT_TRUE(page);
    EXPECT_NE(page->find("4 labelled images of val"), std::string::npos);
    EXPECT_NE(page->find("75.0 % ["), std::string::npos);
}

} // namespace
} // namespace apertune::cli

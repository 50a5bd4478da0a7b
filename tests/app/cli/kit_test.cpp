// SPDX-License-Identifier: GPL-3.0-or-later
// A measuring kit is written, run with PyTorch on the processor in place of the platform, and its result imported.
#include "core/base/files.h"
#include "core/base/hash.h"
#include "tests/app/cli/program_fixture.h"

namespace apertune::cli {
namespace {

namespace fs = std::filesystem;

using base::Json;
using test::Program;
using test::Ran;

struct Kits : ::testing::Test
{
    Kits() { program.python = APERTUNE_TEST_PYTHON; }

    fs::path kit(const std::string& platform, const std::vector<std::string>& more = {}) const
    {
        const fs::path folder = program.dir() / ("kit-" + platform);
        std::vector<std::string> words{"/usr/bin/env",
                                       "APERTUNE_ENGINES=" APERTUNE_TEST_ENGINES,
                                       (base::installPrefix() / "bin" / "apertune").string(),
                                       "kit",
                                       platform,
                                       "python:" APERTUNE_TEST_EXPORTER_MODELS ":tiny",
                                       "--out",
                                       folder.string(),
                                       "--store",
                                       program.store(),
                                       "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const Ran written = program.launch(words).finish(base::fromSeconds(600));
        EXPECT_EQ(written.code, 0) << written.err;
        EXPECT_EQ(written.document()["schema"], "apertune.kit-written/1");
        return folder;
    }

    /// Runs the kit for short blocks; its result is trials.json in the folder of the test.
    Ran measure(const fs::path& folder, std::vector<std::string> more = {}) const
    {
        std::vector<std::string> words{"/usr/bin/env",
                                       "PYTHONPATH=" APERTUNE_TEST_ENGINES,
                                       APERTUNE_TEST_PYTHON,
                                       (folder / "kit.py").string(),
                                       "--seconds",
                                       "0.3",
                                       "--out",
                                       result().string()};
        words.insert(words.end(), more.begin(), more.end());
        return program.launch(words).finish(base::fromSeconds(600));
    }
    fs::path result() const { return program.dir() / "trials.json"; }
    Json measured() const
    {
        const auto text = base::readFile(result());
        return text ? Json::parse(*text) : Json();
    }

    Program program;
};

/// Changes a file of the kit, and its hash in the manifest, as somebody who plants a mistake would.
void plant(const fs::path& folder, const std::string& file, const std::string& content)
{
    ASSERT_TRUE(base::writeFileAtomically(folder / file, content));
    const fs::path manifest = folder / "apertune-manifest.json";
    Json document = Json::parse(base::readFile(manifest).value());
    for (Json& entry : document["files"])
        if (entry["path"] == file)
            entry["sha256"] = base::sha256(content);
    ASSERT_TRUE(base::writeFileAtomically(manifest, document.dump()));
}

TEST_F(Kits, OfAPlatformThatIsNotHereSaysSoAndRunsOnAProcessorAlone)
{
    const fs::path folder = kit("rocm", {"--batches", "1,2", "--precisions", "fp32,bf16"});
    const Ran here = measure(folder);
    EXPECT_EQ(here.code, 2);
    EXPECT_NE(here.out.find("is not built for ROCm"), std::string::npos) << here.out << here.err;
    EXPECT_FALSE(fs::exists(result())) << "no kit falls back to another device";

    const Ran ran = measure(folder, {"--stand-in"});
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
    const Json document = measured();
    EXPECT_EQ(document["schema"], "apertune.trials/1");
    ASSERT_EQ(document["trials"].size(), 4u);
    for (const Json& trial : document["trials"]) {
        EXPECT_EQ(trial["device"], "rocm:0");
        EXPECT_GT(trial["quality"]["cosine"].get<double>(), 0.99) << trial["config"];
        EXPECT_GT(trial["blocks"].size(), 0u);
    }

    const Ran imported = program.run({"trial", "import", result().string(), "--json"});
    ASSERT_EQ(imported.code, 0) << imported.err;
    const Json trials = imported.document()["trials"];
    ASSERT_EQ(trials.size(), 4u);
    EXPECT_EQ(trials[0]["latency_ms"]["blocks"], document["trials"][0]["blocks"].size());
    EXPECT_NEAR(trials[0]["latency_ms"]["median"].get<double>(),
                document["trials"][0]["latency_ms"]["median"].get<double>(), 1e-6);
    for (std::size_t i = 0; i < trials.size(); ++i)
        for (const char* end : {"lo", "hi"}) {
            // The program's interval is that of core/stats.
            const Json& told = document["trials"][i]["latency_ms"][end];
            ASSERT_EQ(trials[i]["latency_ms"][end].is_null(), told.is_null());
            if (!told.is_null()) {
                EXPECT_NEAR(trials[i]["latency_ms"][end].get<double>(), told.get<double>(), 1e-6);
            }
        }
    EXPECT_EQ(trials[0]["quality"]["samples"], document["trials"][0]["quality"]["samples"]);

    const Ran shown = program.run({"show", "last"});
    ASSERT_EQ(shown.code, 0) << shown.err;
    EXPECT_NE(shown.out.find("in place of ROCm"), std::string::npos) << shown.out;
    EXPECT_NE(shown.out.find("ranked with no trial of this machine"), std::string::npos) << shown.out;
    const Json study = program.run({"show", "last", "--json"}).document();
    EXPECT_TRUE(study["recommended"].is_null());
    EXPECT_TRUE(study["shortlist"].is_null());
    // A processor is no ROCm, so that the matrix counts nothing.
    const Json matrix = program.run({"platform", "list", "rocm", "--json"}).document();
    for (const Json& cell : matrix["platforms"][0]["cells"])
        EXPECT_EQ(cell["there"], 0);
}

TEST_F(Kits, TellAPlantedWrongOutput)
{
    const fs::path folder = kit("mps");
    std::string expected = base::readFile(folder / "expected/b1.ref").value();
    // The last values of the outputs change their sign and size.
    ASSERT_GT(expected.size(), 100u);
    for (std::size_t at = expected.size() - 40; at < expected.size(); at += 4) {
        const float wrong = -1000;
        std::copy_n(reinterpret_cast<const char*>(&wrong), sizeof wrong, expected.data() + at);
    }
    plant(folder, "expected/b1.ref", expected);
    const Ran ran = measure(folder, {"--stand-in"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    EXPECT_NE(ran.out.find("WRONG OUTPUTS"), std::string::npos) << ran.out;
    const Ran imported = program.run({"trial", "import", result().string(), "--json"});
    ASSERT_EQ(imported.code, 0) << imported.err;
    EXPECT_NE(imported.document()["trials"][0]["flags"].dump().find("below_quality_bound"), std::string::npos);
}

TEST_F(Kits, RunNothingWhenAFileHasChanged)
{
    const fs::path folder = kit("mps");
    const std::string engine = base::readFile(folder / "kit_engine.py").value();
    ASSERT_TRUE(base::writeFileAtomically(folder / "kit_engine.py", "open('ran', 'w')\n" + engine));
    const Ran changed = measure(folder, {"--stand-in"});
    EXPECT_EQ(changed.code, 2);
    EXPECT_NE(changed.err.find("These files were changed after the export: kit_engine.py."), std::string::npos)
        << changed.err;
    fs::remove(folder / "model/model.pt");
    const Ran missing = measure(folder, {"--stand-in"});
    EXPECT_EQ(missing.code, 2);
    EXPECT_NE(missing.err.find("Files of the export are missing: model/model.pt."), std::string::npos) << missing.err;
    EXPECT_FALSE(fs::exists(result()));
}

TEST_F(Kits, ResultsThatAreCutAreRefused)
{
    const fs::path folder = kit("cpu");
    ASSERT_EQ(measure(folder).code, 0);
    const std::string whole = base::readFile(result()).value();
    for (const std::size_t length : {whole.size() / 4, whole.size() / 2, whole.size() - 3}) {
        ASSERT_TRUE(base::writeFileAtomically(result(), whole.substr(0, length)));
        const Ran refused = program.run({"trial", "import", result().string()});
        EXPECT_EQ(refused.code, 2);
        EXPECT_NE(refused.err.find("breaks off"), std::string::npos) << refused.err;
    }
    ASSERT_TRUE(base::writeFileAtomically(result(), whole));
    const Ran imported = program.run({"trial", "import", result().string()});
    EXPECT_EQ(imported.code, 0) << imported.err;
}

TEST_F(Kits, OfAnotherProcessorAreMeasuredThere)
{
    const fs::path folder = kit("cpu");
    const Ran ran = measure(folder);
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
    Json document = measured();
    document["model"]["source"] = "torchvision:resnet18"; // the family is that of the model's source
    ASSERT_TRUE(base::writeFileAtomically(result(), document.dump()));
    ASSERT_EQ(program.run({"trial", "import", result().string()}).code, 0);
    const Json matrix = program.run({"platform", "list", "--json"}).document();
    EXPECT_EQ(matrix["schema"], "apertune.platforms/1");
    for (const Json& row : matrix["platforms"])
        for (const Json& cell : row["cells"]) {
            const bool measuredThere = row["name"] == "cpu" && cell["family"] == "resnet";
            EXPECT_EQ(cell["state"] == "measured_there", measuredThere) << row["name"] << cell;
            if (measuredThere) {
                EXPECT_EQ(cell["there"], 1);
                EXPECT_EQ(cell["best"]["device"].get<std::string>().rfind("imported: ", 0), 0u);
            }
        }
    // What was measured here is compared without a verdict.
    const Ran swept = program.run(program.tune("python:" APERTUNE_TEST_EXPORTER_MODELS ":tiny",
                                               {"--backends", "libtorch", "--levels", "O0", "--budget", "120s"}));
    ASSERT_TRUE(swept.swept()) << swept.err;
    const Json comparison = program.run({"compare", "s1", "s2", "--json"}).document();
    ASSERT_FALSE(comparison["cells"].empty()) << comparison;
    for (const Json& cell : comparison["cells"])
        EXPECT_EQ(cell["verdict"], "cannot_tell");
    const Ran table = program.run({"platform", "list"});
    EXPECT_NE(table.out.find("there 1: "), std::string::npos) << table.out;
}

TEST_F(Kits, OfEnginesWithFormatsOfTheirOwnMeasureTheConvertedModel)
{
    for (const char* platform : {"onnxruntime-cpu", "openvino-cpu"}) {
        if (std::string(APERTUNE_TEST_ENGINES).empty())
            GTEST_SKIP() << "no engine besides LibTorch is installed";
        const fs::path folder = kit(platform);
        const Ran ran = measure(folder);
        ASSERT_EQ(ran.code, 0) << platform << ": " << ran.out << ran.err;
        const Json document = measured();
        EXPECT_EQ(document["trials"][0]["device"], "cpu");
        EXPECT_GT(document["trials"][0]["quality"]["cosine"].get<double>(), 0.9999) << platform;
        const Ran imported = program.run({"trial", "import", result().string()});
        EXPECT_EQ(imported.code, 0) << imported.err;
    }
}

TEST_F(Kits, AreRefusedWithTheReason)
{
    const std::string model = "python:" APERTUNE_TEST_EXPORTER_MODELS ":tiny";
    const Ran unknown = program.run({"kit", "toaster", model});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("rocm"), std::string::npos) << unknown.err;
    const Ran web = program.run({"kit", "webgpu", model});
    EXPECT_EQ(web.code, 2);
    EXPECT_NE(web.err.find("There is no measuring kit for WebGPU"), std::string::npos) << web.err;
    const Ran precision = program.run({"kit", "rocm", model, "--precisions", "int8"});
    EXPECT_EQ(precision.code, 2);
    EXPECT_NE(precision.err.find("It measures fp32, bf16, fp16."), std::string::npos) << precision.err;
    EXPECT_FALSE(fs::exists(program.dir() / "tiny-rocm"));
}

} // namespace
} // namespace apertune::cli

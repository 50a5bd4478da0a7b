// SPDX-License-Identifier: GPL-3.0-or-later
// Sweep files, from end to end: `apertune tune --config` and --write-config, and the file of an export.
#include "core/base/files.h"
#include "core/model/json_codec.h"
#include "tests/app/cli/program_fixture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace apertune::cli {
namespace {

using base::Json;
using test::Program;
using test::Ran;

/// What a dry run would measure. Its estimates are not the same twice: they depend on what was measured before, and on
/// the free memory.
Json planOf(const Program& program, std::vector<std::string> words)
{
    words.insert(words.end(), {"--dry-run", "--json"});
    const Ran ran = program.run(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    Json document = ran.document();
    document.erase("estimate_s");
    document.erase("memory");
    return document;
}

/// The configurations of a study with the request that it was begun with.
Json askedOf(const Json& study)
{
    Json asked{{"model", study["model"]}, {"goal", study["goal"]}};
    for (const Json& trial : study["trials"])
        asked["trials"].push_back({trial["device"], trial["config"]});
    return asked;
}

TEST(SweepFiles, AStudyOfAFileIsThatOfTheOptions)
{
    const Program program;
    const std::string model = program.model("m", test::fastScript());
    const std::vector<std::string> options = program.tune(
        model, {"--levels", "O0,O1", "--batches", "1,2", "--goal", "latency,memory", "--max-latency", "5s"});
    const std::string file = (program.dir() / "sweep.yaml").string();
    std::vector<std::string> writing = options;
    writing.insert(writing.end(), {"--dry-run", "--write-config", file, "--json"});
    const Ran written = program.run(writing);
    ASSERT_EQ(written.code, 0) << written.err;
    EXPECT_EQ(written.document()["schema"], "apertune.plan/1") << "nothing else is on stdout";
    EXPECT_NE(written.err.find("Wrote " + file), std::string::npos) << written.err;

    EXPECT_EQ(planOf(program, {"tune", "--config", file}).dump(1), planOf(program, options).dump(1));
    std::vector<std::string> measuring = options;
    measuring.push_back("--json");
    const Ran ofOptions = program.run(measuring);
    const Ran ofFile = program.run({"tune", "--config", file, "--json"});
    ASSERT_TRUE(ofOptions.swept()) << ofOptions.err;
    ASSERT_TRUE(ofFile.swept()) << ofFile.err;
    EXPECT_EQ(askedOf(ofFile.document()).dump(1), askedOf(ofOptions.document()).dump(1));

    // The study keeps the options, because the file may change.
    const Ran report = program.run({"report", "last", "--format", "html"});
    ASSERT_EQ(report.code, 0) << report.err;
    EXPECT_NE(report.out.find("--levels O0,O1 --precisions fp32 --batches 1,2 --goal latency,memory"),
              std::string::npos);
    EXPECT_EQ(report.out.find("--config"), std::string::npos);

    const std::string json = (program.dir() / "sweep.JSON").string();
    ASSERT_EQ(program.run({"tune", "--config", file, "--batches", "4", "--dry-run", "--write-config", json}).code, 0);
    const auto text = base::readFile(json);
    ASSERT_TRUE(text);
    const auto document = model::parseJson(*text);
    ASSERT_TRUE(document) << *text;
    EXPECT_EQ((*document)["schema"], "apertune.sweep/1");
    EXPECT_EQ((*document)["batches"], (Json{"4"}));
    EXPECT_EQ((*document)["levels"], (Json{"O0", "O1"}));
}

TEST(SweepFiles, TheFileOfAnExportMeasuresTheSameConfigurationsAgain)
{
    const Program program;
    const std::string model = program.model("m", test::fastScript());
    Ran ran = program.run(program.tune(model, {"--levels", "O0,O1", "--batches", "1,4", "--json"}));
    ASSERT_TRUE(ran.swept()) << ran.err;
    const Json study = ran.document();
    const std::string folder = (program.dir() / "export").string();
    ran = program.run({"export", "t1", "--target", "json", "--out", folder});
    ASSERT_EQ(ran.code, 0) << ran.err;
    ran = program.run({"tune", "--config", folder + "/apertune-sweep.yaml", "--json"});
    ASSERT_TRUE(ran.swept()) << ran.err;
    EXPECT_EQ(askedOf(ran.document()).dump(1), askedOf(study).dump(1));

    ran = program.run({"tune", "--config", folder + "/apertune-config.json"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("apertune-sweep.yaml beside it"), std::string::npos) << ran.err;
}

TEST(SweepFiles, AFileThatCannotBeReadOrWrittenIsNamed)
{
    const Program program;
    const std::string model = program.model("m", test::fastScript());
    Program::write(program.dir() / "bad.yaml", "model: m\nlevel: O0\n");
    Ran ran = program.run({"tune", "--config", (program.dir() / "bad.yaml").string()});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("Unknown key \"level\". (" + (program.dir() / "bad.yaml").string() +
                           ", line 2)\n  Did you mean "
                           "levels?"),
              std::string::npos)
        << ran.err;
    ran = program.run({"tune", "--config", "/dev/zero"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("A sweep file has at most 256 KiB."), std::string::npos) << ran.err;
    ran = program.run(program.tune(model, {"--dry-run", "--write-config", program.dir().string()}));
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("is a folder"), std::string::npos) << ran.err;
}

} // namespace
} // namespace apertune::cli

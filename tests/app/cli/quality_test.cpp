// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/program_fixture.h"

namespace apertune::cli {
namespace {

using base::Json;
using test::Program;
using test::Ran;

/// A workspace with one study, and in place of Python a script that evaluates.
struct QualityVerbs : ::testing::Test
{
    void SetUp() override
    {
        program.python = (program.dir() / "python").string();
        Program::write(*program.python, "#!/bin/sh\n[ \"$3\" = accuracy ] || exit 9\n"
                                        R"(echo '{"t":"progress","step":"evaluate","i":1,"n":1,"text":"Evaluation"}')"
                                        "\n"
                                        R"(echo '{"t":"done","samples":40,"skipped":0,"accuracy":{)"
                                        R"("imported":{"top1":{"value":0.75,"lo":0.6,"hi":0.86}},)"
                                        R"("measured":{"top1":{"value":0.7,"lo":0.55,"hi":0.82}},)"
                                        R"("change":{"top1":{"value":-0.05,"lo":-0.1,"hi":0.02}}}}')"
                                        "\n");
        std::filesystem::permissions(*program.python, std::filesystem::perms::owner_all);
        const Ran tuned = program.run(program.tune(program.model("m", test::fastScript()), {"--levels", "O0"}));
        ASSERT_EQ(tuned.code, 4) << "nothing but the model as loaded" << tuned.err;
        std::filesystem::create_directories(program.dir() / "val");
    }
    std::string data() const { return (program.dir() / "val").string(); }

    Program program;
};

TEST_F(QualityVerbs, AccuracyIsPrintedKeptAndShownWithTheTrial)
{
    const Ran evaluated = program.run({"quality", "accuracy", "t1", "--data", data(), "--json"});
    ASSERT_EQ(evaluated.code, 0) << evaluated.err;
    const Json document = evaluated.document();
    EXPECT_EQ(document["schema"], "apertune.accuracy/1");
    EXPECT_EQ(document["trial"], "t1");
    EXPECT_EQ(document["metrics"][0]["name"], "top1");
    EXPECT_DOUBLE_EQ(document["metrics"][0]["change"]["lo"].get<double>(), -0.1);
    const Ran shown = program.run({"show", "t1"});
    EXPECT_NE(shown.out.find("Accuracy on 40 labelled images of val"), std::string::npos) << shown.out;
    EXPECT_NE(shown.out.find("70.0 % [55.0, 82.0]"), std::string::npos) << shown.out;
    EXPECT_EQ(program.run({"show", "t1", "--json"}).document()["accuracy"]["samples"], 40);
}

TEST_F(QualityVerbs, WhatCannotBeEvaluatedSaysWhatToDo)
{
    const Ran nowhere = program.run({"quality", "accuracy", "t1", "--data", "/nowhere"});
    EXPECT_NE(nowhere.code, 0);
    EXPECT_NE(nowhere.err.find("/nowhere does not exist"), std::string::npos) << nowhere.err;
    for (const char* verb : {"sensitivity", "mix"}) {
        const Ran ran = program.run({"quality", verb, "t1"});
        EXPECT_NE(ran.code, 0);
        EXPECT_NE(ran.err.find("not an int8 model"), std::string::npos) << ran.err;
        EXPECT_NE(ran.err.find("--precisions int8"), std::string::npos) << ran.err;
    }
}

} // namespace
} // namespace apertune::cli

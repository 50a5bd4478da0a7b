// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "tests/app/cli/program_fixture.h"

#include <algorithm>
#include <array>
#include <set>

namespace apertune::cli {
namespace {

using base::Json;
using test::Program;
using test::Ran;

std::vector<Json> inState(const Json& document, const std::string& state)
{
    std::vector<Json> found;
    for (const Json& trial : document["trials"])
        if (trial["state"] == state)
            found.push_back(trial);
    return found;
}

TEST(Tune, WhatItSaysToDoNextCanBePastedWhateverTheWorkspaceIsCalled)
{
    const Program program;
    const auto folder = program.dir() / "pa th $(touch PWN)";
    std::filesystem::create_directories(folder);
    std::vector<std::string> words = program.tune(program.model("m", test::fastScript()), {"--levels", "O0"});
    words.insert(words.end(), {"--store", (folder / "w.apertune").string()});
    const Ran ran = program.run(words, false);
    ASSERT_EQ(ran.code, 4) << "only the model as loaded was measured\n" << ran.err;
    const std::string begin = "  apertune show ";
    const auto at = ran.out.find(begin);
    ASSERT_NE(at, std::string::npos) << ran.out;
    const std::string line = ran.out.substr(at + begin.size(), ran.out.find('\n', at) - at - begin.size());
    const Ran next = program.shell("cd '" + program.dir().string() + "' && \"$0\" show " + line);
    EXPECT_EQ(next.code, 0) << line << "\n" << next.err;
    EXPECT_FALSE(std::filesystem::exists(program.dir() / "PWN"));
}

TEST(Verify, AnExportedFolderFromElsewhereIsNotRunUnasked)
{
    const Program program;
    const auto folder = program.dir() / "stranger";
    Program::write(folder / "apertune-config.json", R"({"schema":"apertune.config/1"})");
    Program::write(folder / "run.py", "open('" + (program.dir() / "PWN").string() + "', 'w')\n");
    const Ran refused = program.run({"verify", folder.string()});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("was not imported, exported or allowed on this machine"), std::string::npos)
        << refused.err;
    EXPECT_NE(refused.err.find("--trust"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(program.dir() / "PWN"));
    const Ran allowed = program.run({"verify", folder.string(), "--trust"});
    EXPECT_EQ(allowed.err.find("was not imported"), std::string::npos) << allowed.err;
    EXPECT_TRUE(std::filesystem::exists(program.dir() / "data/apertune/trusted"));
}

TEST(Trust, AStrangersWorkspaceDoesNotDecideWhatRuns)
{
    const Program stranger;
    const Ran made = stranger.run(stranger.tune(stranger.model("m", test::fastScript()), {"--levels", "O0"}));
    ASSERT_TRUE(made.swept()) << made.err;
    const Program user;
    std::filesystem::copy(stranger.store(), user.store());
    const std::vector<std::string> verify{"verify", "t1"};
    for (const std::vector<std::string>& words : {verify, user.tune("m"), {"trace", "record", "t1"}}) {
        const Ran refused = user.run(words);
        EXPECT_EQ(refused.code, 2) << words[0] << refused.out;
        EXPECT_NE(refused.err.find("The model m was not imported, exported or allowed on this machine"),
                  std::string::npos)
            << words[0] << refused.err;
        EXPECT_NE(refused.err.find("SHA-256"), std::string::npos) << refused.err;
        EXPECT_NE(refused.err.find("--trust"), std::string::npos) << refused.err;
    }
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"show", "t1"}, {"study", "list"}, {"model", "list"}, {"report", "last"}})
        EXPECT_EQ(user.run(words).code, 0) << "looking asks nothing: " << words[0];

    const std::string question = "Let it run, now and later, as long as it does not change?";
    const Ran no = user.runOnTerminal(verify, {}, "n\n");
    EXPECT_NE(no.out.find(question), std::string::npos) << no.out;
    EXPECT_EQ(no.code, 2);
    const Ran yes = user.runOnTerminal(verify, {}, "y\n");
    EXPECT_NE(yes.out.find(question), std::string::npos) << yes.out;
    EXPECT_EQ(yes.out.find("was not imported, exported or allowed on this machine, and"), std::string::npos) << yes.out;
    const Ran again = user.runOnTerminal(verify);
    EXPECT_EQ(again.out.find(question), std::string::npos) << "it is asked once\n" << again.out;
    EXPECT_NE(base::readFile(user.dir() / "data/apertune/trusted").value().find("The model m"), std::string::npos);
}

TEST(Tune, PrintsOneStudyDocumentAndNothingElse)
{
    Program program;
    program.confirms = true;
    // A pass of O0 sleeps at least 40 ms and one of O1 0.4 ms: no load makes up for the difference. How narrow the
    // interval of their ratio is depends on the load, so only that it fits its value can be asked.
    Json script = test::fastScript(40);
    script["levels"] = {{"O1", 0.01}};
    const Ran ran =
        program.run(program.tune(program.model("m", script), {"--levels", "O0,O1", "--budget", "20s", "--json"}));
    EXPECT_EQ(ran.code, 0) << ran.err;
    const Json document = ran.document();
    EXPECT_EQ(document["schema"], "apertune.study/1");
    EXPECT_EQ(document["model"], "m");
    EXPECT_EQ(document["goal"]["objective"], "throughput");
    ASSERT_EQ(document["trials"].size(), 2u);
    ASSERT_EQ(inState(document, "ok").size(), 2u) << ran.out;
    EXPECT_EQ(document["trials"][0]["config"]["level"], "O0");
    EXPECT_GT(document["trials"][0]["latency_ms"]["median"].get<double>(), 35);
    EXPECT_EQ(document["recommended"]["trial"], document["trials"][1]["id"]);
    const Json speedup = document["recommended"]["speedup"];
    EXPECT_EQ(speedup["against"], document["trials"][0]["id"]);
    EXPECT_GT(speedup["value"].get<double>(), 1.5);
    ASSERT_TRUE(speedup["lo"].is_number() && speedup["hi"].is_number()) << speedup;
    EXPECT_GT(speedup["lo"].get<double>(), 0);
    EXPECT_LE(speedup["lo"].get<double>(), speedup["value"].get<double>());
    EXPECT_LE(speedup["value"].get<double>(), speedup["hi"].get<double>());
    EXPECT_NE(ran.err.find("[2/2]"), std::string::npos) << "progress is missing:\n" << ran.err;
    EXPECT_EQ(ran.err.find('\r'), std::string::npos) << "a pipe is no terminal";
}

TEST(Tune, PrintsTableRecommendationAndWhatToDoNext)
{
    Program program;
    program.confirms = true;
    const Ran ran = program.run(program.tune(program.model("m", test::fastScript()), {"--levels", "O0,O1", "--quiet"}));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "") << "--quiet";
    EXPECT_TRUE(ran.out.find("img/s ±") != std::string::npos || ran.out.find("img/s [") != std::string::npos)
        << "a lopsided interval, of a busy machine, shows both ends\n"
        << ran.out;
    for (const char* text : {"✔ t2", "O1 fp32 batch 1", "apertune show t2", "apertune export t2", "--store",
                             "apertune report s1", "apertune gui"})
        EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
}

TEST(Tune, ATerminalShowsALineForEachResultAboveALiveLineWhoseTimeMoves)
{
    const Program program;
    Json script = test::fastScript();
    script["load_ms"] = 3500; // longer than a few paintings of the status line
    const Ran ran = program.runOnTerminal(program.tune(program.model("m", script), {"--levels", "O0,O1"}));
    EXPECT_EQ(ran.code, 0) << ran.out;
    const auto result = ran.out.find("[1/2] cpu O0 fp32 b1: ");
    ASSERT_NE(result, std::string::npos) << ran.out;
    EXPECT_LT(result, ran.out.find("img/s ±")) << "not only in the table at the end";
    EXPECT_LT(result, ran.out.rfind("[1/2] ")) << "the live line goes on below it";
    std::set<std::string> shown; // paintings of one phase of one configuration differ in the time alone
    for (auto at = ran.out.find("[0/2] "); at != std::string::npos; at = ran.out.find("[0/2] ", at + 1)) {
        const std::string line = ran.out.substr(at, ran.out.find('\r', at) - at);
        if (line.find("  load") != std::string::npos)
            shown.insert(line);
    }
    EXPECT_GE(shown.size(), 3u) << ran.out;
}

TEST(Tune, SweepsOneImageSizeAfterTheOther)
{
    const Program program;
    for (const char* size : {"64", "96"}) {
        const std::string folder =
            program.model(std::string("net-") + size, test::fastScript(), std::string("torchvision:net@") + size);
        ASSERT_EQ(program.run({"model", "import", folder}).code, 0);
    }
    const auto line = program.tune("torchvision:net", {"--levels", "O0,O1", "--image-sizes", "64,96"});
    Ran ran = program.run(line);
    EXPECT_EQ(ran.code, 0) << ran.err;
    for (const char* text : {"Image size", "64 × 64", "96 × 96", "s1", "s2", "O1 fp32 b"})
        EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
    ran = program.run(program.tune("torchvision:net", {"--levels", "O0", "--image-sizes", "64,96", "--json"}));
    EXPECT_EQ(ran.code, 4) << "nothing but the model as loaded" << ran.err;
    const Json document = ran.document();
    EXPECT_EQ(document["schema"], "apertune.image_sizes/1");
    ASSERT_EQ(document["sizes"].size(), 2u);
    EXPECT_EQ(document["sizes"][1]["image_size"], 96);
    EXPECT_EQ(document["sizes"][1]["study"]["model"], "net-96");
    EXPECT_EQ(program.run(program.tune("torchvision:net", {"--image-sizes", "64,big"})).code, 2);
    EXPECT_EQ(program.run(program.tune("torchvision:net", {"--image-sizes", "64", "--dry-run"})).code, 2);
}

TEST(Tune, ComparesVariantsWithTheModelItself)
{
    const Program program;
    const std::string variant = program.model("net-slice-2", test::fastScript(), "sliced:2:torchvision:net");
    for (const std::string& folder : {program.model("net", test::fastScript(), "torchvision:net"), variant})
        ASSERT_EQ(program.run({"model", "import", folder}).code, 0);
    const auto line = program.tune("torchvision:net", {"--levels", "O0,O1", "--variant", "slice=2"});
    Ran ran = program.run(line);
    EXPECT_TRUE(ran.swept()) << ran.err;
    for (const char* text : {"Variant", "base", "slice=2", "s1", "s2", "Memory", "The same configuration, O",
                             "Quality is that against the outputs of net."})
        EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
    ran = program.run({"show", "s2"});
    EXPECT_NE(ran.out.find("slice=2: quality is measured against the outputs of torchvision:net."), std::string::npos)
        << ran.out;

    ran = program.run(program.tune("torchvision:net", {"--levels", "O0", "--variant", "slice=2", "--json"}));
    EXPECT_TRUE(ran.swept()) << ran.err;
    const Json document = ran.document();
    EXPECT_EQ(document["schema"], "apertune.variants/1");
    ASSERT_EQ(document["variants"].size(), 2u);
    EXPECT_TRUE(document["variants"][0]["variant"].is_null());
    EXPECT_TRUE(document["variants"][0]["study"]["base"].is_null());
    EXPECT_EQ(document["variants"][1]["variant"], "slice=2");
    EXPECT_EQ(document["variants"][1]["source"], "sliced:2:torchvision:net");
    EXPECT_EQ(document["variants"][1]["study"]["base"], "torchvision:net");
    ASSERT_EQ(document["same_configuration"].size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        const Json& trial = document["variants"][i]["study"]["trials"][0];
        EXPECT_EQ(document["same_configuration"][i], trial["id"]) << "the only configuration of each";
    }
}

TEST(Tune, AVariantThatCannotBeImportedIsToldBeforeAnythingIsMeasured)
{
    const Program program;
    ASSERT_EQ(program.run({"model", "import", program.model("net", test::fastScript(), "torchvision:net")}).code, 0);
    const Ran ran = program.run(program.tune("torchvision:net", {"--levels", "O0", "--variant", "slice=2"}));
    EXPECT_FALSE(ran.swept()) << ran.out; // There is no such model of torchvision.
    EXPECT_NE(ran.err.find("slice=2 of net"), std::string::npos) << ran.err;
    EXPECT_EQ(program.run({"study", "list", "--json"}).document()["studies"].size(), 0u);
}

TEST(Tune, RacingRecommendsTheBestOfWhatItMeasuredAndSaysWhyItLeftTheRest)
{
    const Program program;
    Json script = test::fastScript(4);
    script["levels"] = {{"O1", 0.5}, {"O2", 10.0}};
    const Ran ran =
        program.run(program.tune(program.model("m", script), {"--levels", "O0,O1,O2", "--batches", "1,2,4,8,16,32",
                                                              "--search", "racing", "--budget", "40s", "--json"}));
    EXPECT_EQ(ran.code, 0) << ran.err;
    const Json document = ran.document();
    ASSERT_EQ(document["trials"].size(), 18u);
    const auto pruned = inState(document, "pruned");
    EXPECT_FALSE(pruned.empty());
    bool left = false;
    for (const Json& trial : pruned) {
        ASSERT_TRUE(trial["reason"].is_string());
        const auto reason = trial["reason"].get<std::string>();
        left = left || (reason.starts_with("dominated: ") && reason.find(" reached ") != std::string::npos &&
                        reason.find("fake O") != std::string::npos);
    }
    EXPECT_TRUE(left) << "O2 is ten times slower than O0";
    // Which configuration that is depends on what else this machine does; that the search finds it, tables tell
    // (core_search).
    const auto measured = inState(document, "ok");
    const auto best = std::find_if(measured.begin(), measured.end(),
                                   [&](const Json& trial) { return trial["id"] == document["recommended"]["trial"]; });
    ASSERT_NE(best, measured.end());
    for (const Json& trial : measured) {
        if (trial["throughput_per_s"]["lo"].is_number()) { // a look has too few blocks for an interval
            EXPECT_LE(trial["throughput_per_s"]["lo"].get<double>(), (*best)["throughput_per_s"]["hi"].get<double>())
                << trial["id"] << " is surely better";
        }
    }
    EXPECT_TRUE(inState(document, "queued").empty()) << "every configuration has an end";
}

TEST(Tune, ListsImpossibleConfigurationsWithTheirReason)
{
    const Program program;
    const Ran ran = program.run(program.tune(program.model("m", test::fastScript()), {"--levels", "O0,O3", "--json"}));
    EXPECT_EQ(ran.code, 4) << "only O0 was measured" << ran.err;
    const auto pruned = inState(ran.document(), "pruned");
    ASSERT_EQ(pruned.size(), 1u);
    EXPECT_EQ(pruned[0]["config"]["level"], "O3");
    EXPECT_TRUE(pruned[0]["reason"].get<std::string>().starts_with("impossible: "));
    EXPECT_TRUE(pruned[0]["latency_ms"].is_null());
}

TEST(Tune, ACrashIsARowAndTheSweepGoesOn)
{
    const Program program;
    Json script = test::fastScript();
    script["faults"] = {{{"at", "run"}, {"n", 2}, {"do", "crash"}, {"when", {{"level", "O1"}}}}};
    script["levels"] = {{"O2", 0.2}};
    const Ran ran =
        program.run(program.tune(program.model("m", script), {"--levels", "O0,O1,O2", "--budget", "40s", "--json"}));
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto failed = inState(ran.document(), "failed");
    ASSERT_EQ(failed.size(), 1u) << ran.out;
    EXPECT_TRUE(failed[0]["reason"].get<std::string>().starts_with("crash: "));
    EXPECT_EQ(inState(ran.document(), "ok").size(), 2u);
}

TEST(Tune, ExitsWithFourWhenNothingCouldBeMeasured)
{
    const Program program;
    const std::string model = program.model("m", test::fastScript());
    const Ran impossible = program.run(program.tune(model, {"--levels", "O3", "--json"}));
    EXPECT_EQ(impossible.code, 4) << impossible.err;
    EXPECT_TRUE(impossible.document()["recommended"].is_null());

    Json script = test::fastScript();
    script["faults"] = {{{"at", "open"}, {"n", 1}, {"do", "bad_input"}}};
    const Ran failing = program.run(program.tune(program.model("broken", script), {"--levels", "O0", "--json"}));
    EXPECT_EQ(failing.code, 4) << failing.err;
    EXPECT_EQ(inState(failing.document(), "failed").size(), 1u);
}

TEST(Tune, ExitsWithFourWhenNothingButTheModelAsLoadedIsRecommended)
{
    const Program program;
    const Ran alone = program.run(program.tune(program.model("m", test::fastScript()), {"--levels", "O0"}));
    EXPECT_EQ(alone.code, 4) << alone.err;
    EXPECT_NE(alone.out.find("the model as loaded: nothing else was measured"), std::string::npos) << alone.out;

    Json script = test::fastScript();
    script["levels"] = {{"O1", 10.0}};
    const Ran best = program.run(program.tune(program.model("best", script), {"--levels", "O0,O1", "--budget", "0"}));
    EXPECT_EQ(best.code, 4) << best.err;
    EXPECT_NE(best.out.find("the model as loaded: no measured configuration is clearly better"), std::string::npos)
        << best.out;
}

TEST(Resume, ConfirmsTheShortlistOfAFinishedStudy)
{
    Program program;
    program.confirms = true;
    Json script = test::fastScript(40);
    script["levels"] = {{"O1", 0.1}};
    // Confirmation opens fresh processes: where these are refused, the study ends unconfirmed.
    const std::string model = program.model("m", script);
    bool unconfirmed = false;
    auto running = program.start(program.tune(model, {"--levels", "O0,O1", "--budget", "60s", "--json"}));
    if (running.waitForStderr("Confirming")) {
        script["faults"] = {{{"at", "open"}, {"n", 1}, {"do", "throw"}}};
        Program::write(std::filesystem::path(model) / "fake.json", script.dump());
        unconfirmed = true;
    }
    ASSERT_TRUE(unconfirmed);
    const Ran first = running.finish();
    const Json before = first.document();
    if (!before["recommended"].is_null())
        GTEST_SKIP() << "the confirmation had opened all it needed before the fault";
    EXPECT_EQ(first.code, 4) << "nothing is recommended without a confirmation: " << first.err;
    const Json& shortlist = before["shortlist"];
    ASSERT_FALSE(shortlist["candidates"].empty()) << first.out;
    EXPECT_TRUE(shortlist["command"].get<std::string>().starts_with("apertune tune --resume s1 --budget 2m"));
    EXPECT_NE(first.err.find("Confirm the shortlist with: apertune tune --resume s1"), std::string::npos) << first.err;
    const std::string leader = shortlist["candidates"][0]["trial"].get<std::string>();
    EXPECT_NE(program.run({"show", "s1"}).out.find("Shortlist, not confirmed\n  " + leader), std::string::npos);
    const Ran best = program.run({"show", "best"});
    EXPECT_EQ(best.code, 2);
    EXPECT_NE(best.err.find("Confirm them with `apertune tune --resume s1"), std::string::npos) << best.err;
    EXPECT_EQ(program.run({"show", leader}).code, 0) << "a trial that is named is shown";
    script.erase("faults");
    Program::write(std::filesystem::path(model) / "fake.json", script.dump());
    const Ran resumed = program.run({"tune", "--resume", "s1", "--budget", "2m", "--json"});
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    if (resumed.err.find("the time ended after") != std::string::npos)
        GTEST_SKIP() << "the machine is too busy to confirm within the budget: " << resumed.err;
    EXPECT_EQ(resumed.document()["recommended"]["confirmed"], true) << resumed.err;
}

TEST(Tune, BadInputIsTwoWithASentenceAndAHint)
{
    const Program program;
    program.model("m", test::fastScript());
    Program::write(program.dir() / "not-a-store", "this is text, no database, and long enough to be looked at");
    for (const std::vector<std::string>& line : std::vector<std::vector<std::string>>{
             program.tune("nosuchmodel"),
             program.tune((program.dir() / "m").string(), {"--devices", "cuda:7"}),
             program.tune((program.dir() / "m").string(), {"--backends", "nosuchbackend"}),
             {"tune"},
             {"show", "s99"},
             {"show", "t99"},
             {"trial", "list", "last"},
             {"export", "best", "--target", "json", "--out", "x"},
             {"study", "delete", "s1", "--yes"},
             {"model", "show", "x"},
             {"verify", program.dir().string()},
             {"compare", "s1", "s2"}}) {
        std::vector<std::string> json = line;
        json.push_back("--json");
        const Ran ran = program.run(json);
        EXPECT_EQ(ran.code, 2) << line[0] << " " << line.back() << "\n" << ran.out << ran.err;
        EXPECT_EQ(ran.out, "") << "with exit code 2 stdout is empty";
        EXPECT_TRUE(ran.err.find("apertune: ") != std::string::npos) << ran.err;
        EXPECT_NE(ran.err.find("\n  "), std::string::npos) << "no hint: " << ran.err;
    }
    const Ran damaged = program.run({"study", "list", "--store", (program.dir() / "not-a-store").string()}, false);
    EXPECT_EQ(damaged.code, 2) << damaged.err;
}

TEST(Tune, DryRunListsThePlanAndStoresNothing)
{
    const Program program;
    const Ran ran =
        program.run(program.tune(program.model("m", test::fastScript()), {"--levels", "O0,O3", "--dry-run", "--json"}));
    EXPECT_EQ(ran.code, 0) << ran.err;
    const Json document = ran.document();
    EXPECT_EQ(document["schema"], "apertune.plan/1");
    EXPECT_EQ(document["runnable"], 1);
    ASSERT_EQ(document["cells"].size(), 2u);
    EXPECT_TRUE(document["cells"][0]["impossible"].is_null());
    EXPECT_TRUE(document["cells"][1]["impossible"].is_string());
    EXPECT_TRUE(program.run({"study", "list", "--json"}).document()["studies"].empty());
}

TEST(Interrupt, KeepsWhatWasMeasuredAndResumeGoesOn)
{
    const Program program;
    const std::string model = program.model("m", test::fastScript());
    auto running =
        program.start(program.tune(model, {"--levels", "O0,O1,O2", "--batches", "1,2", "--budget", "60s", "--json"}));
    ASSERT_TRUE(running.waitForStderr("[2/6]"));
    running.signal(SIGINT);
    const Ran interrupted = running.finish();
    EXPECT_EQ(interrupted.code, 130) << interrupted.err;
    const Json before = interrupted.document();
    ASSERT_EQ(before["trials"].size(), 6u);
    const auto kept = inState(before, "ok");
    EXPECT_GE(kept.size(), 2u);
    EXPECT_GE(inState(before, "cancelled").size(), 1u);
    EXPECT_NE(interrupted.err.find("apertune tune --resume s1"), std::string::npos) << interrupted.err;

    const Ran plan = program.run({"tune", "--resume", "--dry-run", "--json"});
    EXPECT_EQ(plan.code, 0) << plan.err;
    EXPECT_EQ(plan.document()["schema"], "apertune.plan/1");
    EXPECT_EQ(plan.document()["runnable"], inState(before, "cancelled").size()) << "the rest";
    EXPECT_EQ(program.run({"show", "s1", "--json"}).document()["trials"], before["trials"]) << "nothing ran";

    const Ran resumed = program.run({"tune", "--resume", "--json"});
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    const Json after = resumed.document();
    EXPECT_EQ(after["id"], before["id"]);
    EXPECT_EQ(inState(after, "ok").size() + inState(after, "pruned").size(), 6u);
    for (const Json& trial : kept)
        for (const Json& same : after["trials"])
            if (same["id"] == trial["id"] && same["flags"] == trial["flags"]) {
                EXPECT_EQ(same["latency_ms"], trial["latency_ms"]) << "measured twice";
            }
    EXPECT_EQ(program.run({"study", "list", "--json"}).document()["studies"].size(), 1u);
    EXPECT_EQ(program.run({"tune", "--resume", "s1", "--dry-run", "--json"}).code, 0) << "nothing is left to plan";
}

TEST(Tune, ExportDryRunAndArgumentChecksWorkWhileAnotherSweepWritesTheWorkspace)
{
    const Program program;
    const std::string known = program.model("known", test::fastScript());
    ASSERT_EQ(program.run(program.tune(known, {"--levels", "O0"})).code, 4) << "only the model as loaded";
    Json script = test::fastScript();
    script["faults"] = {{{"at", "run"}, {"n", 3}, {"do", "hang"}, {"once", "hangs"}}};
    auto writing = program.start(program.tune(program.model("busy", script), {"--levels", "O0"}));
    ASSERT_TRUE(writing.waitForFile(program.dir() / "busy" / "hangs"));

    const Ran plan = program.run(program.tune("known", {"--levels", "O0,O1", "--dry-run", "--json"}));
    EXPECT_EQ(plan.code, 0) << plan.err;
    EXPECT_EQ(plan.document()["runnable"], 2);
    const Ran exported =
        program.run({"export", "t1", "--target", "json", "--out", (program.dir() / "out").string(), "--json"});
    EXPECT_EQ(exported.code, 0) << exported.err;
    for (const auto& [option, value, message] :
         std::vector<std::array<std::string, 3>>{{"--backends", "pytorch", "There is no backend \"pytorch\""},
                                                 {"--switch", "chanels_last=on", "There is no switch \"chanels_last\""},
                                                 {"--devices", "cuda:9", "cuda:9"}}) {
        const Ran mistaken = program.run(program.tune("known", {option, value}));
        EXPECT_EQ(mistaken.code, 2);
        EXPECT_NE(mistaken.err.find(message), std::string::npos) << mistaken.err;
    }
    const Ran second = program.run(program.tune("known", {"--levels", "O0"}));
    EXPECT_EQ(second.code, 2);
    EXPECT_NE(second.err.find("is being written by process"), std::string::npos) << second.err;
    writing.signal(SIGKILL);
    writing.finish();
}

TEST(Interrupt, ASecondSignalEndsAtOnce)
{
    const Program program;
    Json script = test::fastScript();
    script["faults"] = {{{"at", "run"}, {"n", 3}, {"do", "hang"}, {"when", {{"level", "O1"}}}, {"once", "hangs"}}};
    auto running = program.start(program.tune(program.model("m", script), {"--levels", "O0,O1", "--json"}));
    ASSERT_TRUE(running.waitForFile(program.dir() / "m" / "hangs"));
    running.signal(SIGINT);
    ASSERT_TRUE(running.waitForStderr("again to stop at once"));
    running.signal(SIGINT);
    EXPECT_EQ(running.finish().code, 130);
}

TEST(Interrupt, KilledOutrightLosesAtMostTheTrialInFlight)
{
    const Program program;
    auto running = program.start(
        program.tune(program.model("m", test::fastScript()), {"--levels", "O0,O1,O2", "--budget", "60s", "--json"}));
    ASSERT_TRUE(running.waitForStderr("[1/3]"));
    running.signal(SIGKILL);
    EXPECT_EQ(running.finish().code, -SIGKILL);

    const Json before = program.run({"show", "last", "--json"}).document();
    EXPECT_GE(inState(before, "ok").size(), 1u);
    const Ran resumed = program.run({"tune", "--resume", "--json"});
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(inState(resumed.document(), "ok").size(), 3u) << resumed.out;
}

TEST(Resume, WithOtherOptionsIsRefusedWithWhatDiffers)
{
    const Program program;
    const std::string model = program.model("m", test::fastScript());
    auto running = program.start(program.tune(model, {"--levels", "O0,O1", "--budget", "60s", "--json"}));
    ASSERT_TRUE(running.waitForStderr("[1/2]"));
    running.signal(SIGKILL);
    running.finish();

    const Ran refused = program.run(program.tune(model, {"--resume", "--levels", "O2", "--max-latency", "20ms"}));
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("Study s1 was begun with other options: --levels O2 (it has O0, O1); "
                               "--max-latency 20.0 ms (it has no bound)."),
              std::string::npos)
        << refused.err;
    EXPECT_NE(refused.err.find("leave out --resume"), std::string::npos) << refused.err;

    const Ran resumed =
        program.run(program.tune(model, {"--resume", "--levels", "O1,O0", "--budget", "15s", "--json"}));
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(resumed.document()["id"], "s1");
    EXPECT_EQ(inState(resumed.document(), "ok").size(), 2u) << resumed.out;
}

TEST(Resume, WithNothingToResumeSaysSoOrStartsAnew)
{
    const Program program;
    const Ran nothing = program.run({"tune", "--resume"});
    EXPECT_EQ(nothing.code, 2);
    EXPECT_NE(nothing.err.find("no interrupted study"), std::string::npos) << nothing.err;

    const std::string model = program.model("m", test::fastScript());
    const Ran fresh = program.run(program.tune(model, {"--levels", "O0", "--resume", "--json"}));
    EXPECT_EQ(fresh.code, 4) << "only O0 was asked for" << fresh.err;
    const Ran finished = program.run({"tune", "--resume", "s1", "--json"});
    EXPECT_EQ(finished.code, 4) << finished.err;
    EXPECT_EQ(finished.document()["id"], "s1");
    EXPECT_EQ(program.run({"study", "list", "--json"}).document()["studies"].size(), 1u);
}

} // namespace
} // namespace apertune::cli

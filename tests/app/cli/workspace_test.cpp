// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/text/text_table.h"
#include "tests/app/cli/program_fixture.h"

#include <fstream>
#include <sstream>

namespace apertune::cli {
namespace {

using base::Json;
using test::Program;
using test::Ran;

/// A workspace with a study of a model (s1), one of the same model made four times slower (s2), and one with a failure
/// (s3).
class Workspace : public testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        s_program = std::make_unique<Program>();
        const std::string model = s_program->model("m", test::fastScript());
        s_program->confirms = true; // the gate is refused for means over several processes, too
        sweep(model);
        s_program->confirms = false;
        s_program->model("m", test::fastScript(80));
        sweep(model,
              "OMP_DYNAMIC=false "); // another environment: with the same one, the machine would be the slower one
        Json script = test::fastScript();
        script["faults"] = {{{"at", "run"}, {"n", 2}, {"do", "throw"}, {"when", {{"level", "O1"}}}}};
        sweep(s_program->model("faulty", script));
    }
    static void TearDownTestSuite() { s_program.reset(); }

    /// `variables`: "NAME=value ", for the environment of the sweep.
    static void sweep(const std::string& model, const std::string& variables = {})
    {
        std::string line = variables + "\"$0\"";
        for (const std::string& word : s_program->tune(model, {"--levels", "O0,O1", "--target", "1%"}))
            line += " '" + word + "'";
        const Ran ran = s_program->shell(line + " --store '" + s_program->store() + "'");
        ASSERT_TRUE(ran.swept()) << ran.err;
    }
    static Ran run(const std::vector<std::string>& arguments) { return s_program->run(arguments); }
    static Json json(std::vector<std::string> arguments, int code = 0)
    {
        arguments.push_back("--json");
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, code) << arguments[0] << "\n" << ran.err;
        return ran.document();
    }
    static std::filesystem::path dir() { return s_program->dir(); }
    static inline std::unique_ptr<Program> s_program;
};

TEST_F(Workspace, EveryPrintingVerbGivesOneDocumentWithItsSchema)
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> verbs{
        {{"study", "list"}, "apertune.studies/1"},
        {{"trial", "list", "last"}, "apertune.trials/1"},
        {{"platform", "list"}, "apertune.platforms/1"},
        {{"show", "last"}, "apertune.study/1"},
        {{"show", "t1"}, "apertune.trial/1"},
        {{"show", "best"}, "apertune.trial/1"},
        {{"compare", "s1", "s2"}, "apertune.comparison/1"},
        {{"model", "list"}, "apertune.models/1"},
        {{"compare", "t1", "t2"}, "apertune.comparison/1"},
        {{"compare", "t1", "t2", "t2"}, "apertune.comparisons/1"}};
    for (const auto& [arguments, schema] : verbs)
        EXPECT_EQ(json(arguments)["schema"], schema);
    EXPECT_EQ(s_program->run({"model", "zoo", "--json"}, false).document()["schema"], "apertune.zoo/1");
    EXPECT_EQ(s_program->run({"device", "list", "--json"}, false).document()["schema"], "apertune.devices/1");
}

TEST_F(Workspace, AClaimShowsTheTrialsThatMeasureIt)
{
    const Json document = json({"claims", "--claim", "kernel-fusion"});
    EXPECT_EQ(document["schema"], "apertune.claims/1");
    ASSERT_EQ(document["claims"].size(), 1u);
    const Json& figure = document["claims"][0]["figures"][0];
    EXPECT_NE(figure["state"], "not_measured");
    ASSERT_FALSE(figure["evidence"].empty());
    EXPECT_TRUE(figure["evidence"][0]["from"].is_string());
    EXPECT_EQ(json({"claims"})["claims"].size(), 61u);
    const Json plan = json({"claims", "--dry-run", "--topic", "layout"});
    EXPECT_EQ(plan["schema"], "apertune.claim_plan/1");
    EXPECT_EQ(plan["studies"].size(), 1u);
    EXPECT_EQ(run({"claims", "m"}).code, 2) << "a model without --measure";
    EXPECT_EQ(run({"claims", "--topic", "colours"}).code, 2);
}

TEST_F(Workspace, AnOutputThatTakesNothingIsAFailureAndAReaderThatHasGoneIsNone)
{
    const Ran full = s_program->shell("\"$0\" show last --json --store '" + s_program->store() + "' >/dev/full");
    EXPECT_EQ(full.code, 2);
    EXPECT_NE(full.err.find("could not be written to the output: No space left on device."), std::string::npos)
        << full.err;
    const Ran gone =
        s_program->shell("{ \"$0\" show last --json --store '" + s_program->store() + "'; echo $? >&2; } | :");
    EXPECT_EQ(gone.err, "0\n");
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST_F(Workspace, AFileSizeLimitIsReportedAsAFullDiskAndEndsNoProgramBySignal)
{
    const Program program;
    std::string tune;
    for (const std::string& word : program.tune(program.model("m", test::fastScript())))
        tune += " '" + word + "'";
    tune += " --store '" + program.store() + "'";
    // The first limit is met while the workspace is made. The later ones are met by a workspace that is there.
    for (const int blocks : {100, 40, 80}) {
        const Ran limited = program.shell("ulimit -f " + std::to_string(blocks) + "; \"$0\"" + tune);
        EXPECT_EQ(limited.code, 2) << blocks << limited.err;
        EXPECT_NE(limited.err.find("the last change was not stored, everything before it is intact"), std::string::npos)
            << limited.err;
        EXPECT_NE(limited.err.find("raise the quota"), std::string::npos) << limited.err;
        if (blocks == 100) {
            const Ran unlimited = program.shell("\"$0\"" + tune);
            EXPECT_EQ(unlimited.code, 0) << unlimited.err;
        }
    }
    EXPECT_TRUE(program.run({"workspace", "repair", "--json"}).document()["whole"].get<bool>());
}

TEST_F(Workspace, AQueryEndsAtItsTimeLimitAlsoWithinOneFunctionAndWhileItsOutputIsMade)
{
    const std::string text = "printf('%.*c', 30000000, 'x')";
    const std::string rows = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 4) SELECT ";
    for (const std::string& sql : {"SELECT instr(" + text + ", printf('%.*c', 15000000, 'x') || 'y')",
                                   "SELECT length(replace(" + text + ", printf('%.*c', 15000000, 'x') || 'y', 'z'))",
                                   "SELECT " + text + " LIKE '%' || printf('%.*c', 990, 'x') || 'y'",
                                   rows + "printf('%.*c', 30000000, char(1)) FROM n"}) {
        SCOPED_TRACE(sql.substr(0, 60));
        const base::Nanoseconds begin = base::monotonicNow();
        const Ran stopped = run({"workspace", "query", sql, "--json", "--timeout", "1s"});
        EXPECT_EQ(stopped.code, 2);
        EXPECT_NE(stopped.err.find("took longer than 1.00 s"), std::string::npos) << stopped.err;
        EXPECT_LT((base::monotonicNow() - begin).seconds(), 15) << "without the limit it takes a minute and more";
    }
    // A reader of the output may take its time.
    const Ran slow = s_program->shell("\"$0\" workspace query --csv --timeout 1s --store '" + s_program->store() +
                                      "' \"SELECT printf('%.*c', 1000000, 'x')\" | { sleep 2; wc -c; }");
    EXPECT_NE(slow.out.find("1000"), std::string::npos) << slow.out << slow.err;
    EXPECT_EQ(slow.err, "");
}

TEST_F(Workspace, ACellOfATableForPeopleIsCut)
{
    const Ran cut = run({"workspace", "query", "SELECT printf('%.*c', 1000000, 'x') AS x"});
    EXPECT_EQ(cut.code, 0) << cut.err;
    EXPECT_LT(cut.out.size(), 100'000u);
    EXPECT_NE(cut.out.find("…"), std::string::npos);
}

TEST_F(Workspace, StudiesAreListedNewestFirst)
{
    const Json studies = json({"study", "list"})["studies"];
    ASSERT_EQ(studies.size(), 3u);
    EXPECT_EQ(studies[0]["id"], "s3");
    EXPECT_EQ(studies[0]["failed"], 1);
    EXPECT_EQ(studies[2]["model"], "m");
    EXPECT_NE(run({"study", "list"}).out.find("s3"), std::string::npos);
}

TEST_F(Workspace, AStudyIsFoundByNumberWordAndUuid)
{
    const std::string uuid = json({"study", "list"})["studies"][2]["uuid"];
    for (const std::string& text : {std::string("s1"), std::string("1"), std::string("#1"), uuid, uuid.substr(0, 8)})
        EXPECT_EQ(json({"show", text})["id"], "s1") << text;
    EXPECT_EQ(json({"show", "last"})["id"], "s3");
    const Ran unknown = run({"show", "s9"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("The last is s3"), std::string::npos) << unknown.err;
}

TEST_F(Workspace, ATrialIsFoundByNumberAndAsTheBest)
{
    EXPECT_EQ(json({"show", "t2"})["id"], "t2");
    EXPECT_EQ(json({"show", "s1:best"})["id"], "t2");
    EXPECT_NE(run({"show", "t2"}).out.find("✔ recommended"), std::string::npos);
    EXPECT_NE(run({"show", "t6"}).out.find("model_threw"), std::string::npos) << run({"show", "t6"}).out;
}

TEST_F(Workspace, TheGateTellsSlowerFromFasterFromUnknown)
{
    // The noise floor is given: that of a busy machine's own samples may lie above the gate, which then judges less.
    const Json slower = json({"compare", "s1", "s2", "--gate", "3%", "--noise-floor", "1%"}, 1);
    EXPECT_EQ(slower["gate"]["result"], "failed");
    ASSERT_EQ(slower["cells"].size(), 2u);
    EXPECT_EQ(slower["cells"][0]["verdict"], "slower");
    EXPECT_EQ(json({"compare", "s2", "s1", "--gate", "3%", "--noise-floor", "1%"})["gate"]["result"], "passed");
    EXPECT_TRUE(json({"compare", "s1", "s2"})["gate"].is_null());
    EXPECT_EQ(run({"compare", "s1", "s2", "--gate", "3%", "--noise-floor", "50%"}).code, 1)
        << "four times slower is beyond any noise";
    // This noise floor is above the gate for means over several processes, too.
    const Ran refused = run({"compare", "s1", "s1", "--gate", "3%", "--noise-floor", "20%"});
    EXPECT_EQ(refused.code, 3);
    EXPECT_NE(refused.out.find("below the noise floor of these runs (20"), std::string::npos) << refused.out;
    EXPECT_EQ(json({"compare", "t1", "t6", "--gate", "3%"}, 3)["gate"]["result"], "cannot_tell")
        << "t6 has no measurement";
    EXPECT_EQ(run({"compare", "t1", "s1"}).code, 2);
}

TEST_F(Workspace, AWorkspaceFileStandsForItsLastStudy)
{
    const Program other;
    ASSERT_EQ(other.run(other.tune(other.model("m", test::fastScript()), {"--levels", "O0"})).code, 4);
    const Json comparison = json({"compare", "s1", other.store()});
    EXPECT_EQ(comparison["cells"].size(), 1u);
    EXPECT_EQ(comparison["only_in_a"].size(), 1u);
    EXPECT_EQ(run({"compare", "s1", (dir() / "gone.apertune").string()}).code, 2);
}

TEST_F(Workspace, ReportsAreWrittenInThreeFormats)
{
    const std::string html = (dir() / "r.html").string();
    EXPECT_EQ(json({"report", "s1", "--out", html})["schema"], "apertune.report/1");
    EXPECT_NE(base::readFile(html).value().find("<svg"), std::string::npos);
    EXPECT_TRUE(run({"report", "s1", "--format", "csv"}).out.starts_with("trial,ordinal,"));
    EXPECT_EQ(run({"report", "s1", "--format", "json"}).document()["id"], "s1");
    EXPECT_TRUE(run({"report", "s1"}).out.starts_with("<!DOCTYPE html>"));
    EXPECT_EQ(run({"report", "s1", "--out", "/proc/nowhere/r.html"}).code, 2);
}

TEST_F(Workspace, ExportWritesAFolderOnceAndOverItWhenForced)
{
    const std::string out = (dir() / "export").string();
    const Json document = json({"export", "s1:best", "--target", "json", "--out", out});
    EXPECT_EQ(document["schema"], "apertune.export/1");
    EXPECT_EQ(document["trial"], "t2");
    const auto config = model::parseJson(base::readFile(dir() / "export/apertune-config.json").value());
    EXPECT_EQ(config.value()["schema"], "apertune.config/1");
    const Ran refused = run({"export", "t1", "--target", "json", "--out", out});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("--force"), std::string::npos);
    EXPECT_EQ(run({"export", "t1", "--target", "json", "--out", out, "--force"}).code, 0);
    Program::write(dir() / "export/README.md", "another text");
    const Ran changed = run({"verify", out});
    EXPECT_EQ(changed.code, 2);
    EXPECT_NE(changed.err.find("These files were changed after the export: README.md."), std::string::npos)
        << changed.err;
    std::filesystem::remove(dir() / "export/apertune-manifest.json");
    const Ran unlisted = run({"verify", out});
    EXPECT_EQ(unlisted.code, 2);
    EXPECT_NE(unlisted.err.find("are missing: apertune-manifest.json."), std::string::npos) << unlisted.err;
    EXPECT_EQ(run({"export", "t6", "--target", "json", "--out", (dir() / "no").string()}).code, 2);
    EXPECT_FALSE(std::filesystem::exists(dir() / "no"));
}

TEST_F(Workspace, ExportRefusesAWaitThatItsTargetDoesNotHave)
{
    const std::string out = (dir() / "export").string();
    const Ran refused = run({"export", "s1:best", "--target", "json", "--out", out, "--batch-wait", "2ms"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("--batch-wait has no meaning for --target json."), std::string::npos) << refused.err;
    const Ran noTime = run({"export", "s1:best", "--target", "server", "--out", out, "--batch-wait", "2x"});
    EXPECT_EQ(noTime.code, 2);
    EXPECT_NE(noTime.err.find("--batch-wait: Invalid duration \"2x\"."), std::string::npos) << noTime.err;
    const Ran noProgram = run({"export", "s1:best", "--target", "server", "--out", out, "--batch-wait", "2ms"});
    EXPECT_EQ(noProgram.code, 2);
    EXPECT_NE(noProgram.err.find("cannot be exported as a program"), std::string::npos) << noProgram.err;
    EXPECT_FALSE(std::filesystem::exists(out));
}

/// A folder whose program says what it is told to say.
TEST_F(Workspace, VerifyPassesOnWhatTheExportedProgramFinds)
{
    Program program;
    program.python = "/usr/bin/python3";
    const auto folder = program.dir() / "folder";
    Program::write(folder / "apertune-config.json", R"({"schema":"apertune.config/1"})");
    const auto verify = [&](const std::string& body) {
        Program::write(folder / "run.py", body);
        return program.run({"verify", folder.string(), "--trust", "--json"}, false);
    };
    const auto verdict = [](const std::string& word, const std::string& ms = "1", const std::string& cosine = "1") {
        return "print('{\"schema\":\"apertune.verification/1\",\"verdict\":\"" + word +
               "\",\"measured_ms\":{\"median\":" + ms +
               ",\"lo\":1,\"hi\":1},\"expected_ms\":{\"median\":1,\"lo\":1,\"hi\":1},"
               "\"tolerance\":0.1,\"quality\":{\"cosine\":" +
               cosine + ",\"at_least\":0.9}}')\n";
    };
    const Ran inside = verify(verdict("inside"));
    EXPECT_EQ(inside.code, 0) << inside.err;
    EXPECT_EQ(inside.document()["dir"], folder.string());
    EXPECT_EQ(verify(verdict("outside")).code, 1);
    EXPECT_EQ(verify(verdict("cannot_tell")).code, 3);
    for (const auto& [ms, cosine, sentence] :
         {std::tuple("0.2", "1", "outside: 5.00 times faster than expected\n"),
          std::tuple("1.25", "1", "outside: 1.25 times slower than expected\n"),
          std::tuple("1.05", "0.5", "outside: other outputs than expected\n"),
          std::tuple("2", "0.5", "outside: 2.00 times slower than expected, other outputs than expected\n")}) {
        Program::write(folder / "run.py", verdict("outside", ms, cosine));
        const Ran verified = program.run({"verify", folder.string(), "--trust"}, false);
        EXPECT_NE(verified.out.find(sentence), std::string::npos) << verified.out;
    }
    Program::write(folder / "run.py", "import json\nd = {'verdict': 'cannot_tell', 'notes': ['the pass is too short'],"
                                      " 'tolerance': 0.1, 'quality': {'cosine': 1, 'at_least': 0.9}}\n"
                                      "d['measured_ms'] = d['expected_ms'] = {'median': 1, 'lo': 1, 'hi': 1}\n"
                                      "print(json.dumps(d))\n");
    const Ran undecided = program.run({"verify", folder.string(), "--trust"}, false);
    EXPECT_EQ(undecided.code, 3);
    EXPECT_NE(undecided.out.find("\ncannot tell: the pass is too short\n"), std::string::npos) << undecided.out;
    const Ran broken = verify("raise RuntimeError('no model here')\n");
    EXPECT_EQ(broken.code, 2);
    EXPECT_NE(broken.err.find("no model here"), std::string::npos) << broken.err;
    EXPECT_EQ(verify("print('{}')\n").code, 2);
    Program::write(folder / "apertune-config.json", "{");
    EXPECT_EQ(verify(verdict("inside")).code, 2);
}

TEST(Delete, RemovesAStudyWithItsTrials)
{
    const Program program;
    const std::string model = program.model("m", test::fastScript());
    for (int i = 0; i < 2; ++i)
        ASSERT_EQ(program.run(program.tune(model, {"--levels", "O0"})).code, 4) << "only the model as loaded";
    EXPECT_EQ(program.run({"study", "delete", "s1", "s9", "--yes"}).code, 2) << "one of them is unknown";
    EXPECT_EQ(program.run({"study", "list", "--json"}).document()["studies"].size(), 2u) << "so nothing is deleted";
    const auto unasked = program.run({"study", "delete", "s1"});
    EXPECT_EQ(unasked.code, 2) << "there is no terminal to ask on";
    EXPECT_NE(unasked.err.find("--yes"), std::string::npos) << unasked.err;
    const Json deleted = program.run({"study", "delete", "s1", "--yes", "--json"}).document();
    EXPECT_EQ(deleted["ids"], Json::array({"s1"}));
    EXPECT_EQ(program.run({"show", "t1"}).code, 2);
    EXPECT_EQ(program.run({"show", "last", "--json"}).document()["id"], "s2");
}

TEST(Repair, LeavesAWholeWorkspaceAloneAndSavesADamagedOne)
{
    const Program program;
    ASSERT_EQ(program.run(program.tune(program.model("m", test::fastScript()), {"--levels", "O0"})).code, 4);
    const Json whole = program.run({"workspace", "repair", "--json"}).document();
    EXPECT_TRUE(whole["whole"].get<bool>());
    EXPECT_TRUE(whole["out"].is_null());

    // A page in the middle of the file overwritten, as a failing disk does it.
    {
        std::fstream file(program.store(), std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(0, std::ios::end);
        const auto size = static_cast<std::streamoff>(file.tellg());
        file.seekp(size / 2 / 16384 * 16384);
        file << std::string(16384, '\xff');
    }
    const Ran ran = program.run({"workspace", "repair", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json repaired = ran.document();
    EXPECT_EQ(repaired["out"], (program.dir() / "w-repaired.apertune").string());
    EXPECT_GT(repaired["rows"].get<int>(), 0);
    const Ran studies = program.run({"study", "list", "--json", "--store", repaired["out"].get<std::string>()}, false);
    EXPECT_EQ(studies.code, 0) << studies.err;
    EXPECT_EQ(program.run({"workspace", "repair"}).out.find("nothing to repair"), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(program.dir() / "w-repaired-2.apertune"));
}

TEST(Devices, DoNotShowTheScriptedBackend)
{
    const Program program;
    const Json devices = program.run({"device", "list", "--json"}, false).document();
    for (const Json& backend : devices["backends"])
        EXPECT_NE(backend["name"], "fake");
}

TEST(EmptyWorkspace, SaysHowToBegin)
{
    const Program program;
    for (const std::vector<std::string>& verb :
         std::vector<std::vector<std::string>>{{"show", "last"}, {"trial", "list", "last"}, {"show", "best"}}) {
        const Ran ran = program.run(verb);
        EXPECT_EQ(ran.code, 2);
        EXPECT_NE(ran.err.find("There is no workspace"), std::string::npos) << ran.err;
    }
    program.model("m", test::fastScript());
    ASSERT_EQ(program.run(program.tune((program.dir() / "m").string(), {"--dry-run"})).code, 0);
    const Ran ran = program.run({"show", "last"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("Run one: `apertune tune"), std::string::npos) << ran.err;
}

TEST(Gui, WhereThereIsNoneSaysWhatToUseInstead)
{
    if (std::filesystem::exists(base::installPrefix() / "bin/apertune-gui"))
        GTEST_SKIP() << "this build has the window";
    const Program program;
    const Ran ran = program.run({"gui"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("apertune report last"), std::string::npos) << ran.err;
}

TEST_F(Workspace, ATrialIsMarkedAsABaselineAndUnmarked)
{
    EXPECT_EQ(json({"trial", "star", "t1"})["baselines"], Json::array({"t1"}));
    EXPECT_EQ(json({"trial", "star", "s2:best"})["starred"], true);
    const Json left = json({"trial", "unstar", "t1"});
    EXPECT_EQ(left["baselines"].size(), 1U);
    EXPECT_NE(left["baselines"][0], "t1");
    EXPECT_EQ(run({"trial", "star", "t99"}).code, 2);
}

TEST_F(Workspace, ABaselineIsNamedWhereverATrialIs)
{
    const std::string before = json({"show", "s1:best"})["id"];
    const std::string after = json({"show", "s2:best"})["id"];
    EXPECT_EQ(json({"trial", "star", "s1:best", "--as", "v1.0"})["name"], "v1.0");
    EXPECT_EQ(json({"show", "v1.0"})["id"], before);
    EXPECT_EQ(json({"show", "v1.0"})["baseline"]["name"], "v1.0");
    EXPECT_EQ(json({"trial", "loads", "v1.0"})["scenarios"], Json::array());
    // The model of s2 is four times slower.
    EXPECT_EQ(run({"compare", "v1.0", after, "--gate", "5%"}).code, 1);
    EXPECT_EQ(run({"compare", after, "v1.0", "--gate", "5%"}).code, 0);
    const Ran missing = run({"compare", "v1.1", after});
    EXPECT_EQ(missing.code, 2);
    EXPECT_NE(missing.err.find("v1.1"), std::string::npos) << missing.err;
    EXPECT_EQ(run({"trial", "star", after, "--as", "v1.0"}).code, 2) << "the name is in use";
    EXPECT_EQ(run({"trial", "star", after, "--as", "s3"}).code, 2) << "the name means a study";
    EXPECT_EQ(json({"trial", "star", after, "--as", "v1.0", "--replace"})["name"], "v1.0");
    EXPECT_EQ(json({"show", "v1.0"})["id"], after);
    const Json list = json({"trial", "baselines"})["baselines"];
    EXPECT_EQ(std::count_if(list.begin(), list.end(), [](const Json& b) { return b["name"] == "v1.0"; }), 1);
    EXPECT_NE(run({"trial", "baselines"}).out.find("v1.0"), std::string::npos);
    EXPECT_EQ(json({"trial", "unstar", "v1.0"})["starred"], false);
    EXPECT_EQ(run({"show", "v1.0"}).code, 2);
}

TEST_F(Workspace, ResultsOfAnotherToolAreTrialsApart)
{
    const std::string file = (dir() / "hyper.json").string();
    std::ofstream(file) << R"({"results": [{"command": "./infer", "median": 0.1, "mean": 0.1, "times": )"
                           R"([0.1, 0.101, 0.102, 0.1, 0.099, 0.1, 0.1005, 0.1008]}]})";
    const std::string last = json({"show", "last"})["id"];
    const Json checked = json({"trial", "import", file, "--only-check"});
    EXPECT_TRUE(checked["study"].is_null());
    const Json imported = json({"trial", "import", file, "--name", "infer"});
    EXPECT_EQ(imported["tool"], "hyperfine");
    EXPECT_EQ(imported["sha256"].get<std::string>().size(), 64U);
    ASSERT_EQ(imported["trials"].size(), 1U);
    const Json latency = imported["trials"][0]["latency_ms"];
    EXPECT_NEAR(latency["median"].get<double>(), 100, 1);
    EXPECT_FALSE(latency["lo"].is_null()) << "eight passes have an interval";
    const std::string trial = imported["trials"][0]["id"];
    const std::string study = imported["study"];
    EXPECT_EQ(json({"show", "last"})["id"], last) << "an import is never the last study";
    EXPECT_EQ(run({"show", study + ":best"}).code, 2) << "nothing is recommended of it";
    EXPECT_NE(run({"trial", "list", study}).out.find("imported"), std::string::npos);
    EXPECT_NE(run({"show", trial}).out.find("Imported: hyperfine"), std::string::npos);
    // However much they differ, the two are not ranked.
    const Ran compared = run({"compare", "s1:best", trial, "--gate", "5%"});
    EXPECT_EQ(compared.code, 3) << compared.out;
    EXPECT_NE(compared.out.find("Imported: hyperfine"), std::string::npos) << compared.out;
    const Ran other = run({"trial", "import", s_program->store()});
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find("trtexec"), std::string::npos) << other.err;
    EXPECT_EQ(run({"study", "delete", study, "--yes"}).code, 0);
}

TEST_F(Workspace, TheRateOfAnotherToolIsItsThroughputEverywhere)
{
    const std::string file = (dir() / "pa.csv").string();
    std::ofstream(file) << "Concurrency,Inferences/Second,Client Send,p50 latency,p99 latency\n"
                           "1,100.5,9,9900,10500\n2,180.1,9,11000,12500\n";
    const Json imported = json({"trial", "import", file, "--name", "served"});
    const std::string study = imported["study"];
    EXPECT_DOUBLE_EQ(imported["trials"][1]["throughput_per_s"]["value"].get<double>(), 180.1);
    EXPECT_NE(run({"show", study}).out.find("180.1"), std::string::npos) << run({"show", study}).out;
    EXPECT_NE(run({"trial", "import", file, "--only-check"}).out.find("180.1"), std::string::npos);
    EXPECT_EQ(run({"show", study}).out.find("others could not be compared"), std::string::npos);
    const std::string a = imported["trials"][0]["id"], b = imported["trials"][1]["id"];
    const Ran sheet = run({"show", b});
    EXPECT_EQ(sheet.out.find("Switch "), std::string::npos) << sheet.out;
    EXPECT_EQ(sheet.out.find("load 0"), std::string::npos) << sheet.out;
    // Values without an interval are compared, without a verdict.
    const Ran compared = run({"compare", a, b});
    EXPECT_EQ(compared.code, 0) << compared.out;
    EXPECT_NE(compared.out.find("0.90× (values)"), std::string::npos) << compared.out;
    EXPECT_NE(compared.out.find("not in turns"), std::string::npos) << compared.out;
    EXPECT_EQ(compared.out.find("trace record"), std::string::npos) << compared.out;
    EXPECT_EQ(run({"study", "delete", study, "--yes"}).code, 0);
}

TEST_F(Workspace, AnImportedTrialRefusesWhatNeedsItsModel)
{
    const std::string file = (dir() / "log.txt").string();
    std::ofstream(file) << "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=r.onnx "
                           "--shapes=input:8x3x224x224 --fp16\n[I] Model: r.onnx\n[I] Precision: FP32+FP16\n"
                           "[I] === Performance summary ===\n[I] Throughput: 512.5 qps\n"
                           "[I] Latency: mean = 2.1 ms, median = 2.05 ms\n&&&& PASSED TensorRT.trtexec\n";
    const Json imported = json({"trial", "import", file});
    const std::string study = imported["study"];
    const std::string shown = run({"show", study}).out;
    EXPECT_NE(shown.find("O0 stands for what the file does not state."), std::string::npos) << shown;
    const std::string trial = imported["trials"][0]["id"];
    EXPECT_EQ(imported["trials"][0]["config"]["batch"], 8);
    EXPECT_EQ(imported["trials"][0]["config"]["precision"], "fp16");
    EXPECT_DOUBLE_EQ(imported["trials"][0]["throughput_per_s"]["value"].get<double>(), 4100);
    const std::string out = (dir() / "exported").string();
    for (const std::vector<std::string>& verb : {std::vector<std::string>{"trace", "record", trial},
                                                 {"export", trial, "--target", "json", "--out", out},
                                                 {"verify", trial},
                                                 {"load", trial, "--scenario", "offline"},
                                                 {"pipeline", trial},
                                                 {"quality", "sensitivity", trial},
                                                 {"tune", "--resume", study}}) {
        const Ran refused = run(verb);
        EXPECT_NE(refused.code, 0) << verb.front();
        EXPECT_NE(refused.err.find("was imported from log.txt; its model is not here."), std::string::npos)
            << verb.front() << ": " << refused.err;
    }
    EXPECT_FALSE(std::filesystem::exists(out));
    EXPECT_EQ(run({"study", "delete", study, "--yes"}).code, 0);
}

TEST_F(Workspace, AFailedRunOfAnotherToolIsAFailedTrial)
{
    const std::string file = (dir() / "failed.json").string();
    std::ofstream(file) << R"({"results": [{"command": "./a\nb", "times": [0.1, 0.1], "exit_codes": [1, 1]}]})";
    const Json imported = json({"trial", "import", file});
    EXPECT_EQ(imported["trials"][0]["state"], "failed");
    EXPECT_EQ(imported["trials"][0]["reason"], "crash: Every run of the command ended with an error (2 in all).");
    EXPECT_EQ(json({"trial", "import", file, "--only-check"})["trials"][0]["state"], "failed");
    // The command of two lines stays on one.
    EXPECT_NE(run({"trial", "import", file, "--only-check"}).out.find("./a\\x0ab"), std::string::npos)
        << run({"trial", "import", file, "--only-check"}).out;
    EXPECT_EQ(run({"study", "list"}).out.find("./a\n"), std::string::npos);
    EXPECT_NE(run({"trial", "list", imported["study"]}).out.find("failed"), std::string::npos);
    EXPECT_EQ(run({"study", "delete", imported["study"], "--yes"}).code, 0);
}

TEST_F(Workspace, ATrendFollowsAConfigurationThroughTheStudies)
{
    const Json trend = run({"trend", "s1:best", "--json"}).document();
    EXPECT_EQ(trend["schema"], "apertune.trend/1");
    ASSERT_GE(trend["points"].size(), 1U);
    EXPECT_EQ(trend["points"][0]["trial"], json({"show", "s1:best"})["id"]);
    const int code = trend["points"].size() > 1 ? 0 : 3;
    EXPECT_EQ(run({"trend", "s1:best"}).code, code);
    EXPECT_EQ(run({"trend", "s1:best", "--model", "m"}).code, 2);
    const std::string csv = (dir() / "trend.csv").string();
    EXPECT_EQ(run({"trend", "s1:best", "--out", csv}).code, code);
    EXPECT_TRUE(std::filesystem::exists(csv));
    EXPECT_EQ(run({"trend", "s1:best", "--out", (dir() / "trend.png").string()}).code, 2);
    EXPECT_EQ(run({"envelope", "add", "s1:best"}).code, 2) << "one trial tells no range";
    const Ran list = s_program->shell("\"$0\" envelope list --json");
    EXPECT_EQ(list.document()["schema"], "apertune.envelopes/1");
}

TEST_F(Workspace, IsDescribedCheckedCopiedAndCompacted)
{
    const Json info = json({"workspace", "info"});
    EXPECT_EQ(info["studies"], 3);
    EXPECT_EQ(info["trials"], 6);
    EXPECT_NE(run({"workspace", "info"}).out.find("Studies"), std::string::npos);
    EXPECT_EQ(json({"workspace", "check"})["whole"], true);
    const std::string copy = (dir() / "copy.apertune").string();
    EXPECT_GT(json({"workspace", "copy", copy})["bytes"], 0);
    EXPECT_EQ(run({"workspace", "copy", copy}).code, 2) << "it is there already";
    const auto ofCopy = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--store", copy, "--json"});
        return s_program->run(arguments, false);
    };
    EXPECT_EQ(ofCopy({"workspace", "info"}).document()["trials"], 6);
    ASSERT_EQ(ofCopy({"study", "delete", "s1", "--yes"}).code, 0);
    EXPECT_GE(ofCopy({"workspace", "compact"}).document()["freed_bytes"], 0);
    EXPECT_EQ(ofCopy({"workspace", "check"}).document()["whole"], true);
    std::filesystem::resize_file(copy, std::filesystem::file_size(copy) / 2);
    EXPECT_NE(ofCopy({"workspace", "check"}).code, 0);
}

TEST_F(Workspace, TheProgramAloneOnATerminalShowsThreeCommandsToBeginWith)
{
    const Ran alone = s_program->runAloneOnTerminal();
    EXPECT_EQ(alone.code, 0);
    for (const char* line : {"apertune device list", "apertune tune torchvision:resnet50", "apertune show"})
        EXPECT_NE(alone.out.find(line), std::string::npos) << alone.out;
    EXPECT_EQ(s_program->run({}, false).code, 2) << "elsewhere a verb is missing";
}

TEST_F(Workspace, EveryTableFitsTheTerminal)
{
    const std::vector<std::vector<std::string>> verbs{{"show", "s1"},
                                                      {"show", "s3"},
                                                      {"show", "t1"},
                                                      {"study", "list"},
                                                      {"study", "effects"},
                                                      {"study", "findings"},
                                                      {"trial", "list", "s3"},
                                                      {"trial", "baselines"},
                                                      {"trial", "loads"},
                                                      {"compare", "s1", "s2"},
                                                      {"compare", "t1", "t2"},
                                                      {"compare", "t1", "t2", "t5"},
                                                      {"claims"},
                                                      {"claims", "--dry-run"},
                                                      {"device", "list"},
                                                      {"device", "ceilings"},
                                                      {"trend"},
                                                      {"trace", "list"},
                                                      {"model", "list"},
                                                      {"model", "zoo"},
                                                      {"track"},
                                                      {"engine", "list"},
                                                      {"envelope", "list"},
                                                      {"workspace", "info"}};
    ASSERT_EQ(run({"trial", "star", "t1", "--as", "before"}).code, 0);
    for (const std::vector<std::string>& verb : verbs)
        for (const int width : {60, 70, 80}) {
            const Ran ran = s_program->runOnTerminal(verb, std::to_string(width));
            std::istringstream lines(ran.out);
            for (std::string line; std::getline(lines, line);) {
                line.resize(std::min(line.find('\r'), line.size()));
                // A path or a hash is one word and stays whole, and so does a command, which users copy.
                const std::string words(base::trimmed(line));
                if (words.find(' ') == std::string::npos || words.find('`') != std::string::npos ||
                    words.starts_with("apertune "))
                    continue;
                EXPECT_LE(text::displayWidth(line), width) << verb[0] << " " << verb.back() << ": " << line;
            }
        }
    EXPECT_EQ(run({"trial", "unstar", "t1"}).code, 0);
}

} // namespace
} // namespace apertune::cli

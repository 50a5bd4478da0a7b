// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "tests/app/cli/program_fixture.h"

namespace apertune::cli {
namespace {

namespace fs = std::filesystem;

using base::Json;
using test::Program;
using test::Ran;
using test::Running;

struct Importing : ::testing::Test
{
    Program program;
    std::string golden(const char* name) const { return (fs::path(APERTUNE_GOLDEN_DIR) / name).string(); }
    /// A trace of many events, so that there is time to stop it.
    std::string large(int megabytes) const
    {
        std::string text = "[";
        for (int i = 0; text.size() < static_cast<std::size_t>(megabytes) << 20; ++i)
            text += std::string(i ? "," : "") + R"({"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":)" +
                    std::to_string(i) + R"(,"dur":1,"args":{"External id":)" + std::to_string(i) + "}}\n";
        const fs::path file = program.dir() / "large.json";
        EXPECT_TRUE(base::writeFileAtomically(file, text + "]"));
        return file.string();
    }
};

TEST_F(Importing, BringsATraceIntoTheWorkspace)
{
    const Ran ran = program.run({"trace", "import", golden("kineto_2024.json"), "--name", "my run", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json document = ran.document();
    EXPECT_EQ(document["schema"], "apertune.import/1");
    EXPECT_EQ(document["trace"], "tr1");
    EXPECT_EQ(document["name"], "my run");
    EXPECT_EQ(document["source"], "kineto");
    EXPECT_EQ(document["recorded"], "2025-02-17T23:47:09Z");
    EXPECT_EQ(document["kinds"][0]["kind"], "kernel");
    EXPECT_EQ(document["kinds"][0]["events"], 2);
    EXPECT_DOUBLE_EQ(document["kinds"][0]["total_ms"], 0.004111);
    ASSERT_EQ(document["losses"].size(), 1U) << "the arguments that nothing keeps";
    EXPECT_EQ(document["losses"][0]["severity"], "notice");
    const Json list = program.run({"trace", "list", "--json"}).document();
    ASSERT_EQ(list["traces"].size(), 1U);
    EXPECT_EQ(list["traces"][0]["name"], "my run");
    EXPECT_EQ(list["traces"][0]["events"], document["events"]);
    const Json lossy = program.run({"trace", "import", golden("chrome.json"), "--json"}).document();
    EXPECT_EQ(lossy["losses"][0]["severity"], "warning");
    EXPECT_EQ(lossy["losses"][0]["count"], 4);
}

TEST_F(Importing, TellsPeopleWhatItReadAndWhatItLost)
{
    const Ran ran = program.run({"trace", "import", golden("chrome.json"), "--only-check"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    for (const char* text :
         {"Not stored  chrome", "range", "warning: Events with a negative duration were left out. (1)"})
        EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
    EXPECT_FALSE(fs::exists(program.store()));
}

TEST_F(Importing, SaysWhatIsWrongAndLeavesNothing)
{
    const fs::path broken = program.dir() / "broken.json";
    const auto whole = base::readFile(golden("kineto_2021.json"));
    ASSERT_TRUE(whole);
    ASSERT_TRUE(base::writeFileAtomically(broken, whole->substr(0, whole->size() / 2)));
    const fs::path empty = program.dir() / "empty";
    fs::create_directory(empty);
    for (const std::string& file : {broken.string(), empty.string(), program.store() + "none"}) {
        const Ran ran = program.run({"trace", "import", file});
        EXPECT_EQ(ran.code, 2);
        EXPECT_EQ(ran.out, "");
        EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 2) << ran.err;
        EXPECT_NE(ran.err.find(file), std::string::npos) << ran.err;
    }
    EXPECT_FALSE(fs::exists(program.store()));
}

TEST_F(Importing, AFolderOfRanksSaysWhoIsWaitedFor)
{
    const fs::path folder = program.dir() / "a job";
    fs::create_directory(folder);
    const auto rankThatArrives = [](int rank, int arrives) {
        const auto kernel = [](const std::string& name, int from, int to) {
            return R"({"ph":"X","cat":"kernel","pid":0,"tid":7,"args":{"device":0,"stream":7},"name":")" + name +
                   R"(","ts":)" + std::to_string(from) + R"(,"dur":)" + std::to_string(to - from) + "}";
        };
        return R"({"schemaVersion":1,"deviceProperties":[],"distributedInfo":{"rank":)" + std::to_string(rank) +
               R"(,"world_size":2},"traceEvents":[)" + kernel("gemm", 0, arrives) + "," +
               kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", arrives, 1000) + "," + kernel("gemm", 1000, 1100) +
               "," + kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1100, 1200) + "]}";
    };
    ASSERT_TRUE(base::writeFileAtomically(folder / "b.json", rankThatArrives(0, 300)));
    ASSERT_TRUE(base::writeFileAtomically(folder / "a.json", rankThatArrives(1, 900)));
    ASSERT_TRUE(base::writeFileAtomically(folder / "notes.json", "{}"));
    const Ran ran = program.run({"trace", "import", folder.string(), "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json document = Json::parse(ran.out);
    EXPECT_EQ(document["files"].size(), 3U);
    EXPECT_TRUE(document["files"][2]["trace"].is_null()) << "and the others are imported";
    EXPECT_EQ(document["ranks"]["straggler"], 1);
    EXPECT_EQ(document["ranks"]["ranks"][0]["waiting_ms"], 0.6);
    const Ran again = program.run({"trace", "ranks"});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_NE(again.out.find("Rank 1 makes the others wait: it arrives last at 1 of 2 collectives"), std::string::npos)
        << again.out;
    const Ran one = program.run({"trace", "ranks", "tr1"});
    EXPECT_EQ(one.code, 2);
    EXPECT_NE(one.err.find("There are fewer than two ranks to compare."), std::string::npos) << one.err;
}

TEST_F(Importing, AReportThatOnlyItsToolReadsSaysHowToGetOneThatOpens)
{
    const std::string bytes = "\x08\x01\x12Q of another format";
    for (const auto& [name, command] :
         {std::pair("run.nsys-rep", "nsys export --type sqlite run.nsys-rep"), std::pair("old.QDREP", "nsys export"),
          std::pair("run.ncu-rep", "nsys profile"), std::pair("trace.pftrace", "not a trace in Perfetto's format")}) {
        const fs::path file = program.dir() / name;
        ASSERT_TRUE(base::writeFileAtomically(file, bytes));
        const Ran ran = program.run({"trace", "import", file.string()});
        EXPECT_EQ(ran.code, 2);
        EXPECT_NE(ran.err.find(command), std::string::npos) << ran.err;
    }
    const auto json = base::readFile(golden("kineto_2021.json"));
    ASSERT_TRUE(json);
    const fs::path named = program.dir() / "json.perfetto-trace";
    ASSERT_TRUE(base::writeFileAtomically(named, *json));
    EXPECT_EQ(program.run({"trace", "import", "--only-check", named.string()}).code, 0)
        << "what the file holds decides";
}

TEST_F(Importing, ADamagedExportOfNsysLeavesTheWorkspaceAsItWas)
{
    const std::string sound = (program.dir() / "sound.sqlite").string();
    const Ran written =
        program.run({"trace", "export", golden("kineto_2024.json"), "--out", sound, "--format", "nsys", "--json"});
    ASSERT_EQ(written.code, 0) << written.err;
    EXPECT_TRUE(written.document()["left_out"].is_array());
    ASSERT_EQ(program.run({"trace", "import", sound}).code, 0);
    const auto whole = base::readFile(sound);
    ASSERT_TRUE(whole);
    const fs::path damaged = program.dir() / "damaged.sqlite";
    std::string torn = *whole; // its tables are noise
    for (std::size_t i = 16384; i < torn.size(); ++i)
        torn[i] = static_cast<char>(i * 7);
    for (const std::string& bytes : {whole->substr(0, whole->size() / 2), torn, whole->substr(0, 100)}) {
        ASSERT_TRUE(base::writeFileAtomically(damaged, bytes));
        const Ran ran = program.run({"trace", "import", damaged.string()});
        EXPECT_EQ(ran.code, 2) << ran.out;
        EXPECT_NE(ran.err.find(damaged.string()), std::string::npos) << ran.err;
    }
    const Json list = program.run({"trace", "list", "--json"}).document();
    EXPECT_EQ(list["traces"].size(), 1U) << "no half trace";
}

TEST_F(Importing, WritesATraceOfTheWorkspaceThatImportsAgain)
{
    ASSERT_EQ(program.run({"trace", "import", golden("kineto_2021.json")}).code, 0);
    const std::string out = (program.dir() / "out" / "x.json.gz").string();
    const Ran ran = program.run({"trace", "export", "tr1", "--out", out, "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.document()["format"], "chrome");
    EXPECT_EQ(ran.document()["trace"], "tr1");
    Json before = program.run({"trace", "import", golden("kineto_2021.json"), "--only-check", "--json"}).document();
    Json after = program.run({"trace", "import", out, "--only-check", "--json"}).document();
    for (const char* changes : {"file", "bytes", "import_s"}) {
        before.erase(changes);
        after.erase(changes);
    }
    EXPECT_EQ(before, after);
    // A file is exported without a workspace. The name of the output makes it CSV.
    const std::string csv = (program.dir() / "x.csv").string();
    ASSERT_EQ(program.run({"trace", "export", out, "--out", csv}).code, 0);
    const auto text = base::readFile(csv);
    ASSERT_TRUE(text);
    EXPECT_TRUE(text->starts_with("kind,start_ns,"));
    EXPECT_EQ(static_cast<std::size_t>(std::count(text->begin(), text->end(), '\n')),
              before["events"].get<std::size_t>() + 1);
}

TEST_F(Importing, ExportSaysWhichTracesAndFormatsThereAre)
{
    for (const auto& [words, hint] : std::map<std::vector<std::string>, const char*>{
             {{"trace", "export", "tr9", "--out", "x"}, "apertune"},
             {{"trace", "export", "gone.json", "--out", "x"}, "apertune trace list"},
             {{"trace", "export", "tr1", "--out", "x", "--format", "pdf"}, "chrome, csv"}}) {
        const Ran ran = program.run(words);
        EXPECT_EQ(ran.code, 2);
        EXPECT_NE(ran.err.find(hint), std::string::npos) << ran.err;
    }
}

TEST_F(Importing, CtrlCLeavesNothing)
{
    const std::string file = large(256);
    for (int wait : {10, 60, 200}) {
        Running running = program.start({"trace", "import", file});
        ::poll(nullptr, 0, wait);
        running.signal(SIGINT);
        const Ran ran = running.finish();
        if (ran.code == 0)
            continue; // it was faster
        EXPECT_TRUE(ran.code == 130 || ran.code == -SIGINT) << ran.code << ran.err;
        if (!fs::exists(program.store()))
            continue;
        const Json list = program.run({"trace", "list", "--json"}).document();
        EXPECT_TRUE(list["traces"].empty());
    }
}

TEST_F(Importing, ATraceIsShownRenamedAndDeleted)
{
    for (const char* file : {"kineto_2021.json", "kineto_2024.json"})
        ASSERT_EQ(program.run({"trace", "import", golden(file)}).code, 0);
    const Json shown = program.run({"trace", "show", "tr1", "--json"}).document();
    EXPECT_EQ(shown["schema"], "apertune.trace/1");
    EXPECT_TRUE(shown["trial"].is_null());
    EXPECT_NE(program.run({"trace", "show", "last"}).out.find("Events of kind"), std::string::npos);
    EXPECT_EQ(program.run({"trace", "rename", "tr1", "before the fix", "--json"}).document()["name"], "before the fix");
    EXPECT_EQ(program.run({"trace", "list", "--json"}).document()["traces"][1]["name"], "before the fix");
    EXPECT_EQ(program.run({"trace", "delete", "tr1", "tr9", "--yes"}).code, 2) << "one of them is unknown";
    EXPECT_EQ(program.run({"trace", "list", "--json"}).document()["traces"].size(), 2U) << "so nothing is deleted";
    const Json deleted = program.run({"trace", "delete", "tr1", "--yes", "--json"}).document();
    EXPECT_EQ(deleted["ids"], Json::array({"tr1"}));
    EXPECT_EQ(program.run({"trace", "list", "--json"}).document()["traces"].size(), 1U);
}

} // namespace
} // namespace apertune::cli

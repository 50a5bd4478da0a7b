// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/program_fixture.h"

namespace apertune::cli {
namespace {

using base::Json;
using test::Program;
using test::Ran;

Json tracedScript()
{
    Json script = test::fastScript();
    script["operators"] = {{{"name", "aten::conv2d"}, {"shapes", "[[1, 3]]"}, {"bytes", 64}}};
    return script;
}

struct Tracing : ::testing::Test
{
    Program program;
    std::string model = program.model("m", tracedScript());

    Tracing()
    {
        const Ran tuned = program.run(program.tune(model, {"--levels", "O0,O1", "--json"}));
        EXPECT_TRUE(tuned.swept()) << tuned.err;
    }
};

TEST_F(Tracing, RecordsATrialAndKeepsIt)
{
    const Ran ran = program.run({"trace", "record", "best", "--iterations", "7", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json document = ran.document();
    EXPECT_EQ(document["schema"], "apertune.trace/1");
    EXPECT_EQ(document["trace"], "tr1");
    EXPECT_EQ(document["trial"], "t2");
    EXPECT_EQ(document["name"], "m O1 fp32 b1");
    EXPECT_EQ(document["cost"]["traced_iterations"], 7);
    const Json ratio = document["cost"]["ratio"];
    EXPECT_GT(ratio["lo"].get<double>(), 0);
    EXPECT_LE(ratio["lo"].get<double>(), ratio["median"].get<double>());
    EXPECT_LE(ratio["median"].get<double>(), ratio["hi"].get<double>());
    std::map<std::string, int> kinds;
    for (const Json& kind : document["kinds"])
        kinds[kind["kind"]] = kind["events"];
    EXPECT_EQ(kinds["operator_call"], 7);
    EXPECT_EQ(kinds["range"], 7);
    EXPECT_EQ(kinds["tensor_memory"], 14);

    const Json list = program.run({"trace", "list", "--json"}).document();
    EXPECT_EQ(list["schema"], "apertune.traces/1");
    ASSERT_EQ(list["traces"].size(), 1U);
    EXPECT_EQ(list["traces"][0]["trial"], "t2");
    EXPECT_EQ(list["traces"][0]["source"], "apertune");
    EXPECT_EQ(list["traces"][0]["events"], document["events"]);
}

TEST_F(Tracing, MeasuresTheCeilingsOnceAndReportsAgainstThem)
{
    EXPECT_EQ(program.run({"workspace", "query", "SELECT count(*) FROM ceiling", "--csv"}).out, "count(*)\n0\n");
    ASSERT_EQ(program.run({"trace", "record", "best", "--iterations", "7"}).code, 0);
    const Json kept = program.run({"device", "ceilings", "--device", "cpu", "--json"}).document();
    EXPECT_EQ(kept["schema"], "apertune.ceilings/1");
    ASSERT_EQ(kept["devices"].size(), 1U);
    EXPECT_EQ(kept["devices"][0]["backend"], "fake") << "the trial's";
    EXPECT_EQ(kept["devices"][0]["rates"][0]["quantity"], "fp32");
    EXPECT_EQ(kept["devices"][0]["rates"][0]["unit"], "FLOP/s");
    EXPECT_EQ(kept["devices"][0]["rates"][0]["median"], 100e9);
    const Json report = program.run({"trace", "report", "tr1", "--section", "roofline", "--json"}).document();
    EXPECT_EQ(report["roofline"]["ceilings"]["flops_per_s"], 100e9);
    EXPECT_EQ(report["roofline"]["ceilings"]["bytes_per_s"], 10e9);
    const Ran text = program.run({"device", "ceilings", "--device", "cpu", "--refresh", "--backend", "fake"});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("100 GFLOP/s"), std::string::npos) << text.out;
    EXPECT_NE(program.run({"device", "ceilings", "--device", "cuda:9"}).code, 0);
}

TEST_F(Tracing, HardwareCountersOfATrialOnTheCpuAreRefusedBeforeAnythingRuns)
{
    const Ran ran = program.run({"trace", "record", "best", "--metrics"});
    EXPECT_NE(ran.code, 0);
    EXPECT_NE(ran.err.find("read on an NVIDIA GPU"), std::string::npos) << ran.err;
    EXPECT_EQ(program.run({"trace", "list", "--json"}).document()["traces"].size(), 0U);
}

TEST_F(Tracing, TheLevelOfGraphsIsOneOfTwoAndOfAGpu)
{
    const Ran ran = program.run({"trace", "record", "best", "--graphs", "launch"});
    EXPECT_NE(ran.code, 0);
    EXPECT_NE(ran.err.find("recorded on an NVIDIA GPU"), std::string::npos) << ran.err;
    EXPECT_EQ(program.run({"trace", "record", "best", "--graphs", "kernels"}).code, 2);
    EXPECT_EQ(program.run({"trace", "list", "--json"}).document()["traces"].size(), 0U);
}

TEST_F(Tracing, CanBeAskedInSql)
{
    ASSERT_EQ(program.run({"trace", "record", "best", "--iterations", "7", "--json"}).code, 0);
    const std::string sql =
        "SELECT name, count(*) AS n, NULL AS none, x'0aff' AS bytes FROM operator_call GROUP BY name";
    const Json document = program.run({"workspace", "query", sql, "--trace", "tr1", "--json"}).document();
    EXPECT_EQ(document["schema"], "apertune.query/1");
    EXPECT_EQ(document["columns"], (Json{"name", "n", "none", "bytes"}));
    EXPECT_EQ(document["rows"], (Json::array({{"aten::conv2d", 7, nullptr, {{"hex", "0aff"}}}})));
    EXPECT_EQ(document["truncated"], false);
    EXPECT_EQ(program.run({"workspace", "query", sql, "--csv"}).out, "name,n,none,bytes\naten::conv2d,7,,0aff\n");
    const Ran table = program.run({"workspace", "query", "SELECT 'a,\"b' AS quoted, 1.5", "--csv"});
    EXPECT_EQ(table.out, "quoted,1.5\n\"a,\"\"b\",1.5\n");
    EXPECT_NE(program.run({"workspace", "query", sql}).out.find("aten::conv2d"), std::string::npos);
    EXPECT_NE(program.run({"workspace", "query", "--tables"}).out.find("CUPTI_ACTIVITY_KIND_KERNEL"),
              std::string::npos);

    const Ran cut = program.run({"workspace", "query", "SELECT * FROM event", "--rows", "2", "--json"});
    EXPECT_EQ(cut.document()["rows"].size(), 2U);
    EXPECT_NE(cut.err.find("first 2 rows"), std::string::npos) << cut.err;
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"workspace", "query"},
                                               {"workspace", "query", "DROP TABLE trace"},
                                               {"workspace", "query", "SELECT nothing FROM kernel"},
                                               {"workspace", "query", "SELECT 1", "--csv", "--json"},
                                               {"workspace", "query", "SELECT 1", "--timeout", "soon"},
                                               {"workspace", "query", "SELECT 1", "--trace", "tr99"},
                                               {"workspace", "query", "missing.apertune", "SELECT 1"}}) {
        const Ran ran = program.run(wrong);
        EXPECT_EQ(ran.code, 2) << wrong.back() << ran.out;
        EXPECT_FALSE(ran.err.empty());
    }
    const Ran late = program.run({"workspace", "query",
                                  "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "
                                  "max(i) FROM n",
                                  "--timeout", "50ms"});
    EXPECT_NE(late.err.find("longer than 50"), std::string::npos) << late.err;
}

TEST_F(Tracing, TellsPeopleWhatItRecordedAndWhatThatCost)
{
    const Ran ran = program.run({"trace", "record", "t1", "--iterations", "3", "--no-memory"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    for (const char* text : {"tr1  m O0 fp32 b1", "operator_call", "range", "An iteration takes", "while recorded"})
        EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
    EXPECT_TRUE(ran.out.find("×") != std::string::npos || ran.out.find("cannot tell") != std::string::npos)
        << "the ratio, or that three iterations of a busy machine support none\n"
        << ran.out;
    EXPECT_EQ(ran.out.find("tensor_memory"), std::string::npos) << ran.out;
    const Ran list = program.run({"trace", "list"});
    EXPECT_NE(list.out.find("tr1"), std::string::npos) << list.out;
}

TEST_F(Tracing, TheReportOfATraceHasAVerdictAndEverySection)
{
    ASSERT_EQ(program.run({"trace", "record", "best", "--iterations", "20"}).code, 0);
    const Ran ran = program.run({"trace", "report", "last", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json document = ran.document();
    EXPECT_EQ(document["schema"], "apertune.trace-report/1");
    EXPECT_EQ(document["trace"], "tr1");
    for (const char* member : {"verdict", "findings", "rules", "iterations", "idle", "kernels", "operators",
                               "transfers", "launches", "memory", "counters", "roofline", "losses", "cost"})
        EXPECT_TRUE(document.contains(member)) << member;
    EXPECT_NE(document["verdict"]["word"], "abstained") << document["verdict"]["sentence"];
    EXPECT_EQ(document["operators"]["by_name"][0]["calls"], 20);
    const Ran text = program.run({"trace", "report", "tr1", "--section", "operators"});
    EXPECT_NE(text.out.find("aten::conv2d"), std::string::npos) << text.out;
    EXPECT_EQ(text.out.find("Roofline"), std::string::npos) << text.out;
    EXPECT_EQ(program.run({"trace", "report", "tr9"}).code, 2);
    EXPECT_EQ(program.run({"trace", "report", "tr1", "--section", "nothing"}).code, 2);
}

TEST_F(Tracing, AFileOfRulesChangesThresholdsAndReportsSaySo)
{
    const Json list = program.run({"rules", "--json"}, false).document();
    EXPECT_EQ(list["schema"], "apertune.rules/1");
    EXPECT_GT(list["rules"].size(), 40U);
    EXPECT_EQ(program.run({"rules", "R18", "--json"}, false).document()["rules"][0]["rule"], "unfused-batchnorm");
    EXPECT_EQ(program.run({"rules", "unfused-batchnrm"}, false).code, 2);

    const std::string good = (program.dir() / "good.json").string();
    Program::write(good, R"({"rules": {"long-gaps": {"pauses": 0.9}}})");
    const Ran checked = program.run({"rules", "long-gaps", "--rules", good}, false);
    EXPECT_EQ(checked.code, 0) << checked.err;
    EXPECT_NE(checked.out.find("pauses = 0.9 (default 0.3): fires on a CPU"), std::string::npos) << checked.out;
    ASSERT_EQ(program.run({"trace", "record", "best", "--iterations", "20"}).code, 0);
    const Json report = program.run({"trace", "report", "last", "--rules", good, "--json"}).document();
    ASSERT_EQ(report["thresholds"].size(), 1U);
    EXPECT_EQ(report["thresholds"][0]["name"], "pauses");
    EXPECT_EQ(report["thresholds"][0]["value"], 0.9);
    EXPECT_TRUE(program.run({"trace", "report", "last", "--json"}).document()["thresholds"].empty());
    const Ran text = program.run({"trace", "report", "last", "--rules", good});
    EXPECT_NE(text.out.find("long-gaps pauses 0.9 (default 0.3)"), std::string::npos) << text.out;

    const std::string bad = (program.dir() / "bad.json").string();
    Program::write(bad, R"({"rules": {"long-gaps": {"pause": 0.9}}})");
    const Ran refused = program.run({"trace", "report", "last", "--rules", bad});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("no threshold pause"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("pauses"), std::string::npos) << "the nearest name: " << refused.err;

    const Ran findings = program.run({"study", "findings", "--rules", good, "--json"});
    ASSERT_EQ(findings.code, 0) << findings.err;
    EXPECT_EQ(findings.document()["schema"], "apertune.study-findings/1");
    EXPECT_EQ(findings.document()["thresholds"].size(), 1U);
}

TEST_F(Tracing, TwoTracesAreComparedToTheLastPart)
{
    ASSERT_EQ(program.run({"trace", "record", "best", "--iterations", "9"}).code, 0);
    ASSERT_EQ(program.run({"trace", "record", "best", "--iterations", "9"}).code, 0);
    const Ran ran = program.run({"compare", "tr1", "tr2", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json document = ran.document();
    EXPECT_EQ(document["schema"], "apertune.trace-comparison/1");
    double sum = document["rest_ms"].get<double>();
    for (const Json& part : document["parts"])
        sum += part["change_ms"]["value"].get<double>();
    EXPECT_NEAR(sum, document["change_ms"]["value"].get<double>(), 1e-6);
    EXPECT_GE(document["matched_share"].get<double>(), 0.99);
    for (const Json& part : document["parts"])
        if (!part["query_b"].is_null()) {
            EXPECT_EQ(program.run({"workspace", "query", part["query_b"]}).code, 0) << part;
        }

    ASSERT_EQ(program.run({"trace", "record", "best", "--iterations", "9"}).code, 0);
    const Json several = program.run({"compare", "tr1", "tr2", "tr3", "--json"}).document();
    EXPECT_EQ(several["schema"], "apertune.trace-comparisons/1");
    ASSERT_EQ(several["comparisons"].size(), 2U);
    EXPECT_EQ(several["comparisons"][0]["change_ms"], document["change_ms"]) << "a side more changes no other";
    EXPECT_EQ(program.run({"compare", "tr1", "tr2", "best"}).code, 2) << "a trial among traces";
    const std::string html = (program.dir() / "difference.html").string();
    ASSERT_EQ(program.run({"compare", "tr1", "tr2", "--out", html}).code, 0);
    EXPECT_TRUE(std::filesystem::exists(html));
    EXPECT_EQ(program.run({"compare", "tr1", "tr2", "--out", (program.dir() / "difference.doc").string()}).code, 2);
    EXPECT_EQ(program.run({"compare", "tr1", "best"}).code, 2) << "a trace and a trial";
    EXPECT_EQ(program.run({"compare", "tr1", "tr9"}).code, 2);
    EXPECT_EQ(program.run({"compare", "tr1", "tr2", "--gate", "3%"}).code, 2) << "traces decide no gate";
    EXPECT_NE(program.run({"compare", "tr1", "missing.json"}).err.find("There is no file missing.json"),
              std::string::npos);
    EXPECT_EQ(program.run({"compare", "best", "best", "--out", html}).code, 2) << "trials have no such file";
}

TEST_F(Tracing, WhatATraceAdvisesIsTriedAndKept)
{
    Json script = test::fastScript();
    script["latency_ms"] = 40; // a busy machine adds little to it
    script["switches"] = {{"freeze", 0.25}};
    script["operators"] = {{{"name", "aten::conv2d"}, {"share", 3}},
                           {{"name", "aten::batch_norm"}, {"share", 1}},
                           {{"name", "aten::_to_copy"}, {"share", 1}}};
    program.model("m", script);
    ASSERT_EQ(program.run({"trace", "record", "t1", "--iterations", "20"}).code, 0);

    const Ran ran = program.run({"trace", "verify", "last", "unfused-batchnorm", "--budget", "60s", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err << ran.out;
    const Json verification = ran.document()["proofs"][0];
    EXPECT_EQ(verification["rule"], "unfused-batchnorm");
    EXPECT_EQ(verification["switch"], "freeze");
    EXPECT_EQ(verification["proof"], "proved") << verification;
    EXPECT_GT(verification["saved"]["lo"].get<double>(), 0);
    const std::string before = verification["before"];
    const std::string after = verification["after"];
    const Json compared = program.run({"compare", before, after, "--json"}).document();
    ASSERT_EQ(compared["cells"].size(), 1U) << compared;
    EXPECT_TRUE(compared["cells"][0]["paired"]) << compared;
    EXPECT_EQ(program.run({"study", "list", "--json"}).document()["studies"][0]["id"], verification["study"]);

    // No switch does what type-conversions asks for: what was proved before it is told all the same.
    const Ran half = program.run({"trace", "verify", "last", "R18", "type-conversions", "--budget", "60s", "--json"});
    EXPECT_EQ(half.code, 2) << half.err;
    ASSERT_EQ(half.document()["proofs"].size(), 1U);
    EXPECT_EQ(half.document()["proofs"][0]["rule"], "unfused-batchnorm");
    EXPECT_NE(half.document()["failure"].get<std::string>().find("type-conversions"), std::string::npos) << half.out;
    EXPECT_TRUE(ran.document()["failure"].is_null());
    EXPECT_EQ(ran.err.find("winner"), std::string::npos) << "an verification has none: " << ran.err;

    const Ran absent = program.run({"trace", "report", "absent.json.gz", "--store", "absent.apertune"}, false);
    EXPECT_NE(absent.err.find("There is no file absent.json.gz"), std::string::npos) << absent.err;
    const Ran unknown = program.run({"trace", "verify", "last", "no-such-rule"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("unfused-batchnorm"), std::string::npos) << unknown.err;
}

TEST_F(Tracing, AFailureSaysWhyAndStoresNothing)
{
    Json script = tracedScript();
    script["faults"] = {{{"at", "trace_start"}, {"n", 1}, {"do", "crash"}}};
    program.model("m", script);
    const Ran ran = program.run({"trace", "record", "best"});
    EXPECT_EQ(ran.code, 4) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find("SIGSEGV"), std::string::npos) << ran.err;
    EXPECT_TRUE(program.run({"trace", "list", "--json"}).document()["traces"].empty());
    EXPECT_EQ(program.run({"trace", "record", "t99"}).code, 2);
    EXPECT_EQ(program.run({"trace", "record", "best", "--iterations", "0"}).code, 2);
}

TEST_F(Tracing, AnInterruptLeavesNothingBehind)
{
    Json script = tracedScript();
    script["latency_ms"] = 200;
    script["faults"] = {{{"at", "run"}, {"n", 2}, {"do", "print"}, {"once", "runs"}}};
    program.model("m", script);
    auto running = program.start({"trace", "record", "best", "--iterations", "10000"});
    ASSERT_TRUE(running.waitForFile(program.dir() / "m" / "runs"));
    running.signal(SIGINT);
    EXPECT_EQ(running.finish().code, 130);
    EXPECT_TRUE(program.run({"trace", "list", "--json"}).document()["traces"].empty());
}

} // namespace
} // namespace apertune::cli

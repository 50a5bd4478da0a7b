// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/interchange/results/foreign_results.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace apertune::interchange {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(APERTUNE_GOLDEN_ROOT) / "results";

ForeignResults read(const std::string& name)
{
    auto results = readForeignResults(kFolder / name);
    EXPECT_TRUE(results) << name << ": " << (results ? "" : sentences::sentence(results.error().message));
    return results ? std::move(*results) : ForeignResults{};
}

TEST(ForeignResults, TrtexecTellsEveryPassOrStatistics)
{
    const ForeignResults times = read("trtexec_times.json");
    EXPECT_EQ(times.tool, "trtexec");
    ASSERT_EQ(times.results.size(), 1u);
    ASSERT_EQ(times.results[0].passes.size(), 40u);
    EXPECT_NEAR(times.results[0].passes[0], 2.27e6, 1);
    EXPECT_NEAR(times.results[0].deviceTime.value(), 2.03e6, 0.011e6);
    const ForeignResults log = read("trtexec.log");
    EXPECT_EQ(log.version, "v8503");
    ASSERT_EQ(log.results.size(), 1u);
    const ForeignResult& one = log.results[0];
    EXPECT_EQ(one.name, "small.onnx");
    EXPECT_EQ(one.device, "NVIDIA A100-SXM4-40GB");
    EXPECT_EQ(one.precision, "FP32+FP16");
    EXPECT_TRUE(one.passes.empty());
    EXPECT_DOUBLE_EQ(one.median.value(), 4.55e6);
    EXPECT_DOUBLE_EQ(one.mean.value(), 4.6e6);
    EXPECT_DOUBLE_EQ(one.p90.value(), 4.9e6);
    EXPECT_DOUBLE_EQ(one.p99.value(), 5.4e6);
    EXPECT_DOUBLE_EQ(one.deviceTime.value(), 4.25e6) << "not that of another line";
    EXPECT_DOUBLE_EQ(one.perSecond.value(), 233.5);
}

TEST(ForeignResults, BenchmarkAppIsReadInItsThreeForms)
{
    for (const char* name : {"benchmark_app_python.json", "benchmark_app.csv"}) {
        const ForeignResults results = read(name);
        EXPECT_EQ(results.tool, "benchmark_app");
        ASSERT_EQ(results.results.size(), 1u) << name;
        EXPECT_EQ(results.results[0].name, "tiny");
        EXPECT_EQ(results.results[0].device, "CPU");
        EXPECT_EQ(results.results[0].batch, 1);
        EXPECT_DOUBLE_EQ(results.results[0].median.value(), std::string(name).ends_with("csv") ? 0.6e6 : 0.5e6);
        EXPECT_TRUE(results.results[0].first && results.results[0].load) << name;
    }
    const ForeignResults cpp = read("benchmark_app_cpp.json");
    ASSERT_EQ(cpp.results.size(), 1u);
    EXPECT_EQ(cpp.results[0].precision, "f32");
    EXPECT_EQ(cpp.results[0].batch, 4);
    EXPECT_DOUBLE_EQ(cpp.results[0].median.value(), 30e6);
    EXPECT_DOUBLE_EQ(cpp.results[0].mean.value(), 30.5e6);
}

TEST(ForeignResults, EachRowOfAFileIsAResult)
{
    const ForeignResults perf = read("perf_analyzer.csv");
    ASSERT_EQ(perf.results.size(), 2u);
    EXPECT_EQ(perf.results[1].name, "Concurrency 2");
    EXPECT_DOUBLE_EQ(perf.results[1].median.value(), 21.8e6);
    EXPECT_DOUBLE_EQ(perf.results[1].p99.value(), 34.7e6);
    EXPECT_DOUBLE_EQ(perf.results[0].perSecond.value(), 70.5);
    const ForeignResults hyperfine = read("hyperfine.json");
    ASSERT_EQ(hyperfine.results.size(), 2u);
    EXPECT_EQ(hyperfine.results[0].passes.size(), 10u);
    EXPECT_DOUBLE_EQ(hyperfine.results[1].passes[2], 201e6);
    const ForeignResults bench = read("nvbench.json");
    EXPECT_EQ(bench.version, "0.1.0");
    ASSERT_EQ(bench.results.size(), 1u) << "a skipped state has no time";
    EXPECT_EQ(bench.results[0].name, "copy [Device=0 Size=2^20]");
    EXPECT_EQ(bench.results[0].device, "NVIDIA GeForce RTX 2060");
    EXPECT_DOUBLE_EQ(bench.results[0].mean.value(), 15e3);
}

TEST(ForeignResults, ServicesAndLogsAreRead)
{
    const ForeignResults genai = read("genai_perf.json");
    ASSERT_EQ(genai.results.size(), 1u);
    EXPECT_EQ(genai.results[0].name, "small-llm");
    EXPECT_DOUBLE_EQ(genai.results[0].median.value(), 800e6);
    const ForeignResults log = read("onnxruntime_perf_test.log");
    ASSERT_EQ(log.results.size(), 1u);
    EXPECT_DOUBLE_EQ(log.results[0].median.value(), 99.5e6);
    EXPECT_DOUBLE_EQ(log.results[0].mean.value(), 98.9e6);
    EXPECT_DOUBLE_EQ(log.results[0].load.value(), 0.2e9);
    EXPECT_DOUBLE_EQ(log.results[0].first.value(), 196e6);
}

TEST(ForeignResults, OtherFilesAreRefusedWithTheToolsThatAreKnown)
{
    for (const char* text : {"", "hello", "{}", "[]", "{\"traceEvents\": []}", "a,b\n1,2\n", "name;value\n",
                             "[{\"startComputeMs\": \"x\"", "P50 Latency: 3 s"}) {
        const auto parsed = parseForeignResults(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().code, base::ErrorCode::corrupt);
        EXPECT_NE(sentences::sentence(parsed.error().hint).find("trtexec"), std::string::npos) << text;
    }
    // These are files of known tools, but their times are impossible.
    for (const char* text :
         {"[{\"startComputeMs\": 2, \"endComputeMs\": 1}]", "{\"request_latency\": {\"unit\": \"ms\", \"p50\": -1}}",
          "Inferences/Second,Client Send,p50 latency\n1,2,nan\n"})
        EXPECT_FALSE(parseForeignResults(text)) << text;
    EXPECT_EQ(readForeignResults(kFolder / "missing.json").error().code, base::ErrorCode::notFound);
}

/// A log of trtexec for one run. `end` is "PASSED" or "FAILED".
std::string trtexecLog(const std::string& model, const std::string& median, const std::string& end = "PASSED")
{
    const std::string command =
        " TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=" + model + " --shapes=input:8x3x224x224 --fp16\n";
    return "&&&& RUNNING" + command + "[I] Model: " + model +
           "\n[I] Precision: FP32+FP16\n[I] Input build shape: input=8x3x224x224+8x3x224x224+8x3x224x224\n"
           "[I] Batch: Explicit\n[I] === Performance summary ===\n[I] Throughput: 512.5 qps\n"
           "[I] Latency: min = 1.9 ms, max = 3.5 ms, mean = 2.1 ms, median = " +
           median + " ms, percentile(90%) = 2.2 ms, percentile(99%) = 3.1 ms\n&&&& " + end + command;
}

std::vector<std::string> remarksOf(const std::string& text)
{
    const auto parsed = parseForeignResults(text);
    EXPECT_TRUE(parsed) << text;
    std::vector<std::string> remarks;
    if (parsed)
        for (const ForeignResult& result : parsed->results)
            for (const base::Message& remark : result.remarks)
                remarks.push_back(sentences::sentence(remark));
    return remarks;
}

std::string refusalOf(const std::string& text)
{
    const auto parsed = parseForeignResults(text);
    EXPECT_FALSE(parsed) << text;
    return parsed ? std::string() : sentences::describe(parsed.error());
}

const std::string kPerfHeader =
    "Concurrency,Inferences/Second,Client Send,p50 latency,p90 latency,p95 latency,p99 latency\n";

TEST(ForeignResults, TheBatchOfALogTurnsQueriesIntoSamples)
{
    const auto log = parseForeignResults(trtexecLog("r.onnx", "2.05"));
    ASSERT_TRUE(log);
    EXPECT_EQ(log->results[0].batch, 8);
    EXPECT_DOUBLE_EQ(log->results[0].perSecond.value(), 4100);
    EXPECT_TRUE(log->results[0].remarks.empty());
    // Where the batch is implicit, trtexec counts samples.
    const auto implicit = parseForeignResults("&&&& RUNNING TensorRT.trtexec # trtexec --onnx=r.onnx --batch=4\n[I] "
                                              "Batch: 4\n[I] === Performance summary ===\n[I] Throughput: 1070.1 qps\n"
                                              "[I] Latency: mean = 3.7 ms, median = 3.69 ms\n");
    ASSERT_TRUE(implicit);
    EXPECT_EQ(implicit->results[0].batch, 4);
    EXPECT_DOUBLE_EQ(implicit->results[0].perSecond.value(), 1070.1);
    EXPECT_EQ(implicit->results[0].precision, "") << "the command does not tell it";
}

TEST(ForeignResults, EachRunOfALogIsAResultAndAFailedOneSaysSo)
{
    const auto two = parseForeignResults(trtexecLog("a.onnx", "2.05") + trtexecLog("b.onnx", "4.05", "FAILED"));
    ASSERT_TRUE(two);
    ASSERT_EQ(two->results.size(), 2u);
    EXPECT_EQ(two->results[0].name, "a.onnx");
    EXPECT_DOUBLE_EQ(two->results[0].median.value(), 2.05e6);
    EXPECT_TRUE(two->results[0].failure.empty());
    EXPECT_EQ(two->results[1].name, "b.onnx");
    EXPECT_EQ(sentences::sentence(two->results[1].failure), "trtexec reported that the run failed.");
}

TEST(ForeignResults, ANumberWithACommaIsRefused)
{
    for (const std::string& text :
         {trtexecLog("r.onnx", "2,05"),
          std::string("Concurrency;Inferences/Second;Client Send;p50 latency\n1;100,5;9;9900"),
          std::string(R"({"configuration_setup": {}, "execution_results": {"latency_median": "40,1"}})")}) {
        const std::string refusal = refusalOf(text);
        EXPECT_NE(refusal.find("comma"), std::string::npos) << refusal;
        EXPECT_NE(refusal.find("LC_ALL=C"), std::string::npos) << refusal;
    }
}

TEST(ForeignResults, ValuesThatCannotBeReadAreRemarked)
{
    EXPECT_EQ(
        remarksOf(trtexecLog("r.onnx", "-nan")),
        std::vector<std::string>{"The file has “-nan” for the median of the latency, which cannot be its value."});
    const std::string log = trtexecLog("r.onnx", "2.05");
    EXPECT_EQ(remarksOf(log.substr(0, log.find("median"))),
              std::vector<std::string>{"The line “Latency” of the file ends before its values."});
    EXPECT_EQ(remarksOf(R"([{"startComputeMs": 0, "endComputeMs": 1, "latencyMs": 2},
                            {"startComputeMs": 2, "endComputeMs": 3, "latencyMs": -5}])"),
              std::vector<std::string>{"Passes without a possible time were left out: 1 of 2."});
    EXPECT_EQ(remarksOf(kPerfHeader + "1,inf,9,9900,10000,10100,10200\n").size(), 1u);
}

TEST(ForeignResults, ContradictionsAreRemarked)
{
    EXPECT_TRUE(remarksOf(kPerfHeader + "2,180.1,9,11000,11500,11700,12500\n").empty());
    EXPECT_EQ(remarksOf(kPerfHeader + "1,100.5,9,9900,5000,10200,1\n"),
              (std::vector<std::string>{"The file contradicts itself: its p90 is below its median.",
                                        "The file contradicts itself: its p99 is below its p95."}));
    EXPECT_EQ(remarksOf(kPerfHeader + "1,100000,9,9900,10100,10200,10500\n"),
              std::vector<std::string>{"The file contradicts itself: at its latency, its throughput needs 990 samples "
                                       "at a time, but it states 1."});
    EXPECT_EQ(remarksOf(R"({"results": [{"command": "a", "median": 99, "times": [0.1, 0.2]}]})"),
              std::vector<std::string>{"The file contradicts itself: its median lies outside its own passes."});
    EXPECT_NE(refusalOf(kPerfHeader + "1,0,0,0,0,0,0\n").find("No result of perf_analyzer in the file has a time."),
              std::string::npos);
}

TEST(ForeignResults, RunsThatEndedWithAnErrorAreNoPasses)
{
    const auto all = parseForeignResults(
        R"({"results": [{"command": "a", "times": [0.1, 0.2], "exit_codes": [1, null]},
                        {"command": "b", "median": 0.3, "times": [0.1, 0.3, 0.1], "exit_codes": [0, 1, 0]}]})");
    ASSERT_TRUE(all);
    ASSERT_EQ(all->results.size(), 2u);
    EXPECT_FALSE(all->results[0].failure.empty());
    EXPECT_TRUE(all->results[1].failure.empty());
    EXPECT_EQ(all->results[1].passes, (std::vector<double>{0.1e9, 0.1e9}));
    ASSERT_EQ(all->results[1].remarks.size(), 1u);
    EXPECT_EQ(sentences::sentence(all->results[1].remarks[0]), "Runs that ended with an error were left out: 1 of 3.");
}

TEST(ForeignResults, ARefusalSaysWhatWasRecognisedAndWhereItBroke)
{
    const std::vector<std::pair<std::string, std::string>> texts{
        {"\n  \n", "It has no text."},
        {std::string("\0\0\0", 3), "It is binary."},
        {"{\"a\": 1, \"b\": [}", "It is JSON that breaks off or has an error at line 1, column"},
        {"[{\"startComputeMs\": 1,\n \"endComputeMs\": NaN", "looks like JSON of trtexec, which breaks off or has an "
                                                             "error at line 2, column"},
        {"{\"a\": 1, \"b\": {\"c\": 1}}", "with the members a, b."},
        {std::string(5000, '[') + std::string(5000, ']'), "nested too deeply"},
        {"command,mean,stddev\n./a,1,2\n",
         "It is a table of no tool that is known, with the columns command, mean, stddev."},
        {"hello\nworld", "It is a text of no tool that is known: “hello”."},
        {"&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=a.onnx\n",
         "It is a log of trtexec that has no line"},
        {"\xFF\xFEh\0i\0", "The file is text in UTF-16"}};
    for (const auto& [text, recognised] : texts) {
        const std::string refusal = refusalOf(text);
        EXPECT_NE(refusal.find(recognised), std::string::npos) << refusal;
    }
    const auto marked = parseForeignResults("\xEF\xBB\xBF" + kPerfHeader + "1,100.5,9,9900,10000,10200,10500\n");
    EXPECT_TRUE(marked) << "the mark of UTF-8 is no content";
}

TEST(ForeignResults, AnEmptyFileIsNoRecording)
{
    const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "empty_results.json";
    ASSERT_TRUE(base::writeFileAtomically(file, ""));
    const auto read = readForeignResults(file);
    std::filesystem::remove(file);
    ASSERT_FALSE(read);
    const std::string text = sentences::describe(read.error());
    EXPECT_NE(text.find("The file is empty."), std::string::npos) << text;
    EXPECT_EQ(text.find("recording"), std::string::npos) << text;
}

TEST(ForeignResults, AnyBeginningOfAFileIsReadOrRefused)
{
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
        const std::string text = base::readFile(entry.path()).value();
        for (std::size_t size = 0; size < text.size(); size += 1 + text.size() / 200)
            if (const auto parsed = parseForeignResults(std::string_view(text).substr(0, size)); !parsed) {
                EXPECT_FALSE(sentences::sentence(parsed.error().message).empty());
            }
    }
}

} // namespace
} // namespace apertune::interchange

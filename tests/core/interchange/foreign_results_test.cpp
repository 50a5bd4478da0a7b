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
    // Of a known tool, but without a time that can be one.
    for (const char* text :
         {"[{\"startComputeMs\": 2, \"endComputeMs\": 1}]", "{\"request_latency\": {\"unit\": \"ms\", \"p50\": -1}}",
          "Inferences/Second,Client Send,p50 latency\n1,2,nan\n"})
        EXPECT_FALSE(parseForeignResults(text)) << text;
    EXPECT_EQ(readForeignResults(kFolder / "missing.json").error().code, base::ErrorCode::notFound);
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

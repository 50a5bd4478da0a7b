// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/interchange/recording_import.h"
#include "core/interchange/rocprof/rocprof_json.h"
#include "core/sentences/sentences.h"
#include "tests/core/interchange/event_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace apertune::interchange {
namespace {

using test::eventLines;
using trace::EventKind;

const std::filesystem::path kSample = std::filesystem::path(APERTUNE_GOLDEN_DIR) / "rocprofv3.json";

struct Rocprof : ::testing::Test
{
    base::TemporaryDir dir = base::TemporaryDir::create("rocprof").value();

    base::Result<trace::Trace> importText(const std::string& text) const
    {
        const auto file = dir.path() / "results.json";
        std::ofstream(file) << text;
        return importRocprofJson(file);
    }
};

TEST_F(Rocprof, ARecordingIsReadWithItsGpusCallsAndMarkers)
{
    ASSERT_TRUE(looksLikeRocprofJson(kSample));
    const auto trace = importRecording(kSample);
    ASSERT_TRUE(trace) << sentences::describe(trace.error());
    EXPECT_EQ(trace->source, "rocprofv3");
    EXPECT_EQ(trace->name, "rocprofv3");
    EXPECT_THAT(eventLines(*trace, EventKind::kernel),
                ::testing::UnorderedElementsAre("add(float*) 300+200 on GPU 0 stream 5 #3",
                                                "__amd_rocclr_copyBuffer 600+50 on GPU 0 stream 5 #4",
                                                "kernel 4711 1000+100 on GPU 1 stream 6 #8"));
    EXPECT_THAT(eventLines(*trace, EventKind::copy),
                ::testing::UnorderedElementsAre("Memcpy HtoD 100+150 on GPU 0 stream 5 of 4096 #2",
                                                "Memcpy DtoH 1200+100 on GPU 1 stream 6 of 64 #9"));
    EXPECT_THAT(
        eventLines(*trace, EventKind::deviceMemory),
        ::testing::UnorderedElementsAre(" 10+0 on GPU 0 GPU 0 of 4096 #1", " 1400+0 on GPU 0 GPU 0 of -4096 #10"));
    EXPECT_THAT(eventLines(*trace, EventKind::runtimeCall),
                ::testing::UnorderedElementsAre("hipMalloc 0+30 on thread 78 #1",
                                                "hipMemcpyAsync 40+20 on thread 78 #2",
                                                "hipLaunchKernel 270+10 on thread 78 #3"));
    EXPECT_THAT(eventLines(*trace, EventKind::driverCall),
                ::testing::ElementsAre("hsa_signal_wait_scacquire 270+230 on thread 79 #11"));
    EXPECT_THAT(eventLines(*trace, EventKind::range), ::testing::ElementsAre("step 1 0+1500 on thread 78"));
    EXPECT_THAT(eventLines(*trace, EventKind::other), ::testing::ElementsAre("ncclAllReduce 900+50 on thread 78"));

    ASSERT_EQ(trace->devices.size(), 2u);
    EXPECT_EQ(trace->devices[0].name, "AMD Instinct MI300X");
    EXPECT_EQ(trace->devices[0].computeMajor, 9);
    EXPECT_EQ(trace->devices[0].computeMinor, 4);
    EXPECT_EQ(trace->devices[0].multiprocessors, 304);
    EXPECT_EQ(trace->devices[0].warpSize, 64);
    EXPECT_EQ(trace->devices[0].maxThreadsPerMultiprocessor, 2048);
    EXPECT_EQ(trace->devices[0].totalMemory, 206'141'652'992);
    const trace::KernelDetail& d = trace->details.kernels.at(1);
    EXPECT_EQ(d.block, (std::array<std::uint32_t, 3>{256, 1, 1}));
    EXPECT_EQ(d.grid, (std::array<std::uint32_t, 3>{4, 2, 1})) << "blocks, where HIP counts threads";
    EXPECT_EQ(d.dynamicSharedBytes, 2048);
}

TEST_F(Rocprof, WhatIsLeftOutIsCounted)
{
    const auto trace = importRocprofJson(kSample);
    ASSERT_TRUE(trace);
    std::vector<std::string> losses;
    for (const trace::Loss& loss : trace->losses)
        losses.push_back(sentences::sentence(loss.reason) + " " + std::to_string(loss.count));
    EXPECT_THAT(losses, ::testing::UnorderedElementsAre(
                            "Events that end before they start, or at no possible time, were left out. 1",
                            "Records of the kind scratch_memory were not read: a trace cannot hold them. 1",
                            "Records of the kind counter_collection were not read: a trace cannot hold them. 2"));
}

TEST_F(Rocprof, WithoutStreamsQueuesTakeTheirPlace)
{
    std::string text = *base::readFile(kSample);
    for (std::size_t at = text.find("\"stream_id\""); at != std::string::npos; at = text.find("\"stream_id\"", at))
        text.replace(at, 11, "\"no_stream\"");
    const auto trace = importText(text);
    ASSERT_TRUE(trace);
    EXPECT_THAT(eventLines(*trace, EventKind::kernel),
                ::testing::Contains("__amd_rocclr_copyBuffer 600+50 on GPU 0 queue 17 #4"));
}

TEST_F(Rocprof, DamagedFilesGiveASentenceAndNoTrace)
{
    const std::string text = *base::readFile(kSample);
    for (std::size_t cut = text.size() - 2; cut > 30; cut -= std::min<std::size_t>(cut, 97))
        EXPECT_EQ(importText(text.substr(0, cut)).error().code, base::ErrorCode::corrupt) << cut;
    EXPECT_EQ(importText(R"({"rocprofiler-sdk-tool": []})").error().code, base::ErrorCode::corrupt);
    EXPECT_EQ(importText(R"({"rocprofiler-sdk-tool": 7})").error().code, base::ErrorCode::corrupt);
    EXPECT_EQ(importRocprofJson(dir.path() / "missing").error().code, base::ErrorCode::notFound);
    EXPECT_EQ(importRocprofJson(dir.path()).error().code, base::ErrorCode::invalidArgument);
}

TEST_F(Rocprof, ValuesOfTheWrongTypeAreTakenForMissing)
{
    for (const char* const key : {"\"handle\": ", "\"kind\": ", "\"bytes\": ", "\"internal\": ", "\"x\": ",
                                  "\"start_timestamp\": ", "\"kernel_id\": ", "\"agents\": "}) {
        for (const char* const value : {"\"?\", \"a\": ", "-1, \"a\": ", "18446744073709551615, \"a\": ", "{}, \"a\": ",
                                        "[[]], \"a\": ", "null, \"a\": ", "1e300, \"a\": "}) {
            std::string text = *base::readFile(kSample);
            for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1))
                text.insert(at + std::string_view(key).size(), value);
            const auto trace = importText(text);
            EXPECT_TRUE(trace || trace.error().code == base::ErrorCode::corrupt) << key << value;
        }
    }
}

} // namespace
} // namespace apertune::interchange

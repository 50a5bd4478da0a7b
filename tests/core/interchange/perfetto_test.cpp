// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_dir.h"
#include "core/interchange/perfetto/perfetto_import.h"
#include "core/interchange/recording_import.h"
#include "core/sentences/sentences.h"
#include "core/trace/counter_unit.h"
#include "tests/core/interchange/event_lines.h"
#include "tests/core/interchange/perfetto_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace apertune::interchange {
namespace {

using apertune::test::PerfettoWriter;
using test::eventLines;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;
using trace::EventKind;
using Event = PerfettoWriter::Event;
using Dictionary = std::vector<PerfettoWriter::Annotation>;
using List = std::vector<std::int64_t>;

struct Perfetto : ::testing::Test
{
    base::TemporaryDir dir = base::TemporaryDir::create("perfetto").value();
    PerfettoWriter w;

    base::Result<trace::Trace> importBytes(const std::string& bytes) const
    {
        const auto file = dir.path() / "run.pftrace";
        std::ofstream(file, std::ios::binary) << bytes;
        return importRecording(file);
    }
    trace::Trace imported() const
    {
        auto trace = importBytes(w.bytes());
        EXPECT_TRUE(trace) << sentences::describe(trace.error());
        return trace ? std::move(*trace) : trace::Trace();
    }
    static std::vector<std::string> losses(const trace::Trace& trace)
    {
        std::vector<std::string> lines;
        for (const trace::Loss& loss : trace.losses)
            lines.push_back(sentences::sentence(loss.reason) + " " + std::to_string(loss.count));
        return lines;
    }
    void addThread() { w.track({.id = 11, .name = "main", .process = 77, .thread = 78}); }
};

TEST_F(Perfetto, SlicesOfAThreadAreRangesWithTheirInternedNames)
{
    w.track({.id = 10, .name = "trainer", .process = 77});
    addThread();
    w.clear(11);
    w.intern(2, 1, "step");
    w.intern(2, 2, "forward");
    w.event(1000, {.type = Event::begin, .internedName = 1});
    w.event(1100, {.type = Event::begin, .internedName = 2});
    w.event(1300, {.type = Event::end});
    w.event(1350, {.type = Event::instant, .name = "mark"});
    w.event(1500, {.type = Event::end});
    w.clear(11); // and its texts are unknown again
    w.intern(2, 1, "another step");
    w.slice(2000, 2500, {.internedName = 1});
    const trace::Trace trace = imported();
    EXPECT_EQ(trace.source, "perfetto");
    EXPECT_EQ(trace.name, "run");
    EXPECT_THAT(eventLines(trace, EventKind::range),
                ElementsAre("step 0+500 on main", "forward 100+200 on main", "another step 1000+500 on main"));
    EXPECT_THAT(eventLines(trace, EventKind::other), ElementsAre("mark 350+0 on main"));
    EXPECT_THAT(losses(trace), ElementsAre());
}

TEST_F(Perfetto, SlicesThatBeginInOneWriterAndEndInAnotherAreJoinedByTime)
{
    w.track({.id = 10, .name = "server", .process = 77});
    w.track({.id = 30, .name = "requests", .parent = 10});
    w.track({.id = 31, .name = "requests", .parent = 10});
    w.sequence = 2; // its packets stand first in the file
    w.clear();
    w.event(1500, {.type = Event::end, .track = 30});
    w.event(1700, {.type = Event::end, .track = 31});
    w.sequence = 1;
    w.clear();
    w.event(1000, {.track = 30, .name = "first"});
    w.event(1100, {.track = 31, .name = "second"});
    const trace::Trace trace = imported();
    EXPECT_THAT(eventLines(trace, EventKind::range),
                UnorderedElementsAre("first 0+500 on requests", "second 100+600 on requests (2)"));
}

TEST_F(Perfetto, CountersHaveTheirUnitAndTheirFactor)
{
    w.track({.id = 10, .name = "server", .process = 77});
    w.track({.id = 20, .name = "power", .parent = 10, .counter = true, .unit = "W"});
    w.track({.id = 21, .name = "memory", .parent = 10, .counter = true, .unit = "B", .factor = 1024});
    w.track({.id = 22, .name = "packets", .parent = 10, .counter = true, .incremental = true});
    w.event(1000, {.type = Event::counter, .track = 20, .value = 250.5});
    w.event(1000, {.type = Event::counter, .track = 21, .value = std::int64_t{3}});
    w.event(1000, {.type = Event::counter, .track = 22, .value = std::int64_t{3}});
    w.event(2000, {.type = Event::counter, .track = 22, .value = std::int64_t{4}});
    const trace::Trace trace = imported();
    EXPECT_THAT(eventLines(trace, EventKind::counter),
                UnorderedElementsAre("power 0+0 on power of 2505", "memory 0+0 on memory of 3072",
                                     "packets 0+0 on packets of 3", "packets 1000+0 on packets of 7"));
    ASSERT_EQ(trace.tracks.size(), 3u);
    EXPECT_EQ(trace.tracks[0].unit, "1e-1 W");
    EXPECT_EQ(trace.tracks[1].unit, "B");
}

TEST_F(Perfetto, CategoriesOfKinetoGetTheirKindsAndDetails)
{
    addThread();
    w.clear(11);
    w.slice(100, 900, {.name = "aten::conv2d", .category = "cpu_op", .annotations = {{"Sequence number", 5}}});
    w.slice(200, 300,
            {.name = "cudaLaunchKernel", .category = "cuda_runtime", .annotations = {{"args.correlation", 9}}});
    w.slice(400, 450, {.name = "cudaMemcpyAsync", .category = "cuda_runtime", .flows = {1234}});
    w.slice(500, 800,
            {.track = 40,
             .name = "gemm",
             .category = "kernel",
             .annotations = {{"args", Dictionary{{"device", 1},
                                                 {"stream", 7},
                                                 {"correlation", std::string("9")},
                                                 {"nested", Dictionary{{"a", List{1}}, {"b", 0.5}}},
                                                 {"registers per thread", 64},
                                                 {"grid", List{4, 2, 1}},
                                                 {"block", std::string("[128, 1, 1]")},
                                                 {"color", std::string("red")}}}}});
    w.slice(900, 950,
            {.track = 41,
             .name = "Memcpy HtoD (Pinned -> Device)",
             .category = "gpu_memcpy",
             .annotations = {{"device", 1}, {"stream", 8}, {"bytes", 4096}},
             .flows = {1234}});
    w.slice(960, 970, {.name = "arrow", .category = "my own", .flows = {3}});
    const trace::Trace trace = imported();
    EXPECT_THAT(eventLines(trace, EventKind::operatorCall), ElementsAre("aten::conv2d 0+800 on main"));
    EXPECT_THAT(eventLines(trace, EventKind::runtimeCall),
                ElementsAre("cudaLaunchKernel 100+100 on main #9", "cudaMemcpyAsync 300+50 on main #1234"));
    EXPECT_THAT(eventLines(trace, EventKind::kernel), ElementsAre("gemm 400+300 on GPU 1 stream 7 #9"));
    EXPECT_THAT(eventLines(trace, EventKind::copy),
                ElementsAre("Memcpy HtoD (Pinned -> Device) 800+50 on GPU 1 stream 8 of 4096 #1234"));
    EXPECT_THAT(eventLines(trace, EventKind::range), ElementsAre("arrow 860+10 on main"));
    const trace::KernelDetail& kernel = trace.details.kernels.at(1);
    EXPECT_EQ(kernel.grid, (std::array<std::uint32_t, 3>{4, 2, 1}));
    EXPECT_EQ(kernel.block, (std::array<std::uint32_t, 3>{128, 1, 1}));
    EXPECT_EQ(kernel.registersPerThread, 64u);
    EXPECT_TRUE(trace.details.copies.back().asynchronous);
    EXPECT_EQ(trace.details.operators.at(1).sequence, 5);
    EXPECT_THAT(losses(trace), UnorderedElementsAre("Arrows that another tool drew were left out. 1",
                                                    "Arguments of events that are not kept, with their counts: nested "
                                                    "(1), color (1). 2"));
}

TEST_F(Perfetto, DeviceWorkThatDoesNotSayItsPlaceIsWhereItsTrackIs)
{
    w.track({.id = 10, .name = "app", .process = 77});
    w.track({.id = 20, .name = "CUDA stream #13", .parent = 10});
    w.track({.id = 21, .name = "stream", .process = 1, .thread = 9}); // Kineto's numbers: device 1, stream 9
    w.slice(100, 200, {.track = 20, .name = "gemm", .category = "kernel"});
    w.slice(300, 400, {.track = 21, .name = "conv", .category = "kernel"});
    EXPECT_THAT(eventLines(imported(), EventKind::kernel),
                UnorderedElementsAre("gemm 0+100 on GPU 0 stream 13", "conv 200+100 on GPU 1 stream"));
}

TEST_F(Perfetto, RocprofWritesItsOwnCategories)
{
    // Calls first, then copies, then kernels, whenever they were; the main thread alone has a descriptor.
    w.track({.id = 10, .name = "app", .process = 77});
    w.track({.id = 11, .name = "app", .process = 77, .thread = 78});
    w.track({.id = 12, .name = "THREAD 1 (79)", .parent = 10});
    w.track({.id = 50, .name = "STREAM [\" 5 \"] ", .parent = 10});
    w.track({.id = 51, .name = "COMPUTE Agent [4] QUEUE [2] (GPU)", .parent = 10});
    w.track({.id = 60,
             .name = "ALLOCATE BYTES on Agent [4] (GPU)",
             .parent = 10,
             .counter = true,
             .unit = "B",
             .factor = 1024});
    w.clear(11);
    const auto annotations = [](std::int64_t begin, std::int64_t end, std::int64_t correlation, Dictionary more) {
        Dictionary all{{"begin_ns", begin}, {"end_ns", end},  {"delta_ns", end - begin},
                       {"kind", 11},        {"operation", 3}, {"corr_id", correlation}};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const auto add = [&](std::uint64_t track, const char* category, const char* name, std::int64_t begin,
                         std::int64_t end, std::int64_t correlation, Dictionary more) {
        w.slice(static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end),
                {.track = track,
                 .name = name,
                 .category = category,
                 .annotations = annotations(begin, end, correlation, std::move(more)),
                 .flows = {static_cast<std::uint64_t>(correlation) ^ 0xfff00000000u}});
    };
    // A call within another that begins at the same instant stands before it.
    add(11, "hsa_api", "hsa_signal_create", 1000, 1100, 1, {{"tid", 78}});
    add(11, "hip_api", "hipModuleLaunchKernel", 1000, 1300, 2, {{"tid", 78}, {"stream_ID", 5}});
    add(12, "marker_api", "step 1", 900, 5000, 3, {{"tid", 79}});
    add(12, "rccl_api", "ncclAllReduce", 950, 960, 4, {{"tid", 79}});
    add(50, "memory_copy", "MEMORY_COPY_HOST_TO_DEVICE", 2000, 2200, 5,
        {{"src_agent", std::string("Agent-0")},
         {"dst_agent", std::string("Agent-4")},
         {"copy_bytes", 4096},
         {"tid", 78},
         {"stream_ID", 5}});
    const Dictionary launch{{"agent", std::string("Agent-4")},
                            {"agent_type", std::string("GPU")},
                            {"queue", 2},
                            {"tid", 78},
                            {"kernel_id", 17},
                            {"Scratch_Size", 16},
                            {"LDS_Block_Size", 2048},
                            {"VGPR_Count", 32},
                            {"workgroup_size", 256},
                            {"grid_size", 1000},
                            {"stream_ID", 5}};
    add(50, "kernel_dispatch", "add(float*) [clone .kd]", 3000, 3500, 2, launch);
    add(51, "kernel_dispatch", "mul(float*)", 4000, 4500, 6, launch);
    w.event(1000, {.type = Event::counter, .track = 60, .value = std::int64_t{4}});
    const trace::Trace trace = imported();
    EXPECT_EQ(trace.source, "rocprofv3");
    EXPECT_THAT(eventLines(trace, EventKind::driverCall), ElementsAre("hsa_signal_create 100+100 on app #1"));
    EXPECT_THAT(eventLines(trace, EventKind::runtimeCall), ElementsAre("hipModuleLaunchKernel 100+300 on app #2"));
    EXPECT_THAT(eventLines(trace, EventKind::range), ElementsAre("step 1 0+4100 on app 79"));
    EXPECT_THAT(eventLines(trace, EventKind::other), ElementsAre("ncclAllReduce 50+10 on app 79"));
    EXPECT_THAT(eventLines(trace, EventKind::copy), ElementsAre("Memcpy HtoD 1100+200 on GPU 4 stream 5 of 4096 #5"));
    EXPECT_THAT(
        eventLines(trace, EventKind::kernel),
        UnorderedElementsAre("add(float*) 2100+500 on GPU 4 stream 5 #2", "mul(float*) 3100+500 on GPU 4 stream 2 #6"));
    EXPECT_THAT(eventLines(trace, EventKind::counter), ElementsAre(::testing::HasSubstr(" of 4096")));
    const trace::KernelDetail& kernel = trace.details.kernels.at(1);
    EXPECT_EQ(kernel.block, (std::array<std::uint32_t, 3>{256, 1, 1}));
    EXPECT_EQ(kernel.grid, (std::array<std::uint32_t, 3>{4, 1, 1})) << "blocks, where HIP counts threads";
    EXPECT_EQ(kernel.dynamicSharedBytes, 2048);
    EXPECT_THAT(losses(trace), ElementsAre("Arguments of events that are not kept, with their counts: "
                                           "VGPR_Count (2). 2"));
}

TEST_F(Perfetto, SnapshotsRelateTheClocksOfThePackets)
{
    addThread();
    w.snapshot({{6, 10'000}, {3, 4'000}, {1, 1'700'000'000'000'000'000}}, 6);
    w.snapshot({{64, 5, true, 1000}, {3, 5'000}}); // related to the clock of the trace by the monotonic one
    w.clear(11, 64);
    w.event(2, {.type = Event::begin, .name = "incremental"}); // 7 µs: 13,000 ns of the trace
    w.event(1, {.type = Event::end});
    w.clock = 3;
    w.slice(8'000, 8'500, {.name = "monotonic"});
    w.clock = 6;
    w.slice(15'000, 15'100, {.name = "boot time"});
    const trace::Trace trace = imported();
    EXPECT_THAT(eventLines(trace, EventKind::range),
                ElementsAre("incremental 0+1000 on main", "monotonic 1000+500 on main", "boot time 2000+100 on main"));
    EXPECT_EQ(trace.originEpoch, 1'700'000'000'000'003'000);
    EXPECT_THAT(losses(trace), ElementsAre());

    w.clock = 9;
    w.slice(1, 2, {.name = "unknown"});
    EXPECT_THAT(losses(imported()), ElementsAre("Events have times of clocks that the recording does not relate: they "
                                                "may stand at the wrong place. 0"));
}

TEST_F(Perfetto, OlderEventsAreReadAsTheirPhases)
{
    addThread();
    w.clear(11);
    w.event(1000, {.type = Event::none, .name = "complete", .legacyPhase = 'X', .legacyDuration = 3});
    w.event(2000, {.type = Event::none, .name = "request", .legacyPhase = 'b', .legacyId = 5});
    w.event(2500, {.type = Event::none, .name = "request", .legacyPhase = 'e', .legacyId = 5});
    w.event(2600, {.type = Event::none, .name = "no phase"});
    w.event(2600, {.type = Event::none, .name = "no letter", .legacyPhase = '"'});
    const trace::Trace trace = imported();
    EXPECT_THAT(eventLines(trace, EventKind::range), ElementsAre("complete 0+3000 on main"));
    EXPECT_THAT(eventLines(trace, EventKind::other), ElementsAre("request 1000+500 on process 77"));
    EXPECT_THAT(losses(trace), ElementsAre("Damaged packets were left out. 2"));
}

TEST_F(Perfetto, WhatIsMissingIsCounted)
{
    addThread();
    w.clear(11);
    w.event(1000, {.type = Event::end});
    w.event(1100, {.name = "open"});
    w.slice(1200, 1300, {.name = "whole"});
    w.other(1);
    w.other(1);
    w.other(117);
    w.other(33); // the settings of the recorder
    w.dropped();
    w.slice(1400, 1500, {.internedName = 1}); // its name was lost
    const trace::Trace trace = imported();
    EXPECT_THAT(eventLines(trace, EventKind::range),
                UnorderedElementsAre("whole 100+100 on main", "open 0+200 on main"));
    EXPECT_THAT(losses(trace), UnorderedElementsAre(
                                   "Ends of ranges that never began were left out. 1",
                                   "Ranges that never ended are drawn to the end of the recording. 1",
                                   "The recorder dropped packets: its buffers had no room for them. 0",
                                   "Events were left out whose names were lost with earlier packets. 2",
                                   "Packets of the kind ftrace_events were not read: they hold no events of tracks. 2",
                                   "Packets of the kind packet 117 were not read: they hold no events of tracks. 1"));
}

TEST_F(Perfetto, ARecordingThatIsCutOffKeepsWhatWasReadBefore)
{
    addThread();
    w.slice(1000, 1100, {.track = 11, .name = "first"});
    const std::size_t whole = w.bytes().size();
    w.slice(1200, 1300, {.track = 11, .name = "second"});
    for (std::size_t size = whole + 1; size < whole + 20; ++size) {
        const auto trace = importBytes(w.bytes().substr(0, size));
        ASSERT_TRUE(trace) << size;
        EXPECT_THAT(eventLines(*trace, EventKind::range), ElementsAre("first 0+100 on main")) << size;
        EXPECT_THAT(losses(*trace), ElementsAre("The recording is damaged or cut off: what follows was not read. 0"));
    }
}

TEST_F(Perfetto, CompressedPacketsAndFilesAreUnpacked)
{
    addThread();
    w.slice(1000, 1100, {.track = 11, .name = "packed"});
    w.compress();
    EXPECT_THAT(eventLines(imported(), EventKind::range), ElementsAre("packed 0+100 on main"));
    w.bytes().back() = static_cast<char>(w.bytes().back() ^ 1); // the checksum
    EXPECT_EQ(importBytes(w.bytes()).error().code, base::ErrorCode::corrupt);
}

TEST_F(Perfetto, OtherFilesAreNotTakenForOne)
{
    for (const std::string text :
         {"\n{\"traceEvents\": [{\"ph\": \"X\", \"ts\": 1, \"dur\": 1, \"name\": \"long enough for "
          "the length that its bracket would be\", \"pid\": 1, \"tid\": 1}]}",
          "\n", "\nhello", "\n\n\n[]", "\x08\x01\x12Q of another format", "plain text"}) {
        const auto file = dir.path() / "text.json";
        std::ofstream(file, std::ios::binary) << text;
        EXPECT_FALSE(looksLikePerfetto(file)) << text;
    }
    EXPECT_EQ(importPerfetto(dir.path() / "missing").error().code, base::ErrorCode::notFound);
    EXPECT_EQ(importPerfetto(dir.path()).error().code, base::ErrorCode::invalidArgument);
    w.other(1);
    EXPECT_EQ(importBytes(w.bytes()).error().code, base::ErrorCode::corrupt) << "no event";
}

TEST_F(Perfetto, DamagedBytesGiveASentenceOrALoss)
{
    const std::string sample = apertune::test::perfettoSample();
    ASSERT_TRUE(importBytes(sample));
    for (std::size_t i = 0; i < sample.size(); i += 3) {
        std::string damaged = sample;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
        const auto trace = importBytes(damaged);
        EXPECT_TRUE(trace || !sentences::sentence(trace.error().message).empty()) << i;
    }
}

TEST_F(Perfetto, FewBytesCannotMakeMuchText)
{
    addThread();
    w.clear(11);
    w.intern(2, 1, std::string(60'000, 'x'));
    for (int i = 0; i < 5'000; ++i)
        w.event(1000, {.type = Event::instant, .internedName = 1});
    EXPECT_EQ(importBytes(w.bytes()).error().code, base::ErrorCode::unsupported);
}

} // namespace
} // namespace apertune::interchange

// SPDX-License-Identifier: GPL-3.0-or-later
// What takes several records: names, operators, ranges, order; and what is lost.
#include "tests/profilers/cupti/decoder_fixture.h"

#include <cstdlib>
#include <functional>
#include <random>

namespace apertune::profilers {
namespace {

using testing::call;
using testing::Decoder;
using testing::kernel;
using testing::make;
using trace::EventKind;
using trace::Series;
using trace::Trace;

TEST_F(Decoder, NamesAreDemangledOnceAndAReusedPointerIsNoticed)
{
    char name[64] = "_Z3addiPf";
    add(kernel(2000, 2001, name));
    add(kernel(2002, 2003, name));
    decoder.decode(reinterpret_cast<std::uint8_t*>(buffer.data()), bytes);
    std::strcpy(name, "_Z3mulPf"); // a module was unloaded, another lies in its place
    bytes = 0;
    buffer.clear();
    add(kernel(2004, 2005, name));
    decoded();
    const Series& s = only(EventKind::kernel);
    EXPECT_EQ(trace.nameOf(s, 0), "add(int, float*)");
    EXPECT_EQ(s.events.name[0], s.events.name[1]);
    EXPECT_EQ(trace.nameOf(s, 2), "mul(float*)");
}

TEST_F(Decoder, OperatorsAreJoinedWhateverComesFirst)
{
    const auto external = [](std::uint32_t correlation, std::uint64_t id) {
        auto r = make<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
        r.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2;
        r.externalId = id;
        r.correlationId = correlation;
        return r;
    };
    add(kernel(2000, 2100, "a", 21));
    add(external(21, 1001));
    add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 1900, 211, 21));
    add(external(22, 1002));
    add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 1950, 211, 22));
    add(kernel(2200, 2300, "b", 23)); // on nobody's behalf
    decoded();
    EXPECT_THAT(only(EventKind::kernel).events.link, ::testing::ElementsAre(1001u, 0u));
    EXPECT_THAT(only(EventKind::runtimeCall).events.link, ::testing::ElementsAre(1001u, 1002u));
    expectNothingLost();
}

TEST_F(Decoder, NvtxRangesAreJoinedById)
{
    auto begin = make<CUpti_ActivityMarker2>(CUPTI_ACTIVITY_KIND_MARKER);
    begin.flags = CUPTI_ACTIVITY_FLAG_MARKER_START;
    begin.timestamp = 2000;
    begin.id = 1;
    begin.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    begin.objectId.pt = {100, 101};
    begin.name = "forward";
    auto inner = begin;
    inner.id = 2;
    inner.timestamp = 2100;
    inner.name = "layer1";
    auto end = begin;
    end.flags = CUPTI_ACTIVITY_FLAG_MARKER_END;
    end.name = nullptr;
    end.timestamp = 3000;
    auto mark = begin;
    mark.flags = CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS;
    mark.timestamp = 2500;
    mark.id = 3;
    mark.name = "here";
    add(begin);
    add(inner);
    add(mark);
    add(end);
    auto stranger = end;
    stranger.id = 44;
    add(stranger); // began before the capture
    add(make<CUpti_ActivityMarkerData2>(CUPTI_ACTIVITY_KIND_MARKER_DATA));
    decoded();
    const Series& s = only(EventKind::range);
    ASSERT_EQ(s.events.size(), 2u);
    EXPECT_EQ(trace.nameOf(s, 0), "forward");
    EXPECT_EQ(s.events.duration[0], 1000);
    EXPECT_EQ(trace.nameOf(s, 1), "here");
    EXPECT_EQ(trace.track(s).thread, 101);
    ASSERT_EQ(trace.losses.size(), 1u) << "layer1 never ended";
    EXPECT_EQ(trace.losses[0].count, 1);
    expectNothingLost();
}

TEST_F(Decoder, WhatCannotBePlacedIsCounted)
{
    add(kernel(0, 0, "lost in conversion"));
    add(kernel(3000, 2000, "backwards"));
    struct Module // a kind that CUPTI knows and we do not
    {
        CUpti_ActivityKind kind;
        char rest[28];
    };
    add(make<Module>(CUPTI_ACTIVITY_KIND_MODULE));
    add(kernel(2000, 2100, "good"));
    decoded();
    EXPECT_EQ(decoder.counts().timeless, 2u);
    EXPECT_EQ(decoder.counts().unknown, 1u);
    EXPECT_EQ(trace.eventCount(), 1u);
    ASSERT_EQ(trace.losses.size(), 2u);
    EXPECT_EQ(trace.losses[0].count, 2);
    EXPECT_THAT(trace.losses[1].reason, ::testing::HasSubstr("kind " + std::to_string(CUPTI_ACTIVITY_KIND_MODULE)));
    expectNothingLost();
}

TEST_F(Decoder, RecordsComeOutInTheOrderOfTheirTimes)
{
    for (const std::uint64_t start : {5000, 3000, 4000})
        add(kernel(start, start + 10, "k"));
    decoded();
    EXPECT_THAT(only(EventKind::kernel).events.start, ::testing::ElementsAre(2000, 3000, 4000));
}

TEST_F(Decoder, CutsAndGarbageNeverCrashAndAreNoticed)
{
    for (int i = 0; i < 20; ++i) {
        add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 2000u + static_cast<unsigned>(i), 211));
        add(kernel(2000, 2100, "k"));
    }
    std::mt19937 random(5);
    for (int round = 0; round < 500; ++round) {
        std::vector<std::uint64_t> copy = buffer;
        const std::size_t valid = random() % (bytes + 1);
        copy.resize((valid + 7) / 8); // the address sanitizer sees a read beyond
        trace::TraceBuilder into;
        RecordDecoder fresh(api, into);
        fresh.decode(reinterpret_cast<std::uint8_t*>(copy.data()), valid);
        fresh.finish();
        EXPECT_EQ(fresh.counts().records, into.eventCount());
    }
    const std::uint64_t zero = 0;
    add(zero);
    decoded();
    ASSERT_EQ(trace.losses.size(), 1u);
    EXPECT_THAT(trace.losses[0].reason, ::testing::HasSubstr("could not be read"));
    EXPECT_EQ(trace.eventCount(), 40u) << "everything before it is there";
}

TEST(CuptiLibrary, WalksTheSameRecordsAsTheRealLibrary)
{
    const auto real = loadCupti();
    if (!real)
        GTEST_SKIP() << "no CUPTI on the library path: " << real.error().message;
    std::vector<std::uint64_t> buffer(1024);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(buffer.data());
    std::size_t used = 0;
    const auto put = [&](const auto& record) {
        std::memcpy(bytes + used, &record, sizeof record);
        used += sizeof record;
    };
    put(make<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    put(make<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME));
    put(make<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY));
    put(make<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET));
    put(make<CUpti_ActivityMemory4>(CUPTI_ACTIVITY_KIND_MEMORY2));
    put(make<CUpti_ActivityMemoryPool3>(CUPTI_ACTIVITY_KIND_MEMORY_POOL));
    put(make<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION));
    put(make<CUpti_ActivityOverhead3>(CUPTI_ACTIVITY_KIND_OVERHEAD));
    put(make<CUpti_ActivityMarker2>(CUPTI_ACTIVITY_KIND_MARKER));
    put(make<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION));
    put(make<CUpti_ActivityGraphTrace2>(CUPTI_ACTIVITY_KIND_GRAPH_TRACE));
    put(make<CUpti_ActivityJit2>(CUPTI_ACTIVITY_KIND_JIT));
    put(make<CUpti_ActivityMemDecompress>(CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS));
    CUpti_Activity* theirs = nullptr;
    CUpti_Activity* ours = nullptr;
    int records = 0;
    while (real->activityGetNextRecord(bytes, used, &theirs) == CUPTI_SUCCESS) {
        ASSERT_EQ(testing::nextRecord(bytes, used, &ours), CUPTI_SUCCESS);
        ASSERT_EQ(ours, theirs) << "record " << records;
        ++records;
    }
    EXPECT_EQ(records, 13);
}

} // namespace
} // namespace apertune::profilers

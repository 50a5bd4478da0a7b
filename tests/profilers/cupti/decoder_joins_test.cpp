// SPDX-License-Identifier: GPL-3.0-or-later
// What takes several records: names, operators, ranges, order; and what is lost.
#include "core/sentences/sentences.h"
#include "tests/profilers/cupti/decoder_fixture.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <tuple>

namespace apertune::profilers {
namespace {

using testing::call;
using testing::Decoder;
using testing::kernel;
using testing::make;
using trace::EventKind;
using trace::Series;
using trace::Trace;
using trace::TraceBuilder;

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
    add(kernel(2200, 2300, "b", 23)); // no recorded call launched it
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
    ASSERT_EQ(s.events.size(), 3u);
    EXPECT_EQ(trace.nameOf(s, 0), "forward");
    EXPECT_EQ(s.events.duration[0], 1000);
    EXPECT_EQ(trace.nameOf(s, 1), "layer1");
    EXPECT_EQ(s.events.end(1), 2000) << "it never ended: it is drawn to the end of the recording";
    EXPECT_EQ(trace.nameOf(s, 2), "here");
    EXPECT_EQ(trace.track(s).thread, 101);
    ASSERT_EQ(trace.losses.size(), 1u) << "which is said";
    EXPECT_EQ(trace.losses[0].count, 1);
    EXPECT_EQ(trace.losses[0].time.count, 1100);
    EXPECT_EQ(decoder.counts().open, 1u);
    expectNothingLost();
}

TEST_F(Decoder, MoreRecordsThanAreKeptAreCounted)
{
    TraceBuilder few;
    RecordDecoder small(api, few, 0, 3);
    auto range = make<CUpti_ActivityMarker2>(CUPTI_ACTIVITY_KIND_MARKER);
    range.flags = CUPTI_ACTIVITY_FLAG_MARKER_START;
    range.timestamp = 2000;
    range.id = 1;
    range.name = "kept";
    add(range);
    add(kernel(2000, 2100, "k", 21));
    add(kernel(2200, 2300, "k", 22));
    add(kernel(2400, 2500, "too much", 23));
    auto external = make<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    external.correlationId = 21;
    external.externalId = 7;
    add(external);
    auto device = make<CUpti_ActivityDevice5>(CUPTI_ACTIVITY_KIND_DEVICE);
    device.name = ::strdup("NVIDIA H200"); // is still freed
    add(device);
    auto end = range;
    end.flags = CUPTI_ACTIVITY_FLAG_MARKER_END;
    end.timestamp = 3000;
    add(end); // ends what is open all the same
    auto late = range;
    late.id = 2;
    add(late);
    small.decode(reinterpret_cast<std::uint8_t*>(buffer.data()), bytes);
    small.finish();
    const Trace kept = few.finish(false);
    EXPECT_EQ(kept.eventCount(), 3u);
    const DecodeCounts& c = small.counts();
    EXPECT_EQ(c.dropped, 3u) << "a kernel, a link, a range";
    EXPECT_EQ(c.records, c.events + c.context + c.unknown + c.untimed + c.dropped);
    ASSERT_EQ(kept.losses.size(), 1u);
    EXPECT_EQ(kept.losses[0].count, 3);
    EXPECT_EQ(kept.losses[0].severity, trace::LossSeverity::error);
}

TEST_F(Decoder, ManyNamesStreamsAndLaunchesAreToldApart)
{
    // More of each than is remembered, in turns, so that every one falls out again and again.
    constexpr std::size_t kMany = 6000;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kMany; ++i)
        names.push_back("kernel" + std::to_string(i));
    for (std::size_t i = 0; i < 2 * kMany; ++i) {
        auto r = kernel(2000 + i, 2001 + i, names[i % kMany].c_str(), static_cast<std::uint32_t>(i + 1));
        r.streamId = static_cast<std::uint32_t>(i % 300);
        r.gridX = static_cast<std::int32_t>(1 + i % kMany);
        add(r);
    }
    decoded();
    EXPECT_EQ(trace.details.kernels.size(), kMany + 1);
    EXPECT_EQ(trace.series.size(), 300u);
    for (const Series& s : trace.series)
        for (std::size_t i = 0; i < s.events.size(); ++i) {
            const std::size_t number = s.events.correlation[i] - 1;
            ASSERT_EQ(trace.nameOf(s, i), names[number % kMany]);
            ASSERT_EQ(trace.track(s).stream, static_cast<std::int64_t>(number % 300));
            ASSERT_EQ(trace.details.kernels[s.events.detail[i]].grid[0], 1 + number % kMany);
        }
    expectNothingLost();
}

TEST_F(Decoder, ALaunchIsKnownByAllThatItsRecordSays)
{
    std::vector<CUpti_ActivityKernel10> launches;
    const auto differing = [&](auto change) {
        launches.push_back(kernel(2000, 2001, "one"));
        change(launches.back());
    };
    differing([](auto&) {});
    differing([](auto& r) { r.name = "another"; });
    differing([](auto& r) { r.deviceId = 5; });
    differing([](auto& r) { r.contextId = 5; });
    differing([](auto& r) { r.streamId = 5; });
    differing([](auto& r) { r.gridX = 5; });
    differing([](auto& r) { r.gridY = 5; });
    differing([](auto& r) { r.gridZ = 5; });
    differing([](auto& r) { r.blockX = 5; });
    differing([](auto& r) { r.blockY = 5; });
    differing([](auto& r) { r.blockZ = 5; });
    differing([](auto& r) { r.staticSharedMemory = 5; });
    differing([](auto& r) { r.dynamicSharedMemory = 5; });
    differing([](auto& r) { r.localMemoryPerThread = 5; });
    differing([](auto& r) { r.registersPerThread = 5; });
    differing([](auto& r) { r.clusterX = 5; });
    differing([](auto& r) { r.clusterY = 5; });
    differing([](auto& r) { r.clusterZ = 5; });
    differing([](auto& r) { r.graphId = 5; });
    differing([](auto& r) { r.graphNodeId = 5; });
    const std::size_t many = launches.size();
    std::mt19937 random(1);
    std::vector<std::size_t> order; // a loop whose rounds are alike, then chance
    for (std::size_t i = 0; i < 5 * many; ++i)
        order.push_back(i < 3 * many ? i % many : random() % many);
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto r = launches[order[i]];
        r.start += i;
        r.end += i;
        r.correlationId = static_cast<std::uint32_t>(i + 1);
        add(r);
    }
    decoded();
    EXPECT_EQ(trace.details.kernels.size(), many - 5 + 1) << "names and places are not part of it; the first is empty";
    EXPECT_EQ(trace.series.size(), 4u);
    for (const Series& s : trace.series)
        for (std::size_t i = 0; i < s.events.size(); ++i) {
            const CUpti_ActivityKernel10& r = launches[order[s.events.correlation[i] - 1]];
            const trace::KernelDetail& d = trace.details.kernels[trace::valueAt(s.events.detail, i)];
            ASSERT_EQ(trace.nameOf(s, i), r.name);
            const trace::Track& track = trace.track(s);
            ASSERT_EQ(std::tuple(track.device, track.context, track.stream),
                      std::tuple(r.deviceId, r.contextId, r.streamId));
            using Numbers = std::vector<std::uint64_t>;
            ASSERT_EQ((Numbers{d.grid[0], d.grid[1], d.grid[2], d.block[0], d.block[1], d.block[2], d.cluster[0],
                               d.cluster[1], d.cluster[2], d.registersPerThread, d.localBytesPerThread, d.graph,
                               d.graphNode, static_cast<std::uint64_t>(d.staticSharedBytes),
                               static_cast<std::uint64_t>(d.dynamicSharedBytes)}),
                      (Numbers{static_cast<std::uint64_t>(r.gridX), static_cast<std::uint64_t>(r.gridY),
                               static_cast<std::uint64_t>(r.gridZ), static_cast<std::uint64_t>(r.blockX),
                               static_cast<std::uint64_t>(r.blockY), static_cast<std::uint64_t>(r.blockZ), r.clusterX,
                               r.clusterY, r.clusterZ, r.registersPerThread, r.localMemoryPerThread, r.graphId,
                               r.graphNodeId, static_cast<std::uint64_t>(r.staticSharedMemory),
                               static_cast<std::uint64_t>(r.dynamicSharedMemory)}));
        }
    expectNothingLost();
}

TEST_F(Decoder, ACallOfAnyNumberHasAName)
{
    add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 2000, 0xffffffff));
    add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 2010, 211));
    decoded();
    EXPECT_EQ(only(EventKind::runtimeCall).events.size(), 2u);
    expectNothingLost();
}

TEST(OperatorLinks, TheLastOneForACorrelationCountsInWhateverOrderItIsAsked)
{
    OperatorLinks links;
    EXPECT_EQ(links.of(1), 0u);
    std::mt19937 random(3);
    std::map<std::uint32_t, std::uint32_t> expected;
    for (std::uint32_t i = 1; i < 3000; ++i) {
        const std::uint32_t correlation = 1 + random() % 2000;
        links.add(correlation, i);
        expected[correlation] = i;
    }
    links.close();
    const auto check = [&](std::uint32_t correlation) {
        const auto at = expected.find(correlation);
        ASSERT_EQ(links.of(correlation), at == expected.end() ? 0u : at->second) << correlation;
    };
    for (std::uint32_t c = 0; c < 2100; ++c)
        check(c);
    for (std::uint32_t c = 2100; c-- > 0;)
        check(c);
    for (int i = 0; i < 5000; ++i)
        check(random() % 2100);
}

/// A library whose records of one kind are not all equally long.
CUptiResult uneven(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record)
{
    const std::size_t at = *record ? static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(*record) - buffer) : 0;
    constexpr std::size_t kPlaces[] = {0, 40, 80, 128}; // the third one is longer
    const std::size_t* next = *record ? std::upper_bound(std::begin(kPlaces), std::end(kPlaces), at) : kPlaces;
    if (next == std::end(kPlaces) || *next >= valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = reinterpret_cast<CUpti_Activity*>(buffer + *next);
    return CUPTI_SUCCESS;
}

TEST_F(Decoder, RecordsThatAreNotAsLongAsBeforeEndTheBuffer)
{
    for (std::uint64_t i = 0; i < 3; ++i)
        add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 2000 + i, 211));
    add(std::uint64_t{0});
    add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 2004, 211));
    api.activityGetNextRecord = uneven;
    decoded();
    EXPECT_EQ(trace.eventCount(), 3u);
    ASSERT_EQ(trace.losses.size(), 1u);
    EXPECT_THAT(sentences::sentence(trace.losses[0].reason), ::testing::HasSubstr("could not be read"));
}

TEST_F(Decoder, CuptiIsAskedOnceForTheLengthOfAKind)
{
    static int asked = 0;
    asked = 0;
    api.activityGetNextRecord = [](std::uint8_t* bytesOf, std::size_t valid, CUpti_Activity** record) {
        ++asked;
        return testing::nextRecord(bytesOf, valid, record);
    };
    for (std::uint64_t i = 0; i < 1000; ++i) {
        add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 2000 + i, 211));
        add(kernel(2000 + i, 2100 + i, "k"));
    }
    decoded();
    EXPECT_EQ(trace.eventCount(), 2000u);
    EXPECT_LT(asked, 10);
    expectNothingLost();
}

TEST_F(Decoder, WhatCannotBePlacedIsCounted)
{
    add(kernel(0, 0, "lost in conversion"));
    add(kernel(3000, 2000, "backwards"));
    add(kernel(2000, std::uint64_t{1} << 63, "after the end of time"));
    struct Module // a kind that CUPTI knows and we do not
    {
        CUpti_ActivityKind kind;
        char rest[28];
    };
    add(make<Module>(CUPTI_ACTIVITY_KIND_MODULE));
    add(kernel(2000, 2100, "good"));
    decoded();
    EXPECT_EQ(decoder.counts().untimed, 3u);
    EXPECT_EQ(decoder.counts().unknown, 1u);
    EXPECT_EQ(trace.eventCount(), 1u);
    ASSERT_EQ(trace.losses.size(), 2u);
    EXPECT_EQ(trace.losses[0].count, 3);
    EXPECT_THAT(sentences::sentence(trace.losses[1].reason),
                ::testing::HasSubstr("kind " + std::to_string(CUPTI_ACTIVITY_KIND_MODULE)));
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
    EXPECT_THAT(sentences::sentence(trace.losses[0].reason), ::testing::HasSubstr("could not be read"));
    EXPECT_EQ(trace.eventCount(), 40u) << "everything before it is there";
}

TEST(CuptiLibrary, WalksTheSameRecordsAsTheRealLibrary)
{
    const auto real = loadCupti();
    if (!real)
        GTEST_SKIP() << "no CUPTI on the library path: " << sentences::sentence(real.error().message);
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

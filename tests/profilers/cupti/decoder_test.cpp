// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/record_decoder.h"
#include "tests/profilers/cupti/fake_cupti.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <functional>
#include <random>

namespace apertune::profilers {
namespace {

using testing::make;
using trace::EventKind;
using trace::Series;
using trace::Trace;

struct Decoder : ::testing::Test
{
    testing::FakeCupti fake;
    CuptiApi api = fake.api();
    trace::TraceBuilder builder;
    RecordDecoder decoder{api, builder, 1000};
    std::vector<std::uint64_t> buffer; ///< of words, so that it is aligned
    std::size_t bytes = 0;
    Trace trace;

    template <typename Record>
    void add(const Record& record)
    {
        buffer.resize((bytes + sizeof record + 7) / 8);
        std::memcpy(reinterpret_cast<std::uint8_t*>(buffer.data()) + bytes, &record, sizeof record);
        bytes += sizeof record;
    }

    const Trace& decoded()
    {
        decoder.decode(reinterpret_cast<std::uint8_t*>(buffer.data()), bytes);
        decoder.finish();
        trace = builder.finish(false);
        return trace;
    }

    const Series& only(EventKind kind) const
    {
        const Series* found = nullptr;
        for (const Series& s : trace.series)
            if (s.kind == kind) {
                EXPECT_EQ(found, nullptr) << "more than one series";
                found = &s;
            }
        if (!found)
            throw std::runtime_error("no such series");
        return *found;
    }

    void expectNothingLost() const
    {
        const DecodeCounts& c = decoder.counts();
        EXPECT_EQ(c.records, c.events + c.context + c.unknown + c.timeless);
        EXPECT_EQ(c.events, trace.eventCount());
    }
};

CUpti_ActivityKernel10 kernel(std::uint64_t start, std::uint64_t end, const char* name, std::uint32_t correlation = 7)
{
    auto r = make<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    r.start = start;
    r.end = end;
    r.name = name;
    r.correlationId = correlation;
    r.deviceId = 1;
    r.contextId = 2;
    r.streamId = 13;
    return r;
}

CUpti_ActivityAPI call(CUpti_ActivityKind kind, std::uint64_t start, std::uint32_t cbid, std::uint32_t correlation = 7)
{
    auto r = make<CUpti_ActivityAPI>(kind);
    r.cbid = cbid;
    r.start = start;
    r.end = start + 50;
    r.processId = 100;
    r.threadId = 101;
    r.correlationId = correlation;
    r.returnValue = 2;
    return r;
}

TEST_F(Decoder, KernelsKeepTimesNamesAndLaunches)
{
    auto r = kernel(2000, 2500, "_Z6reluV2PKfPfi");
    r.gridX = 10;
    r.gridY = 11;
    r.gridZ = 12;
    r.blockX = 128;
    r.blockY = 2;
    r.blockZ = 1;
    r.clusterX = 2;
    r.registersPerThread = 40;
    r.staticSharedMemory = 1024;
    r.dynamicSharedMemory = 4096;
    r.localMemoryPerThread = 16;
    r.graphId = 5;
    r.graphNodeId = 77;
    add(r);
    add(kernel(2600, 2700, "plain_name", 8));
    decoded();
    const Series& s = only(EventKind::kernel);
    EXPECT_EQ(trace.track(s).device, 1);
    EXPECT_EQ(trace.track(s).context, 2);
    EXPECT_EQ(trace.track(s).stream, 13);
    EXPECT_THAT(s.events.start, ::testing::ElementsAre(1000, 1600));
    EXPECT_THAT(s.events.duration, ::testing::ElementsAre(500, 100));
    EXPECT_EQ(s.events.correlation[0], 7u);
    EXPECT_EQ(trace.nameOf(s, 1), "plain_name");
    const trace::KernelDetail& d = trace.details.kernels[s.events.detail[0]];
    EXPECT_EQ(d.grid, (std::array<std::uint32_t, 3>{10, 11, 12}));
    EXPECT_EQ(d.block, (std::array<std::uint32_t, 3>{128, 2, 1}));
    EXPECT_EQ(d.cluster[0], 2u);
    EXPECT_EQ(d.registersPerThread, 40u);
    EXPECT_EQ(d.staticSharedBytes, 1024);
    EXPECT_EQ(d.dynamicSharedBytes, 4096);
    EXPECT_EQ(d.localBytesPerThread, 16u);
    EXPECT_EQ(d.graph, 5u);
    EXPECT_EQ(d.graphNode, 77u);
    expectNothingLost();
}

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

TEST_F(Decoder, CallsAreNamedOnTheirThreads)
{
    add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 2000, 211));
    add(call(CUPTI_ACTIVITY_KIND_DRIVER, 2010, 307));
    add(call(CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API, 2020, 99));
    decoded();
    const Series& runtime = only(EventKind::runtimeCall);
    EXPECT_EQ(trace.nameOf(runtime, 0), "cudaLaunchKernel");
    EXPECT_EQ(trace.track(runtime).process, 100);
    EXPECT_EQ(trace.track(runtime).thread, 101);
    EXPECT_EQ(runtime.events.value[0], 2) << "what the call returned";
    const Series& driver = only(EventKind::driverCall);
    EXPECT_EQ(trace.nameOf(driver, 0), "cuLaunchKernel");
    EXPECT_EQ(trace.nameOf(driver, 1), "driver call 99") << "without a name, the number";
    expectNothingLost();
}

TEST_F(Decoder, CopiesSayHowTheirMemoryIsHeld)
{
    auto r = make<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
    r.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
    r.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
    r.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    r.flags = CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC;
    r.bytes = 602112;
    r.start = 2000;
    r.end = 2100;
    r.streamId = 7;
    r.correlationId = 9;
    r.graphId = 3;
    add(r);
    auto peer = make<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2);
    peer.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
    peer.bytes = 64;
    peer.start = 2200;
    peer.end = 2300;
    peer.streamId = 7;
    peer.srcDeviceId = 1;
    peer.dstDeviceId = 2;
    add(peer);
    auto set = make<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
    set.bytes = 4096;
    set.start = 2400;
    set.end = 2410;
    set.streamId = 7;
    set.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    add(set);
    decoded();
    const Series& copies = only(EventKind::copy);
    EXPECT_EQ(trace.nameOf(copies, 0), "Memcpy HtoD (Pageable -> Device)");
    EXPECT_EQ(copies.events.value[0], 602112);
    const trace::CopyDetail& d = trace.details.copies[copies.events.detail[0]];
    EXPECT_EQ(d.direction, trace::CopyDirection::hostToDevice);
    EXPECT_EQ(d.source, trace::MemoryKind::pageable);
    EXPECT_TRUE(d.asynchronous);
    EXPECT_EQ(d.graph, 3u);
    const trace::CopyDetail& p = trace.details.copies[copies.events.detail[1]];
    EXPECT_EQ(p.direction, trace::CopyDirection::peerToPeer);
    EXPECT_EQ(p.sourceDevice, 1);
    EXPECT_EQ(p.targetDevice, 2);
    const Series& fills = only(EventKind::fill);
    EXPECT_EQ(trace.nameOf(fills, 0), "Memset (Device)");
    EXPECT_EQ(fills.events.value[0], 4096);
    expectNothingLost();
}

TEST_F(Decoder, MemoryGrowsAndShrinksOnItsDevice)
{
    auto r = make<CUpti_ActivityMemory4>(CUPTI_ACTIVITY_KIND_MEMORY2);
    r.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
    r.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    r.bytes = 1 << 20;
    r.address = 0x7f0000000000;
    r.timestamp = 2000;
    r.deviceId = 1;
    r.source = "libtorch_cuda.so";
    add(r);
    r.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
    r.timestamp = 3000;
    add(r);
    auto pool = make<CUpti_ActivityMemoryPool3>(CUPTI_ACTIVITY_KIND_MEMORY_POOL);
    pool.memoryPoolOperationType = CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED;
    pool.timestamp = 3500;
    pool.size = 99;
    pool.deviceId = 1;
    add(pool);
    decoded();
    const Series& s = only(EventKind::deviceMemory);
    EXPECT_THAT(s.events.value, ::testing::ElementsAre(1 << 20, -(1 << 20)));
    EXPECT_EQ(s.events.address[1], 0x7f0000000000u);
    const trace::MemoryDetail& d = trace.details.memory[s.events.detail[0]];
    EXPECT_EQ(d.kind, trace::MemoryKind::device);
    EXPECT_EQ(d.device, 1);
    EXPECT_EQ(trace.text(d.owner), "libtorch_cuda.so");
    EXPECT_EQ(trace.nameOf(only(EventKind::other), 0), "memory pool trimmed");
    expectNothingLost();
}

TEST_F(Decoder, SynchronizationFindsItsDeviceThroughTheContext)
{
    auto context = make<CUpti_ActivityContext3>(CUPTI_ACTIVITY_KIND_CONTEXT);
    context.contextId = 4;
    context.deviceId = 3;
    add(context);
    auto r = make<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
    r.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
    r.start = 2000;
    r.end = 9000;
    r.contextId = 4;
    r.streamId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
    r.cudaEventId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
    r.correlationId = 12;
    add(r);
    auto event = make<CUpti_ActivityCudaEvent2>(CUPTI_ACTIVITY_KIND_CUDA_EVENT);
    event.eventId = 6;
    add(event); // without a time of the device
    event.deviceTimestamp = 2500;
    add(event);
    decoded();
    const Series& s = only(EventKind::synchronization);
    EXPECT_EQ(trace.nameOf(s, 0), "Context synchronize");
    EXPECT_EQ(trace.track(s).device, 3);
    EXPECT_EQ(trace.track(s).stream, -1);
    const trace::SynchronizationDetail& d = trace.details.synchronizations[s.events.detail[0]];
    EXPECT_EQ(d.type, trace::SynchronizationType::context);
    EXPECT_EQ(d.stream, -1);
    EXPECT_EQ(d.event, 0u);
    EXPECT_EQ(only(EventKind::other).events.value[0], 6);
    EXPECT_EQ(decoder.counts().context, 2u);
    expectNothingLost();
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

TEST_F(Decoder, DevicesAndLinksAreDescribed)
{
    auto d = make<CUpti_ActivityDevice5>(CUPTI_ACTIVITY_KIND_DEVICE);
    d.id = 1;
    d.name = ::strdup("NVIDIA H200"); // freed by the decoder, as the library asks; the address sanitizer watches
    d.computeCapabilityMajor = 9;
    d.numMultiprocessors = 132;
    d.numThreadsPerWarp = 32;
    d.maxWarpsPerMultiprocessor = 64;
    d.globalMemoryBandwidth = 4'800'000'000;
    d.globalMemorySize = 1ull << 37;
    add(d);
    auto link = make<CUpti_ActivityPcie>(CUPTI_ACTIVITY_KIND_PCIE);
    link.type = CUPTI_PCIE_DEVICE_TYPE_GPU;
    link.id.devId = 1;
    link.pcieGeneration = 5;
    link.linkRate = 32;
    link.linkWidth = 16;
    add(link);
    auto name = make<CUpti_ActivityName>(CUPTI_ACTIVITY_KIND_NAME);
    name.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    name.objectId.pt = {100, 101};
    name.name = "loader";
    add(name);
    add(make<CUpti_ActivityStream>(CUPTI_ACTIVITY_KIND_STREAM));
    add(make<CUpti_ActivityNvLink4>(CUPTI_ACTIVITY_KIND_NVLINK));
    decoded();
    const trace::DeviceProperties* device = trace.device(1);
    ASSERT_NE(device, nullptr);
    EXPECT_EQ(device->name, "NVIDIA H200");
    EXPECT_EQ(device->computeMajor, 9);
    EXPECT_EQ(device->multiprocessors, 132);
    EXPECT_EQ(device->maxThreadsPerMultiprocessor, 2048);
    EXPECT_EQ(device->memoryBandwidth, 4'800'000'000'000);
    EXPECT_NEAR(static_cast<double>(device->linkBandwidth), 63e9, 0.1e9);
    EXPECT_EQ(trace.tracks.front().label, "loader");
    EXPECT_EQ(decoder.counts().context, 5u);
    expectNothingLost();
}

TEST_F(Decoder, TheRestOfTheKindsBecomesEvents)
{
    auto overhead = make<CUpti_ActivityOverhead3>(CUPTI_ACTIVITY_KIND_OVERHEAD);
    overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL;
    overhead.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    overhead.objectId.pt = {100, 101};
    overhead.start = 2000;
    overhead.end = 2010;
    overhead.overheadData = std::malloc(16); // freed by the decoder
    add(overhead);
    auto graph = make<CUpti_ActivityGraphTrace2>(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
    graph.graphId = 8;
    graph.start = 2100;
    graph.end = 2900;
    add(graph);
    auto jit = make<CUpti_ActivityJit2>(CUPTI_ACTIVITY_KIND_JIT);
    jit.jitEntryType = CUPTI_ACTIVITY_JIT_ENTRY_PTX_TO_CUBIN;
    jit.jitOperationType = CUPTI_ACTIVITY_JIT_OPERATION_COMPILE;
    jit.start = 3000;
    jit.end = 4000;
    jit.cachePath = "/home/me/.nv";
    add(jit);
    auto managed = make<CUpti_ActivityUnifiedMemoryCounter3>(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
    managed.counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
    managed.value = 65536;
    managed.start = 4100;
    managed.end = 4200;
    add(managed);
    auto power = make<CUpti_ActivityEnvironment>(CUPTI_ACTIVITY_KIND_ENVIRONMENT);
    power.environmentKind = CUPTI_ACTIVITY_ENVIRONMENT_POWER;
    power.timestamp = 4300;
    power.data.power.power = 250'000;
    add(power);
    auto decompress = make<CUpti_ActivityMemDecompress>(CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS);
    decompress.start = 4400;
    decompress.end = 4500;
    decompress.sourceBytes = 10;
    add(decompress);
    auto rotation = make<CUpti_ActivityConfidentialComputeRotation>(CUPTI_ACTIVITY_KIND_CONFIDENTIAL_COMPUTE_ROTATION);
    rotation.timestamp = 4600;
    add(rotation);
    decoded();
    EXPECT_EQ(trace.nameOf(only(EventKind::overhead), 0), "command buffer full");
    EXPECT_EQ(trace.nameOf(only(EventKind::graphLaunch), 0), "CUDA graph 8");
    const Series& compilation = only(EventKind::compilation);
    EXPECT_EQ(trace.nameOf(compilation, 0), "JIT PTX to cubin: compile");
    EXPECT_EQ(trace.text(trace.details.notes[compilation.events.detail[0]].note), "/home/me/.nv");
    EXPECT_EQ(only(EventKind::counter).events.value[0], 250'000);
    EXPECT_EQ(trace.track(only(EventKind::counter)).unit, "mW");
    EXPECT_EQ(decoder.counts().events, 7u);
    EXPECT_EQ(trace.eventCount(), 7u);
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

// SPDX-License-Identifier: GPL-3.0-or-later
// Which event each kind of record becomes.
#include "tests/profilers/cupti/decoder_fixture.h"

#include <cstdlib>

namespace apertune::profilers {
namespace {

using testing::call;
using testing::Decoder;
using testing::kernel;
using testing::make;
using trace::EventKind;
using trace::Series;

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
    const Series& fills = only(EventKind::memset);
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
    EXPECT_EQ(trace.track(s).type, trace::TrackType::device) << "it waits for all streams";
    EXPECT_EQ(trace.track(s).label, "GPU 3");
    const trace::SynchronizationDetail& d = trace.details.synchronizations[s.events.detail[0]];
    EXPECT_EQ(d.type, trace::SynchronizationType::context);
    EXPECT_EQ(d.stream, -1);
    EXPECT_EQ(d.event, 0u);
    EXPECT_EQ(only(EventKind::other).events.value[0], 6);
    EXPECT_EQ(decoder.counts().context, 2u);
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
    name.objectKind = CUPTI_ACTIVITY_OBJECT_CONTEXT;
    name.objectId.dcs = {1, 1, 0};
    name.name = "main context";
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
    for (const trace::Track& track : trace.tracks)
        EXPECT_NE(track.label, "main context") << "which would name the device";
    EXPECT_EQ(decoder.counts().context, 6u);
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

} // namespace
} // namespace apertune::profilers

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/store/sample_trace.h"

#include "core/trace/trace_builder.h"

#include <random>

namespace apertune::store::test {

using trace::EventKind;
using trace::TrackType;

namespace {

void addDeviceWork(trace::TraceBuilder& builder, std::mt19937& random, int scale)
{
    const auto host = builder.track({TrackType::hostThread, 10, 11, -1, -1, -1, "python3 11", ""});
    const auto stream = builder.track({TrackType::stream, 10, -1, 0, 1, 7, "stream 7", ""});
    std::int64_t now = 1'000'000;
    for (int i = 0; i < 50 * scale; ++i) {
        const auto correlation = static_cast<std::uint32_t>(100 + i);
        trace::KernelDetail launch;
        launch.grid = {static_cast<std::uint32_t>(1 + i % 40), 2, 3};
        launch.block = {128, 2, 1};
        launch.cluster = {1, 1, 1};
        launch.registersPerThread = 64;
        launch.staticSharedBytes = 1024;
        launch.dynamicSharedBytes = 2048;
        launch.localBytesPerThread = 16;
        launch.graph = 3;
        launch.graphNode = 0xf000'0000'0000'0001ull;
        launch.recordedOccupancy = 0.5f;
        const auto duration = static_cast<std::int64_t>(900 + random() % 5000);
        builder.add(host, EventKind::runtimeCall,
                    {.start = {now - 8000},
                     .duration = {3000},
                     .name = builder.intern("cudaLaunchKernel"),
                     .correlation = correlation,
                     .link = 5});
        builder.add(stream, EventKind::kernel,
                    {.start = {now},
                     .duration = {duration},
                     .name = builder.intern("gemm_" + std::to_string(i % 17)),
                     .correlation = correlation,
                     .link = 5,
                     .detail = builder.detail(launch)});
        now += duration + static_cast<std::int64_t>(random() % 3000);
    }
}

} // namespace

trace::Trace sampleTrace(const std::string& name, int scale)
{
    trace::TraceBuilder builder;
    std::mt19937 random(7);
    trace::Trace& head = builder.head();
    head.name = name;
    head.source = "kineto";
    head.recorderVersion = "2.11 \"é\"";
    head.originMonotonic = 77'000'000'000;
    head.originEpoch = 1'790'000'000'000'000'000;
    head.rank = 3;
    head.worldSize = 8;
    trace::DeviceProperties device;
    device.id = 0;
    device.name = "NVIDIA A100";
    device.computeMajor = 8;
    device.computeMinor = 0;
    device.multiprocessors = 108;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = 2048;
    device.registersPerMultiprocessor = 65536;
    device.sharedBytesPerBlock = 49152;
    device.sharedBytesPerMultiprocessor = 167936;
    device.totalMemory = 42'000'000'000;
    device.memoryBandwidth = 1'555'000'000'000;
    device.linkBandwidth = 31'500'000'000;
    head.devices = {device};
    builder.addLoss(
        {{500}, EventKind::kernel, 12, trace::LossSeverity::error, base::foreignText("CUPTI dropped records.")});
    builder.addLoss(
        {{900}, EventKind::other, 0, trace::LossSeverity::notice, base::foreignText("Clocks were not locked.")});

    addDeviceWork(builder, random, scale);
    const auto host = builder.track({TrackType::hostThread, 10, 11, -1, -1, -1, "", ""});
    const auto stream = builder.track({TrackType::stream, 10, -1, 0, 1, 7, "", ""});
    const auto gpu = builder.track({TrackType::device, -1, -1, 0, -1, -1, "GPU 0", ""});
    const auto process = builder.track({TrackType::process, 10, -1, -1, -1, -1, "process 10", ""});
    const auto power = builder.track({TrackType::counter, -1, -1, 0, -1, -1, "GPU power", "W"});
    trace::CopyDetail copy{
        trace::CopyDirection::hostToDevice, trace::MemoryKind::pageable, trace::MemoryKind::device, true, 0, 1, 4, 9};
    builder.add(stream, EventKind::copy,
                {{990'000}, {5'000}, builder.intern("Memcpy HtoD"), 98, 4, builder.detail(copy), 602'112, 0});
    builder.add(stream, EventKind::memset, {{980'000}, {700}, builder.intern("Memset"), 97, 0, 0, 4096, 0});
    const trace::SynchronizationDetail wait{trace::SynchronizationType::stream, 3, 7};
    builder.add(host, EventKind::synchronization,
                {{999'000}, {40'000}, builder.intern("cudaStreamSynchronize"), 99, 0, builder.detail(wait), 0, 0});
    const trace::OperatorDetail conv{builder.intern("[[1, 3, 224, 224]]"), builder.intern("float"),
                                     builder.intern("layer1.0"), 42};
    builder.add(host, EventKind::operatorCall,
                {{900'000}, {90'000}, builder.intern("aten::conv2d"), 0, 5, builder.detail(conv), 0, 0});
    const trace::MemoryDetail owner{trace::MemoryKind::device, 0, builder.intern("pool")};
    for (const std::int64_t bytes : {1'048'576, -1'048'576})
        builder.add(gpu, EventKind::tensorMemory,
                    {{905'000 - bytes / 1024}, {0}, {}, 0, 0, builder.detail(owner), bytes, 0xffff'8000'0000'0000ull});
    const trace::NoteDetail note{builder.intern("resource")};
    builder.add(process, EventKind::overhead, {{1'000}, {200}, builder.intern("CUPTI"), 0, 0, builder.detail(note)});
    for (int i = 0; i < 20; ++i)
        builder.add(power, EventKind::counter, {{i * 50'000}, {0}, {}, 0, 0, 0, 60 + i % 3, 0});
    for (const EventKind kind : {EventKind::driverCall, EventKind::graphLaunch, EventKind::range,
                                 EventKind::deviceRange, EventKind::deviceMemory, EventKind::compilation,
                                 EventKind::scriptCall, EventKind::profilerRange, EventKind::other})
        builder.add(host, kind, {{2'000}, {10}, builder.intern(trace::toString(kind))});
    builder.head().cost =
        trace::RecordingCost{{100, 99, 101.5, 0.95}, {103, 102, 104, 0.95}, {1.03, 1.02, 1.04, 0.95}, 20, 19};
    return builder.finish();
}

} // namespace apertune::store::test

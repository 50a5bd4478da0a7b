// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"
#include "profilers/cupti/buffer_pool.h"
#include "profilers/cupti/cupti_library.h"
#include "profilers/cupti/cupti_operators.h"
#include "profilers/cupti/cupti_profiler.h"
#include "profilers/cupti/cupti_session.h"
#include "tests/profilers/cupti/fake_cupti.h"
#include "tests/profilers/cupti/record_reader.h"
#include "tests/support/environment_variables.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace apertune::profilers {
namespace {

using base::ErrorCode;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::make;
using trace::EventKind;

struct Session : ::testing::Test
{
    testing::FakeCupti fake;
    CuptiApi api = fake.api();
    CuptiOptions options{1, 4, base::fromMilliseconds(5)};
    trace::TraceBuilder builder;

    Session() { builder.head().originMonotonic = base::monotonicNow().count; }

    std::size_t at(const std::string& call) const
    {
        const auto it = std::find(fake.calls.begin(), fake.calls.end(), call);
        EXPECT_NE(it, fake.calls.end()) << call;
        return static_cast<std::size_t>(it - fake.calls.begin());
    }

    CUpti_ActivityKernel10 kernel(std::uint32_t correlation) const
    {
        auto r = make<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
        r.start = static_cast<std::uint64_t>(origin() + correlation * 10);
        r.end = r.start + 5;
        r.name = "kernel";
        r.correlationId = correlation;
        return r;
    }
    std::int64_t origin() const { return const_cast<trace::TraceBuilder&>(builder).head().originMonotonic; }
};

std::string numbered(const char* word, int number)
{
    return std::string(word) + " " + std::to_string(number);
}

TEST_F(Session, EverythingIsSwitchedOnInTheOrderThatCuptiNeeds)
{
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok()) << sentences::describe(session.error());
    const std::size_t kernels = at(numbered("enable", CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    EXPECT_LT(at("subscribe"), at(numbered("attribute", CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER)));
    EXPECT_LT(at(numbered("attribute", CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER)), at("buffers"));
    EXPECT_LT(at("thread ids"), kernels);
    EXPECT_LT(at("clock"), at("buffers"));
    EXPECT_LT(at("buffers"), kernels);
    EXPECT_LT(kernels, at(numbered("silence runtime", CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020)));
    EXPECT_LT(at(numbered("enable", CUPTI_ACTIVITY_KIND_DRIVER)),
              at(numbered("silence driver", CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent)));
    EXPECT_LT(at(numbered("dump", CUPTI_ACTIVITY_KIND_DEVICE)), kernels) << "with those that are there already";
    EXPECT_THAT(fake.calls, Contains(numbered("dump", CUPTI_ACTIVITY_KIND_PCIE))) << "known since the driver started";
    EXPECT_FALSE(fake.enabled.contains(CUPTI_ACTIVITY_KIND_KERNEL)) << "it would run kernels one after the other";
    EXPECT_FALSE(fake.enabled.contains(CUPTI_ACTIVITY_KIND_GRAPH_TRACE)) << "it hides the nodes";
    const auto before = static_cast<std::uint64_t>(base::monotonicNow().count);
    EXPECT_GE(fake.clock(), before) << "CLOCK_MONOTONIC";
    ASSERT_TRUE((*session)->stop(builder).ok());
    EXPECT_TRUE(fake.enabled.empty());
    EXPECT_LT(at(numbered("disable", CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)), at("flush forced"));
    EXPECT_LT(at("flush forced"), at("unsubscribe"));
}

TEST_F(Session, WhatEndedBeforeTheRecordingIsLeftOutBehindALongEventToo)
{
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok());
    auto running = kernel(1);
    running.end = running.start + 5000;
    const auto early = kernel(2);
    auto later = kernel(3);
    later.start += 2000;
    later.end += 2000;
    for (const auto& record : {running, early, later})
        fake.emit(record);
    builder.head().originMonotonic += 1000; // early has ended by then
    ASSERT_TRUE((*session)->stop(builder).ok());
    const trace::Trace trace = builder.finish();
    ASSERT_EQ(trace.series.size(), 1u);
    EXPECT_EQ(trace.series[0].events.size(), 2u);
}

TEST_F(Session, OfGraphsTheNodesAreRecordedOrTheLaunchesAsAWhole)
{
    for (const trace::GraphRecords graphs : {trace::GraphRecords::nodes, trace::GraphRecords::launches}) {
        options.graphs = graphs;
        auto session = startCupti(api, options);
        ASSERT_TRUE(session.ok()) << sentences::describe(session.error());
        EXPECT_EQ(fake.enabled.contains(CUPTI_ACTIVITY_KIND_GRAPH_TRACE), graphs == trace::GraphRecords::launches);
        for (const auto kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY})
            EXPECT_TRUE(fake.enabled.contains(kind)) << "what runs outside of graphs is recorded at either level";
        trace::TraceBuilder into;
        ASSERT_TRUE((*session)->stop(into).ok());
        EXPECT_TRUE(fake.enabled.empty());
    }
}

TEST_F(Session, TheFirstBuffersAreKeptWhereTheEnvironmentSays)
{
    const auto folder = base::TemporaryDir::create("records").value();
    const test::EnvironmentVariables variables("APERTUNE_CUPTI_RECORDS", folder.path().string());
    options.mostBuffers = 8; // more than are filled, however late the writer is
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok());
    for (std::uint32_t i = 0; i < 6; ++i) { // buffers
        fake.emit(kernel(i + 1));
        fake.completeCurrent();
    }
    EXPECT_TRUE((*session)->stop(builder).ok());
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        const auto records = testing::readRecords(entry.path());
        ASSERT_TRUE(records.ok()) << sentences::describe(records.error());
        EXPECT_EQ(records->valid, sizeof(CUpti_ActivityKernel10));
        EXPECT_EQ(records->texts.front(), "kernel");
        ++files;
    }
    EXPECT_EQ(files, 4) << "and no more";
    EXPECT_EQ(builder.eventCount(), 6u);
}

TEST_F(Session, EveryRecordComesOutInOrder)
{
    options.mostBuffers = 8; // more than the records fill
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok());
    constexpr std::uint32_t kRecords = 150'000; // four buffers and a half
    for (std::uint32_t i = 0; i < kRecords; ++i)
        fake.emit(kernel(i + 1));
    ASSERT_TRUE((*session)->stop(builder).ok());
    const trace::Trace trace = builder.finish(false);
    ASSERT_EQ(trace.series.size(), 1u);
    const trace::EventColumns& e = trace.series[0].events;
    const std::int64_t lost = trace.losses.empty() ? 0 : trace.losses[0].count;
    ASSERT_EQ(lost, 0) << sentences::sentence(trace.losses[0].reason);
    ASSERT_EQ(e.size(), kRecords);
    for (std::uint32_t i = 0; i < kRecords; ++i) {
        ASSERT_EQ(e.correlation[i], i + 1);
        ASSERT_EQ(e.start[i], (i + 1) * 10) << "after the builder's origin";
    }
}

TEST_F(Session, WhatEndedBeforeTheRecordingIsNotPartOfIt)
{
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok());
    auto early = kernel(1);
    early.start -= 1'000'000;
    early.end = early.start + 10;
    fake.emit(early);
    auto memory = make<CUpti_ActivityMemory4>(CUPTI_ACTIVITY_KIND_MEMORY2);
    memory.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
    memory.bytes = 10;
    memory.timestamp = early.start;
    fake.emit(memory);
    fake.emit(kernel(2));
    ASSERT_TRUE((*session)->stop(builder).ok());
    const trace::Trace trace = builder.finish(false);
    ASSERT_EQ(trace.series.size(), 2u);
    for (const trace::Series& s : trace.series)
        EXPECT_EQ(s.events.size(), 1u);
    EXPECT_EQ(trace.begin().count, -1'000'000 + 10) << "what is in use when it begins is known";
}

TEST_F(Session, WhatDoesNotFitIsCountedAndNeverSilent)
{
    options = {1, 1, base::fromMilliseconds(5)};
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok());
    // The one buffer is held by CUPTI while more records come: as many as fit, the rest dropped.
    constexpr std::uint32_t kRecords = 60'000;
    std::uint8_t* second = nullptr;
    for (std::uint32_t i = 0; i < kRecords; ++i) {
        fake.emit(kernel(i + 1));
        if (i == 10) {
            std::size_t size = 0;
            std::size_t most = 0;
            fake.requestBuffer(&second, &size, &most);
            EXPECT_EQ(second, nullptr) << "the cap holds";
        }
    }
    ASSERT_TRUE((*session)->stop(builder).ok());
    const trace::Trace trace = builder.finish(false);
    std::int64_t dropped = 0;
    bool cap = false;
    for (const trace::Loss& loss : trace.losses) {
        dropped += sentences::sentence(loss.reason).find("dropped") != std::string::npos ? loss.count : 0;
        cap = cap || sentences::sentence(loss.reason).find("memory cap") != std::string::npos;
        EXPECT_EQ(loss.severity, trace::LossSeverity::error);
        EXPECT_EQ(loss.kind, EventKind::kernel) << "kernels may be among them";
    }
    EXPECT_TRUE(cap);
    EXPECT_EQ(trace.eventCount() + static_cast<std::size_t>(dropped), kRecords);
}

TEST_F(Session, ABufferThatIsKeptIsNamedAndItsMemoryStays)
{
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok());
    fake.flushForgets = true;
    fake.emit(kernel(1));
    ASSERT_TRUE((*session)->stop(builder).ok());
    session->reset();
    fake.emit(kernel(2)); // CUPTI writes to it late: the address sanitizer would see memory that is gone
    const trace::Trace trace = builder.finish(false);
    ASSERT_EQ(trace.losses.size(), 1u);
    EXPECT_THAT(sentences::sentence(trace.losses[0].reason), HasSubstr("did not give these buffers back"));
    EXPECT_EQ(trace.losses[0].count, 1);
}

TEST_F(Session, TheHolderOfTheOnePlaceIsNamed)
{
    fake.results["subscribe"] = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    fake.holder = "Nsight Systems";
    const auto session = startCupti(api, options);
    ASSERT_FALSE(session.ok());
    EXPECT_EQ(session.error().code, ErrorCode::busy);
    EXPECT_THAT(sentences::sentence(session.error().message), HasSubstr("Nsight Systems"));
    EXPECT_FALSE(session.error().hint.empty());
    EXPECT_THAT(fake.calls, ::testing::Not(Contains("buffers")));
}

TEST_F(Session, NoDriverIsSaidInWordsAndNotAsANumber)
{
    fake.results["subscribe"] = CUPTI_ERROR_UNKNOWN;
    const auto session = startCupti(api, options);
    ASSERT_FALSE(session.ok());
    EXPECT_EQ(session.error().code, ErrorCode::unsupported);
    EXPECT_THAT(sentences::sentence(session.error().message), HasSubstr("no NVIDIA driver"));
    EXPECT_EQ(sentences::sentence(session.error().message).find("999"), std::string::npos);
    EXPECT_THAT(sentences::sentence(session.error().hint), HasSubstr("Install"));
}

TEST_F(Session, ADriverThatIsThereIsNeverSaidToBeMissing)
{
    for (const CUptiResult result : {CUPTI_ERROR_UNKNOWN, CUPTI_ERROR_NOT_INITIALIZED}) {
        fake.results["subscribe"] = result;
        api.driverVersion = 12080;
        EXPECT_THAT(sentences::sentence(startCupti(api, options).error().message), HasSubstr("runs CUDA 12.8"));
        EXPECT_THAT(sentences::sentence(startCupti(api, options).error().hint), HasSubstr("580"));
        api.driverVersion = 13000;
        EXPECT_THAT(sentences::sentence(startCupti(api, options).error().message),
                    HasSubstr("does not start with this NVIDIA driver"));
        EXPECT_THAT(startCupti(api, options).error().context, HasSubstr(api.textOf(result)));
    }
}

TEST_F(Session, AnEssentialKindThatIsRefusedLeavesNothingOn)
{
    const std::string kernels = numbered("enable", CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    fake.results[kernels] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
    auto session = startCupti(api, options);
    ASSERT_FALSE(session.ok());
    EXPECT_THAT(sentences::sentence(session.error().hint), HasSubstr("administrator"));
    EXPECT_TRUE(fake.enabled.empty());
    EXPECT_EQ(fake.calls.back(), "unsubscribe");
    fake.results.clear();
    session = startCupti(api, options);
    EXPECT_TRUE(session.ok()) << "another try is possible";
}

TEST_F(Session, AKindThatIsMissingIsANotice)
{
    fake.results[numbered("enable", CUPTI_ACTIVITY_KIND_JIT)] = CUPTI_ERROR_NOT_SUPPORTED;
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok());
    ASSERT_TRUE((*session)->stop(builder).ok());
    const trace::Trace trace = builder.finish(false);
    ASSERT_EQ(trace.losses.size(), 1u);
    EXPECT_THAT(sentences::sentence(trace.losses[0].reason), HasSubstr("compilation"));
    EXPECT_EQ(trace.losses[0].severity, trace::LossSeverity::notice);
}

TEST_F(Session, AClockThatIsRefusedIsConvertedAndSaid)
{
    fake.results["clock"] = CUPTI_ERROR_NOT_COMPATIBLE;
    const std::int64_t now = base::monotonicNow().count;
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok());
    auto r = kernel(1);
    r.start = 1'000'000; // a time of the fake's own clock
    r.end = 1'000'100;
    fake.emit(r);
    ASSERT_TRUE((*session)->stop(builder).ok());
    const trace::Trace trace = builder.finish(false);
    ASSERT_EQ(trace.eventCount(), 1u);
    EXPECT_NEAR(static_cast<double>(trace.begin().count + trace.originMonotonic), static_cast<double>(now), 120e9);
    EXPECT_THAT(sentences::sentence(trace.losses.at(0).reason), HasSubstr("own clock"));
}

TEST_F(Session, OneRecordingAProcess)
{
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok());
    const auto second = startCupti(api, options);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, ErrorCode::busy);
    session->reset(); // without stop(): thrown away
    EXPECT_TRUE(fake.enabled.empty());
    EXPECT_TRUE(startCupti(api, options).ok());
}

TEST_F(Session, PyTorchsOwnProfilerIsNotDisturbed)
{
    const test::EnvironmentVariables variables("KINETO_USE_DAEMON", "1");
    const auto session = startCupti(api, options);
    ASSERT_FALSE(session.ok());
    EXPECT_EQ(session.error().code, ErrorCode::busy);
    EXPECT_TRUE(fake.calls.empty());
}

TEST_F(Session, NvtxRangesAreSentToTheLibraryThatRecords)
{
    api.file = "/somewhere/libcupti.so.13";
    test::EnvironmentVariables variables("NVTX_INJECTION64_PATH", std::nullopt);
    ASSERT_TRUE(startCupti(api, options).ok());
    EXPECT_STREQ(std::getenv("NVTX_INJECTION64_PATH"), "/somewhere/libcupti.so.13");

    variables.set("NVTX_INJECTION64_PATH", "/a/tool.so");
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok());
    EXPECT_STREQ(std::getenv("NVTX_INJECTION64_PATH"), "/a/tool.so") << "it came first";
    ASSERT_TRUE((*session)->stop(builder).ok());
    const trace::Trace trace = builder.finish(false);
    ASSERT_EQ(trace.losses.size(), 1u);
    EXPECT_THAT(sentences::sentence(trace.losses[0].reason), HasSubstr("/a/tool.so"));

    variables.set("NVTX_INJECTION64_PATH", std::nullopt);
    session->reset();
    fake.results["subscribe"] = CUPTI_ERROR_UNKNOWN;
    EXPECT_FALSE(startCupti(api, options).ok());
    EXPECT_EQ(std::getenv("NVTX_INJECTION64_PATH"), nullptr) << "nobody would take them";
}

TEST_F(Session, AFatalErrorWithinTheRecordingIsALossAndNotTheEnd)
{
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok());
    EXPECT_THAT(fake.calls, Contains("callback " + std::to_string(static_cast<int>(CUPTI_CB_DOMAIN_STATE)) + " " +
                                     std::to_string(static_cast<int>(CUPTI_CBID_STATE_FATAL_ERROR))));
    fake.emit(kernel(1));
    CUpti_StateData data{};
    data.notification.result = CUPTI_ERROR_HARDWARE;
    data.notification.message = "the counters hang";
    fake.callback(nullptr, CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_WARNING, &data);
    fake.callback(nullptr, CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR, &data);
    ASSERT_TRUE((*session)->stop(builder).ok());
    const trace::Trace trace = builder.finish(false);
    EXPECT_EQ(trace.eventCount(), 1u) << "what came before is kept";
    ASSERT_EQ(trace.losses.size(), 1u);
    EXPECT_THAT(sentences::sentence(trace.losses[0].reason), HasSubstr("the counters hang"));
    EXPECT_EQ(trace.losses[0].severity, trace::LossSeverity::error);
    EXPECT_EQ(trace.losses[0].kind, EventKind::kernel) << "so that nothing is judged without what is missing";
    fake.callback(nullptr, CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR, &data); // late: nobody is there
}

TEST_F(Session, OperatorsPushAndPopOnlyWhileItRecords)
{
    enterOperator(5);
    leaveOperator();
    EXPECT_TRUE(fake.externalIds.empty());
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok());
    enterOperator(6);
    EXPECT_THAT(fake.externalIds, ::testing::ElementsAre(6u));
    leaveOperator();
    EXPECT_TRUE(fake.externalIds.empty());
}

TEST_F(Session, CallbacksThatComeLateAreHarmless)
{
    auto session = startCupti(api, options);
    ASSERT_TRUE(session.ok());
    std::atomic<bool> done = false;
    std::thread late([&] {
        while (!done) {
            std::uint8_t* buffer = nullptr;
            std::size_t size = 0;
            std::size_t most = 0;
            fake.requestBuffer(&buffer, &size, &most);
            if (buffer)
                fake.completeBuffer(nullptr, 0, buffer, size, 0);
        }
    });
    ASSERT_TRUE((*session)->stop(builder).ok());
    session->reset();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    done = true;
    late.join();
    std::uint8_t* buffer = nullptr;
    std::size_t size = 1;
    std::size_t most = 1;
    fake.requestBuffer(&buffer, &size, &most);
    EXPECT_EQ(buffer, nullptr);
}

TEST(BufferPool, GivesZeroedMemoryUpToItsLimitAndTakesItBack)
{
    BufferPool pool(1, 3);
    EXPECT_EQ(pool.made(), 1u);
    std::uint8_t* const a = pool.take();
    std::uint8_t* const b = pool.take();
    std::uint8_t* const c = pool.take();
    ASSERT_TRUE(a && b && c);
    EXPECT_EQ(pool.take(), nullptr);
    EXPECT_EQ(pool.outstanding(), 3u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a) % 8, 0u);
    a[0] = 1;
    a[4095] = 2;
    EXPECT_TRUE(pool.give(a, 4096));
    EXPECT_EQ(pool.take(), a);
    EXPECT_EQ(a[0] + a[4095], 0) << "zeroed again";
    int foreign = 0;
    EXPECT_FALSE(pool.give(reinterpret_cast<std::uint8_t*>(&foreign), 1));
    EXPECT_FALSE(pool.give(nullptr, 0));
    for (std::uint8_t* buffer : {a, b, c})
        EXPECT_TRUE(pool.give(buffer, 0));
    EXPECT_EQ(pool.outstanding(), 0u);
}

TEST(BufferPool, ServesManyThreadsAtOnce)
{
    BufferPool pool(2, 8);
    std::vector<std::thread> threads;
    std::atomic<int> clashes = 0;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 2000; ++i)
                if (std::uint8_t* buffer = pool.take()) {
                    buffer[0] = static_cast<std::uint8_t>(t + 1);
                    clashes += buffer[0] != t + 1;
                    pool.give(buffer, 1);
                }
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(clashes, 0);
    EXPECT_EQ(pool.outstanding(), 0u);
    EXPECT_LE(pool.made(), 8u);
}

TEST(CuptiProfiler, WithoutADriverItSaysSo)
{
    if (cudaDriverVersion() > 0)
        GTEST_SKIP() << "this machine has one";
    const auto profiler = makeCuptiProfiler();
    EXPECT_EQ(profiler->name(), "cupti");
    const trace::Availability can = profiler->availability();
    EXPECT_FALSE(can.possible);
    EXPECT_THAT(sentences::sentence(can.reason), HasSubstr("no NVIDIA driver"));
    EXPECT_FALSE(can.remedy.empty());
}

} // namespace
} // namespace apertune::profilers

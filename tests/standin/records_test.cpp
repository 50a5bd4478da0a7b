// SPDX-License-Identifier: GPL-3.0-or-later
// A program that records itself on the stand-in: what CUPTI handed over against what the trace keeps. The process is
// run again with records that are dropped (CMakeLists.txt).
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"
#include "core/trace/trace_builder.h"
#include "profilers/cupti/cupti_operators.h"
#include "profilers/cupti/cupti_profiler.h"
#include "profilers/cupti/cupti_session.h"
#include "profilers/cupti/reasons.h"
#include "tests/standin/tally.h"

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace apertune::profilers {
namespace {

using standin::Tally;
using trace::EventKind;

/// Set before the first call of CUDA reads it.
const base::TemporaryDir& tallyFolder()
{
    static const base::TemporaryDir kFolder = [] {
        auto folder = base::TemporaryDir::create("tally").value();
        ::setenv("STANDIN_TALLY", folder.path().c_str(), 1);
        ::setenv("STANDIN_STATE", (folder.path() / "state").c_str(), 1);
        ::setenv("STANDIN_LAUNCH_NS", "0", 1);
        ::setenv("STANDIN_KERNEL_NS", "100", 1);
        ::setenv("STANDIN_BUFFER_RECORDS", "20000", 1);
        return folder;
    }();
    return kFolder;
}

std::array<std::int64_t, Tally::kCounts> tally()
{
    std::array<std::int64_t, Tally::kCounts> counts{};
    const auto text = base::readFile(tallyFolder().path() / std::to_string(::getpid())).value();
    EXPECT_EQ(text.size(), sizeof counts);
    std::memcpy(counts.data(), text.data(), sizeof counts);
    return counts;
}

void kernel()
{
}

/// Launches of a thread, each for an operator of its own.
void launchMany(std::uint64_t first, int count)
{
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0), cudaSuccess);
    for (int i = 0; i < count; ++i) {
        enterOperator(first + static_cast<std::uint64_t>(i));
        ASSERT_EQ(cudaLaunchKernel(reinterpret_cast<const void*>(&kernel), dim3(1), dim3(32), nullptr, 0, stream),
                  cudaSuccess);
        leaveOperator();
    }
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
}

TEST(Records, ATraceKeepsEveryRecordThatWasHandedOver)
{
    tallyFolder();
    constexpr int kThreads = 3;
    constexpr int kLaunches = 120'000; // three records each, so about a million in all
    const auto api = loadCupti();
    ASSERT_TRUE(api.ok()) << sentences::describe(api.error());
    trace::TraceBuilder builder;
    builder.head().originMonotonic = base::monotonicNow().count;
    auto session = startCupti(*api);
    ASSERT_TRUE(session.ok()) << sentences::describe(session.error());
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread)
        threads.emplace_back(launchMany, 1 + static_cast<std::uint64_t>(thread) * kLaunches, kLaunches);
    for (std::thread& thread : threads)
        thread.join();
    ASSERT_TRUE((*session)->stop(builder).ok());
    const trace::Trace recorded = builder.finish();

    std::map<EventKind, std::int64_t> kept;
    std::set<std::uint64_t> calls;
    std::int64_t unlinked = 0;
    std::int64_t uncalled = 0;
    for (const trace::Series& series : recorded.series)
        for (std::size_t i = 0; i < series.events.size(); ++i) {
            ++kept[series.kind];
            if (series.kind == EventKind::runtimeCall)
                calls.insert(series.events.at(i).correlation);
        }
    for (const trace::Series& series : recorded.series)
        for (std::size_t i = 0; series.kind == EventKind::kernel && i < series.events.size(); ++i) {
            unlinked += series.events.at(i).link == 0;
            uncalled += !calls.contains(series.events.at(i).correlation);
        }
    std::int64_t dropped = 0;
    for (const trace::Loss& loss : recorded.losses)
        if (loss.reason == base::message<cupti::reasons::kDropped>())
            dropped += loss.count;

    const auto counts = tally();
    const std::int64_t records =
        counts[Tally::kernelRecords] + counts[Tally::callRecords] + counts[Tally::otherRecords];
    EXPECT_EQ(kept[EventKind::kernel], counts[Tally::kernelRecords]);
    EXPECT_EQ(kept[EventKind::runtimeCall], counts[Tally::callRecords]);
    EXPECT_EQ(dropped, counts[Tally::droppedRecords]);
    EXPECT_GT(records + dropped, 1'000'000);
    EXPECT_GT(counts[Tally::buffers], 50);
    EXPECT_EQ(counts[Tally::launches], kThreads * kLaunches);
    if (std::getenv("STANDIN_DROP_RECORD")) {
        EXPECT_GT(dropped, records / 60);
        EXPECT_GT(unlinked, 0) << "what was dropped is missing";
    } else {
        EXPECT_EQ(dropped, 0);
        EXPECT_EQ(unlinked, 0);
        EXPECT_EQ(uncalled, 0);
        EXPECT_EQ(kept[EventKind::kernel], kThreads * kLaunches);
    }
    std::printf("%lld records in %lld buffers, %lld dropped; kernels %lld, calls %lld\n",
                static_cast<long long>(records), static_cast<long long>(counts[Tally::buffers]),
                static_cast<long long>(dropped), static_cast<long long>(kept[EventKind::kernel]),
                static_cast<long long>(kept[EventKind::runtimeCall]));
}

} // namespace
} // namespace apertune::profilers

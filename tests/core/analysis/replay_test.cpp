// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay.h"
#include "small_trace.h"

#include <gtest/gtest.h>

namespace apertune::analysis {
namespace {

using testing::SmallTrace;

constexpr std::int64_t kUs = 1000;

/// Replays a whole trace as one iteration.
class Replayed
{
public:
    Replayed(SmallTrace& t, std::int64_t end)
        : m_trace(t.finish()), m_index(m_trace), m_all{0, end * kUs},
          m_replay(m_index, 0, std::span(&m_all, 1), std::span(&m_all, 1))
    {
    }
    bool isFaithful() const { return m_replay.isFaithful(); }
    /// The time after `change` of all work with that name, over the time before.
    double ratio(std::string_view name, WorkChange change) const
    {
        return m_replay.ratio([&](std::int32_t number) {
            return m_index.text(m_index.work[static_cast<std::size_t>(number)].name) == name ? change : WorkChange{};
        });
    }

    /// The same when no call of that name waits.
    double withoutWaits(std::string_view name) const
    {
        return m_replay.ratioWithoutWaits([&](std::int32_t call) {
            return m_index.text(m_index.calls[static_cast<std::size_t>(call)].name) == name;
        });
    }

private:
    trace::Trace m_trace;
    TraceIndex m_index;
    TimeRange m_all;
    Replay m_replay;
};

TEST(Replay, WorkThatFollowsWorkSavesItsOwnTime)
{
    SmallTrace t;
    for (int i = 0; i < 10; ++i) {
        t.call("cudaLaunchKernel", 10 * i, 10 * i + 5, static_cast<std::uint32_t>(1 + i));
        t.kernel(i % 2 ? "odd" : "even", 5 + 100 * i, 104 + 100 * i, static_cast<std::uint32_t>(1 + i));
    }
    t.call("cudaDeviceSynchronize", 100, 1006);
    const Replayed replay(t, 1006);
    ASSERT_TRUE(replay.isFaithful());
    EXPECT_NEAR(replay.ratio("odd", {.device = 0.5}), 1 - 0.25, 0.01);
    EXPECT_NEAR(replay.ratio("odd", {.device = 2}), 1.5, 0.01);
    EXPECT_NEAR(replay.ratio("odd", {.host = 5 * kUs}), 1, 0.001) << "the host is ahead";
}

TEST(Replay, ADeviceThatWaitsForItsHostGainsNothingByFasterWork)
{
    SmallTrace t;
    for (int i = 0; i < 10; ++i) {
        t.call("cudaLaunchKernel", 100 * i + 80, 100 * i + 90, static_cast<std::uint32_t>(1 + i));
        t.kernel("k", 85 + 100 * i, 115 + 100 * i, static_cast<std::uint32_t>(1 + i));
    }
    t.call("cudaDeviceSynchronize", 995, 1018);
    const Replayed replay(t, 1018);
    ASSERT_TRUE(replay.isFaithful());
    EXPECT_GT(replay.ratio("k", {.device = 0}), 0.96) << "only the last one was awaited";
    EXPECT_NEAR(replay.ratio("k", {.host = 5 * kUs}), 1 - 0.049, 0.005) << "within the calls";
    EXPECT_NEAR(replay.ratio("k", {.host = 50 * kUs}), 1 - 0.49, 0.01) << "and before them";
}

TEST(Replay, AWaitOfTheHostEndsWithTheWork)
{
    SmallTrace t;
    for (int i = 0; i < 10; ++i) {
        t.call("cudaLaunchKernel", 100 * i, 100 * i + 5, static_cast<std::uint32_t>(1 + i));
        t.kernel("k", 100 * i + 6, 100 * i + 66, static_cast<std::uint32_t>(1 + i));
        t.call("cudaStreamSynchronize", 100 * i + 5, 100 * i + 70);
    }
    const Replayed replay(t, 1000);
    ASSERT_TRUE(replay.isFaithful());
    EXPECT_NEAR(replay.ratio("k", {.device = 0.5}), 0.7, 0.01);
}

TEST(Replay, WithoutItsWaitsAHostLaunchesAhead)
{
    SmallTrace t;
    for (int i = 0; i < 10; ++i) {
        t.call("cudaLaunchKernel", 200 * i + 80, 200 * i + 85, static_cast<std::uint32_t>(1 + i));
        t.kernel("k", 200 * i + 86, 200 * i + 196, static_cast<std::uint32_t>(1 + i));
        t.call(i < 9 ? "cudaStreamSynchronize" : "cudaDeviceSynchronize", 200 * i + 90, 200 * i + 200);
    }
    t.call("cudaEventSynchronize", 2000, 2060); // it waits for nothing that was recorded
    const Replayed replay(t, 2060);
    ASSERT_TRUE(replay.isFaithful());
    EXPECT_NEAR(replay.withoutWaits("cudaStreamSynchronize"), (86 + 10 * 110 + 64) / 2060.0, 0.02)
        << "nothing but the first launch and the last wait is left besides the kernels";
    EXPECT_NEAR(replay.withoutWaits("cudaEventSynchronize"), 1, 0.001);
}

TEST(Replay, WorkBesideOtherWorkSavesOnlyWhatWasAwaited)
{
    SmallTrace t;
    for (int i = 0; i < 4; ++i) {
        const auto number = static_cast<std::uint32_t>(10 * i + 1);
        const int from = 200 * i;
        t.call("cudaLaunchKernel", from, from + 2, number);
        t.kernel("first", from + 5, from + 105, number);
        t.call("cudaMemcpyAsync", from + 2, from + 4, number + 1);
        t.copy(trace::CopyDirection::hostToDevice, 4096, from + 6, from + 146, number + 1);
        t.call("cudaLaunchKernel", from + 4, from + 6, number + 2); // it needs the copy
        t.kernel("second", from + 147, from + 197, number + 2);
        t.call("cudaDeviceSynchronize", from + 7, from + 199);
    }
    const Replayed replay(t, 800);
    ASSERT_TRUE(replay.isFaithful());
    EXPECT_NEAR(replay.ratio("first", {.device = 0.5}), 1, 0.005);
    EXPECT_NEAR(replay.ratio("Memcpy", {.device = 0.5}), 1 - 4 * 41. / 800, 0.02) << "until the first kernel ends";
    EXPECT_NEAR(replay.ratio("second", {.device = 0.5}), 1 - 4 * 25. / 800, 0.005);
}

TEST(Replay, AHostThatRanAheadDoesNotHoldTheEndBack)
{
    SmallTrace t;
    for (int i = 0; i < 20; ++i) {
        t.call("cudaLaunchKernel", 10 * i, 10 * i + 2, static_cast<std::uint32_t>(1 + i));
        t.kernel("k", 100 * i + 5, 100 * i + 104, static_cast<std::uint32_t>(1 + i));
    }
    const Replayed replay(t, 2004);
    ASSERT_TRUE(replay.isFaithful());
    EXPECT_NEAR(replay.ratio("k", {.device = 0.5}), 0.5, 0.02);
}

TEST(Replay, AHostThatKeepsTheDevicesPaceWaitsForWhatWasNotRecorded)
{
    const auto faithful = [](int pause) {
        SmallTrace t;
        for (int i = 0; i < 20; ++i) {
            t.call("cudaLaunchKernel", 100 * i, 100 * i + 2, static_cast<std::uint32_t>(1 + i));
            t.kernel("k", 100 * i + 5, 100 * i + 105 - pause, static_cast<std::uint32_t>(1 + i));
        }
        return Replayed(t, 2005).isFaithful();
    };
    EXPECT_FALSE(faithful(1));
    EXPECT_TRUE(faithful(10)) << "a host that is nearly as fast as the device";
}

TEST(Replay, AHostThatFilledTheQueueIsAsFastAsTheDevice)
{
    SmallTrace t;
    constexpr int kNumber = 3000;
    for (int i = 0; i < kNumber; ++i) {
        const int blocked = std::max(0, i - 1024);
        const int from = std::max(2 * i, 10 * blocked + 5); // a full queue blocks until a kernel has ended
        t.call("cudaLaunchKernel", from, blocked > 0 ? from + 10 : from + 2, static_cast<std::uint32_t>(1 + i));
        t.kernel("k", 10 * i + 5, 10 * i + 14, static_cast<std::uint32_t>(1 + i));
    }
    const Replayed replay(t, 10 * kNumber + 5);
    ASSERT_TRUE(replay.isFaithful());
    EXPECT_NEAR(replay.ratio("k", {.device = 0.5}), 0.55, 0.02);
}

TEST(Replay, WorkWithoutCallsIsNotFaithful)
{
    SmallTrace t;
    for (int i = 0; i < 20; ++i)
        t.kernel("k", 100 * i, 100 * i + 90);
    EXPECT_FALSE(Replayed(t, 2000).isFaithful());
}

TEST(Replay, AnEmptyPartIsNotFaithful)
{
    SmallTrace t;
    t.call("cudaLaunchKernel", 0, 5, 1);
    EXPECT_FALSE(Replayed(t, 10).isFaithful());
}

} // namespace
} // namespace apertune::analysis

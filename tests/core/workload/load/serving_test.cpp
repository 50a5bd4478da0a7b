// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/load/serving.h"
#include "tests/core/workload/load/references.h"
#include "tests/core/workload/load/virtual_machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

namespace apertune::workload {
namespace {

using base::Nanoseconds;
using testing::byEvents;
using testing::ms;
using testing::VirtualMachine;

Scenario server(double seconds)
{
    Scenario s = defaultScenario(ScenarioKind::server);
    s.bound = ms(10);
    s.duration = base::fromSeconds(seconds);
    return s;
}

Scenario cameras(int count, double fps, double seconds)
{
    Scenario s = defaultScenario(ScenarioKind::camera);
    s.cameras = count;
    s.fps = fps;
    s.duration = base::fromSeconds(seconds);
    return s;
}

TEST(Arrivals, OfAServerHaveTheRateAndSpreadOfAPoissonProcess)
{
    const auto queries = arrivals(server(1000), 100);
    EXPECT_NEAR(static_cast<double>(queries.size()), 100'000, 1'500) << "about 5 standard deviations";
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 1; i < queries.size(); ++i) {
        const double gap = (queries[i].due - queries[i - 1].due).seconds();
        ASSERT_GE(gap, 0);
        sum += gap;
        squares += gap * gap;
    }
    const double n = static_cast<double>(queries.size() - 1);
    const double mean = sum / n;
    EXPECT_NEAR(std::sqrt(squares / n - mean * mean) / mean, 1, 0.02) << "exponential gaps vary by their mean";
}

TEST(Arrivals, EqualSeedsGiveEqualArrivals)
{
    Scenario s = server(5);
    const auto due = [&] {
        std::vector<std::int64_t> times;
        for (const Query& query : arrivals(s, 200))
            times.push_back(query.due.count);
        return times;
    };
    const auto first = due();
    EXPECT_EQ(first, due());
    s.seed = 2;
    EXPECT_NE(first, due());
}

TEST(Arrivals, OfCamerasKeepTheirOrderAndTheirRateUnderJitter)
{
    Scenario s = cameras(3, 30, 10);
    s.jitter = 0.4;
    std::map<int, std::vector<Nanoseconds>> perCamera;
    Nanoseconds last{};
    for (const Query& frame : arrivals(s, 0)) {
        EXPECT_GE(frame.due, last);
        last = frame.due;
        perCamera[frame.camera].push_back(frame.due);
    }
    ASSERT_EQ(perCamera.size(), 3u);
    for (const auto& [camera, frames] : perCamera) {
        EXPECT_NEAR(static_cast<double>(frames.size()), 300, 1);
        EXPECT_TRUE(std::adjacent_find(frames.begin(), frames.end(), std::greater_equal<>()) == frames.end());
    }
}

TEST(Arrivals, WithoutJitterAreEvenlyPhased)
{
    Scenario s = cameras(2, 10, 1);
    s.jitter = 0;
    const auto frames = arrivals(s, 0);
    ASSERT_EQ(frames.size(), 20u);
    EXPECT_EQ(frames[0].due, ms(0));
    EXPECT_EQ(frames[1].due, ms(50));
    EXPECT_EQ(frames[1].camera, 1);
    EXPECT_EQ(frames[2].due, ms(100));
}

TEST(Serving, TakesQueriesInOrderAndLetsThemWait)
{
    VirtualMachine machine(ms(10));
    const auto run = serve({{ms(0)}, {ms(5)}, {ms(30)}}, {}, machine, {});
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(run.value()[0].latency(), ms(10));
    EXPECT_EQ(run.value()[1].waited(), ms(5));
    EXPECT_EQ(run.value()[1].latency(), ms(15));
    EXPECT_EQ(run.value()[2].start, ms(30));
}

TEST(Serving, FillsABatchWhileItsOldestIsPatient)
{
    VirtualMachine machine(ms(10));
    const auto run = serve({{ms(0)}, {ms(2)}, {ms(9)}, {ms(40)}}, {3, ms(4), 0, {}}, machine, {});
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(run.value()[0].start, ms(4)) << "the oldest has waited long enough";
    EXPECT_EQ(run.value()[1].start, ms(4));
    EXPECT_EQ(run.value()[2].start, ms(14)) << "came while the pass ran, and its patience is over by then";
    EXPECT_EQ(run.value()[3].start, ms(40)) << "nothing more comes, so it does not wait";
    EXPECT_EQ(machine.passes, 3);
}

TEST(Serving, ANewerFrameDropsTheOldestOfItsCameraOnly)
{
    VirtualMachine machine(ms(100));
    const std::vector<Query> frames{{ms(0), 0}, {ms(10), 1}, {ms(20), 0}, {ms(30), 0}, {ms(40), 1}};
    const auto run = serve(frames, {1, {}, 1, {}}, machine, {});
    ASSERT_TRUE(run.ok());
    EXPECT_FALSE(run.value()[0].dropped) << "it is in the pass";
    EXPECT_TRUE(run.value()[1].dropped);
    EXPECT_TRUE(run.value()[2].dropped);
    EXPECT_EQ(run.value()[3].start, ms(100));
    EXPECT_EQ(run.value()[4].start, ms(200));
}

TEST(Serving, AnOverloadedRunEndsAndItsRestIsDropped)
{
    VirtualMachine machine(ms(10));
    std::vector<Query> queries;
    for (int i = 0; i < 1000; ++i)
        queries.push_back({ms(i)});
    const auto run = serve(queries, {1, {}, 0, ms(2000)}, machine, {});
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(machine.passes, 200);
    EXPECT_EQ(std::count_if(run.value().begin(), run.value().end(), [](const Served& s) { return s.dropped; }), 800);
}

TEST(Serving, AFailedPassAndACancelEndIt)
{
    VirtualMachine failing(ms(1));
    failing.failAt = 2;
    EXPECT_EQ(serve({{ms(0)}, {ms(5)}}, {}, failing, {}).error().code, base::ErrorCode::modelThrew);
    VirtualMachine machine(ms(1));
    const auto never = [](double) { return false; };
    EXPECT_EQ(serve({{ms(0)}, {ms(5)}}, {}, machine, never).error().code, base::ErrorCode::cancelled);
    EXPECT_EQ(machine.passes, 1);
    EXPECT_EQ(serveOneByOne(1, ms(50), 0, machine, never).error().code, base::ErrorCode::cancelled);
}

TEST(Serving, OneByOneGoesOnUntilTimeAndCountAreReached)
{
    VirtualMachine machine(ms(10));
    const auto run = serveOneByOne(2, ms(100), 3, machine, {});
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(run.value().size(), 5u);
    EXPECT_EQ(run.value().back().latency(), ms(20));
    VirtualMachine slow(ms(100));
    EXPECT_EQ(serveOneByOne(1, ms(100), 3, slow, {}).value().size(), 3u);
}

TEST(Serving, IsExactlyWhatADiscreteEventSimulationSays)
{
    std::mt19937 random(11);
    int dropped = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const int count = 1 + static_cast<int>(random() % 5);
        Scenario s = cameras(count, 5 + static_cast<double>(random() % 100), 4);
        s.jitter = 0.1 * static_cast<double>(random() % 5);
        s.seed = random();
        s.queue = 1 + static_cast<int>(random() % 3);
        const Nanoseconds service = ms(1 + 0.37 * static_cast<double>(random() % 60));
        const auto queries = arrivals(s, 0);
        VirtualMachine machine(service);
        const auto run = serve(queries, {1, {}, s.queue, {}}, machine, {});
        ASSERT_TRUE(run.ok());
        const auto expected = byEvents(queries, s.queue, service);
        ASSERT_EQ(run.value().size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            ASSERT_EQ(run.value()[i].dropped, expected[i].dropped) << "trial " << trial << ", frame " << i;
            ASSERT_EQ(run.value()[i].end, expected[i].end) << "trial " << trial << ", frame " << i;
            dropped += expected[i].dropped ? 1 : 0;
        }
    }
    EXPECT_GT(dropped, 1000) << "the drop rule must have been tried";
}

} // namespace
} // namespace apertune::workload

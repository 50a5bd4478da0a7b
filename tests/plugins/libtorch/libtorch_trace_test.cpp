// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/support/plugin_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>

namespace apertune::test {
namespace {

using ::testing::Contains;
using ::testing::StartsWith;

constexpr std::uint32_t kAll = APERTUNE_TRACE_OPERATORS | APERTUNE_TRACE_SHAPES | APERTUNE_TRACE_MEMORY;

apertune_trace_options options(std::uint32_t record, std::uint64_t most = 0)
{
    apertune_trace_options o{};
    o.struct_size = sizeof o;
    o.record = record;
    o.max_events = most;
    return o;
}

std::int64_t now()
{
    timespec t{};
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

RecordedTrace traced(Client& client, const apertune_trace_options& o, int passes = 2)
{
    RecordedTrace trace;
    EXPECT_EQ(client.startTrace(o), APERTUNE_OK) << client.error;
    for (int i = 0; i < passes; ++i)
        EXPECT_EQ(client.run(0), APERTUNE_OK) << client.error;
    EXPECT_EQ(client.stopTrace(trace), APERTUNE_OK) << client.error;
    return trace;
}

TEST(LibTorchTrace, OperatorsCarryNamesShapesAndTheTimesOfThePass)
{
    Client client({.artifact = "convnet", .batch = 3});
    ASSERT_EQ(client.warmUp(), APERTUNE_OK);
    const std::int64_t begin = now();
    const RecordedTrace trace = traced(client, options(kAll));
    const std::int64_t end = now();

    const auto operators = trace.of(APERTUNE_TRACE_OPERATOR);
    ASSERT_FALSE(operators.empty());
    EXPECT_EQ(trace.lost, 0U);
    std::set<std::string> names;
    for (const RecordedEvent& e : operators) {
        names.insert(e.name);
        EXPECT_GE(e.event.start_ns, begin);
        EXPECT_LE(e.event.start_ns + e.event.duration_ns, end);
        EXPECT_GE(e.event.duration_ns, 0);
        EXPECT_GT(e.event.thread, 0U);
        EXPECT_EQ(e.event.link, 0U) << "nobody asked for links";
    }
    EXPECT_THAT(names, Contains("aten::_convolution"));
    const auto convolution =
        std::find_if(operators.begin(), operators.end(), [](const auto& e) { return e.name == "aten::_convolution"; });
    ASSERT_NE(convolution, operators.end());
    EXPECT_THAT(convolution->shapes, StartsWith("[[3, 3, "));
}

TEST(LibTorchTrace, ConvolutionsOfATraceFollowTheSettingsOfTheProcess)
{
    // aten::_convolution of a trace would keep the TF32 and benchmark settings of the process that traced it.
    Client client({.artifact = "raw_trace", .batch = 1});
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    std::set<std::string> names;
    for (const RecordedEvent& e : traced(client, options(kAll)).of(APERTUNE_TRACE_OPERATOR))
        names.insert(e.name);
    EXPECT_THAT(names, Contains("aten::conv2d"));
}

/// Name and shapes of the operators of passes over these inputs, in the order in which they began.
std::vector<std::string> shapesOf(Client& client, const std::vector<std::uint32_t>& inputs)
{
    RecordedTrace trace;
    EXPECT_EQ(client.startTrace(options(APERTUNE_TRACE_OPERATORS | APERTUNE_TRACE_SHAPES)), APERTUNE_OK);
    for (const std::uint32_t input : inputs)
        EXPECT_EQ(client.run(input), APERTUNE_OK) << client.error;
    EXPECT_EQ(client.stopTrace(trace), APERTUNE_OK);
    auto operators = trace.of(APERTUNE_TRACE_OPERATOR);
    std::stable_sort(operators.begin(), operators.end(), [](const RecordedEvent& a, const RecordedEvent& b) {
        return a.event.start_ns != b.event.start_ns ? a.event.start_ns < b.event.start_ns
                                                    : a.event.duration_ns > b.event.duration_ns;
    });
    std::vector<std::string> shapes;
    for (const RecordedEvent& e : operators)
        shapes.push_back(e.name + e.shapes);
    return shapes;
}

TEST(LibTorchTrace, EveryPassHasTheShapesOfItsOwnInput)
{
    for (const char* artifact : {"convnet", "selects"}) {
        Client client({.artifact = artifact});
        ASSERT_EQ(client.warmUp(), APERTUNE_OK);
        const std::vector<std::vector<std::string>> alone{shapesOf(client, {0}), shapesOf(client, {1})};
        ASSERT_FALSE(alone[0].empty());
        EXPECT_EQ(alone[0] != alone[1], std::string(artifact) == "selects") << "its shapes depend on the input";
        std::vector<std::uint32_t> inputs;
        // In 40 passes, shapes are read, taken over and checked. There are two inputs, so the numbers go round.
        for (std::uint32_t i = 0; i < 40; ++i)
            inputs.push_back(i);
        std::vector<std::string> expected;
        for (const std::uint32_t input : inputs)
            expected.insert(expected.end(), alone[input % 2].begin(), alone[input % 2].end());
        EXPECT_EQ(shapesOf(client, inputs), expected) << artifact;
    }
}

TEST(LibTorchTrace, OperatorsNestAsTheyCallEachOther)
{
    Client client({.artifact = "convnet"});
    ASSERT_EQ(client.warmUp(), APERTUNE_OK);
    const RecordedTrace trace = traced(client, options(APERTUNE_TRACE_OPERATORS), 1);
    const auto operators = trace.of(APERTUNE_TRACE_OPERATOR);
    const auto inside = [](const RecordedEvent& a, const RecordedEvent& b) {
        return a.event.start_ns >= b.event.start_ns &&
               a.event.start_ns + a.event.duration_ns <= b.event.start_ns + b.event.duration_ns;
    };
    std::size_t nested = 0;
    std::string order;
    for (const RecordedEvent& e : operators)
        order += e.name + " ";
    for (std::size_t i = 0; i < operators.size(); ++i) {
        EXPECT_TRUE(operators[i].shapes.empty()) << "shapes were not asked for";
        for (std::size_t k = i + 1; k < operators.size(); ++k) {
            const auto& a = operators[i];
            const auto& b = operators[k];
            const bool apart = a.event.start_ns + a.event.duration_ns <= b.event.start_ns ||
                               b.event.start_ns + b.event.duration_ns <= a.event.start_ns;
            EXPECT_TRUE(apart || inside(a, b) || inside(b, a)) << a.name << " crosses " << b.name;
            nested += a.name == "aten::batch_norm" && b.name == "aten::native_batch_norm" && inside(b, a);
        }
    }
    EXPECT_GT(nested, 0U) << order;
}

TEST(LibTorchTrace, EveryTensorOfAPassIsReleasedAgain)
{
    Client client({.artifact = "convnet"});
    ASSERT_EQ(client.warmUp(), APERTUNE_OK);
    const auto events = traced(client, options(APERTUNE_TRACE_MEMORY)).of(APERTUNE_TRACE_ALLOCATION);
    ASSERT_FALSE(events.empty());
    std::map<std::uint64_t, std::int64_t> live;
    std::int64_t balance = 0;
    for (const RecordedEvent& e : events) {
        EXPECT_EQ(e.event.device, -1);
        EXPECT_NE(e.event.address, 0U);
        balance += e.event.value;
        std::int64_t& bytes = live[e.event.address];
        bytes += e.event.value;
        EXPECT_GE(bytes, 0) << "released more than was allocated";
    }
    EXPECT_EQ(balance, 0);
}

TEST(LibTorchTrace, OnlyWhatWasAskedForIsRecorded)
{
    Client client({.artifact = "convnet"});
    ASSERT_EQ(client.warmUp(), APERTUNE_OK);
    EXPECT_TRUE(traced(client, options(APERTUNE_TRACE_MEMORY)).of(APERTUNE_TRACE_OPERATOR).empty());
    EXPECT_TRUE(traced(client, options(APERTUNE_TRACE_OPERATORS)).of(APERTUNE_TRACE_ALLOCATION).empty());
    const std::size_t one = traced(client, options(kAll), 1).events.size();
    EXPECT_EQ(traced(client, options(kAll), 3).events.size(), 3 * one) << "a recording begins empty";
}

TEST(LibTorchTrace, WhatDoesNotFitIsCounted)
{
    Client client({.artifact = "convnet"});
    ASSERT_EQ(client.warmUp(), APERTUNE_OK);
    const std::size_t all = traced(client, options(kAll)).events.size();
    const RecordedTrace cut = traced(client, options(kAll, 10));
    EXPECT_EQ(cut.events.size(), 10U);
    EXPECT_EQ(cut.events.size() + cut.lost, all);
}

std::atomic<std::int64_t> g_entered{0};
std::atomic<std::int64_t> g_left{0};
std::set<std::uint64_t> g_links;

TEST(LibTorchTrace, LinksTieOperatorsToWhatIsCalledInsideThem)
{
    Client client({.artifact = "convnet"});
    ASSERT_EQ(client.warmUp(), APERTUNE_OK);
    apertune_trace_options o = options(kAll);
    o.enter = [](std::uint64_t link) {
        ++g_entered;
        g_links.insert(link);
    };
    o.leave = [] { ++g_left; };
    const auto operators = traced(client, o).of(APERTUNE_TRACE_OPERATOR);
    EXPECT_EQ(g_entered, g_left);
    EXPECT_EQ(g_links.size(), operators.size()) << "each operator has a number of its own";
    for (const RecordedEvent& e : operators)
        EXPECT_TRUE(g_links.contains(e.event.link)) << e.name;
}

TEST(LibTorchTrace, RecordingsDoNotNestAndEndOnce)
{
    Client client({.artifact = "convnet"});
    ASSERT_EQ(client.startTrace(options(kAll)), APERTUNE_OK);
    EXPECT_EQ(client.startTrace(options(kAll)), APERTUNE_BAD_INPUT);
    RecordedTrace trace;
    EXPECT_EQ(client.stopTrace(trace), APERTUNE_OK);
    EXPECT_EQ(client.stopTrace(trace), APERTUNE_BAD_INPUT);
    EXPECT_TRUE(trace.events.empty());
    apertune_trace_options half = options(kAll);
    half.leave = [] {};
    EXPECT_EQ(client.startTrace(half), APERTUNE_BAD_INPUT);
}

TEST(LibTorchTrace, AClosedSessionTakesItsRecordingWithIt)
{
    {
        Client client({.artifact = "convnet"});
        ASSERT_EQ(client.startTrace(options(kAll)), APERTUNE_OK);
    }
    Client next({.artifact = "convnet"});
    ASSERT_EQ(next.warmUp(), APERTUNE_OK);
    EXPECT_FALSE(traced(next, options(kAll)).events.empty());
}

TEST(LibTorchTrace, TheTableHasTheFunctionsThatItsSizePromises)
{
    EXPECT_EQ(pluginUnderTest().struct_size, sizeof(apertune_plugin));
    EXPECT_NE(pluginUnderTest().trace_start, nullptr);
    EXPECT_NE(pluginUnderTest().trace_stop, nullptr);
}

} // namespace
} // namespace apertune::test

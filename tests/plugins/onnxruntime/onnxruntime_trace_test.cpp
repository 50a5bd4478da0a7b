// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/onnxruntime/onnx_models.h"
#include "tests/plugins/support/plugin_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>

namespace apertune::test {
namespace {

std::int64_t now()
{
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

apertune_trace_options options(std::uint32_t record, std::uint64_t most = 0)
{
    return {sizeof(apertune_trace_options), record, most, nullptr, nullptr};
}

Configuration configuration()
{
    Configuration made{makeArtifact("traced", convolutionModel())};
    made.level = "O0";
    return made;
}

int profilesLeft()
{
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
        count += entry.path().filename().string().starts_with("apertune-profile-") &&
                 entry.path().filename() != "apertune-profile-";
    return count;
}

TEST(OnnxRuntimeTrace, OperatorsHaveNamesShapesAndTheCommonClock)
{
    NEEDS_ONNXRUNTIME();
    Client client(configuration());
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    ASSERT_EQ(client.startTrace(options(APERTUNE_TRACE_OPERATORS | APERTUNE_TRACE_SHAPES)), APERTUNE_OK);
    const std::int64_t begin = now();
    for (std::uint32_t i = 0; i < 3; ++i)
        ASSERT_EQ(client.run(i), APERTUNE_OK);
    const std::int64_t end = now();
    RecordedTrace trace;
    ASSERT_EQ(client.stopTrace(trace), APERTUNE_OK) << client.error;

    const auto operators = trace.of(APERTUNE_TRACE_OPERATOR);
    ASSERT_EQ(operators.size(), 3U * 9U);
    EXPECT_EQ(trace.lost, 0U);
    EXPECT_EQ(operators[0].name, "Conv");
    EXPECT_EQ(operators[0].shapes, "[[1, 3, 16, 16], [16, 3, 3, 3]]");
    EXPECT_EQ(operators[1].name, "BatchNormalization");
    // The engine's clock ticks in microseconds, and is the time of day: a day's correction may come between.
    constexpr std::int64_t kSlack = 2'000'000;
    for (const RecordedEvent& op : operators) {
        EXPECT_GE(op.event.start_ns, begin - kSlack);
        EXPECT_LE(op.event.start_ns + op.event.duration_ns, end + kSlack);
        EXPECT_EQ(op.event.thread, static_cast<std::uint32_t>(gettid()));
    }
}

TEST(OnnxRuntimeTrace, AFullBufferCountsWhatItLost)
{
    NEEDS_ONNXRUNTIME();
    Client client(configuration());
    ASSERT_EQ(client.startTrace(options(APERTUNE_TRACE_OPERATORS, 5)), APERTUNE_OK);
    client.run(0);
    RecordedTrace trace;
    ASSERT_EQ(client.stopTrace(trace), APERTUNE_OK);
    EXPECT_EQ(trace.events.size(), 5U);
    EXPECT_EQ(trace.lost, 4U);
    EXPECT_EQ(trace.events[0].shapes, "");
}

TEST(OnnxRuntimeTrace, RecordingsDoNotNestAndEndWithTheSession)
{
    NEEDS_ONNXRUNTIME();
    const int before = profilesLeft();
    RecordedTrace trace;
    {
        Client client(configuration());
        EXPECT_EQ(client.stopTrace(trace), APERTUNE_BAD_INPUT);
        ASSERT_EQ(client.startTrace(options(APERTUNE_TRACE_OPERATORS)), APERTUNE_OK);
        EXPECT_EQ(client.startTrace(options(APERTUNE_TRACE_OPERATORS)), APERTUNE_BAD_INPUT);
    }
    Client other(configuration());
    ASSERT_EQ(other.startTrace(options(APERTUNE_TRACE_OPERATORS)), APERTUNE_OK);
    EXPECT_EQ(other.stopTrace(trace), APERTUNE_OK);
    EXPECT_TRUE(trace.events.empty());
    other.report();
    EXPECT_LE(profilesLeft(), before) << "a recording left its file";
}

TEST(OnnxRuntimeTrace, AfterARecordingTheModelRunsAsBefore)
{
    NEEDS_ONNXRUNTIME();
    Client client(configuration());
    const auto before = client.outputs(0);
    RecordedTrace trace;
    ASSERT_EQ(client.startTrace(options(APERTUNE_TRACE_OPERATORS)), APERTUNE_OK);
    ASSERT_EQ(client.run(0), APERTUNE_OK);
    ASSERT_EQ(client.stopTrace(trace), APERTUNE_OK);
    EXPECT_EQ(client.run(0), APERTUNE_OK);
    EXPECT_EQ(before[0].values, client.outputs(0)[0].values);
}

} // namespace
} // namespace apertune::test

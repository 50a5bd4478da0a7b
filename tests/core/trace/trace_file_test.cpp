// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"
#include "core/trace/trace_builder.h"
#include "core/trace/trace_file.h"
#include "tests/core/trace/support/synthetic_trace.h"
#include "tests/core/trace/support/trace_equality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <utility>

using namespace apertune;
using namespace apertune::trace;
using apertune::trace::test::expectEqual;

namespace {

struct TraceFile : ::testing::Test
{
    base::TemporaryDir dir = base::TemporaryDir::create("trace-file").value();
    std::filesystem::path file = dir.path() / "capture.trace";

    void writeBytes(const std::string& bytes) const
    {
        std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
};

trace::Trace everything()
{
    trace::Trace trace = *apertune::testing::makeLoopTrace({3, 4, 7});
    trace.name = "resnet50 \"O2\" ü";
    trace.source = "apertune";
    trace.recorderVersion = "0.1";
    trace.originMonotonic = 123'456'789;
    trace.originEpoch = 1'795'000'000'000'000'000;
    trace::KernelDetail kernel;
    kernel.grid = {1, 2, 3};
    kernel.graphNode = 1ull << 40;
    kernel.recordedOccupancy = 0.25F;
    trace.details.kernels.push_back(kernel);
    trace::CopyDetail copy;
    copy.direction = trace::CopyDirection::deviceToHost;
    copy.asynchronous = true;
    trace.details.copies.push_back(copy);
    trace.details.synchronizations.push_back({trace::SynchronizationType::stream, 4, 7});
    trace.details.notes.push_back({{1}});
    trace::DeviceProperties device;
    device.id = 3;
    device.name = "a GPU";
    device.memoryBandwidth = 4'800'000'000'000;
    trace.devices.push_back(device);
    trace.losses.push_back(
        {{-5}, trace::EventKind::kernel, 12, trace::LossSeverity::error, base::foreignText("Buffers were full.")});
    trace.cost = trace::RecordingCost{{100, 99, 101, 0.95}, {103, 102, 104, 0.95}, {1.03, 1.02, 1.04, 0.95}, 20, 21};
    return trace;
}

TEST_F(TraceFile, EverythingComesBackAsItWas)
{
    const trace::Trace trace = everything();
    ASSERT_TRUE(trace::writeTraceFile(trace, file).ok());
    const auto read = trace::readTraceFile(file);
    ASSERT_TRUE(read.ok()) << sentences::describe(read.error());
    expectEqual(*read, trace);
    EXPECT_FALSE(std::filesystem::exists(file.string() + ".part"));
}

TEST_F(TraceFile, AnEmptyTraceIsAFileToo)
{
    ASSERT_TRUE(trace::writeTraceFile(trace::TraceBuilder().finish(), file).ok());
    const auto read = trace::readTraceFile(file);
    ASSERT_TRUE(read.ok()) << sentences::describe(read.error());
    expectEqual(*read, trace::Trace{});
    EXPECT_FALSE(read->cost.has_value());
}

TEST_F(TraceFile, EveryCutIsFoundOut)
{
    ASSERT_TRUE(trace::writeTraceFile(everything(), file).ok());
    const std::string bytes = *base::readFile(file);
    const std::size_t step = std::max<std::size_t>(1, bytes.size() / 200);
    for (std::size_t size = 0; size < bytes.size(); size += step) {
        writeBytes(bytes.substr(0, size));
        const auto read = trace::readTraceFile(file);
        ASSERT_FALSE(read.ok()) << size << " of " << bytes.size() << " bytes";
        EXPECT_EQ(read.error().code, base::ErrorCode::corrupt);
    }
    writeBytes(bytes + "x");
    EXPECT_EQ(trace::readTraceFile(file).error().code, base::ErrorCode::corrupt);
}

TEST_F(TraceFile, DamagedBytesNeverCrashAndNeverPointOutside)
{
    ASSERT_TRUE(trace::writeTraceFile(everything(), file).ok());
    const std::string bytes = *base::readFile(file);
    std::mt19937 random(3);
    for (int i = 0; i < 400; ++i) {
        std::string damaged = bytes;
        for (int k = 0; k < 3; ++k)
            damaged[random() % damaged.size()] = static_cast<char>(random());
        writeBytes(damaged);
        const auto read = trace::readTraceFile(file);
        if (!read)
            continue;
        for (const trace::Series& s : read->series) {
            ASSERT_LT(s.track.value, read->tracks.size());
            for (const std::uint32_t name : s.events.name)
                ASSERT_LT(name, read->strings.size());
        }
    }
}

TEST_F(TraceFile, EventsThatNoReaderCouldRelyOnAreRefused)
{
    using Change = std::function<void(trace::Trace&)>;
    const auto first = [](trace::Trace& t) -> trace::EventColumns& { return t.series[0].events; };
    for (const auto& [what, change] : std::initializer_list<std::pair<const char*, Change>>{
             {"out of order", [&](trace::Trace& t) { first(t).start[0] = first(t).start[1] + 1; }},
             {"out of order", [](trace::Trace& t) { std::swap(t.series[0], t.series[1]); }},
             {"impossible time", [&](trace::Trace& t) { first(t).duration[0] = -1; }},
             {"impossible time",
              [&](trace::Trace& t) { first(t).duration.back() = std::numeric_limits<std::int64_t>::max(); }},
             {"no empty row", [](trace::Trace& t) { t.details.notes.clear(); }}}) {
        trace::Trace trace = everything();
        change(trace);
        ASSERT_TRUE(trace::writeTraceFile(trace, file).ok());
        const auto read = trace::readTraceFile(file);
        ASSERT_FALSE(read.ok()) << what;
        EXPECT_EQ(read.error().code, base::ErrorCode::corrupt);
        EXPECT_NE(sentences::sentence(read.error().message).find(what), std::string::npos)
            << sentences::sentence(read.error().message);
    }
}

TEST_F(TraceFile, WhatIsWrongIsSaid)
{
    EXPECT_EQ(trace::readTraceFile(file).error().code, base::ErrorCode::notFound);
    writeBytes("{\"traceEvents\": []}     ");
    EXPECT_EQ(trace::readTraceFile(file).error().code, base::ErrorCode::corrupt);
    ASSERT_TRUE(trace::writeTraceFile(everything(), file).ok());
    std::string bytes = *base::readFile(file);
    bytes[7] = '9';
    writeBytes(bytes);
    EXPECT_EQ(trace::readTraceFile(file).error().code, base::ErrorCode::unsupported);
    const auto unwritable = trace::writeTraceFile(everything(), dir.path() / "missing" / "capture.trace");
    ASSERT_FALSE(unwritable.ok());
    EXPECT_EQ(unwritable.error().code, base::ErrorCode::io);
}

} // namespace

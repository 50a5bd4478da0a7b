// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_dir.h"
#include "core/interchange/nsys/nsys_export.h"
#include "core/interchange/recording_import.h"
#include "core/sentences/sentences.h"
#include "core/trace/trace_builder.h"
#include "core/trace/trace_file.h"
#include "tests/support/environment_variables.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace apertune::interchange {
namespace {

trace::Trace oneKernel()
{
    trace::TraceBuilder builder;
    const auto stream = builder.track({.type = trace::TrackType::stream, .device = 0, .context = 1, .stream = 7});
    builder.add(stream, trace::EventKind::kernel, {.start = {5}, .duration = {9}, .name = builder.intern("gemm")});
    builder.head().source = "apertune";
    return builder.finish();
}

struct RecordingImport : ::testing::Test
{
    base::TemporaryDir dir = base::TemporaryDir::create("recording").value();

    std::string sourceOf(const std::filesystem::path& file) const
    {
        const auto trace = importRecording(file);
        if (!trace)
            return sentences::describe(trace.error());
        EXPECT_EQ(trace->eventCount(), 1u);
        return trace->source;
    }
};

TEST_F(RecordingImport, AFileIsKnownByWhatItHoldsAndNotByItsName)
{
    const auto nsys = dir.path() / "report.json";
    ASSERT_TRUE(interchange::writeNsys(oneKernel(), nsys).ok());
    EXPECT_EQ(sourceOf(nsys), "nsys");
    const auto chrome = dir.path() / "trace.sqlite";
    std::ofstream(chrome)
        << R"({"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 5, "dur": 2}]})";
    EXPECT_EQ(sourceOf(chrome), "kineto");
    const auto own = dir.path() / "own.json";
    ASSERT_TRUE(trace::writeTraceFile(oneKernel(), own).ok());
    EXPECT_EQ(sourceOf(own), "apertune");
}

TEST_F(RecordingImport, AReportOfNsysIsExportedByTheNsysThatIsThere)
{
    const auto report = dir.path() / "my report.nsys-rep";
    std::ofstream(report) << "\x08\x01\x12Q of another format";
    ASSERT_TRUE(interchange::writeNsys(oneKernel(), dir.path() / "export").ok());
    const auto bin = dir.path() / "bin";
    std::filesystem::create_directory(bin);
    const auto nsys = [&](const std::string& script) {
        std::ofstream(bin / "nsys") << "#!/bin/sh\n" << script;
        std::filesystem::permissions(bin / "nsys", std::filesystem::perms::owner_all);
    };
    const std::string path = std::getenv("PATH");
    apertune::test::EnvironmentVariables variables("PATH", bin.string());
    EXPECT_EQ(importRecording(report).error().code, base::ErrorCode::unsupported) << "there is no nsys";
    variables.set("PATH", bin.string() + ":" + path);

    nsys("while [ $# -gt 2 ]; do [ \"$1\" = --output ] && out=$2; shift; done\ncp '" +
         (dir.path() / "export").string() + "' \"$out\"\n");
    EXPECT_EQ(sourceOf(report), "nsys");
    nsys("echo 'Generating' >&2; echo 'The report was made by version 2031.1' >&2; exit 1\n");
    const auto failed = importRecording(report);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, base::ErrorCode::corrupt);
    EXPECT_NE(
        sentences::describe(failed.error()).find("could not export the report: The report was made by version 2031.1"),
        std::string::npos)
        << sentences::describe(failed.error());
}

TEST_F(RecordingImport, WhatIsNoRecordingIsSaid)
{
    EXPECT_EQ(importRecording(dir.path() / "missing").error().code, base::ErrorCode::notFound);
    EXPECT_EQ(importRecording(dir.path()).error().code, base::ErrorCode::invalidArgument);
}

} // namespace
} // namespace apertune::interchange

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/interchange/chrome/kineto_import.h"
#include "core/interchange/csv/csv_export.h"
#include "core/trace/trace_builder.h"
#include "tests/core/interchange/failing_export.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace apertune;

TEST(CsvExport, WritesALineAnEvent)
{
    const auto trace = interchange::importKineto(std::filesystem::path(APERTUNE_GOLDEN_DIR) / "kineto_2021.json");
    ASSERT_TRUE(trace);
    const auto dir = base::TemporaryDir::create("export");
    ASSERT_TRUE(interchange::writeTraceCsv(*trace, dir->path() / "x.csv"));
    const auto text = base::readFile(dir->path() / "x.csv");
    ASSERT_TRUE(text);
    EXPECT_EQ(static_cast<std::size_t>(std::count(text->begin(), text->end(), '\n')), trace->eventCount() + 1);
    EXPECT_NE(
        text->find(
            R"csv(kernel,334000,2000,"void cudnn::conv<float>(""x"")",stream 7,,,0,1,7,35,2,0,,0,"{""External)csv"),
        std::string::npos)
        << *text;
}

TEST(CsvExport, TheNameOfAnEventIsNoFormulaToASpreadsheet)
{
    trace::TraceBuilder b;
    const trace::TrackId track =
        b.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1, .label = "+1+1"});
    b.add(track, trace::EventKind::range, {.start = {5}, .duration = {1}, .name = b.intern("=cmd|' /C calc'!A0")});
    const auto dir = base::TemporaryDir::create("export");
    ASSERT_TRUE(interchange::writeTraceCsv(b.finish(), dir->path() / "x.csv"));
    const std::string text = base::readFile(dir->path() / "x.csv").value();
    EXPECT_NE(text.find(",'=cmd|' /C calc'!A0,'+1+1,"), std::string::npos) << text;
}

TEST(CsvExport, LeavesNothingBehindWhenItIsStoppedOrCannotWrite)
{
    interchange::test::expectNothingLeftBehind(interchange::writeTraceCsv);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"
#include "profilers/cupti/record_file.h"
#include "tests/core/trace/support/trace_equality.h"
#include "tests/profilers/cupti/decoder_fixture.h"
#include "tests/profilers/cupti/record_reader.h"

#include <filesystem>

namespace apertune::profilers {
namespace {

namespace fs = std::filesystem;
using testing::call;
using testing::kernel;
using testing::make;

struct RecordFile : testing::Decoder
{
    base::TemporaryDir dir = base::TemporaryDir::create("records").value();
    fs::path file = dir.path() / "first.cuptirec";

    std::uint8_t* bytesOfBuffer() { return reinterpret_cast<std::uint8_t*>(buffer.data()); }

    void addSome()
    {
        for (std::uint32_t i = 0; i < 10; ++i) {
            add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 2000u + i * 100, 211, i + 1));
            add(kernel(2020u + i * 100, 2080u + i * 100, i % 2 == 0 ? "_Z4gemmPf" : "relu", i + 1));
        }
        auto marker = make<CUpti_ActivityMarker2>(CUPTI_ACTIVITY_KIND_MARKER);
        marker.flags = CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS;
        marker.timestamp = 2500;
        marker.name = "here";
        add(marker);
    }

    trace::Trace replayed()
    {
        auto read = testing::readRecords(file);
        EXPECT_TRUE(read.ok()) << (read ? "" : sentences::describe(read.error()));
        if (!read)
            return {};
        trace::TraceBuilder into;
        RecordDecoder fresh(api, into, 1000);
        fresh.decode(read->bytes(), read->valid);
        fresh.finish();
        return into.finish(false);
    }
};

TEST_F(RecordFile, RecordsAreDecodedAgainAsTheyWere)
{
    addSome();
    ASSERT_TRUE(writeRecords(api, bytesOfBuffer(), bytes, 1 << 20, file).ok());
    trace::test::expectEqual(replayed(), decoded());
    EXPECT_EQ(trace.eventCount(), 21u);
}

TEST_F(RecordFile, ALargeBufferIsCutBetweenRecords)
{
    addSome();
    ASSERT_TRUE(writeRecords(api, bytesOfBuffer(), bytes, bytes / 2, file).ok());
    const trace::Trace half = replayed();
    EXPECT_GE(half.eventCount(), 9u);
    EXPECT_LE(half.eventCount(), 11u);
    EXPECT_TRUE(half.losses.empty()) << sentences::sentence(half.losses[0].reason);
}

TEST_F(RecordFile, EveryCutIsFoundOut)
{
    addSome();
    ASSERT_TRUE(writeRecords(api, bytesOfBuffer(), bytes, 1 << 20, file).ok());
    const std::string whole = *base::readFile(file);
    for (std::size_t size = 0; size < whole.size(); size += 37) {
        ASSERT_TRUE(base::writeFileAtomically(file, whole.substr(0, size)).ok());
        EXPECT_EQ(testing::readRecords(file).error().code, base::ErrorCode::corrupt) << size;
    }
    EXPECT_EQ(testing::readRecords(dir.path() / "none").error().code, base::ErrorCode::notFound);
}

/// What tests/gpu/run brought home from a GPU.
TEST_F(RecordFile, RecordedBuffersOfGpusAreDecodedWhole)
{
    int files = 0;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(APERTUNE_TEST_RECORDS, none)) {
        file = entry.path();
        SCOPED_TRACE(file.string());
        const trace::Trace again = replayed();
        EXPECT_GT(again.eventCount(), 0u);
        for (const trace::Loss& loss : again.losses)
            EXPECT_NE(loss.severity, trace::LossSeverity::error) << sentences::sentence(loss.reason);
        ++files;
    }
    if (files == 0)
        GTEST_SKIP() << "no GPU has recorded any yet";
}

} // namespace
} // namespace apertune::profilers

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/interchange/chrome/chrome_export.h"
#include "core/sentences/sentences.h"
#include "core/trace/trace_builder.h"
#include "tests/core/interchange/failing_export.h"
#include "tests/core/interchange/trace_text.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace apertune;
using namespace apertune::trace;
using interchange::test::traceText;

namespace {

/// Every kind, column, detail and type of track; texts that need escaping; times before 0.
trace::Trace everything()
{
    trace::TraceBuilder b;
    trace::Trace& head = b.head();
    head.name = "all \"kinds\"";
    head.source = "apertune";
    head.recorderVersion = "7";
    head.originMonotonic = 123456789;
    head.originEpoch = 1763731985123456789;
    head.rank = 2;
    head.worldSize = 4;
    head.devices.push_back({.id = 1,
                            .name = "GPU",
                            .computeMajor = 9,
                            .multiprocessors = 132,
                            .warpSize = 32,
                            .sharedBytesPerBlock = 49152,
                            .totalMemory = std::int64_t{1} << 37,
                            .memoryBandwidth = 4'800'000'000'000,
                            .linkBandwidth = 64'000'000'000});
    head.cost = trace::RecordingCost{{1.1e6, 1e6, 1.2e6 / 7, 0.95}, {2, 1, 3, 0}, {1.03, 1.01, 1.05, 0.95}, 30, 20};
    b.addLoss(
        {{-5}, trace::EventKind::kernel, 3, trace::LossSeverity::error, base::foreignText("Records were dropped.")});
    std::vector<trace::TrackId> tracks = {
        b.track({.type = trace::TrackType::hostThread, .process = 10, .thread = 11, .label = "main\n\x01"}),
        b.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 7, .label = "same numbers as a stream"}),
        b.track({.type = trace::TrackType::stream, .device = 1, .context = 1, .stream = 7, .label = "stream 7"}),
        b.track({.type = trace::TrackType::stream, .device = 1, .context = 2, .stream = 7, .label = "stream 7"}),
        b.track({.type = trace::TrackType::device, .device = 1, .label = "GPU 1"}),
        b.track({.type = trace::TrackType::process, .process = 10, .label = "process"}),
        b.track({.type = trace::TrackType::hostThread, .process = -2, .thread = -1029147072, .label = ""}),
        b.track({.type = trace::TrackType::counter, .device = 1, .label = "power", .unit = "mW"}),
        b.track({.type = trace::TrackType::counter, .device = 1, .label = "clock", .unit = "1e-3 MHz"}),
        b.track({.type = trace::TrackType::stream, .device = 5, .label = "no events"}),
    };
    const trace::StringId shapes = b.intern("[[1,3, 224,224], \"]\"]");
    const trace::StringId odd = b.intern("[not json");
    const std::uint32_t kernel = b.detail(trace::KernelDetail{.grid = {1, 2, 3},
                                                              .block = {4, 5, 6},
                                                              .cluster = {0, 1, 0},
                                                              .registersPerThread = 255,
                                                              .staticSharedBytes = 100,
                                                              .dynamicSharedBytes = 65536,
                                                              .localBytesPerThread = 9,
                                                              .graph = 4,
                                                              .graphNode = ~std::uint64_t{0},
                                                              .recordedOccupancy = 0.123456789f});
    const std::uint32_t copy = b.detail(trace::CopyDetail{trace::CopyDirection::peerToPeer, trace::MemoryKind::pinned,
                                                          trace::MemoryKind::managedStatic, true, 0, 3, 8, 9});
    const std::uint32_t sync = b.detail(trace::SynchronizationDetail{trace::SynchronizationType::stream, 4, 7});
    const std::uint32_t op =
        b.detail(trace::OperatorDetail{shapes, odd, b.intern("net.conv"), 0, b.intern("[[4,2,1]]"),
                                       b.intern(R"({"Collective name":"allreduce","dtype":"Float","Group size":8})")});
    const std::uint32_t memory = b.detail(trace::MemoryDetail{trace::MemoryKind::device, 1, b.intern("pool \"a\"")});
    const std::uint32_t note = b.detail(trace::NoteDetail{b.intern("why")});
    const std::uint32_t details[] = {kernel, copy, copy, 0, 0, sync, kernel, op, 0, 0, memory, memory, note, note, 0};
    std::int64_t start = -1500;
    std::size_t which = 0;
    for (const trace::EventKind kind : trace::kEventKinds) {
        if (kind == trace::EventKind::counter) {
            for (const trace::TrackId track : {tracks[7], tracks[8]})
                b.add(track, kind, {.start = {start += 7}, .name = b.intern("sample"), .value = -(start + 3)});
            ++which;
            continue;
        }
        for (std::size_t t = 0; t < 7; ++t) {
            const std::uint32_t detail = which < std::size(details) ? details[which] : 0;
            b.add(tracks[t], kind,
                  {.start = {start += 333},
                   .duration = {static_cast<std::int64_t>(t) * 1001},
                   .name = b.intern(t == 0 ? "" : "name " + std::to_string(t % 3) + " \\\"\t\u00e9"),
                   .correlation = static_cast<std::uint32_t>(t % 4),
                   .link = t == 3 ? ~0u : static_cast<std::uint32_t>(t % 2),
                   .detail = t % 2 == 0 ? detail : 0,
                   .value = t == 5 ? -9 : static_cast<std::int64_t>(t % 3) << 40,
                   .address = t == 6 ? ~std::uint64_t{0} : 0});
            // Parents and children that start together keep their order.
            b.add(tracks[t], kind, {.start = {start}, .duration = {5}, .name = b.intern("twin 1")});
            b.add(tracks[t], kind, {.start = {start}, .duration = {5}, .name = b.intern("twin 2")});
        }
        ++which;
    }
    return b.finish(false);
}

void expectComesBack(const trace::Trace& trace, const char* name)
{
    const auto dir = base::TemporaryDir::create("export");
    ASSERT_TRUE(dir);
    const std::filesystem::path file = dir->path() / name;
    const auto written = interchange::writeChromeTrace(trace, file);
    ASSERT_TRUE(written) << sentences::describe(written.error());
    const auto again = interchange::importKineto(file, {.threads = 2, .blockSize = 1 << 14});
    ASSERT_TRUE(again) << sentences::describe(again.error());
    const std::string expected = traceText(trace);
    const std::string actual = traceText(*again);
    if (expected != actual) {
        const auto at = std::mismatch(expected.begin(), expected.end(), actual.begin(), actual.end()).first;
        const auto from = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at - expected.begin() - 200));
        FAIL() << "expected: …" << expected.substr(from, 600) << "\nactual: …" << actual.substr(from, 600);
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir->path()), {}), 1) << "something was left behind";
}

} // namespace

TEST(ChromeExport, ImportsAgainRowEqualWithEveryKindColumnDetailAndTrack)
{
    expectComesBack(everything(), "all.json");
    expectComesBack(everything(), "all.json.gz");
}

TEST(ChromeExport, OfWhatWasImportedImportsAgainRowEqual)
{
    for (const char* name : {"kineto_2021", "kineto_2024", "kineto_rocm", "chrome"}) {
        SCOPED_TRACE(name);
        const auto trace =
            interchange::importKineto(std::filesystem::path(APERTUNE_GOLDEN_DIR) / (std::string(name) + ".json"));
        ASSERT_TRUE(trace);
        expectComesBack(*trace, "again.json");
    }
}

TEST(ChromeExport, OfRealTracesImportsAgainRowEqual)
{
    if (interchange::test::realTraces().empty())
        GTEST_SKIP() << "APERTUNE_TRACES names no folder with traces";
    for (const auto& file : interchange::test::realTraces()) {
        SCOPED_TRACE(file);
        const auto trace = interchange::importKineto(file);
        ASSERT_TRUE(trace) << sentences::describe(trace.error());
        expectComesBack(*trace, "again.json");
    }
}

TEST(ChromeExport, DrawsAnArrowFromEachLaunchToItsWork)
{
    const auto trace = interchange::importKineto(std::filesystem::path(APERTUNE_GOLDEN_DIR) / "kineto_2021.json");
    ASSERT_TRUE(trace);
    const auto dir = base::TemporaryDir::create("export");
    ASSERT_TRUE(interchange::writeChromeTrace(*trace, dir->path() / "x.json"));
    const auto text = base::readFile(dir->path() / "x.json");
    ASSERT_TRUE(text);
    const auto holds = [&text](const char* part) { return text->find(part) != std::string::npos; };
    EXPECT_TRUE(holds(R"({"ph":"s","id":34,"pid":100,"tid":101,"ts":134,"cat":"ac2g","name":"ac2g"})"));
    EXPECT_TRUE(holds(R"({"ph":"f","id":34,"pid":0,"tid":7,"ts":284,"cat":"ac2g","name":"ac2g","bp":"e"})"));
    EXPECT_TRUE(holds(R"("id":35,)"));
    EXPECT_FALSE(holds(R"("id":36,)")) << "no call launched it";
    EXPECT_TRUE(holds(R"("baseTimeNanoseconds":1623142623460016000)"));
}

TEST(ChromeExport, WritesTheTotalsOfTheAllocatorWhereOtherToolsReadThem)
{
    const auto trace = interchange::test::importText(
        R"({"traceEvents": [{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, )"
        R"("ts": 5, "args": {"Device Type": 1, "Device Id": 0, "Addr": 7, "Bytes": 64, "Total Allocated": 4160, )"
        R"("Total Reserved": 8192}}]})");
    ASSERT_TRUE(trace) << sentences::describe(trace.error());
    const auto dir = base::TemporaryDir::create("export");
    ASSERT_TRUE(interchange::writeChromeTrace(*trace, dir->path() / "x.json"));
    const auto text = base::readFile(dir->path() / "x.json");
    ASSERT_TRUE(text);
    EXPECT_NE(text->find(R"("Total Allocated":4160,"Total Reserved":8192)"), std::string::npos) << *text;
    expectComesBack(*trace, "again.json");
}

TEST(ChromeExport, LeavesNothingBehindWhenItIsStoppedOrCannotWrite)
{
    interchange::test::expectNothingLeftBehind(interchange::writeChromeTrace);
    if (std::filesystem::exists("/dev/full")) {
        // A full disk: the temporary file cannot be made there, so this fails before anything is written.
        EXPECT_FALSE(interchange::writeChromeTrace(trace::Trace(), "/dev/full/x.json"));
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "tests/core/interchange/trace_text.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <map>

using namespace apertune;
using namespace apertune::trace;
using interchange::test::importText;
using interchange::test::traceText;

namespace {

/// NAME.json in, NAME.txt out.
void expectGolden(const std::string& name)
{
    const auto trace = interchange::importKineto(std::filesystem::path(APERTUNE_GOLDEN_DIR) / (name + ".json"));
    ASSERT_TRUE(trace) << sentences::describe(trace.error());
    apertune::test::expectGolden(name + ".txt", traceText(*trace));
}

std::string kernels(int n)
{
    std::string text = R"({"traceEvents":[)";
    for (int i = 0; i < n; ++i)
        text +=
            std::string(i ? ",\n" : "\n") + R"({"ph":"X","cat":"kernel","name":"k)" + std::to_string(i % 7) +
            R"(","pid":0,"tid":7,"ts":)" + std::to_string(i * 10) +
            R"(.5,"dur":3,"args":{"list":[{"a":1},{"b":"},{\""}],"device":0,"context":1,"stream":7,"correlation":)" +
            std::to_string(i + 1) + "}}";
    return text + "\n]}";
}

} // namespace

TEST(KinetoImport, ReadsTheSpellingsOfTheFirstVersions)
{
    expectGolden("kineto_2021");
}

TEST(KinetoImport, ReadsTheSpellingsOfLaterVersionsWithFractionsOfMicroseconds)
{
    expectGolden("kineto_2024");
}

TEST(KinetoImport, TakesFromTheCallWhatRocmDoesNotSayOfTheWork)
{
    expectGolden("kineto_rocm");
}

TEST(KinetoImport, ReadsTracesOfOtherToolsAndCountsWhatItCannotKeep)
{
    expectGolden("chrome");
}

TEST(KinetoImport, GivesTheSameTraceHoweverTheTextIsCutIntoBlocks)
{
    const std::string json = kernels(200);
    const auto whole = importText(json, {.threads = 1});
    ASSERT_TRUE(whole) << sentences::describe(whole.error());
    ASSERT_EQ(whole->eventCount(), 200u);
    // Small blocks put cuts into the list inside the arguments, and into the text that looks like a border of events.
    for (const std::size_t blockSize : {17u, 40u, 64u, 100u, 333u, 1000u, 4096u})
        for (const int threads : {1, 2, 5}) {
            const auto parts = importText(json, {.threads = threads, .blockSize = blockSize});
            ASSERT_TRUE(parts) << blockSize << " " << sentences::describe(parts.error());
            EXPECT_EQ(traceText(*parts), traceText(*whole)) << blockSize;
        }
}

TEST(KinetoImport, UnpacksGzipAndZstdInOneOrManyPieces)
{
    const std::string json = kernels(50);
    const auto plain = importText(json);
    for (const auto pack : {interchange::test::packed, interchange::test::packedZstd})
        for (const std::string& bytes : {pack(json), pack(json.substr(0, 700)) + pack(json.substr(700))}) {
            const auto unpacked = importText(bytes);
            ASSERT_TRUE(unpacked) << sentences::describe(unpacked.error());
            EXPECT_EQ(traceText(*unpacked), traceText(*plain));
        }
}

TEST(KinetoImport, SkipsFramesOfOtherDataBeforeTheText)
{
    const std::string json = kernels(5);
    const std::string skipped("\x5a\x2a\x4d\x18\x03\0\0\0abc", 11);
    const auto trace = importText(skipped + interchange::test::packedZstd(json));
    ASSERT_TRUE(trace) << sentences::describe(trace.error());
    EXPECT_EQ(trace->eventCount(), 5u);
}

TEST(KinetoImport, TakesExternalIdsThatOnlyRepeatTheCorrelationForNoLinks)
{
    std::string json =
        R"([{"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":0,"dur":9,"args":{"External id":3}})";
    for (int i = 1; i <= 5; ++i) {
        const std::string id = std::to_string(i);
        json += R"(,{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":)" + id +
                R"(,"dur":1,"args":{"External id":)" + id + R"(,"correlation":)" + id + "}}";
    }
    const auto trace = importText(json + "]");
    ASSERT_TRUE(trace);
    ASSERT_EQ(trace->series.size(), 2u);
    EXPECT_EQ(trace->series[0].kind, trace::EventKind::runtimeCall);
    EXPECT_TRUE(trace->series[0].events.link.empty());
    EXPECT_EQ(trace->series[1].events.at(0).link, 3u);
    // One that differs shows that the recorder means links.
    const auto linked =
        importText(json + R"(,{"ph":"X","cat":"cuda_runtime","name":"cudaFree","pid":1,"tid":1,"ts":7,"dur":1,)"
                          R"("args":{"External id":3,"correlation":6}}])");
    ASSERT_TRUE(linked);
    EXPECT_EQ(linked->series[0].events.at(0).link, 1u);
}

TEST(KinetoImport, JoinsByIdsOfMoreThan32Bits)
{
    const auto trace = importText(
        R"([{"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":0,"dur":9,"args":{"External id":8589934595}},)"
        R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1,"dur":1,)"
        R"("args":{"External id":8589934595,"correlation":4294967301}},)"
        R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":2,"dur":1,"args":{"correlation":4294967301}},)"
        R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":4,"dur":1,"args":{"correlation":5}}])");
    ASSERT_TRUE(trace);
    ASSERT_EQ(trace->series.size(), 3u);
    const trace::EventColumns& call = trace->series[0].events;
    const trace::EventColumns& op = trace->series[1].events;
    const trace::EventColumns& kernels = trace->series[2].events;
    EXPECT_NE(call.correlation[0], 0u);
    EXPECT_EQ(kernels.correlation[0], call.correlation[0]);
    EXPECT_EQ(kernels.correlation[1], 5u) << "the lowest bits of the other one";
    EXPECT_NE(call.link[0], 0u);
    EXPECT_EQ(op.link[0], call.link[0]);
    for (const trace::Loss& loss : trace->losses)
        EXPECT_EQ(sentences::sentence(loss.reason).find("32 bits"), std::string::npos);
    // A number that was given away and is also an id is said to be doubtful.
    const auto shared = importText(
        R"([{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":2,"dur":1,"args":{"correlation":4294967301}},)"
        R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":4,"dur":1,"args":{"correlation":4294967295}}])");
    ASSERT_TRUE(shared);
    EXPECT_NE(traceText(*shared).find("may be linked wrongly"), std::string::npos);
}

TEST(KinetoImport, TellsCountersOfSeveralProcessesApart)
{
    const auto trace = importText(R"([{"ph":"C","name":"load","pid":1,"ts":1,"args":{"v":10}},)"
                                  R"({"ph":"C","name":"load","pid":2,"ts":2,"args":{"v":20}},)"
                                  R"({"ph":"C","name":"load","pid":"make","ts":3,"args":{"v":30}},)"
                                  R"({"ph":"C","name":"alone","pid":2,"ts":3,"args":{"v":40}},)"
                                  R"({"ph":"M","name":"process_name","pid":2,"args":{"name":"python3"}}])");
    ASSERT_TRUE(trace);
    std::map<std::string, std::int64_t> values;
    for (const trace::Series& series : trace->series) {
        EXPECT_EQ(series.events.size(), 1u);
        values[trace->track(series).label] = series.events.value[0];
    }
    const std::map<std::string, std::int64_t> expected = {
        {"alone", 40}, {"load (process 1)", 10}, {"load (python3 2)", 20}, {"load (process make)", 30}};
    EXPECT_EQ(values, expected);
}

TEST(KinetoImport, SaysThatFurtherListsOfEventsWereNotRead)
{
    const std::string event = R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":2,"dur":1})";
    const auto twice = importText(R"({"traceEvents":[)" + event + R"(],"a":1,"traceEvents":[)" + event + "]}");
    ASSERT_TRUE(twice);
    EXPECT_EQ(twice->eventCount(), 1u);
    EXPECT_NE(traceText(*twice).find("more than one list of events"), std::string::npos);
    const auto once = importText(R"({"traceEvents":[)" + event + R"(],"a":1})");
    ASSERT_TRUE(once);
    EXPECT_EQ(traceText(*once).find("more than one list of events"), std::string::npos);
}

TEST(KinetoImport, ReportsProgressUpToTheWholeFileAndStopsWhenAsked)
{
    std::vector<trace::ImportProgress> seen;
    const std::string json = kernels(10);
    ASSERT_TRUE(importText(json, {.progress = [&seen](const trace::ImportProgress& p) { seen.push_back(p); }}));
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(seen.back().bytesRead, static_cast<std::int64_t>(json.size()));
    EXPECT_EQ(seen.back().bytesTotal, static_cast<std::int64_t>(json.size()));
    EXPECT_EQ(seen.back().events, 10u);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = importText(json, {.cancel = stop.get_token()});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, base::ErrorCode::cancelled);
}

TEST(KinetoImport, ReadsWhatRecordersPrintAroundTheEventsThoughItIsNoJson)
{
    const std::string event = R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1})";
    const std::string facts = R"("loss": nan, "rates": [-Infinity, 1e-3, -nan(ind), null, true],)"
                              R"("deviceProperties": [{"id": 0, "name": "Tesla \"V\u0031\", \d", "numSms": 80}])";
    const std::string path = R"("traceName": "C:\Users\me\run{.json")";
    for (const std::string& json : {"{" + facts + ",\n" + path + R"(,"traceEvents":[)" + event + "]}",
                                    R"({"traceEvents":[)" + event + "]," + path + "," + facts + "}"}) {
        const auto trace = importText(json);
        ASSERT_TRUE(trace) << sentences::describe(trace.error());
        EXPECT_TRUE(trace->losses.empty()) << sentences::sentence(trace->losses.front().reason);
        ASSERT_EQ(trace->devices.size(), 1u);
        EXPECT_EQ(trace->devices[0].name, "Tesla \"V1\", \\d");
        EXPECT_EQ(trace->devices[0].multiprocessors, 80);
    }
    const auto damaged = importText(R"({"schemaVersion": 1,, "traceEvents":[)" + event + "]}");
    ASSERT_TRUE(damaged) << sentences::describe(damaged.error());
    EXPECT_EQ(damaged->eventCount(), 1u) << "the events are whole";
    ASSERT_EQ(damaged->losses.size(), 1u);
    EXPECT_NE(sentences::sentence(damaged->losses[0].reason).find("devices"), std::string::npos);
    EXPECT_FALSE(importText(R"({"apertune": {,}, "traceEvents":[)" + event + "]}")) << "which tells what its ids are";
}

TEST(KinetoImport, AnEndWithoutArgumentsEndsWhatBeganOnItsStream)
{
    const auto trace = importText(
        R"([{"ph":"B","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"args":{"device":0,"context":1,"stream":7}},)"
        R"({"ph":"E","cat":"kernel","name":"k","pid":0,"tid":7,"ts":4},{}])");
    ASSERT_TRUE(trace) << sentences::describe(trace.error());
    EXPECT_TRUE(trace->losses.empty()) << sentences::sentence(trace->losses.front().reason);
    ASSERT_EQ(trace->series.size(), 1u);
    EXPECT_EQ(trace->series[0].events.duration[0], 3000);
    EXPECT_EQ(trace->track(trace->series[0]).context, 1);
}

TEST(KinetoImport, JoinsSpansByTheIdsOfNewerTracesOfChrome)
{
    const auto trace = importText(R"([{"ph":"b","cat":"net","id2":{"local":"0x1"},"name":"a","pid":1,"tid":1,"ts":1},)"
                                  R"({"ph":"b","cat":"net","id2":{"local":"0x2"},"name":"b","pid":1,"tid":1,"ts":2},)"
                                  R"({"ph":"e","cat":"net","id2":{"local":"0x1"},"name":"a","pid":1,"tid":1,"ts":3},)"
                                  R"({"ph":"e","cat":"net","id2":{"local":"0x2"},"name":"b","pid":1,"tid":1,"ts":9}])");
    ASSERT_TRUE(trace) << sentences::describe(trace.error());
    ASSERT_EQ(trace->series.size(), 1u);
    const trace::EventColumns& spans = trace->series[0].events;
    ASSERT_EQ(spans.size(), 2u);
    EXPECT_EQ(trace->nameOf(trace->series[0], 0), "a");
    EXPECT_EQ(spans.duration[0], 2000);
    EXPECT_EQ(spans.duration[1], 7000);
}

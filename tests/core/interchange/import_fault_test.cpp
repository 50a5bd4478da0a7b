// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/interchange/chrome/chrome_export.h"
#include "core/interchange/files/byte_source.h"
#include "core/sentences/sentences.h"
#include "tests/core/interchange/trace_text.h"
#include "tests/core/trace/support/hostile_input.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

using namespace apertune;
using namespace apertune::trace;
using interchange::test::importText;
using interchange::test::packed;
using interchange::test::packedZstd;
using interchange::test::realTraces;
using trace::test::expectNoHarm;
using trace::test::expectSentence;

namespace {

/// A trace with every kind of member, event and argument that the importer looks at.
std::string sampleTrace()
{
    std::string text;
    for (const char* name : {"kineto_2021", "kineto_2024", "kineto_rocm"}) {
        auto json = base::readFile(std::filesystem::path(APERTUNE_GOLDEN_DIR) / (std::string(name) + ".json"));
        EXPECT_TRUE(json);
        if (text.empty()) {
            text = *json;
            continue;
        }
        const std::size_t from = json->find('[', json->find("traceEvents")) + 1;
        const std::size_t to = json->rfind('}', json->rfind(']')) + 1;
        text.insert(text.rfind(']'), "," + json->substr(from, to - from));
    }
    return text;
}

/// Each value of the text in turn becomes one of another type.
void replaceValues(const std::string& json)
{
    const char* const values[] = {"null",
                                  "true",
                                  "-1",
                                  "1e308",
                                  "99999999999999999999999",
                                  "\"text\"",
                                  "[]",
                                  "{}",
                                  "[[[1]]]",
                                  "{\"a\":{\"b\":[]}}",
                                  "0.0000001",
                                  "nan",
                                  "-9223372036854775808"};
    std::size_t which = 0;
    for (std::size_t colon = json.find(": "); colon != std::string::npos; colon = json.find(": ", colon + 1)) {
        const std::size_t end = json.find_first_of(",}", colon);
        if (end == std::string::npos)
            break;
        const std::string changed = json.substr(0, colon + 2) + values[which++ % std::size(values)] + json.substr(end);
        SCOPED_TRACE(changed.substr(colon - 10, 60));
        expectNoHarm(importText(changed, {.threads = 1, .blockSize = 4096}));
        if (testing::Test::HasFailure())
            return;
    }
}

/// A number or text of the JSON becomes something else, or a piece is repeated, moved or left out.
std::string mutated(const std::string& json, std::mt19937& random)
{
    const char* const values[] = {"null",           "-1",  "1e308",     "18446744073709551616",
                                  "\"\\u0000\"",    "[]",  "{\"a\":1}", "-9223372036854775808",
                                  "0.000000000001", "true"};
    std::string text = json;
    const std::size_t piece = 1 + random() % 400;
    const std::size_t from = random() % text.size();
    switch (random() % 4) {
    case 0:
        text.erase(from, piece);
        break;
    case 1:
        text.insert(random() % text.size(), text.substr(from, piece));
        break;
    default: {
        const std::size_t colon = text.find(':', from);
        if (colon == std::string::npos)
            return text;
        const std::size_t begin = text.find_first_not_of(' ', colon + 1);
        const std::size_t end = std::min(text.find_first_of(",}", begin), text.size());
        text.replace(begin, end - begin, values[random() % std::size(values)]);
    }
    }
    return text;
}

std::string oneEvent(const std::string& members)
{
    return R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"good","pid":0,"tid":7,"ts":1,"dur":1},{)" + members +
           "}]}";
}

} // namespace

TEST(KinetoFaults, SizesThatNoMemoryHasAreCountedAndAddedToNothing)
{
    std::string text = R"({"traceEvents":[)";
    for (int i = 0; i < 4; ++i)
        text += (i > 0 ? "," : "") +
                std::string(R"({"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD","pid":0,"tid":7,"dur":5,)") +
                R"("ts":)" + std::to_string(10 * i) + R"(,"args":{"device":0,"stream":7,"bytes":)" +
                (i == 1 ? "4096" : "9223372036854775807") + "}}";
    text += R"(,{"ph":"i","cat":"cpu_instant_event","name":"[memory]","ts":11,"pid":1,"tid":1,"args":{"Bytes":)"
            R"(-9223372036854775808,"Addr":1,"Device Type":0,"Device Id":-1}}]})";
    const auto trace = importText(text, {.threads = 1});
    ASSERT_TRUE(trace) << sentences::describe(trace.error());
    std::int64_t bytes = 0;
    for (const trace::Series& series : trace->series)
        for (const std::int64_t value : series.events.value)
            bytes += value;
    EXPECT_EQ(bytes, 4096);
    ASSERT_EQ(trace->losses.size(), 1u);
    EXPECT_EQ(trace->losses[0].count, 4);
    EXPECT_NE(sentences::sentence(trace->losses[0].reason).find("64 TiB"), std::string::npos)
        << sentences::sentence(trace->losses[0].reason);
}

TEST(HostileTrace, CutAnywhereGivesASentenceAndNoHalfTrace)
{
    const std::string json = sampleTrace();
    ASSERT_TRUE(importText(json));
    const std::size_t whole = json.find_last_not_of(" \n") + 1;
    for (std::size_t size = 0; size < whole; size += size < 600 || size + 200 > whole ? 1 : 7) {
        const auto trace = importText(json.substr(0, size), {.threads = 2, .blockSize = 512});
        ASSERT_FALSE(trace) << "cut after " << size << " bytes";
        expectSentence(trace.error());
        EXPECT_EQ(trace.error().code, base::ErrorCode::corrupt);
    }
}

TEST(HostileTrace, CutGzipOrZstdGivesASentenceAndNoHalfTrace)
{
    for (const std::string& bytes : {packed(sampleTrace()), packedZstd(sampleTrace())})
        for (std::size_t size = 0; size + 1 < bytes.size(); size += 11) {
            const auto trace = importText(bytes.substr(0, size));
            ASSERT_FALSE(trace) << "cut after " << size << " bytes";
            expectSentence(trace.error());
        }
}

TEST(HostileTrace, DamagedGzipOrZstdIsNoticedByItsChecksum)
{
    for (const std::string& bytes : {packed(sampleTrace()), packedZstd(sampleTrace())})
        for (std::size_t at = 10; at < bytes.size(); at += 13) {
            std::string damaged = bytes;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
            const auto trace = importText(damaged);
            ASSERT_FALSE(trace) << "damaged at " << at;
            expectSentence(trace.error());
        }
}

TEST(HostileTrace, AListThatIsNotClosedIsReadWithAWarning)
{
    const std::string event = R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1})";
    for (const char* end : {"", ",", " \n"}) {
        const auto trace = importText("[" + event + "," + event + end);
        ASSERT_TRUE(trace) << sentences::describe(trace.error());
        EXPECT_EQ(trace->eventCount(), 2u);
        ASSERT_EQ(trace->losses.size(), 1u);
        EXPECT_EQ(trace->losses[0].severity, trace::LossSeverity::warning);
    }
    const auto within = importText("[" + event + "," + event.substr(0, 30));
    ASSERT_FALSE(within);
    EXPECT_NE(sentences::sentence(within.error().message).find("middle of an event"), std::string::npos);
}

TEST(HostileTrace, WhatFollowsTheTraceIsNamedWithItsPlaceAndNotCalledACut)
{
    const std::string event = R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1})";
    const std::string object =
        R"({"schemaVersion":1,"traceEvents":[)" + event + "," + event + R"(],"note":"a } in a \"text\""})";
    for (const std::string& whole : {object, "[" + event + "," + event + "]"}) {
        ASSERT_TRUE(importText(whole + " \n"));
        for (const std::string more : {"x", "}", "\n{\"traceEvents\":[]}", ",garbage"}) {
            for (const std::size_t block : {std::size_t{16}, std::size_t{1} << 20}) {
                const auto trace = importText(whole + more, {.threads = 2, .blockSize = block});
                ASSERT_FALSE(trace) << more;
                expectSentence(trace.error());
                const std::string bytes = std::to_string(more.size()) + " more byte";
                EXPECT_NE(sentences::sentence(trace.error().message).find(bytes), std::string::npos)
                    << sentences::sentence(trace.error().message);
                EXPECT_NE(
                    sentences::sentence(trace.error().message).find("after " + std::to_string(whole.size()) + " bytes"),
                    std::string::npos)
                    << sentences::sentence(trace.error().message);
                EXPECT_EQ(sentences::sentence(trace.error().message).find("cut off"), std::string::npos);
            }
        }
    }
}

TEST(HostileTrace, ChangedBytesNeverDoHarm)
{
    // One file is as a recorder writes it, one as Apertune does: the member that marks Apertune's own files is
    // believed.
    const std::string foreign = sampleTrace();
    const auto dir = base::TemporaryDir::create("import");
    ASSERT_TRUE(dir);
    ASSERT_TRUE(interchange::writeChromeTrace(*importText(foreign), dir->path() / "own.json"));
    const std::string own = *base::readFile(dir->path() / "own.json");
    std::mt19937 random(20261121);
    const std::string bytes("\0\"{}[],:\\-.9e \n\xff\xc3u0", 19);
    for (int round = 0; round < 1500; ++round) {
        const std::string& json = round % 3 == 0 ? own : foreign;
        std::string changed = json;
        for (int n = 0; n <= round % 3; ++n) {
            const std::size_t at = random() % changed.size();
            const char c = bytes[random() % bytes.size()];
            switch (random() % 4) {
            case 0:
                changed.erase(at, 1 + random() % 20);
                break;
            case 1:
                changed.insert(at, 1, c);
                break;
            case 2:
                changed.insert(at, changed.substr(random() % changed.size(), random() % 200));
                break;
            default:
                changed[at] = c;
            }
        }
        SCOPED_TRACE(round);
        expectNoHarm(importText(changed, {.threads = 1 + round % 2, .blockSize = std::size_t{64} << (round % 6)}));
        if (testing::Test::HasFailure())
            return;
    }
}

TEST(HostileTrace, ValuesOfWrongTypesNeverDoHarm)
{
    std::string json = sampleTrace();
    json.insert(1, R"("apertune": {"schema": "apertune.chrome/1", "name": "n", "origin_epoch_ns": 1, "offset_ns": 2, )"
                   R"("tracks": [{"pid": 0, "tid": 7, "type": 2, "device": 0, "stream": 7, "label": "x"}], )"
                   R"("losses": [{"time_ns": 1, "kind": "kernel", "count": 1, "severity": 1, "reason": "r"}], )"
                   R"("cost": {"bare_ns": [1, 1, 1, 1], "bare_iterations": 3}},)");
    for (const std::string& text : {json, sampleTrace()}) {
        replaceValues(text);
        if (testing::Test::HasFailure())
            return;
    }
}

TEST(HostileTrace, ChangedRecordingsOfRealProgramsNeverDoHarm)
{
    if (realTraces().empty())
        GTEST_SKIP() << "APERTUNE_TRACES names no folder with traces";
    std::mt19937 random(7);
    for (const auto& file : realTraces()) {
        SCOPED_TRACE(file);
        auto source = interchange::files::ByteSource::open(file);
        ASSERT_TRUE(source);
        std::string head(std::size_t{48} << 10, '\0');
        const auto read = source->read(head.data(), head.size());
        ASSERT_TRUE(read);
        head.resize(*read);
        // The beginning with its list of events closed is a trace of its own, unless no event ends in it.
        if (const std::size_t last = head.rfind("},\n"); last != std::string::npos)
            head.resize(last + 1);
        head += "]}";
        ASSERT_TRUE(importText(head));
        int imported = 0;
        for (int round = 0; round < 150; ++round) {
            SCOPED_TRACE(round);
            std::string changed = mutated(head, random);
            if (round % 2 == 0)
                changed = mutated(changed, random);
            const auto trace = importText(changed, {.threads = 1, .blockSize = std::size_t{1} << (10 + round % 6)});
            imported += trace.ok();
            expectNoHarm(trace);
            if (testing::Test::HasFailure())
                return;
        }
        EXPECT_GT(imported, 10) << "most changes leave a trace";
        // Packed bytes too: what is damaged there is found by the checksum, before or after it hurts.
        std::string bytes = *base::readFile(file);
        bytes.resize(std::min(bytes.size(), std::size_t{64} << 10));
        for (int round = 0; round < 20; ++round) {
            bytes[random() % bytes.size()] = static_cast<char>(random());
            const auto trace = importText(bytes);
            expectNoHarm(trace);
        }
    }
}

TEST(HostileTrace, ASingleBadEventIsCountedAndTheRestKept)
{
    struct Case
    {
        const char* members;
        const char* reason;
    };
    for (const Case& c : {
             Case{R"("name":"x","ts":1)", "are not events"},
             Case{R"("ph":7,"ts":1)", "are not events"},
             Case{R"("ph":"X" "ts":1)", "are not events"},
             Case{R"("ph":"X","name":"x","dur":1)", "usable time"},
             Case{R"("ph":"X","name":"x","ts":"soon","dur":1)", "usable time"},
             Case{R"("ph":"X","name":"x","ts":1e40,"dur":1)", "usable time"},
             Case{R"("ph":"X","name":"x","ts":1,"dur":{}})", "usable time"},
             Case{R"("ph":"X","name":"x","ts":1,"dur":-3)", "negative duration"},
             Case{R"("ph":"E","name":"x","ts":1)", "never began"},
             Case{R"("ph":"Z","name":"x","ts":1)", "left out"},
         }) {
        std::string json = oneEvent(c.members);
        if (std::string_view(c.members).ends_with("}}"))
            json.erase(json.size() - 3, 1);
        const auto trace = importText(json);
        ASSERT_TRUE(trace) << c.members << ": " << sentences::describe(trace.error());
        EXPECT_EQ(trace->eventCount(), 1u) << c.members;
        ASSERT_EQ(trace->losses.size(), 1u) << c.members;
        EXPECT_EQ(trace->losses[0].count, 1);
        EXPECT_NE(sentences::sentence(trace->losses[0].reason).find(c.reason), std::string::npos)
            << sentences::sentence(trace->losses[0].reason);
    }
}

TEST(HostileTrace, IdsThatDoNotFitAreRenumberedAndRepeatedOnesKept)
{
    const auto trace = importText(
        R"([{"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":1,"dur":1,"args":{"correlation":4294967296}},)"
        R"({"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"ts":2,"dur":1,"args":{"correlation":5,"correlation":6}},)"
        R"({"ph":"X","cat":"kernel","name":"c","pid":0,"tid":7,"ts":3,"dur":1,"args":{"correlation":6}},)"
        R"({"ph":"X","cat":"kernel","name":"d","pid":0,"tid":7,"ts":4,"dur":1,"args":{"correlation":-1}}])");
    ASSERT_TRUE(trace);
    ASSERT_EQ(trace->series.size(), 1u);
    EXPECT_EQ(trace->series[0].events.correlation, (std::vector<std::uint32_t>{0xffffffff, 6, 6, 0}));
    EXPECT_TRUE(trace->losses.empty());
}

TEST(HostileTrace, DepthNeverMatters)
{
    const std::string deep(1'000'000, '[');
    const std::string shut(1'000'000, ']');
    const auto within =
        importText(oneEvent(R"("ph":"X","name":"deep","ts":1,"dur":1,"args":{"a":)" + deep + shut + "}"));
    ASSERT_TRUE(within) << sentences::describe(within.error());
    EXPECT_EQ(within->eventCount(), 2u);
    for (const std::string& json :
         {"{\"a\":" + deep + shut + ",\"traceEvents\":[]}", oneEvent("\"args\":" + deep), deep, deep + shut,
          "{\"traceEvents\":[" + deep + shut + "]}", std::string(1'000'000, '{')}) {
        const auto trace = importText(json);
        ASSERT_FALSE(trace);
        expectSentence(trace.error());
    }
    const std::string event = oneEvent(R"("ph":"X","name":"x","ts":1,"dur":1)");
    expectNoHarm(importText(event.substr(0, event.size() - 1) + ",\"a\":" + deep + shut + "}"));
}

TEST(HostileTrace, HugeTextsAreCutAndEventsWithoutEndRefused)
{
    const auto cut = importText(oneEvent(R"("ph":"X","ts":1,"dur":1,"name":")" + std::string(3'000'000, 'x') + "\""));
    ASSERT_TRUE(cut) << sentences::describe(cut.error());
    ASSERT_EQ(cut->losses.size(), 1u);
    EXPECT_NE(sentences::sentence(cut->losses[0].reason).find("64 KiB"), std::string::npos);
    std::string name;
    name.resize(70'000'000, 'x');
    const auto endless = importText(oneEvent(R"("ph":"X","ts":1,"dur":1,"name":")" + name));
    ASSERT_FALSE(endless);
    EXPECT_NE(sentences::sentence(endless.error().message).find("64 MiB"), std::string::npos)
        << sentences::sentence(endless.error().message);
    expectSentence(endless.error());
    std::string space = "{";
    space.resize(70'000'000, ' ');
    const auto blank = importText(space);
    ASSERT_FALSE(blank);
    expectSentence(blank.error());
}

TEST(HostileTrace, NulBytesAndBytesThatAreNoTextAreReplacedAndCounted)
{
    const std::string json = oneEvent(std::string(R"("ph":"X","ts":1,"dur":1,"name":"a)") + '\0' + "b\xff" + R"(c")");
    const auto trace = importText(json);
    ASSERT_TRUE(trace) << sentences::describe(trace.error());
    EXPECT_EQ(trace->eventCount(), 2u);
    ASSERT_EQ(trace->losses.size(), 1u);
    EXPECT_EQ(trace->losses[0].count, 2);
    EXPECT_EQ(trace->losses[0].severity, trace::LossSeverity::notice);
}

TEST(HostileTrace, WhatIsNoTraceIsNamedAndSaysWhatToDo)
{
    struct Case
    {
        std::string bytes;
        const char* hint;
    };
    for (const Case& c :
         {Case{"", "record it again"}, Case{"hello", "torch.profiler"}, Case{"{}", "torch.profiler"},
          Case{"[]", "torch.profiler"}, Case{"null", "torch.profiler"}, Case{" \n ", "torch.profiler"},
          Case{"[1,2,3]", "torch.profiler"}, Case{R"({"traceEvents":7})", "torch.profiler"},
          Case{R"({"traceEvents":[]})", "torch.profiler"}, Case{"\x89PNG\r\n", "torch.profiler"},
          Case{R"({"a":"traceEvents","b":{"traceEvents":[{}]}})", "torch.profiler"}, Case{"SQLite format 3", "Nsight"},
          Case{"PK\x03\x04zip", "unpack"}, Case{"\xff\xfe[", "UTF-8"}, Case{"BZh9zip", "unpack"},
          Case{"\x28\xb5\x2f\xfdzstd", "download"}, Case{packed("hello"), "torch.profiler"},
          Case{packed(""), "torch.profiler"}}) {
        const auto trace = importText(c.bytes);
        ASSERT_FALSE(trace) << c.bytes;
        expectSentence(trace.error());
        EXPECT_NE(sentences::sentence(trace.error().hint).find(c.hint), std::string::npos)
            << c.bytes << " | " << sentences::sentence(trace.error().hint);
    }
}

TEST(HostileTrace, FilesThatAreNoneAreRefused)
{
    const auto dir = base::TemporaryDir::create("import");
    ASSERT_TRUE(dir);
    const auto missing = interchange::importKineto(dir->path() / "none.json");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, base::ErrorCode::notFound);
    const auto folder = interchange::importKineto(dir->path());
    ASSERT_FALSE(folder);
    EXPECT_EQ(folder.error().code, base::ErrorCode::invalidArgument);
    EXPECT_NE(folder.error().context.find(dir->path().string()), std::string::npos);
    ASSERT_FALSE(interchange::importKineto("/dev/zero"));
}

TEST(HostileTrace, ExportsOfNewerVersionsAreRefused)
{
    const auto trace = importText(R"({"apertune":{"schema":"apertune.chrome/9"},"traceEvents":[{}]})");
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().code, base::ErrorCode::unsupported);
    expectSentence(trace.error());
}

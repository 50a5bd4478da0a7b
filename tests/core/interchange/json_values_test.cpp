// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/event_writer.h"
#include "core/interchange/chrome/json_values.h"
#include "core/interchange/chrome/token_index.h"
#include "core/interchange/chrome/vocabulary.h"
#include "core/sentences/sentences.h"
#include "core/trace/counter_unit.h"
#include "tests/core/interchange/trace_text.h"

#include <gtest/gtest.h>

using namespace apertune::trace;
using namespace apertune::interchange::chrome;

TEST(Import, KeepsWhatTheAllocatorHasInAll)
{
    std::string json = R"({"traceEvents": [)";
    const auto event = [&json](int at, int bytes, int allocated, int reserved, int device = 0) {
        json += (json.back() == '[' ? "" : ",") +
                std::string(R"({"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, )") +
                R"("tid": 1, "ts": )" + std::to_string(at) + R"(, "args": {"Device Type": 1, "Device Id": )" +
                std::to_string(device) + R"(, "Addr": )" + std::to_string(at) + R"(, "Bytes": )" +
                std::to_string(bytes) + R"(, "Total Allocated": )" + std::to_string(allocated) +
                R"(, "Total Reserved": )" + std::to_string(reserved) + "}}";
    };
    event(10, 100, 5100, 9000);
    event(20, 50, 5150, 9000);
    event(30, -50, 5100, 12000);
    event(40, -100, 0, 0, 1); // frees a block from before the recording
    event(50, 30, 30, 0, 1);
    const auto trace = apertune::interchange::test::importText(json + "]}");
    ASSERT_TRUE(trace) << apertune::sentences::describe(trace.error());
    const auto samples = [&trace](std::string_view label, std::int64_t device = 0) {
        std::vector<std::int64_t> values;
        for (const apertune::trace::Series& series : trace->series)
            if (const apertune::trace::Track& track = trace->track(series);
                series.kind == apertune::trace::EventKind::counter && track.label == label && track.device == device) {
                EXPECT_EQ(track.unit, "B");
                for (std::size_t i = 0; i < series.events.size(); ++i)
                    values.push_back(apertune::trace::valueAt(series.events.value, i));
            }
        return values;
    };
    EXPECT_EQ(samples(apertune::trace::kAllocatedMemory), (std::vector<std::int64_t>{5100, 5150, 5100}));
    EXPECT_EQ(samples(apertune::trace::kReservedMemory), (std::vector<std::int64_t>{9000, 12000}))
        << "only what changes is kept";
    EXPECT_EQ(samples(apertune::trace::kAllocatedMemory, 1), (std::vector<std::int64_t>{0, 30}));
    EXPECT_EQ(samples(apertune::trace::kReservedMemory, 1), (std::vector<std::int64_t>{0}));
}

TEST(Import, KeepsThreadsApartWhoseNumbersHave64Bits)
{
    std::string json = R"({"traceEvents": [)";
    const auto event = [&json](const std::string& process, const std::string& thread) {
        json += (json.back() == '[' ? "" : ",") +
                std::string(R"({"ph": "X", "cat": "cpu_op", "name": "o", "ts": 1, )") + R"("dur": 2, "pid": )" +
                process + R"(, "tid": )" + thread + "}";
    };
    event("18446744073709551615", "9007199254740993");
    event("18446744073709551615", "9007199254740992");
    event("3", "18446744073709551615");
    event("3", "18446744073709551614");
    event("3", "140737353914112");
    event("3", "-140737353914112");
    const auto trace = apertune::interchange::test::importText(json + "]}");
    ASSERT_TRUE(trace) << apertune::sentences::describe(trace.error());
    EXPECT_EQ(trace->tracks.size(), 6u);
    std::vector<std::string> labels;
    for (const Track& track : trace->tracks) {
        EXPECT_EQ(track.type, TrackType::hostThread) << track.label;
        labels.push_back(track.label);
    }
    for (const char* const number : {"18446744073709551615", "18446744073709551614"})
        EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [number](const std::string& label) {
            return label.find(number) != std::string::npos;
        })) << number;
}

TEST(Import, CountsTheArrowsToBackwardOperators)
{
    std::string json =
        R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "o", "pid": 1, "tid": 1, "ts": 1, "dur": 2})";
    for (const char* const phase : {"s", "f"})
        json += std::string(R"(,{"ph": ")") + phase +
                R"(", "id": 1, "pid": 1, "tid": 1, "ts": 1, "cat": "fwdbwd", "name": "fwdbwd"})";
    const auto trace = apertune::interchange::test::importText(json + "]}");
    ASSERT_TRUE(trace) << apertune::sentences::describe(trace.error());
    ASSERT_EQ(trace->losses.size(), 1u);
    EXPECT_EQ(trace->losses.front().count, 1);
    EXPECT_NE(apertune::sentences::sentence(trace->losses.front().reason).find("arrows to backward operators (1)"),
              std::string::npos);
}

TEST(Import, JoinsTheTwoNumbersOfTheOnlyDevice)
{
    const auto devicesOf = [](int kernels, int second, int memory, int described) {
        const auto kernel = [](int device) {
            return R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 2, "tid": 0, "ts": 3, "dur": 10, "args": )"
                   R"({"stream": 0, "device": )" +
                   std::to_string(device) + "}},";
        };
        const auto trace = apertune::interchange::test::importText(
            R"({"deviceProperties": [{"id": )" + std::to_string(described) + R"(, "name": "MI300X"}], )" +
            R"("traceEvents": [)" + kernel(kernels) + kernel(second) +
            R"({"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5, )" +
            R"("args": {"Device Type": 6, "Addr": 7, "Bytes": 64, "Total Allocated": 64, "Device Id": )" +
            std::to_string(memory) + "}}]}");
        EXPECT_TRUE(trace);
        std::vector<std::int64_t> devices{trace->devices.at(0).id};
        for (const MemoryDetail& detail : trace->details.memory)
            if (detail.device >= 0)
                devices.push_back(detail.device);
        for (const Track& track : trace->tracks)
            if (track.type == TrackType::counter)
                devices.push_back(track.device);
        devices.push_back(static_cast<std::int64_t>(trace->losses.size()));
        return devices;
    };
    // The devices of the properties, the memory and the counter, then the number of losses.
    using Numbers = std::vector<std::int64_t>;
    EXPECT_EQ(devicesOf(2, 2, 0, 0), (Numbers{2, 2, 2, 1}));
    EXPECT_EQ(devicesOf(2, 2, 2, 0), (Numbers{2, 2, 2, 0}));
    EXPECT_EQ(devicesOf(0, 0, 0, 0), (Numbers{0, 0, 0, 0}));
    EXPECT_EQ(devicesOf(2, 3, 0, 0), (Numbers{0, 0, 0, 0})) << "two devices worked: nobody knows which it is";
}

TEST(Import, KnowsTheDeviceWorkOfOtherAccelerators)
{
    const std::string json = R"({"traceEvents": [
        {"ph": "X", "cat": "mtia_runtime", "name": "runFunction", "pid": 7, "tid": 7, "ts": 1, "dur": 2,
         "args": {"correlation": 5}},
        {"ph": "X", "cat": "mtia_ccp_events", "name": "fc-dtype_Float", "pid": 9, "tid": 4, "ts": 3, "dur": 10,
         "args": {"correlation": 5, "stream": 1}},
        {"ph": "X", "cat": "mtia_ccp_events", "name": "dma_request", "pid": 9, "tid": 4, "ts": 14, "dur": 1,
         "args": {"stream": 1, "direction": "DEVICE_TO_HOST", "size": 1024}},
        {"ph": "X", "cat": "mtia_ccp_events", "name": "event_wait", "pid": 9, "tid": 4, "ts": 16, "dur": 1,
         "args": {"stream": 1}},
        {"ph": "X", "cat": "hpu_op", "name": "launch", "pid": 7, "tid": 7, "ts": 20, "dur": 1}]})";
    const auto trace = apertune::interchange::test::importText(json);
    ASSERT_TRUE(trace) << apertune::sentences::describe(trace.error());
    std::vector<apertune::trace::EventKind> onDevice;
    std::vector<apertune::trace::EventKind> onHost;
    for (const apertune::trace::Series& series : trace->series) {
        const apertune::trace::Track& track = trace->track(series);
        (track.type == apertune::trace::TrackType::stream ? onDevice : onHost).push_back(series.kind);
        if (track.type == apertune::trace::TrackType::stream) {
            EXPECT_EQ(track.device, 9);
            EXPECT_EQ(track.stream, 1);
        }
        if (series.kind == apertune::trace::EventKind::copy) {
            EXPECT_EQ(series.events.value, (std::vector<std::int64_t>{1024}));
        }
    }
    EXPECT_EQ(onDevice, (std::vector{apertune::trace::EventKind::kernel, apertune::trace::EventKind::copy,
                                     apertune::trace::EventKind::synchronization}));
    EXPECT_EQ(onHost, (std::vector{apertune::trace::EventKind::runtimeCall}));
}

TEST(Import, KeepsStridesAndWhatACollectiveMovesAndCountsTheOtherArguments)
{
    const std::string json = R"({"traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 7, "tid": 7, "ts": 1, "dur": 9,
         "args": {"External id": 3, "Process Group Ranks": "[0, 1]", "Collective name": "allreduce", "Ev Idx": 1,
                  "Group size": 2, "dtype": "Float", "In msg nelems": 2049000, "Process Group Name": "0",
                  "Input Dims": [[4, 8], []], "Input Strides": [[8, 1], []], "Concrete Inputs": ["", "1"]}},
        {"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 7, "tid": 7, "ts": 20, "dur": 2,
         "args": {"Ev Idx": 2, "dtype": "Float"}},
        {"ph": "C", "name": "memory", "pid": 7, "ts": 21, "args": {"used": 5}},
        {"ph": "s", "cat": "ac2g", "id": 3, "pid": 7, "tid": 7, "ts": 22, "args": {"Flow": 1}}]})";
    const auto trace = apertune::interchange::test::importText(json);
    ASSERT_TRUE(trace) << apertune::sentences::describe(trace.error());
    ASSERT_EQ(trace->details.operators.size(), 2u);
    const apertune::trace::OperatorDetail& detail = trace->details.operators[1];
    EXPECT_EQ(trace->text(detail.inputStrides), "[[8, 1], []]");
    EXPECT_EQ(trace->text(detail.collective),
              R"({"Collective name":"allreduce","dtype":"Float","In msg nelems":2049000,"Process Group Name":"0",)"
              R"("Group size":2,"Process Group Ranks":"[0, 1]"})");
    ASSERT_EQ(trace->losses.size(), 1u) << "arguments of counters are samples, and arrows are not kept as a whole";
    EXPECT_EQ(trace->losses[0].severity, LossSeverity::notice);
    EXPECT_EQ(trace->losses[0].count, 3);
    EXPECT_NE(apertune::sentences::sentence(trace->losses[0].reason).find("Ev Idx (2), Concrete Inputs (1)"),
              std::string::npos)
        << apertune::sentences::sentence(trace->losses[0].reason);
}

TEST(Import, CountsArgumentsOfEndlesslyManyNamesTogether)
{
    std::string json = R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, )"
                       R"("dur": 1, "args": {)";
    for (int i = 0; i < 1000; ++i)
        json += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": 0";
    const auto trace = apertune::interchange::test::importText(json + "}}]}");
    ASSERT_TRUE(trace) << apertune::sentences::describe(trace.error());
    ASSERT_EQ(trace->losses.size(), 1u);
    EXPECT_EQ(trace->losses[0].count, 1000);
    EXPECT_NE(apertune::sentences::sentence(trace->losses[0].reason).find("… (936)"), std::string::npos);
}

TEST(Import, TakesTheProfileThatOnnxRuntimeWrites)
{
    const std::string json = R"([
        {"cat": "Session", "pid": 7, "tid": 7, "dur": 90, "ts": 10, "ph": "X", "name": "model_run", "args": {}},
        {"cat": "Node", "pid": 7, "tid": 7, "dur": 0, "ts": 11, "ph": "X", "name": "stem/conv_fence_before",
         "args": {"op_name": "Conv"}},
        {"cat": "Node", "pid": 7, "tid": 7, "dur": 60, "ts": 12, "ph": "X", "name": "stem/conv_kernel_time",
         "args": {"op_name": "Conv", "provider": "CPUExecutionProvider", "node_index": "0",
                  "input_type_shape": [{"float": [1, 3, 8, 8]}, {"float": [4, 3, 1, 1]}, {"int64": []}]}}])";
    const auto trace = apertune::interchange::test::importText(json);
    ASSERT_TRUE(trace) << apertune::sentences::describe(trace.error());
    EXPECT_EQ(trace->source, "chrome");
    ASSERT_EQ(trace->series.size(), 2u);
    const apertune::trace::EventColumns& nodes = trace->series[0].events;
    ASSERT_EQ(trace->series[0].kind, apertune::trace::EventKind::operatorCall);
    ASSERT_EQ(nodes.size(), 1u);
    EXPECT_EQ(trace->strings[nodes.name[0]], "Conv");
    EXPECT_EQ(nodes.duration[0], 60'000);
    const apertune::trace::OperatorDetail& detail = trace->details.operators[apertune::trace::valueAt(nodes.detail, 0)];
    EXPECT_EQ(trace->strings[detail.inputShapes.value], "[[1, 3, 8, 8], [4, 3, 1, 1], []]");
    EXPECT_EQ(trace->strings[detail.module.value], "stem/conv");
    EXPECT_EQ(trace->series[1].kind, apertune::trace::EventKind::range);
    EXPECT_EQ(trace->series[1].events.size(), 2u);
}

TEST(Microseconds, AreReadToTheNanosecondWithoutRoundingThroughADouble)
{
    EXPECT_EQ(parseMicroseconds("4203669604595.407"), 4203669604595407);
    EXPECT_EQ(parseMicroseconds("1695835542514261"), 1695835542514261000);
    EXPECT_EQ(parseMicroseconds("1695835542514261.999"), 1695835542514261999);
    EXPECT_EQ(parseMicroseconds("0.5"), 500);
    EXPECT_EQ(parseMicroseconds("0.05"), 50);
    EXPECT_EQ(parseMicroseconds("-3.25"), -3250);
    EXPECT_EQ(parseMicroseconds("1.2345"), 1235); // half a nanosecond goes up
    EXPECT_EQ(parseMicroseconds("1.23449999999999999999999"), 1234);
    EXPECT_EQ(parseMicroseconds("1.7e15"), 1700000000000000000);
    EXPECT_EQ(parseMicroseconds("25E-4"), 3);
    EXPECT_EQ(parseMicroseconds("\"12.5\""), 12500);
}

TEST(Microseconds, ThatAreNoNumberOrBeyondAllTimeAreRefused)
{
    for (const char* text : {"", "x", "-", ".", "1.2.3", "1e", "1e99999", "1e300", "99999999999999999999", "12x",
                             "null", "true", "{", "\"\"", "0x10", "nan", "2400000000000000"})
        EXPECT_FALSE(parseMicroseconds(text)) << text;
}

TEST(Microseconds, AreWrittenAsTheyAreRead)
{
    for (const std::int64_t ns :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{999}, std::int64_t{1000}, std::int64_t{1050},
          std::int64_t{-123456789}, std::int64_t{1695835542514261407}}) {
        std::string text;
        appendMicroseconds(text, ns);
        EXPECT_EQ(parseMicroseconds(text), ns) << text;
    }
}

TEST(Integers, AreReadAsDecimalHexadecimalAndText)
{
    EXPECT_EQ(parseInteger("7"), 7);
    EXPECT_EQ(parseInteger("-1"), -1);
    EXPECT_EQ(parseInteger("\"25738\""), 25738);
    EXPECT_EQ(parseInteger("\"0x7fda0e810200\""), 0x7fda0e810200);
    EXPECT_EQ(parseInteger("18446744073709551615"), -1); // an address
    EXPECT_EQ(parseInteger("7.0"), 7);
    bool exact = true;
    EXPECT_EQ(parseInteger("2.6", &exact), 3);
    EXPECT_FALSE(exact);
    for (const char* text : {"", "\"\"", "x", "1e40", "\"stream\"", "[", "0x", "0xzz"})
        EXPECT_FALSE(parseInteger(text)) << text;
}

TEST(Texts, AreUnescapedAndWrittenBack)
{
    EXPECT_EQ(unescape(R"("a\"b\\c\/d\n\t\r\b\f")"), "a\"b\\c/d\n\t\r\b\f");
    EXPECT_EQ(unescape(R"("\u00e9\ud83d\ude00")"), "\u00e9\U0001f600");
    EXPECT_EQ(unescape(R"("\ud83d!")"), "\ufffd!");
    EXPECT_EQ(unescape(R"("C:\Users\x\u12")"), "C:\\Users\\x\\u12"); // no JSON, but written by a recorder
    const std::string hard("\0\x1f \"\\/\u00e9", 8);
    std::string quoted;
    appendQuoted(quoted, hard);
    EXPECT_EQ(unescape(quoted), hard);
    quoted.clear();
    appendQuoted(quoted, "\xff\xc3");
    EXPECT_EQ(quoted, "\"??\"");
}

TEST(Texts, WithBytesThatAreNoTextAreRepairedInPlace)
{
    std::string text("{\"a\": \"\xff\xc3(\x01\n\\\"\xe2\x82\xac\", \"b\":\t1}\0", 28);
    const std::size_t size = text.size();
    EXPECT_EQ(repairText(text), 4u) << "what stands between strings makes no text bad";
    EXPECT_EQ(text.size(), size);
    TokenIndex index;
    EXPECT_EQ(index.index(text), TokenIndex::Status::ok);
    EXPECT_EQ(index.tokens().count, 10u);
}

TEST(Words, OfEveryKindComeBackAsThatKind)
{
    for (const apertune::trace::EventKind kind : apertune::trace::kEventKinds) {
        const auto category = categoryFromString(categoryOf(kind));
        ASSERT_TRUE(category);
        EXPECT_EQ(category->kind, kind);
        EXPECT_FALSE(category->flow || category->recorder);
    }
}

TEST(Words, OfCopiesSayDirectionAndMemory)
{
    const auto copy = copyFromName("Memcpy HtoD (Pinned -> Device)");
    EXPECT_EQ(copy.direction, apertune::trace::CopyDirection::hostToDevice);
    EXPECT_EQ(copy.source, apertune::trace::MemoryKind::pinned);
    EXPECT_EQ(copy.target, apertune::trace::MemoryKind::device);
    EXPECT_EQ(copyFromName("Memcpy PtoP (Device -> Device)").direction, apertune::trace::CopyDirection::peerToPeer);
    EXPECT_EQ(copyFromName("CopyDeviceToHost").direction, apertune::trace::CopyDirection::deviceToHost);
    EXPECT_EQ(copyFromName("Memcpy DtoH (Device Static -> Pageable)").source,
              apertune::trace::MemoryKind::deviceStatic);
    EXPECT_EQ(copyFromName("Memcpy ((").direction, apertune::trace::CopyDirection::unknown);
    EXPECT_EQ(copyFromName("Memcpy HtoD (Host -> Device)").source, apertune::trace::MemoryKind::unknown);
}

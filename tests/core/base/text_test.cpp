// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>

#include <limits>

namespace apertune::base::test {

using Strings = std::vector<std::string>;

TEST(Text, TheLastLineIsTheLastWithWords)
{
    EXPECT_EQ(lastLine("first\r\n  it failed: no disk  \r\n\n \t\n"), "it failed: no disk");
    EXPECT_EQ(lastLine("one"), "one");
    EXPECT_EQ(lastLine(" \n"), "");
    EXPECT_EQ(lastLine(""), "");
}

TEST(Text, ListsAreSplitTrimmedAndJoined)
{
    EXPECT_EQ(splitList("a,b,,c"), (Strings{"a", "b", "c"}));
    EXPECT_EQ(splitList(" a b ,\tc\r\n,"), (Strings{"a b", "c"}));
    EXPECT_EQ(splitList(""), Strings{});
    EXPECT_EQ(splitList(" , ,"), Strings{});
    EXPECT_EQ(splitList("1\n2\n", '\n'), (Strings{"1", "2"}));
    EXPECT_EQ(join({"a", "b", "c"}), "a, b, c");
    EXPECT_EQ(join({"a", "", "c"}, "|"), "a||c");
    EXPECT_EQ(join({}), "");
    EXPECT_EQ(replaced("a'b'", "'", "''"), "a''b''") << "what stands in is not looked through again";
}

TEST(Text, NumbersKeepTheirSignificantDigits)
{
    struct Case
    {
        double value;
        int digits;
        std::string_view text;
    };
    for (const Case& c : {Case{21.934, 4, "21.93"},
                          {0.041234, 3, "0.0412"},
                          {2914.4, 4, "2914"},
                          {2914.4, 2, "2914"},
                          {0, 4, "0.000"},
                          {1, 3, "1.00"},
                          {-12.345, 4, "-12.35"},
                          {9.9996, 4, "10.00"}, // not 10.000
                          {99.95, 3, "100"},    // 99.95 is a little above 99.95
                          {999.96, 4, "1000"},
                          {0.00099996, 4, "0.001000"},
                          {0.0001, 2, "0.00010"},
                          {0.00009, 2, "9.0e-05"},
                          {123456789, 3, "123456789"},
                          {1.5e9, 3, "1.50e+09"},
                          {std::numeric_limits<double>::infinity(), 3, "inf"},
                          {-std::numeric_limits<double>::infinity(), 3, "-inf"},
                          {std::numeric_limits<double>::quiet_NaN(), 3, "nan"}})
        EXPECT_EQ(formatSignificant(c.value, c.digits), c.text) << c.value << " with " << c.digits;
    EXPECT_EQ(formatPercent(0.4512), "45.1 %");
    EXPECT_EQ(formatPercent(0.0412), "4.1 %");
    EXPECT_EQ(formatPercent(0), "0.0 %");
    EXPECT_EQ(formatPercent(2.8e-8), "< 0.001 %");
    EXPECT_EQ(formatPercent(-2.8e-8), "> -0.001 %");
    EXPECT_EQ(formatSignificant(std::numeric_limits<double>::max(), 17).size(), 23u);
    EXPECT_EQ(formatSignificant(std::numeric_limits<double>::denorm_min(), 4), "4.941e-324");
}

TEST(Text, SizesHaveBinaryUnits)
{
    EXPECT_EQ(formatBytes({0}), "0 B");
    EXPECT_EQ(formatBytes({1023}), "1023 B");
    EXPECT_EQ(formatBytes({1024}), "1.00 KiB");
    EXPECT_EQ(formatBytes({1'610'612'736}), "1.50 GiB");
    EXPECT_EQ(formatBytes({327'155'712}), "312 MiB");
    EXPECT_EQ(formatBytes({-1'048'576}), "-1.00 MiB");
    EXPECT_EQ(formatBytes({std::int64_t{5} << 50}), "5120 TiB");
    EXPECT_EQ(formatBytes({(1 << 20) - 1}), "1.00 MiB"); // not 1024 KiB
}

TEST(Text, DurationsReadAsPeopleSayThem)
{
    struct Case
    {
        std::int64_t ns;
        std::string_view text;
    };
    for (const Case& c : {Case{0, "0.00 µs"},
                          {1'500, "1.50 µs"},
                          {999'999, "1.00 ms"}, // not 1000 µs
                          {850'000'000, "850 ms"},
                          {999'999'999, "1.00 s"},
                          {12'340'000'000, "12.3 s"},
                          {59'940'000'000, "59.9 s"},
                          {59'960'000'000, "1 min 00 s"},
                          {125'000'000'000, "2 min 05 s"},
                          {3'599'600'000'000, "1 h 00 min"},
                          {3'780'000'000'000, "1 h 03 min"},
                          {90'000'000'000'000, "25 h 00 min"},
                          {-12'340'000'000, "-12.3 s"}})
        EXPECT_EQ(formatDuration({c.ns}), c.text) << c.ns;
}

TEST(Text, CountsHaveTheirPowerOfAThousand)
{
    EXPECT_EQ(formatMagnitude(25'557'032), "25.6 M");
    EXPECT_EQ(formatMagnitude(4.09e9), "4.09 G");
    EXPECT_EQ(formatMagnitude(6'500), "6.50 k");
    EXPECT_EQ(formatMagnitude(65), "65");
    EXPECT_EQ(formatMagnitude(0), "0");
}

TEST(Text, DurationsAreReadWithTheirUnits)
{
    EXPECT_EQ(parseDuration("20ms")->count, 20'000'000);
    EXPECT_EQ(parseDuration("1.5s")->count, 1'500'000'000);
    EXPECT_EQ(parseDuration("90s")->count, 90'000'000'000);
    EXPECT_EQ(parseDuration("2m")->count, 120'000'000'000);
    EXPECT_EQ(parseDuration("2min")->count, 120'000'000'000);
    EXPECT_EQ(parseDuration("1h")->count, 3'600'000'000'000);
    EXPECT_EQ(parseDuration("7us")->count, 7'000);
    EXPECT_EQ(parseDuration("3ns")->count, 3);
    EXPECT_EQ(parseDuration("1m30s")->count, 90'000'000'000);
    EXPECT_EQ(parseDuration("1h 2m 3s")->count, 3'723'000'000'000);
    EXPECT_EQ(parseDuration("2M")->count, 120'000'000'000);
    EXPECT_EQ(parseDuration("20MS")->count, 20'000'000);
    EXPECT_EQ(parseDuration(" 5 s ")->count, 5'000'000'000);
    EXPECT_EQ(parseDuration("0")->count, 0);
    EXPECT_EQ(parseDuration("1e3ms")->count, 1'000'000'000);
    EXPECT_EQ(parseDuration("1.001s")->count, 1'001'000'000); // 1.001 lies below its decimal value
    for (const char* bad :
         {"",      " ",    "s",        "-1s",    "1x",    "1 2s", "ms20", "0x10", "inf", "nan", "1e400s",
          "1e10h", "1,5s", "20 ms ms", "30s30s", "30s1m", "1m30", "+5",   "20",   "1.5", "0.5"}) {
        const auto result = parseDuration(bad);
        ASSERT_FALSE(result.ok()) << bad;
        EXPECT_EQ(result.error().code, ErrorCode::invalidArgument);
        EXPECT_NE(sentences::sentence(result.error().message).find("\"" + std::string(bad) + "\""), std::string::npos);
        EXPECT_NE(sentences::sentence(result.error().hint).find("20ms"), std::string::npos);
    }
}

TEST(Text, SizesAreReadWithTheirUnits)
{
    EXPECT_EQ(parseBytes("4GiB")->count, 4'294'967'296);
    EXPECT_EQ(parseBytes("500MB")->count, 500'000'000);
    EXPECT_EQ(parseBytes("1024B")->count, 1024);
    EXPECT_EQ(parseBytes("0")->count, 0);
    EXPECT_EQ(parseBytes("1.5 KiB")->count, 1536);
    EXPECT_EQ(parseBytes("2 TiB")->count, 2'199'023'255'552);
    EXPECT_EQ(parseBytes("17B")->count, 17);
    EXPECT_EQ(parseBytes("4gib")->count, 4'294'967'296);
    EXPECT_EQ(parseBytes("4G")->count, 4'294'967'296);
    EXPECT_EQ(parseBytes("2k")->count, 2048);
    EXPECT_EQ(parseBytes("4.35GB")->count, 4'350'000'000);
    for (const char* bad : {"", "GiB", "-1", "4 G i B", "4G4M", "1e30", "nan", "4GiBs", "1024"}) {
        const auto result = parseBytes(bad);
        ASSERT_FALSE(result.ok()) << bad;
        EXPECT_EQ(result.error().code, ErrorCode::invalidArgument);
        EXPECT_NE(sentences::sentence(result.error().hint).find("4GiB"), std::string::npos);
    }
}

TEST(Text, OnlyTypingSlipsAreCorrected)
{
    const Strings devices{"cpu", "cuda:0", "all"};
    EXPECT_EQ(closestMatch("cuda0", devices), "cuda:0");
    EXPECT_EQ(closestMatch("gpu", devices), "cpu");
    EXPECT_EQ(closestMatch("cpu", devices), "cpu");
    EXPECT_EQ(closestMatch("tensorrt", devices), "");
    EXPECT_EQ(closestMatch("onnx", {"libtorch", "onnxruntime", "openvino"}), "onnxruntime");
    EXPECT_EQ(closestMatch("torch", {"libtorch", "onnxruntime", "openvino"}), "libtorch");
    EXPECT_EQ(closestMatch("resn", {"resnet18x", "resnet50x"}), ""); // both are equally close
    EXPECT_EQ(closestMatch("fp23", {"fp32", "bf16"}), "fp32");
    EXPECT_EQ(closestMatch("chanels_lst", {"freeze", "channels_last"}), "channels_last");
    EXPECT_EQ(closestMatch("xy", {"ab"}), ""); // nothing in common
    EXPECT_EQ(closestMatch("", {"ab"}), "");
    EXPECT_EQ(closestMatch("x", {}), "");
}

} // namespace apertune::base::test

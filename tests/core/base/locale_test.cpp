// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_dir.h"
#include "core/base/text.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale>

namespace apertune::base::test {

namespace {

struct CommaPunctuation : std::numpunct<char>
{
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

void expectPlainNumbers()
{
    EXPECT_EQ(formatSignificant(21.934, 4), "21.93");
    EXPECT_EQ(formatSignificant(123456.7, 4), "123457");
    EXPECT_EQ(formatBytes({1'610'612'736}), "1.50 GiB");
    EXPECT_EQ(formatDuration({12'340'000'000}), "12.3 s");
    EXPECT_EQ(formatDuration({3'780'000'000'000}), "1 h 03 min");
    EXPECT_EQ(parseDuration("1.5s")->count, 1'500'000'000);
    EXPECT_FALSE(parseDuration("1,5s").ok());
    EXPECT_EQ(parseBytes("1.5KiB")->count, 1536);
}

} // namespace

TEST(Locale, TextDoesNotFollowTheStreamsLocale)
{
    const std::locale before = std::locale::global(std::locale(std::locale(), new CommaPunctuation));
    expectPlainNumbers();
    std::locale::global(before);
}

TEST(Locale, TextDoesNotFollowTheLibrarysLocale)
{
    const auto folder = TemporaryDir::create("locale");
    ASSERT_TRUE(folder.ok());
    const std::string command =
        "localedef -i de_DE -f UTF-8 '" + (folder->path() / "de_DE.UTF-8").string() + "' >/dev/null 2>&1";
    if (std::system(command.c_str()) != 0)
        GTEST_SKIP() << "no localedef, or no sources of a locale with a decimal comma";
    ::setenv("LOCPATH", folder->path().c_str(), 1);
    ASSERT_NE(std::setlocale(LC_ALL, "de_DE.UTF-8"), nullptr);
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", 1.5);
    EXPECT_STREQ(text, "1,5"); // the locale is really in force
    expectPlainNumbers();
    std::setlocale(LC_ALL, "C");
    ::unsetenv("LOCPATH");
}

} // namespace apertune::base::test

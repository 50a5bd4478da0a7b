// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/fonts.h"
#include "widgets/theme/system_scheme.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QSignalSpy>

#include <gtest/gtest.h>

namespace apertune::theme {
namespace {

TEST(Theme, FollowsTheDesktopOnlyWhenAskedTo)
{
    Theme& theme = Theme::instance();
    theme.setPreference(Preference::system);
    theme.setSystemScheme(Scheme::light);
    EXPECT_EQ(currentScheme(), Scheme::light);
    EXPECT_EQ(QApplication::palette().color(QPalette::Window), tokensOf(Scheme::light).canvas);
    theme.setPreference(Preference::dark);
    QSignalSpy changes(&theme, &Theme::changed);
    theme.setSystemScheme(Scheme::light);
    EXPECT_EQ(changes.count(), 0);
    EXPECT_EQ(currentScheme(), Scheme::dark);
}

TEST(Theme, MoreContrastHoldsInEitherScheme)
{
    Theme& theme = Theme::instance();
    theme.setContrast(Contrast::more);
    for (const Preference preference : {Preference::light, Preference::dark}) {
        theme.setPreference(preference);
        const Tokens& more = tokensOf(theme.scheme(), Contrast::more);
        EXPECT_EQ(current().text2, more.text2);
        EXPECT_EQ(QApplication::palette().color(QPalette::Window), more.canvas);
    }
    QSignalSpy changes(&theme, &Theme::changed);
    theme.setSystemContrast(Contrast::normal);
    EXPECT_EQ(changes.count(), 0) << "what was chosen holds";
    theme.setContrast(std::nullopt);
    EXPECT_EQ(changes.count(), 1);
    EXPECT_EQ(current().text2, tokensOf(Scheme::dark).text2);
    theme.setSystemContrast(Contrast::more);
    EXPECT_EQ(current().text2, tokensOf(Scheme::dark, Contrast::more).text2) << "else the desktop's";
    theme.setSystemContrast(Contrast::normal);
}

TEST(Theme, TextSizeScalesEveryRoleAndIsBounded)
{
    Theme::instance().setTextSize(18);
    EXPECT_EQ(font(Type::body).pixelSize(), 18);
    EXPECT_EQ(font(Type::figure).pixelSize(), 24 * 18 / 13);
    Theme::instance().setTextSize(99);
    EXPECT_EQ(textSize(), kMaxTextSize);
    Theme::instance().setTextSize(1);
    EXPECT_EQ(textSize(), kMinTextSize);
    Theme::instance().setTextSize(kDefaultTextSize);
    EXPECT_EQ(QApplication::font().pixelSize(), 13);
}

TEST(SystemScheme, APaletteDarkerThanItsTextIsDark)
{
    EXPECT_EQ(SystemScheme::fromPalette(paletteOf(Scheme::dark)), Scheme::dark);
    EXPECT_EQ(SystemScheme::fromPalette(paletteOf(Scheme::light)), Scheme::light);
}

TEST(SystemScheme, ReadsThePortalsNumbers)
{
    EXPECT_EQ(SystemScheme::fromPortal(1u, Scheme::light), Scheme::dark);
    EXPECT_EQ(SystemScheme::fromPortal(2u, Scheme::dark), Scheme::light);
    EXPECT_EQ(SystemScheme::fromPortal(0u, Scheme::dark), Scheme::dark);
    EXPECT_EQ(SystemScheme::fromPortal({}, Scheme::light), Scheme::light);
    EXPECT_EQ(SystemScheme::contrastFromPortal(1u), Contrast::more);
    EXPECT_EQ(SystemScheme::contrastFromPortal(0u), Contrast::normal);
    EXPECT_EQ(SystemScheme::contrastFromPortal({}), Contrast::normal);
}

} // namespace
} // namespace apertune::theme

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/theme.h"

#include "widgets/theme/fonts.h"
#include "widgets/theme/system_scheme.h"

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
}

} // namespace
} // namespace apertune::theme

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/icons.h"
#include "widgets/theme/theme.h"

#include <QDir>
#include <QImage>

#include <gtest/gtest.h>

namespace apertune::theme {
namespace {

int inkedPixels(const QImage& image, const QColor& color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            count += pixel.alpha() > 128 && std::abs(pixel.red() - color.red()) < 12 ? 1 : 0;
        }
    }
    return count;
}

TEST(Icons, EveryIconOfTheSetDrawsInTheColourAskedFor)
{
    ASSERT_FALSE(icon(QStringLiteral("start")).isNull());
    const QStringList files = QDir(QStringLiteral(":/apertune/icons")).entryList();
    ASSERT_GE(files.size(), 20);
    for (const QString& file : files) {
        const QString name = file.section(QLatin1Char('.'), 0, 0);
        const QImage image = iconPixmap(name, 24, QColor(200, 30, 30), 1).toImage();
        EXPECT_GT(inkedPixels(image, QColor(200, 30, 30)), 15) << name.toStdString();
    }
}

TEST(Icons, AreRenderedAtTheResolutionOfTheScreen)
{
    const QPixmap pixmap = iconPixmap(QStringLiteral("start"), 24, Qt::white, 1.5);
    EXPECT_EQ(pixmap.size(), QSize(36, 36));
    EXPECT_DOUBLE_EQ(pixmap.devicePixelRatio(), 1.5);
}

TEST(Icons, AnUnknownNameIsANullIcon)
{
    EXPECT_TRUE(icon(QStringLiteral("no-such-icon")).isNull());
}

TEST(Icons, FollowTheScheme)
{
    const QIcon shown = icon(QStringLiteral("stop"));
    Theme::instance().setPreference(Preference::dark);
    const QImage dark = shown.pixmap(24, 24).toImage();
    Theme::instance().setPreference(Preference::light);
    const QImage light = shown.pixmap(24, 24).toImage();
    Theme::instance().setPreference(Preference::dark);
    EXPECT_NE(dark, light);
}

} // namespace
} // namespace apertune::theme

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/fonts.h"
#include "widgets/theme/tabular.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <gtest/gtest.h>

namespace apertune::theme {
namespace {

/// First and last column of an image with ink in it.
std::pair<int, int> inkExtent(const QImage& image)
{
    int first = image.width();
    int last = -1;
    for (int x = 0; x < image.width(); ++x) {
        for (int y = 0; y < image.height(); ++y) {
            if (qAlpha(image.pixel(x, y)) > 60) {
                first = std::min(first, x);
                last = std::max(last, x);
            }
        }
    }
    return {first, last};
}

QImage drawn(const QString& text, Qt::Alignment alignment)
{
    QImage image(200, 30, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setPen(Qt::black);
    drawTabular(painter, QRectF(0, 0, 200, 30), alignment, font(Type::body), text);
    return image;
}

TEST(Tabular, AllDigitsAreEquallyWide)
{
    const double ones = tabularWidth(font(Type::body), QStringLiteral("1111"));
    for (const char* digits : {"0000", "2345", "8888"})
        EXPECT_DOUBLE_EQ(tabularWidth(font(Type::body), QString::fromLatin1(digits)), ones) << digits;
}

TEST(Tabular, PaddingSpacesAreAsWideAsWhatTheyStandFor)
{
    const QFont body = font(Type::body);
    EXPECT_DOUBLE_EQ(tabularWidth(body, QStringLiteral("12.50")),
                     tabularWidth(body, QStringLiteral("12.5") + QChar(0x2007)));
    EXPECT_NEAR(tabularWidth(body, QStringLiteral("125.0")),
                tabularWidth(body, QStringLiteral("125") + QChar(0x2008) + QChar(0x2007)), 0.5);
}

TEST(Tabular, AlignsLeftRightAndCentre)
{
    const QString text = QStringLiteral("8088");
    const double width = tabularWidth(font(Type::body), text);
    EXPECT_LE(inkExtent(drawn(text, Qt::AlignLeft)).first, 3);
    EXPECT_GE(inkExtent(drawn(text, Qt::AlignRight)).second, 196);
    const auto [first, last] = inkExtent(drawn(text, Qt::AlignHCenter));
    EXPECT_NEAR((first + last) / 2.0, 100, 2);
    EXPECT_NEAR(last - first, width, 4);
}

TEST(Tabular, ElidesWhatDoesNotFit)
{
    const QImage image = drawn(QString(80, QLatin1Char('8')), Qt::AlignLeft);
    EXPECT_LE(inkExtent(image).second, 199);
    EXPECT_GT(inkExtent(image).second, 150);
}

TEST(Tabular, DrawsCharactersThatTheFontLacks)
{
    EXPECT_GE(inkExtent(drawn(QStringLiteral("模型 7"), Qt::AlignLeft)).second, 3);
}

TEST(Tabular, ANameKeepsBothEndsAndItsBracketBeforeItsMiddle)
{
    const QFontMetricsF metrics(font(Type::body));
    const QString name = QStringLiteral("vectorized_elementwise_kernel<AddFunctor<float>>");
    EXPECT_EQ(elidedName(metrics, name, 2000), name);
    const double whole = metrics.horizontalAdvance(name);
    const QString less = elidedName(metrics, name, whole * 0.75);
    EXPECT_TRUE(less.startsWith(QStringLiteral("vector"))) << less.toStdString();
    EXPECT_TRUE(less.endsWith(QStringLiteral("…<AddFunctor<float>>"))) << less.toStdString();
    const QString types = elidedName(metrics, QStringLiteral("explicit_convolve<float, 512, 6, 5, 3, 3, 3, false>"),
                                     metrics.horizontalAdvance(QStringLiteral("explicit_convolve<float, 5")));
    EXPECT_TRUE(types.startsWith(QStringLiteral("explicit_conv"))) << types.toStdString();
    EXPECT_TRUE(types.endsWith(QLatin1Char('>'))) << types.toStdString();
    const QString plain = elidedName(metrics, QStringLiteral("volta_scudnn_128x64_relu_interior_nn_v1"), whole * 0.4);
    EXPECT_TRUE(plain.startsWith(QStringLiteral("volta")) && plain.endsWith(QStringLiteral("_v1")));
    for (double width = 0; width < whole; width += 3)
        EXPECT_LE(metrics.horizontalAdvance(elidedName(metrics, name, width)),
                  std::max(width, metrics.horizontalAdvance(QChar(0x2026)) * 2) + 1)
            << width;
}

} // namespace
} // namespace apertune::theme

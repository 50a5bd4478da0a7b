// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/tokens.h"

#include <gtest/gtest.h>

#include <set>

namespace apertune::theme {
namespace {

class BothSchemes : public ::testing::TestWithParam<Scheme>
{
protected:
    const Tokens& t = tokensOf(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Schemes, BothSchemes, ::testing::Values(Scheme::dark, Scheme::light));

TEST_P(BothSchemes, TextIsReadableOnEveryGroundItIsUsedOn)
{
    for (const QColor& ground : {t.canvas, t.panel, t.raised})
        for (const QColor& ink : {t.text, t.text2, t.accent, t.good, t.warn, t.bad})
            EXPECT_GE(contrast(ink, ground), 4.5) << ink.name().toStdString() << " on " << ground.name().toStdString();
    EXPECT_GE(contrast(t.text3, t.panel), 4.5);
    EXPECT_GE(contrast(t.text3, t.canvas), 4.5);
    EXPECT_GE(contrast(t.text, t.selection), 4.5);
    EXPECT_GE(contrast(t.text2, t.selection), 4.5);
    EXPECT_GE(contrast(t.onAccent, t.accent), 4.5);
    EXPECT_GE(contrast(t.text, t.accentSoft), 4.5);
}

TEST_P(BothSchemes, OutlinesOfControlsStandOut)
{
    for (const QColor& ground : {t.canvas, t.panel, t.raised}) {
        EXPECT_GE(contrast(t.border, ground), 3.0) << ground.name().toStdString();
        EXPECT_GE(contrast(t.accent, ground), 3.0);
    }
}

TEST_P(BothSchemes, WithMoreContrastAllTextAndEveryLineStandsOut)
{
    const Tokens& more = tokensOf(GetParam(), Contrast::more);
    for (const QColor& ground : {more.canvas, more.panel, more.raised}) {
        for (const QColor& ink : {more.text, more.text2, more.text3, more.accent, more.good, more.warn, more.bad})
            EXPECT_GE(contrast(ink, ground), 7) << ink.name().toStdString() << " on " << ground.name().toStdString();
        EXPECT_GE(contrast(more.border, ground), 4.5);
    }
    EXPECT_GE(contrast(more.line, more.panel), 3);
    EXPECT_GE(contrast(more.line, more.canvas), 3);
    EXPECT_GE(contrast(more.text, more.selection), 7);
    EXPECT_GE(contrast(more.onAccent, more.accent), 7);
    EXPECT_GE(contrast(more.text, more.accentSoft), 7);
}

TEST_P(BothSchemes, PrecisionsDifferInShapeAndColourAndStandOut)
{
    std::set<int> shapes;
    std::set<QRgb> colours;
    for (const model::Precision precision : model::kAllPrecisions) {
        const Marker marker = precisionMarker(precision, GetParam());
        shapes.insert(static_cast<int>(marker.shape));
        colours.insert(marker.color.rgb());
        EXPECT_GE(contrast(marker.color, t.panel), 3.0) << model::toString(precision);
    }
    EXPECT_EQ(shapes.size(), model::kAllPrecisions.size());
    EXPECT_EQ(colours.size(), model::kAllPrecisions.size());
}

TEST(Tokens, TextOnAHeatMapCellIsReadableAtEveryValue)
{
    for (int i = 0; i <= 100; ++i) {
        const QColor ground = sequentialColor(i / 100.0);
        EXPECT_GE(contrast(readableOn(ground), ground), 4.5) << i;
    }
}

TEST(Tokens, SequentialColoursGetLighterAndAreClamped)
{
    for (int i = 1; i <= 20; ++i) {
        EXPECT_GT(sequentialColor(i / 20.0).lightnessF() + sequentialColor(i / 20.0).greenF(),
                  sequentialColor((i - 1) / 20.0).lightnessF() + sequentialColor((i - 1) / 20.0).greenF());
    }
    EXPECT_EQ(sequentialColor(-1), sequentialColor(0));
    EXPECT_EQ(sequentialColor(2), sequentialColor(1));
}

TEST(Tokens, ContrastAgreesWithKnownPairs)
{
    EXPECT_NEAR(contrast(Qt::black, Qt::white), 21.0, 0.01);
    EXPECT_NEAR(contrast(Qt::white, Qt::white), 1.0, 0.001);
    EXPECT_NEAR(contrast(QColor(0x77, 0x77, 0x77), Qt::white), 4.48, 0.01);
}

} // namespace
} // namespace apertune::theme

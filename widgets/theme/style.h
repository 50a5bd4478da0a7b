// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace apertune::theme {

/// The emphasis of a push button, stored in the dynamic property kButtonKind.
enum class ButtonKind { normal, primary, quiet };
inline constexpr char kButtonKind[] = "apertuneKind";

void setButtonKind(QWidget* button, ButtonKind kind);

/// Fusion with flat, rounded controls in the tokens' colours: 1-px outlines instead of shadows, a 2-px accent ring for
/// keyboard focus, no gradients, no animation.
class Style : public QProxyStyle
{
    Q_OBJECT
public:
    Style();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl sub,
                         const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                           const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returnData) const override;
    void polish(QWidget* widget) override;
    using QProxyStyle::polish;

private:
    void drawScrollBar(const QStyleOptionComplex* option, QPainter* painter) const;
    void drawSpinBox(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const;
    void drawComboBox(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const;
};

/// Draws a rounded box on whole pixels, at any device pixel ratio. An invalid colour draws nothing.
void drawBox(QPainter& painter, const QRectF& rect, const QColor& fill, const QColor& outline, double radius = 5,
             double width = 1);
/// Draws the ring around the control that has the keyboard focus.
void drawFocusRing(QPainter& painter, const QRectF& rect, double radius = 6);

} // namespace apertune::theme

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QStyleOptionButton>
#include <QStyleOptionComboBox>
#include <QStyleOptionMenuItem>
#include <QStyleOptionProgressBar>
#include <QStyleOptionSlider>
#include <QWidget>

#include <algorithm>

namespace apertune::theme {

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const
{
    const Tokens& t = current();
    switch (element) {
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            QStyleOptionButton copy = *button;
            const bool primary =
                widget && static_cast<ButtonKind>(widget->property(kButtonKind).toInt()) == ButtonKind::primary;
            if (primary && copy.state & State_Enabled)
                copy.palette.setColor(QPalette::ButtonText, t.onAccent);
            copy.state &= ~(State_Sunken | State_On);
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
        break;
    case CE_ProgressBarGroove:
        drawBox(*painter, option->rect, t.raised, QColor(), 3);
        return;
    case CE_ProgressBarContents:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
            QRectF filled = bar->rect;
            const int span = std::max(1, bar->maximum - bar->minimum);
            filled.setWidth(filled.width() * std::clamp(bar->progress - bar->minimum, 0, span) / span);
            if (filled.width() >= 1)
                drawBox(*painter, filled, t.accent, QColor(), 3);
            return;
        }
        break;
    case CE_ProgressBarLabel:
        return;
    case CE_Splitter:
        return;
    case CE_ComboBoxLabel:
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
            const QRect field = proxy()->subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
            painter->setPen(combo->palette.color(combo->state & State_Enabled ? QPalette::Active : QPalette::Disabled,
                                                 QPalette::ButtonText));
            painter->drawText(field, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine),
                              combo->fontMetrics.elidedText(combo->currentText, Qt::ElideRight, field.width()));
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const
{
    switch (control) {
    case CC_ScrollBar:
        drawScrollBar(option, painter);
        return;
    case CC_ComboBox:
        drawComboBox(option, painter, widget);
        return;
    case CC_SpinBox:
        drawSpinBox(option, painter, widget);
        return;
    default:
        QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
}

void Style::drawScrollBar(const QStyleOptionComplex* option, QPainter* painter) const
{
    const Tokens& t = current();
    const QRect slider = proxy()->subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, nullptr);
    painter->fillRect(option->rect, t.panel);
    if (!(option->state & State_Enabled))
        return;
    const bool hovered = option->state & State_MouseOver;
    drawBox(*painter, QRectF(slider).adjusted(3, 3, -3, -3), hovered ? t.text3 : mixed(t.line, t.border, 0.4), QColor(),
            3);
}

void Style::drawComboBox(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    const Tokens& t = current();
    const bool enabled = option->state & State_Enabled;
    const bool hovered = enabled && option->state & State_MouseOver;
    const bool focus = option->state & State_HasFocus;
    drawBox(*painter, option->rect, hovered ? mixed(t.raised, t.text, 0.06) : t.raised,
            focus     ? t.accent
            : enabled ? t.border
                      : t.line,
            5, focus ? 2 : 1);
    const QRect arrow = proxy()->subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget);
    drawIcon(*painter, QStringLiteral("chevron-down"), QRectF(arrow).adjusted(2, 7, -6, -7),
             enabled ? t.text2 : t.text3);
}

void Style::drawSpinBox(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    const Tokens& t = current();
    const bool enabled = option->state & State_Enabled;
    const bool focus = option->state & State_HasFocus;
    drawBox(*painter, option->rect, t.panel, focus ? t.accent : enabled ? t.border : t.line, 5, focus ? 2 : 1);
    for (const SubControl part : {SC_SpinBoxUp, SC_SpinBoxDown}) {
        const QRectF rect = proxy()->subControlRect(CC_SpinBox, option, part, widget);
        const bool pressed = option->activeSubControls == part && option->state & State_Sunken;
        painter->save();
        painter->translate(rect.center());
        if (part == SC_SpinBoxUp)
            painter->rotate(180);
        drawIcon(*painter, QStringLiteral("chevron-down"), QRectF(-6, -6, 12, 12),
                 !enabled  ? t.text3
                 : pressed ? t.accent
                           : t.text2);
        painter->restore();
    }
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl sub,
                            const QWidget* widget) const
{
    if (control == CC_ComboBox) {
        switch (sub) {
        case SC_ComboBoxArrow:
            return QRect(option->rect.right() - 23, option->rect.top(), 24, option->rect.height());
        case SC_ComboBoxEditField:
            return option->rect.adjusted(10, 1, -26, -1);
        default:
            break;
        }
    }
    if (control == CC_SpinBox) {
        const QRect& whole = option->rect;
        switch (sub) {
        case SC_SpinBoxUp:
            return QRect(whole.right() - 23, whole.top() + 1, 22, whole.height() / 2 - 1);
        case SC_SpinBoxDown:
            return QRect(whole.right() - 23, whole.center().y(), 22, whole.height() / 2);
        case SC_SpinBoxEditField:
            return whole.adjusted(2, 2, -26, -2);
        default:
            return whole;
        }
    }
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control != CC_ScrollBar || !bar)
        return QProxyStyle::subControlRect(control, option, sub, widget);
    // There are no arrow buttons, so the groove is the whole bar.
    const bool horizontal = bar->orientation == Qt::Horizontal;
    const int length = horizontal ? bar->rect.width() : bar->rect.height();
    const int range = bar->maximum - bar->minimum;
    int slider = length;
    if (range > 0) {
        slider = static_cast<int>(static_cast<double>(bar->pageStep) * length / (range + bar->pageStep));
        slider = std::clamp(slider, std::min(28, length), length);
    }
    const int start =
        sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - slider, bar->upsideDown);
    const auto part = [&](int from, int to) {
        return horizontal ? QRect(bar->rect.left() + from, bar->rect.top(), to - from, bar->rect.height())
                          : QRect(bar->rect.left(), bar->rect.top() + from, bar->rect.width(), to - from);
    };
    switch (sub) {
    case SC_ScrollBarGroove:
        return part(0, length);
    case SC_ScrollBarSlider:
        return part(start, start + slider);
    case SC_ScrollBarSubPage:
        return part(0, start);
    case SC_ScrollBarAddPage:
        return part(start + slider, length);
    default:
        return {};
    }
}

} // namespace apertune::theme
